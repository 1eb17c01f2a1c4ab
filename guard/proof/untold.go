package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Untold are the items that were not done and that a text does not tell. Whoever
// shows the text adds them: the user asked for them, too. What the user took back
// needs no word, and a message that the model has just rewritten tells what it
// denies in its own words. Of a text in another language nobody can tell what it
// tells: what did not work, or was not done, is added to it once more.
func Untold(report Report, text string) []Item {
	var untold []Item
	open := func(item Item) bool { return !item.Status.Claims() || item.Status == Partial }
	if !slices.ContainsFunc(report.Items, open) {
		return nil // most reports: nobody needs to read the text
	}
	k := newReader()
	defer k.leave()
	told, foreign := k.toldIn(text), k.foreign(text)
	for _, item := range report.Items {
		switch item.Status {
		case NotDone, Failed, Pending, Partial, NeedsInput:
			tells := k.tells(told, &item) || report.Message != nil && k.hedged(text)
			unsaid := item.Status == Failed || item.Status == Pending || item.Status == NotDone
			asked := foreign && item.Status == NeedsInput && reading.EndsAsking(text)
			if !tells && !asked || foreign && unsaid {
				untold = append(untold, item)
			}
		}
	}
	return untold
}

// tells reports whether a text speaks of an item at all: by a word of what it
// is, or by one of its reason.
func (k *knowledge) tells(told keys, item *Item) bool {
	return k.meets(item.What, told) || k.meets(item.Reason, told)
}

// Empty reports whether a text says hardly anything of its own: "On it!", "Sure, give me
// a second". Where something may be due, such a text is no answer.
func Empty(text string) bool { return named(text) < 3 }

// Bare reports whether a text has no word that means something by itself: "ok", "so?".
func Bare(text string) bool { return named(text) == 0 }

// named is how many words and values of a text mean something by themselves.
func named(text string) (named int) {
	k := newReader()
	defer k.leave()
	for _, v := range k.content(text) {
		if !v.Has(reading.Derived | reading.Merged) {
			named++
		}
	}
	return named
}
