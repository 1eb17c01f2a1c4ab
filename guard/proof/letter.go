package proof

import (
	"slices"
	"strings"
)

// MaxLetters is how many things a request asks about.
const MaxLetters = 8

// Doubt is how much a sentence is doubted, and so how much its proof has to show.
type Doubt uint8

const (
	// Plain is a sentence that is asked about with the rest of a text: no call may say otherwise, and
	// one has to show what only a call can have brought about.
	Plain Doubt = iota
	// Slight is a small doubt: calls that succeeded, and say nothing otherwise, settle it.
	Slight
	// Grave is a sentence that hardly can be true without a call: one has to show it, and that it
	// needs none is not believed.
	Grave
)

// Letter is one thing that proof is asked of.
type Letter struct {
	// Name is how the answer calls it: "a", "b".
	Name string
	// Text is a whole sentence of the draft or, where Due is true, the piece of the user's
	// message that may still be due; empty where only something may be.
	Text string
	// Header is the first row of the table that the sentence is a row of.
	Header string
	Due    bool
	// Changes is true for what only a change can do.
	Changes bool
	// Doubt is how much the sentence is doubted.
	Doubt Doubt
	// Insisted is true for what is due beyond doubt: it has to be answered for.
	Insisted bool
}

// Lettered gives sentences and requests their letters, and leaves out those beyond the
// bound and those that are there already.
func Lettered(asked []Letter) []Letter {
	letters := make([]Letter, 0, min(len(asked), MaxLetters))
	for _, one := range asked {
		one.Text = strings.TrimSpace(one.Text)
		if len(letters) == MaxLetters || isAmong(letters, one) {
			continue
		}
		one.Name = string(rune('a' + len(letters)))
		letters = append(letters, one)
	}
	return letters
}

func isAmong(letters []Letter, one Letter) bool {
	return slices.ContainsFunc(letters, func(l Letter) bool { return l.Text == one.Text && l.Due == one.Due })
}

// named is the letter of a name, in whatever case and marks; nil if there is none.
func named(letters []Letter, name string) *Letter {
	name = strings.ToLower(strings.Trim(name, " ()[]*_`\"'.:"))
	for i := range letters {
		if letters[i].Name == name {
			return &letters[i]
		}
	}
	return nil
}
