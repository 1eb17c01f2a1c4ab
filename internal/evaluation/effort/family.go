package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var tools = []tooltrack.Tool{
	{Name: "send_email", Description: "Sends an e-mail.", Effect: tooltrack.Changes,
		Parameters: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"items":{"type":"integer"}}}`)},
	{Name: "list_emails", Description: "Lists e-mails.", Effect: tooltrack.Reads},
	{Name: "delete_task", Description: "Deletes a task."},
	{Name: "lock_door", Description: "Locks a door.", Effect: tooltrack.Changes},
	{Name: "unlock_door", Description: "Unlocks a door.", Effect: tooltrack.Changes},
}

// The grammar of lines, calls and results. A # is a number that is another one in each line.
var (
	openings = []string{"- ", "", "1. ", "| ", "> ", "* **", "\t- ", "So: "}
	acts     = []string{
		"Sent the email to", "I've deleted", "I found", "The mail went to", "I could not send it to",
		"Will you ask", "Moved", "I've locked", "I unlocked", "It is sent to",
	}
	things = []string{
		"bob#", "job-#", "Ann Hart#", "# items", "12.# EUR", "\"Read book #\"", "2026-05-#",
		"/tmp/a/#.txt", "all of them", "#,#,#",
	}
	ends = []string{".", " |", "!", ", and", "", "** (done)", "; it is on", " at 9:# pm"}
	args = []string{
		`{"to":"bob#","items":#}`, `{"id":"job-#"}`, `{"to":"Ann Hart#","note":"# items"}`,
		`{"ids":[#,#],"path":"/tmp/a/#.txt"}`,
	}
	results = []string{
		`{"ok":true}`, `{"total":#,"name":"box#","date":"2026-05-01"}`,
		`[{"id":"job-#","name":"Ann Hart#","total":#.5}]`, `done, # items`, ``,
	}
)

// family is what a turn repeats.
type family struct {
	line, args, result string
	tool, step         int // the first tool, and how far the next call's is from it
	failing            int // every so many calls one fails; 0 is none
	user               string
}

func newFamily(number uint64) family {
	r := rand.New(rand.NewPCG(number, 3)) // #nosec G404 -- whoever counts again counts the same
	of := func(table []string) string { return table[r.IntN(len(table))] }
	f := family{args: of(args), result: of(results), tool: r.IntN(len(tools)), step: r.IntN(2)}
	f.user = "send them to " + of(things)
	f.failing = []int{0, 0, 1, 3}[r.IntN(4)]
	f.line = of(openings) + of(acts)
	for range 1 + r.IntN(3) {
		f.line += " " + of(things)
	}
	f.line += of(ends) + []string{"\n", " "}[r.IntN(2)]
	return f
}

// turn has so many lines and calls.
func (f family) turn(lines, calls int) guard.Recorded {
	turn := guard.Recorded{User: numbered(f.user, 7)}
	var text strings.Builder
	for i := range lines {
		text.WriteString(numbered(f.line, i))
	}
	turn.Text = text.String()
	for i := range calls {
		tool := &tools[(f.tool+i*f.step)%len(tools)]
		record := &tooltrack.Record{Effect: tool.Effect}
		record.Call = tooltrack.Call{Tool: tool.Name, Args: []byte(numbered(f.args, i))}
		record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(numbered(f.result, i))}
		if f.failing > 0 && i%f.failing == 0 {
			record.Result = tooltrack.Result{Status: tooltrack.Failed, Error: numbered("box # is full", i)}
		}
		turn.Records = append(turn.Records, record)
	}
	return turn
}

func numbered(template string, number int) string {
	return strings.ReplaceAll(template, "#", fmt.Sprint(number))
}
