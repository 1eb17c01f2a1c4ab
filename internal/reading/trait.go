package reading

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// trait is a set of what a word says beside its roles: that something is needed first, or
// that it broke.
type trait uint32

const (
	traitNeed trait = 1 << iota
	traitMust
	traitBroken // of an output, before a colon or in brackets
	traitFlaw   // the same, counted
	traitShell
	traitRelease // what somebody has to give before a thing is done: an approval
)

// traitNames are their names in the data file, in the same order.
var traitNames = []string{"need", "must", "broken", "flaw", "shell", "release"}

// addTrait gives words a trait.
func (r *Reader) addTrait(name, words string) error {
	i := slices.Index(traitNames, name)
	if i < 0 {
		return fmt.Errorf("there is no trait %q", name)
	}
	for _, word := range strings.Fields(words) {
		r.learn(word).traits |= 1 << i
	}
	return nil
}

// RunsCommand reports whether a tool, by its name, runs a command or a program, or checks
// something: its output tells how it went.
func (r *Reader) RunsCommand(tool string) bool { return r.anyTrait(traitShell, tool) || r.Checks(tool) }

// TakesCommand reports the same by the names of the arguments of a call.
func (r *Reader) TakesCommand(args []byte) bool {
	for key := range jsonspan.Members(args) {
		if r.facts.Find(lexicon.Hash(string(key))).traits&traitShell != 0 {
			return true
		}
	}
	return false
}

// anyTrait reports whether a word of a name has one of the traits.
func (r *Reader) anyTrait(traits trait, name string) bool {
	for word := range runs(name) {
		if r.facts.Find(lexicon.Hash(word)).traits&traits != 0 {
			return true
		}
	}
	return false
}

// runs are the words of a name: they end at what is no letter, and before a capital that follows a small one.
func runs(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i <= len(name); i++ {
			inner := i < len(name) && letters[name[i]] && name[i] != '_'
			turns := inner && i > from && name[i] <= 'Z' && name[i-1] >= 'a'
			if inner && !turns {
				continue
			}
			if i > from && !yield(name[from:i]) {
				return
			}
			if from = i + 1; turns {
				from = i
			}
		}
	}
}

// traitAt is the traits of a token.
func (t *Text) traitAt(i int) trait {
	switch token := &t.Tokens[i]; {
	case token.Entry != nil:
		return t.reader.words[token.Entry.Number].traits
	case token.IsWord():
		return t.reader.facts.Find(token.Hash).traits
	}
	return 0
}
