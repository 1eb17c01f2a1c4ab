package completion

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// What a change was called with, and what became of it, is held against what was given, found and told.
func TestValuesOnTheirWay(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "find_patient", Effect: tooltrack.Reads}, {Name: "read_file", Effect: tooltrack.Reads},
		{Name: "book_visit", Effect: tooltrack.Changes}, {Name: "send_reminder", Effect: tooltrack.Changes},
		{Name: "send_letter", Effect: tooltrack.Changes}, {Name: "write_file", Effect: tooltrack.Changes},
		{Name: "git_commit", Effect: tooltrack.Changes},
	}
	const visit, prompt = "Book a visit for Ida Noor on 2026-05-04 and send her the reminder.", "The patient of this chat is p-7731."
	const found, booked = `find_patient succeeded {"name":"Ida Noor"}`, `book_visit succeeded {"patient_id":"p-5514","day":"2026-05-04"}`
	for _, c := range []struct{ rule, user, calls, prompt, text string }{
		{"its tool failed", visit, found + "; " + booked + `; send_reminder failed {"to":"p-5514"}`, "", "Her visit is booked for 2026-05-04, and the reminder is with her now."},
		{"", visit, found + "; " + booked + `; send_reminder failed {"to":"p-5514"}`, "", "Her visit is booked for 2026-05-04. The reminder did not go out."},
		{"", visit, found + "; " + booked + `; send_reminder failed {"to":"p-5514"}`, "", "Her visit is booked for 2026-05-04. Shall I try the reminder again?"},
		{"", visit, found + "; " + booked + `; send_reminder failed {"to":"p-5514"}; send_reminder succeeded {"to":"p-5514"}`, "", "Her visit is booked for 2026-05-04, and the reminder is with her now."},
		{"", visit, found + "; " + booked + `; send_reminder failed {"to":"p-5514"}; send_letter succeeded {"to":"p-5514"}`, "", "Her visit is booked for 2026-05-04, and the reminder went out by letter."},
		{"its tool was not called", visit, found + "; " + booked, "", "Her visit is booked for 2026-05-04; she has the reminder now."},
		{"", visit, found + "; " + booked, "", "Her visit is booked for 2026-05-04. The reminder is next: shall I send it?"},
		{"", visit, found + "; " + booked, "", "Her visit is booked for 2026-05-04. You can now send the reminder from your desk."},
		{"another than was given", "Book a visit for p-5514 on 2026-05-04.", `book_visit succeeded {"patient_id":"p-5514","day":"2025-05-04"}`, "", "The visit is booked for 2026-05-04."},
		{"", "Book a visit for p-5514 on 2026-05-04.", booked, "", "The visit is booked for 2026-05-04."},
		{"", "Book a visit for p-5514 on 2026-05-04.", `book_visit succeeded {"patient_id":"p-5514","day":"2025-05-04"}`, "", "The visit is booked, but for 2025-05-04: I got the year wrong."},
		{"another than was found", "Book a visit for Ida Noor on 2026-05-04.", found + ` => {"patient_id":"p-5514"}; book_visit succeeded {"patient_id":"p-7731","day":"2026-05-04"}`, "", "I've booked her visit for 2026-05-04."},
		{"", "Book a visit for Ida Noor on 2026-05-04.", found + ` => {"patient_id":"p-5514"}; book_visit succeeded {"patient_id":"p-7731","day":"2026-05-04"}`, prompt, "I've booked her visit for 2026-05-04."},
		{"its tool failed", "Fix docs/hours.md and commit it.", `read_file succeeded {"path":"docs/hours.md"}; write_file failed {"path":"docs/hours.md"}; git_commit succeeded {"paths":["docs/hours.md"]}`, "", "I think docs/hours.md is fixed, and it's committed."},
		{"", "Fix docs/hours.md and commit it.", `write_file failed {"path":"docs/hours.md"}; write_file succeeded {"path":"docs/hours.md"}; git_commit succeeded {"paths":["docs/hours.md"]}`, "", "I think docs/hours.md is fixed, and it's committed."},
	} {
		turn := Case{User: c.user, Text: c.text, Tools: tools, Context: []string{c.prompt}}
		for call := range strings.SplitSeq(c.calls, "; ") {
			call, result, _ := strings.Cut(call, " => ")
			made := record(call, tools)
			if made.Succeeded() && result != "" {
				made.Result = tooltrack.ResultOf([]byte(result), nil)
			}
			turn.Records = append(turn.Records, made)
		}
		verdict := New(nil).Evaluate(turn)
		if claim := verdict.Unbacked(); c.rule == "" {
			require.Nil(t, claim, "%s\n%v", c.text, verdict.Steps)
		} else {
			require.NotNil(t, claim, c.text)
			require.Equal(t, c.rule, claim.Rule, c.text)
		}
	}
}
