package proof

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// Untold are the items that were not done and that a text does not tell. Whoever
// shows the text adds them: the user asked for them, too. What the user took back
// needs no word, and a message that the model has just rewritten tells what it
// denies in its own words. Of a text in another language nobody can tell what it
// tells: what did not work is added to it once more.
func Untold(report Report, text string) []Item {
	var untold []Item
	open := func(item Item) bool { return !item.Status.Claims() || item.Status == Partial }
	if !slices.ContainsFunc(report.Items, open) {
		return nil // most reports: nobody needs to read the text
	}
	k := knowledge{reader: reading.English()}
	told, foreign := k.toldIn(text), k.foreign(text)
	for _, item := range report.Items {
		switch item.Status {
		case NotDone, Failed, Pending, Partial, NeedsInput:
			tells := k.tells(told, &item) || report.Message != nil && k.hedged(text)
			if !tells || foreign && (item.Status == Failed || item.Status == Pending) {
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
