package proof

import "github.com/bonafide-go/bonafide/internal/reading"

// Untold are the items that were not done and that a text does not tell. Whoever
// shows the text adds them: the user asked for them, too. What the user took back
// needs no word, and a message that the model has just rewritten tells what it
// denies in its own words.
func Untold(report Report, text string) []Item {
	k := knowledge{reader: reading.English()}
	told := k.toldIn(text)
	var untold []Item
	for _, item := range report.Items {
		switch item.Status {
		case NotDone, Failed, Pending, Partial, NeedsInput:
			if !k.tells(told, &item) && !(report.Message != nil && k.hedged(text)) {
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
