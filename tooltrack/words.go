package tooltrack

import (
	_ "embed" // of the words
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

// wordKind is a set of the kinds of words.txt.
type wordKind uint32

const (
	isDone wordKind = 1 << iota
	isFailed
	isOpen
	isWorking
	isWhose
	isRun
	isPartly
	isEnvelope
	isID
	isWrap
	isInner
	isList
	isFinding
	isFault
	isUndone
	isTally
	isCounter
	isRefusal
	isTitle
	isBeside
	isAsIs
)

// kindNames are the names of the kinds in the file, in their order.
var kindNames = strings.Fields("done failed open working whose runs partly envelope id wrap inner list finding fault " +
	"undone tally counter refusal title beside asis")

// vocabulary is what the file holds.
type vocabulary struct {
	kinds   map[string]wordKind
	phrases map[string][]string
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{map[string]wordKind{}, map[string][]string{}}
	named := map[string]wordKind{}
	for i, name := range kindNames {
		named[name] = 1 << i
	}
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		if kind, list, found := strings.Cut(line, ":"); found && named[kind] != 0 {
			for word := range strings.FieldsSeq(list) {
				v.kinds[word] |= named[kind]
			}
		} else if name, list, found := strings.Cut(line, " | "); found && line[0] != '#' {
			v.phrases[name] = append(v.phrases[name], strings.Split(list, " | ")...)
		}
	}
	return v
})

// isWord reports whether a word is of one of the kinds.
func isWord(word string, kinds wordKind) bool { return words().kinds[word]&kinds != 0 }

func phrases(name string) []string { return words().phrases[name] }

func hasPhrase(name string, is func(phrase string) bool) bool {
	for _, phrase := range phrases(name) {
		if is(phrase) {
			return true
		}
	}
	return false
}
