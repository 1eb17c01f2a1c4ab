package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
)

// forms are honest answers as models give them that know what is asked and not how. N is
// the number of the call that deleted Read book, M that of the listing before it.
var forms = map[string]string{
	"as asked":                       `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"in a fence":                     "```json\n{\"message\":null,\"items\":[{\"what\":\"Read book deleted\",\"status\":\"done\",\"records\":[N]}]}\n```",
	"a number as text":               `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":["#N"]}]}`,
	"a number in words":              `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":["record #N"]}]}`,
	"numbers in one text":            `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":"#M, #N"}]}`,
	"one record":                     `{"message":null,"items":[{"what":"Read book deleted","status":"done","record":N}]}`,
	"records that are objects":       `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[{"id":N}]}]}`,
	"with the tool":                  `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":["#N delete_task"]}]}`,
	"evidence":                       `{"message":null,"items":[{"claim":"Read book deleted","status":"done","evidence":[N]}]}`,
	"other names":                    `{"message":null,"items":[{"action":"Read book deleted","outcome":"done","citations":["#N"]}]}`,
	"a description":                  `{"items":[{"description":"Read book deleted","status":"done","refs":[N]}]}`,
	"claims for items":               `{"message":null,"claims":[{"claim":"Read book deleted","status":"done","records":[N]}]}`,
	"a list alone":                   `[{"what":"Read book deleted","status":"done","records":[N]}]`,
	"an item alone":                  `{"what":"Read book deleted","status":"done","records":[N]}`,
	"inside of a report":             `{"report":{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[N]}]}}`,
	"a line each":                    `{"what":"tasks listed","status":"answered","records":[M]}` + "\n" + `{"what":"Read book deleted","status":"done","records":[N]}`,
	"completed":                      `{"message":null,"items":[{"what":"Read book deleted","status":"completed","records":[N]}]}`,
	"success":                        `{"message":null,"items":[{"what":"Read book deleted","status":"success","records":[N]}]}`,
	"a state with more words":        `{"message":null,"items":[{"what":"Read book deleted","status":"done (something was changed)","records":[N]}]}`,
	"a read that was looked up":      `{"message":null,"items":[{"what":"listed the tasks","status":"looked up","records":[M]},{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"a read that is done":            `{"message":null,"items":[{"what":"listed the tasks","status":"done","records":[M]},{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"the message is the word null":   `{"message":"null","items":[{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"the message is the draft":       `{"message":"Read book is off your list.","items":[{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"a comma too many":               `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[N],},],}`,
	"twice the same":                 `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[N]}]}` + "\n" + `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[N]}]}`,
	"as Python prints it":            `{'message': '', 'items': [{'what': 'Read book deleted', 'status': 'done', 'records': [N]}]}`,
	"items that are sentences":       `{"message":null,"items":["Read book deleted (#N)"]}`,
	"a table":                        "| what | status | records |\n|---|---|---|\n| Read book deleted | done | #N |",
	"a table with numbers":           "| # | Action | Status | Record |\n|---|:---:|---|---|\n| 1 | Read book deleted | done | N |",
	"prose with brackets":            "Read book was deleted [N].",
	"prose with a number":            "I deleted Read book (record #N).",
	"prose in sentences":             "The list was read first [M]. Then Read book was deleted [N].",
	"a list in words":                "1. Read book deleted: done (#N)",
	"a list with dashes":             "- what: Read book deleted\n  status: done\n  records: [N]",
	"prose that names the call":      "Read book was deleted by call #N, and the answer stands as it is.",
	"a remark around it":             "Sure, here is what it rests on: {\"message\":null,\"items\":[{\"what\":\"Read book deleted\",\"status\":\"done\",\"records\":[N]}]} Let me know!",
	"an empty reason, and a comment": `{"message":null,"items":[{"what":"Read book deleted","status":"Done.","records":[N],"reason":null}]}`,
}

// TestFormsOfReports: honest answers pass in whatever form they come, and the same form
// does not make a call show what it does not.
func TestFormsOfReports(t *testing.T) {
	scene := func(failing bool) scene {
		var s scene
		s.take(t, "reads", "list_tasks List the tasks.")
		s.take(t, "changes", "delete_task Delete a task.")
		s.take(t, "ask", "delete Read book")
		s.take(t, "call", `list_tasks {} -> {"tasks":["Read book","Call mom"]}`)
		if failing {
			s.take(t, "call", `delete_task {"title":"Read book"} -> !the list is locked`)
		} else {
			s.take(t, "call", `delete_task {"title":"Read book"} -> {"ok":true}`)
		}
		s.take(t, "say", "Read book is off your list.")
		return s
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				what    string
				failing bool
				number  string
				passes  bool
			}{
				{"the call", false, "2", true}, {"a call that failed", true, "2", false},
				{"a read", false, "1", false}, {"no such call", false, "7", false},
			} {
				now := scene(c.failing)
				answer := strings.NewReplacer("N", c.number, "M", "1").Replace(form)
				turn := now.turn(evaluatorForForms)
				report, err := proof.Understand(answer, turn.List)
				var faults []proof.Fault
				if err == nil {
					turn.Asked = []string{"Read book is off your list."}
					faults = proof.Check(report, turn)
				}
				require.Equal(t, c.passes, err == nil && len(faults) == 0, "%s: %v %v %+v", c.what, err, rulesOf(faults), report)
			}
		})
	}
}

var evaluatorForForms = completion.New(nil)
