package reading

import (
	_ "embed"
	"strings"
	"sync"
)

// Wanted is what a message wants to be told in words of the assistant's own. What such
// an answer says of acts, in whatever person, need not be a report of any.
type Wanted uint8

const (
	// Report is a message that asks for no such words.
	Report Wanted = iota
	// Played wants to hear what would be said if something were done: "pretend to send it".
	Played
	// Revised wants a text that is there to be put otherwise: "fix the grammar: …".
	Revised
	// Composed wants a text to be made: "give me a sample mail", "what would you say?".
	Composed
	// Explained wants to know what something is or how it works, as a rule.
	Explained
	// Reckoned wants a sum of what was said: "and my rent plus that".
	Reckoned
)

var wantedNames = []string{"report", "played", "revised", "composed", "explained", "reckoned"}

//go:embed data/wanted.txt
var wantedFile string

var wanted = sync.OnceValue(func() *Holds { return ParseHolds(wantedFile, wantedNames) })

// WantedOf finds out what words a message wants. One that orders something beside them
// wants more than words. What stands after a colon is the text to work on, and orders
// nothing.
func WantedOf(message string) Wanted {
	lead, handed := HandedOver(message)
	if kind := wantedBy(lead); kind != Report || handed == "" {
		return kind
	}
	return wantedBy(message)
}

func wantedBy(message string) Wanted {
	m := englishListener().Read(message)
	defer m.Return()
	held := m.holds(wanted())
	if kind := Wanted(held.Kind); kind == Reckoned || !held.orders {
		return kind
	}
	return Report
}

// HandedOver cuts a message into what it says, and the text that it brings along to be
// worked on, behind a colon or in lines of its own; empty if it brings none.
func HandedOver(message string) (lead, text string) {
	for _, mark := range [...]string{": ", ":\n", "\n\n"} {
		if before, after, found := strings.Cut(message, mark); found && strings.TrimSpace(after) != "" {
			return before, strings.TrimSpace(after)
		}
	}
	return message, ""
}
