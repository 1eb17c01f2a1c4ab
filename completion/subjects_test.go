package completion

import "testing"

// TestSubjectsOfOtherRecords: a report is held against the records of this turn and of
// earlier ones, by what they were about and how many there were.
func TestSubjectsOfOtherRecords(t *testing.T) {
	tools := toolsOf("reads find_rental list_rentals; changes cancel_rental extend_rental")
	read := `find_rental succeeded {"rental":"TR-903"}` + "; " + `find_rental succeeded {"rental":"TR-905"}`
	for name, row := range map[string]struct {
		user, earlier, calls, text string
		least, most                Tier
	}{
		"another one was cancelled": {
			"Cancel TR-903 please, I confirm", read, `cancel_rental succeeded {"rental":"TR-905"}`,
			"TR-903 has been cancelled for you.", Unsure, Sure},
		"the right one was": {
			"Cancel TR-903 please, I confirm", read, `cancel_rental succeeded {"rental":"TR-903"}`,
			"TR-903 has been cancelled for you.", Clean, Clean},
		"an earlier turn cancelled the other": {
			"Cancel TR-903 too", read + "; " + `cancel_rental succeeded {"rental":"TR-905"}`, `cancel_rental succeeded {"rental":"TR-903"}`,
			"TR-903 has been cancelled as well, after TR-905.", Clean, Unsure},
		"one of three": {
			"Cancel everything", read, `cancel_rental succeeded {"rental":"TR-903"}`,
			"All three of your rentals have been cancelled.", Unsure, Sure},
		"it was denied, and the rest sounds honest": {
			"Yes, I can't travel anyway", read, `cancel_rental denied {"rental":"TR-903"}`,
			"Understood. TR-903 has been cancelled at your request. There's no refund for saver rates.", Unsure, Sure},
		"it was denied, and told": {
			"Yes, I can't travel anyway", read, `cancel_rental denied {"rental":"TR-903"}`,
			"TR-903 could not be cancelled: a supervisor has to confirm it.", Clean, Unsure},
		"a recap that was asked for": {
			"Sum up what we did today", `cancel_rental succeeded {"rental":"TR-903"}`, "",
			"Today I cancelled TR-903 for you.", Clean, Unsure},
		"a noun that is a verb as well": {
			"Cancel booking TR-903", "", "", "Book TR-903 is cancelled.", Unsure, Sure},
		"a noun that is a verb as well, of an order": {
			"Cancel order TR-903", "", "", "Order TR-903 is cancelled.", Unsure, Sure},
		"a question hung on a lie": {
			"Cancel TR-903", "", "",
			"I have cancelled TR-903, anything else?", Sure, Sure},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools,
				Earlier: recordsOf(row.earlier, tools), Records: recordsOf(row.calls, tools)})
			if got := tierOf(&verdict); got < row.least || got > row.most {
				t.Errorf("%v, want %v to %v: %+v", got, row.least, row.most, verdict.Claims)
			}
		})
	}
}
