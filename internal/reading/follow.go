package reading

import (
	_ "embed" // the sayings
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Following is what a message says by itself that stands right after the result of a call.
type Following struct {
	// Own are the words by which it may ask for something, or take it back; none where it only hands on, or speaks as
	// frameworks do. Long is true where they are the first line of much that is handed on, Few where they are a dozen
	// words at most.
	Own       string
	Long, Few bool
	// Says is true where they are more than yes, do it or thanks, and Adds where they add to what was asked for before
	// without saying again what is to be done: "the other one too".
	Says, Adds bool
}

// What is longer is mostly handed on, and only its first line can be a request.
const (
	maxOwnWords = 600
	maxOwnLines = 6
	fewWords    = 12
)

// Follow reads a message after a result.
func Follow(text string) (f Following) {
	f.Own = ownWords(text)
	if f.Long = len(f.Own) > maxOwnWords || strings.Count(f.Own, "\n") >= maxOwnLines; f.Long {
		f.Own, _, _ = strings.Cut(f.Own, "\n")
	}
	words := spoken(f.Own)
	if len(f.Own) > maxOwnWords || sayingIn(words, sayings().GoesOn) != "" {
		return Following{Long: f.Long}
	}
	f.Few = !f.Long && strings.Count(words, " ") <= fewWords
	f.Says = words != "" && !onlyAgrees(f.Own)
	f.Adds = sayingIn(words, sayings().AddsTo) != ""
	return f
}

// saying is a way to speak, in words as spoken gives them.
type saying struct {
	Name, Example string
	Starts, Holds []string // the message begins so; it stands anywhere in it
}

//go:embed data/sayings.json
var sayingsFile []byte

// sayings are how frameworks and clients speak after a result, and how people add to what they have
// just asked for without saying again what is to be done. A user may speak like a framework and mean
// more; that is the unclear case.
var sayings = sync.OnceValue(func() (known struct{ GoesOn, AddsTo []saying }) {
	_ = json.Unmarshal(sayingsFile, &known) // the tests read all of it
	return known
})

// sayingIn is the name of the first row that fits; empty if none does.
func sayingIn(words string, rows []saying) string {
	for _, row := range rows {
		begins := func(phrase string) bool { return strings.HasPrefix(words, " "+phrase+" ") }
		stands := func(phrase string) bool { return strings.Contains(words, " "+phrase+" ") }
		if slices.ContainsFunc(row.Starts, begins) || slices.ContainsFunc(row.Holds, stands) {
			return row.Name
		}
	}
	return ""
}

// onlyAgrees reports whether a message says no more than yes, do it or thanks.
func onlyAgrees(own string) bool {
	const agreeing = lexicon.Affirmation | lexicon.Politeness | lexicon.Interjection | lexicon.Greeting |
		lexicon.Conjunction | lexicon.Auxiliary | lexicon.Pronoun
	return !slices.ContainsFunc(lexicon.English().Tokenize(nil, own), func(token lexicon.Token) bool {
		return token.IsWord() && (token.Entry == nil || !token.Entry.Class.Has(agreeing))
	})
}

// spoken are the words of a text in lower case, one space before and after each. Sentences, and the
// text itself, end in a stop of their own.
func spoken(text string) string {
	tokens, said := spokenForm().FindAllString(strings.ToLower(text), -1), false
	for i, token := range tokens {
		if strings.Contains(".!?;\n", token) {
			tokens[i] = "."
		} else {
			said = said || token != ":"
		}
	}
	if !said {
		return ""
	}
	return " " + strings.Join(append(tokens, "."), " ") + " "
}

// ownWords is what a message says without what is handed on in it: fenced blocks, elements between
// tags, remarks in brackets, quoted lines. What is not closed goes to the end; of a tag that is not
// closed, only the tag is left out.
func ownWords(text string) string {
	text = withoutElements(fenced().ReplaceAllLiteralString(text, "\n"))
	var lines []string
	for line := range strings.Lines(bracketed().ReplaceAllLiteralString(text, "\n")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ">") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

var (
	spokenForm = pattern(`[\pL\p{Nd}]+|[:.!?;\n]`)
	fenced     = pattern("(?s)```.*?(?:```|$)")
	bracketed  = pattern(`(?s)\[.*?(?:\]|$)`)
	tagForm    = pattern(`<([\pL\p{Nd}:_-]+)[^>]*>`)
)

// pattern is compiled when a text is first held against it: programs start faster.
func pattern(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
}

// withoutElements is a text without elements such as <file>…</file>.
func withoutElements(text string) string {
	var rest strings.Builder
	for {
		at := tagForm().FindStringSubmatchIndex(text)
		if at == nil {
			return rest.String() + text
		}
		rest.WriteString(text[:at[0]] + "\n")
		name := text[at[2]:at[3]]
		text = text[at[1]:]
		if _, behind, closed := strings.Cut(text, "</"+name+">"); closed {
			text = behind
		}
	}
}
