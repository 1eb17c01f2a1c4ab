package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// trait is a set of what a word says beside its roles: whether a thing may be done at
// all, whether it is only prepared, or that it broke.
type trait uint32

const (
	traitNeed trait = 1 << iota
	traitMust
	traitOnly
	traitRight // rights, access
	traitLack
	traitLimit
	traitBan // a freeze, an embargo
	traitDanger
	traitRefuse
	traitBeyond
	traitAgainst
	traitSelf
	traitStay
	traitDraft   // drafts, previews: what is made only to be looked at
	traitPrepare // schedules, saves: what may be the act itself
	traitBroken  // of an output, before a colon or in brackets
	traitFlaw    // the same, counted
	traitShell
	traitSlot // names of states: status, stage
)

// traitNames are their names in the data file, in the same order.
var traitNames = []string{
	"need", "must", "only", "right", "lack", "limit", "ban", "danger", "refuse", "beyond", "against", "self", "stay",
	"draft", "prepare", "broken", "flaw", "shell", "slot",
}

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

// Drafts reports whether a name has a word that says that its act only prepares another:
// a draft, a queue, a preview.
func (r *Reader) Drafts(names []string) bool { return r.anyTrait(names, traitDraft) }

// Prepares reports whether it may: to schedule or to save is often the act itself.
func (r *Reader) Prepares(names []string) bool { return r.anyTrait(names, traitDraft|traitPrepare) }

// RunsCommand reports whether a call, by its name or that of an argument, runs a command
// or a program, or checks something: its output tells how it went.
func (r *Reader) RunsCommand(tool string, args []byte) bool {
	names := toolname.Words(tool)
	for key := range jsonspan.Members(args) {
		names = append(names, string(key))
	}
	return r.anyTrait(names, traitShell) || r.Checks(tool)
}

func (r *Reader) anyTrait(names []string, traits trait) bool {
	return slices.ContainsFunc(names, func(name string) bool { return r.facts.Find(lexicon.Hash(name)).traits&traits != 0 })
}

// SaysPrepared reports whether a clause says itself that something is only prepared.
func (t *Text) SaysPrepared(c *Clause) bool {
	for i := c.From; i < c.To; i++ {
		if t.traitAt(i)&(traitDraft|traitPrepare) != 0 {
			return true
		}
	}
	return false
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
