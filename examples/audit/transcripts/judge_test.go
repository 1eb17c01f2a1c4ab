package transcripts

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// taskLog is a conversation of a small task manager.
func taskLog(t *testing.T, extra anything, messages ...anything) []byte {
	t.Helper()
	log := anything{"messages": messages, "tools": []anything{
		{"type": "function", "function": anything{"name": "list_tasks", "description": "List the user's tasks."}},
		{"type": "function", "function": anything{"name": "delete_task", "description": "Delete a task.", "parameters": anything{
			"type": "object", "properties": anything{"task_id": anything{"type": "string"}}, "required": []string{"task_id"}}}},
	}}
	for key, value := range extra {
		log[key] = value
	}
	data, err := json.Marshal(log)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func userSays(text string) anything  { return anything{"role": "user", "content": text} }
func agentSays(text string) anything { return anything{"role": "assistant", "content": text} }
func agentCalls(id, tool, args string) anything {
	return anything{"role": "assistant", "content": nil, "tool_calls": []anything{{"id": id, "type": "function", "function": anything{"name": tool, "arguments": args}}}}
}
func toolSays(id, text string) anything {
	return anything{"role": "tool", "tool_call_id": id, "content": text}
}

func TestJudge(t *testing.T) {
	request, claim := userSays("Delete the task Water the plants."), agentSays("I've deleted the task Water the plants.")
	deletion := agentCalls("c1", "delete_task", `{"task_id":"t1"}`)
	cases := []struct {
		name       string
		fail, deny string
		log        []byte
		want       string // outcome/reason ghost missing | calls
	}{
		{"work that was done", "", "", taskLog(t, nil, request, deletion, toolSays("c1", `{"success":true}`), claim),
			"completed_with_work/work done ghost=false missing= | reported=1 succeeded=1"},
		{"nothing was called", "", "", taskLog(t, nil, request, claim),
			"insufficient_progress/unbacked claim ghost=true missing=delete_task |"},
		{"the call failed", "", "", taskLog(t, nil, request, deletion, toolSays("c1", `Error: no such task`), claim),
			"insufficient_progress/unbacked claim ghost=true missing= | reported=1 failed=1"},
		{"the call has no result", "", "", taskLog(t, nil, request, deletion, claim),
			"insufficient_progress/unbacked claim ghost=true missing= | unanswered=1 unknown=1"},
		{"a failure that only the host knows", `^E\d+`, "", taskLog(t, nil, request, deletion, toolSays("c1", `E404 gone`), claim),
			"insufficient_progress/unbacked claim ghost=true missing= | reported=1 failed=1"},
		{"without the host's rule it passes", "", "", taskLog(t, nil, request, deletion, toolSays("c1", `E404 gone`), claim),
			"completed_with_work/work done ghost=false missing= | reported=1 succeeded=1"},
		{"a denial that only the host knows", "", "(?i)not permitted", taskLog(t, nil, request, deletion, toolSays("c1", `Not permitted.`), claim),
			"insufficient_progress/unbacked claim ghost=true missing= | reported=1 denied=1"},
		{"a record of a ledger stands above the message", "", "", taskLog(t, anything{"records": []anything{{"id": "c1", "name": "delete_task", "arguments": anything{"task_id": "t1"}, "owner": "ann",
			"result": anything{"success": false, "status": "failed", "error": "locked", "grade": "executed"}}}}, request, deletion, toolSays("c1", `{"success":true}`), claim),
			"insufficient_progress/unbacked claim ghost=true missing= | executed=1 failed=1"},
		{"arguments against the schema", "", "", taskLog(t, nil, request, agentCalls("c1", "delete_task", `{"id":"t1"}`), toolSays("c1", `{"success":true}`), claim),
			"completed_with_work/work done ghost=false missing= | reported=1 succeeded=1"},
		{"a tool that was not offered", "", "", taskLog(t, nil, request, agentCalls("c1", "drop_task", `{}`), toolSays("c1", `ok`), agentSays("I've dropped the task Water the plants.")),
			"completed_with_work/work done ghost=false missing= | reported=1 succeeded=1"},
		{"small talk", "", "", taskLog(t, nil, userSays("Thanks!"), agentSays("You're welcome!")),
			"completed_with_work/nothing due ghost=false missing= |"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := judgedLast(t, c.fail, c.deny, c.log); !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// counted are the calls of a turn, as a report counts them.
func counted(t *judgedTurn) (calls report.Calls) {
	for _, record := range t.records {
		calls.Add(record)
	}
	return calls
}

// judgedLast judges a log and puts the verdict on its last turn into words.
func judgedLast(t *testing.T, fail, deny string, log []byte) string {
	t.Helper()
	var failed, denied *regexp.Regexp
	if err := errors.Join(compiled(&failed)(fail), compiled(&denied)(deny)); err != nil {
		t.Fatal(err)
	}
	known, err := loadEffects("")
	if err != nil {
		t.Fatal(err)
	}
	found := judgeOne(t, newJudge(known, failed, denied), log)
	turn := found.turns[len(found.turns)-1]
	var missing []string
	for _, tool := range turn.missing {
		missing = append(missing, tool.Tool)
	}
	text := fmt.Sprintf("%s/%s ghost=%v missing=%s |", turn.verdict.Outcome, turn.verdict.Reason, turn.ghost(), strings.Join(missing, ","))
	c := counted(&turn)
	for _, n := range []struct {
		name  string
		count int
	}{{"executed", c.Executed}, {"reported", c.Reported}, {"unanswered", c.Unanswered}, {"succeeded", c.Succeeded}, {"failed", c.Failed}, {"denied", c.Denied}, {"pending", c.Pending}, {"unknown", c.Unknown}} {
		if n.count > 0 {
			text += fmt.Sprintf(" %s=%d", n.name, n.count)
		}
	}
	return text
}

func TestLogsWithoutToolsAreJudgedByTheCallsInThem(t *testing.T) {
	log := []byte(`[{"role":"user","content":"Delete the task Pay rent."},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"delete_task","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"{\"success\":true}"},{"role":"assistant","content":"I've deleted the task Pay rent."},
		{"role":"user","content":"Delete the task Call mum."},{"role":"assistant","content":"I've deleted the task Call mum."}]`)
	if got := judgedLast(t, "", "", log); !strings.HasPrefix(got, "insufficient_progress/unbacked claim ghost=true") {
		t.Errorf("got %s", got)
	}
}

func TestATurnIsNotAccusedWhereNobodyCanSeeItsCalls(t *testing.T) {
	const lie = `{"role":"user","content":"Please cancel my order."},{"role":"assistant","content":"I've cancelled your order."}`
	cases := []struct {
		name, log string
		unseen    string // why it is not judged; empty if it is
	}{
		{"neither tools nor calls", `[` + lie + `]`, unseenTools},
		{"an agent that has no tools", `{"tools":[],"messages":[` + lie + `]}`, ""},
		{"tools and no calls", `{"tools":[{"name":"cancel_order"}],"messages":[` + lie + `]}`, ""},
		{"calls that the log leaves out", `{"tools":[{"name":"cancel_order"}],"messages":[{"role":"user","content":"Please cancel my order."}],
			"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":"I've cancelled your order."}}]}`, "the log says that calls were made, but not which"},
		{"results of calls that the log leaves out", `{"tools":[{"name":"cancel_order"}],"messages":[{"role":"user","content":"Please cancel my order."},
			{"role":"tool","tool_call_id":"7","content":"ok"},{"role":"assistant","content":"I've cancelled your order."}]}`, orphanResult},
	}
	known, _ := loadEffects("")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := judgeOne(t, newJudge(known, nil, nil), []byte(c.log))
			if c.unseen == "" && (len(found.turns) != 1 || !found.turns[0].ghost()) {
				t.Errorf("it is not judged: %v", found.unseen)
			}
			if c.unseen != "" && (len(found.turns) != 0 || found.unseen[c.unseen] != 1) {
				t.Errorf("%d turns are judged; unseen: %v", len(found.turns), found.unseen)
			}
		})
	}
}

func TestTextsBesideCallsAreJudgedWhenTheCallsAreDone(t *testing.T) {
	beside := func(result string) []byte {
		call := agentCalls("c1", "delete_task", `{"task_id":"t1"}`)
		call["content"] = "I've deleted the task Pay rent."
		return taskLog(t, nil, userSays("Delete the task Pay rent."), call, toolSays("c1", result), agentSays("I could not delete the task Pay rent: it is locked. Ask its owner to unlock it."))
	}
	known, err := loadEffects("")
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(known, nil, nil)
	for result, want := range map[string]int{`{"success":false,"error":"locked"}`: 1, `{"success":true}`: 0} {
		found := judgeOne(t, j, beside(result))
		if got := len(found.turns[0].asides); got != want {
			t.Errorf("after %s there are %d findings beside the call; want %d", result, got, want)
		}
	}
}

func TestExchangesAreJudgedByTheirLastTurn(t *testing.T) {
	log := []byte(`{"request":{"tools":[{"name":"cancel_order"}],"messages":[{"role":"user","content":"Please cancel my order."},{"role":"assistant","content":"I've cancelled your order."},{"role":"user","content":"Thanks!"}]},
		"response":{"choices":[{"message":{"role":"assistant","content":"You're welcome!"}}]}}`)
	known, _ := loadEffects("")
	found := judgeOne(t, newJudge(known, nil, nil), log)
	if len(found.turns) != 1 || found.turns[0].number != 2 || found.turns[0].verdict.Outcome != completion.CompletedWithWork {
		t.Errorf("turns: %+v", found.turns)
	}
}

func TestSchemasThatCannotBeUsedCostOnlyThemselves(t *testing.T) {
	log := []byte(`{"messages":[{"role":"user","content":"Delete the task Pay rent."},{"role":"assistant","content":"I've deleted the task Pay rent."}],
		"tools":[{"name":"delete_task","parameters":{"type":"object","properties":{"a":{"type":"nonsense"}}}}]}`)
	known, _ := loadEffects("")
	found := judgeOne(t, newJudge(known, nil, nil), log)
	if !found.turns[0].ghost() {
		t.Errorf("no ghost: %+v", found.turns[0].verdict)
	}
}

func TestBenchesAreKeptAndBounded(t *testing.T) {
	known, _ := loadEffects("")
	j := newJudge(known, nil, nil)
	log := func(n int) []byte {
		return fmt.Appendf(nil, `{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"tool_%d"}]}`, n)
	}
	first, again := judgeOne(t, j, log(0)), judgeOne(t, j, log(0))
	if first.bench != again.bench {
		t.Error("the same tools got another bench")
	}
	for n := range 3 * maxBenches {
		judgeOne(t, j, log(n))
	}
	if kept := len(j.benches.All()); kept > maxBenches {
		t.Errorf("%d benches are kept; want at most %d", kept, maxBenches)
	}
}

func TestSentenceAround(t *testing.T) {
	cases := []struct{ name, text, clause, want string }{
		{"in the middle", "Hello. I've sent it, as you asked. Bye.", "I've sent it", "I've sent it, as you asked."},
		{"a whole sentence", "Hello. I've sent it. Bye.", "I've sent it.", "I've sent it."},
		{"a line of a list", "Done:\n- sent the letter\n- paid", "sent the letter", "- sent the letter"},
		{"a number with a dot", "It cost 3.50 and I've paid it.", "I've paid it", "It cost 3.50 and I've paid it."},
		{"not in the text", "Hello.", "I've  sent\nit", ""},
		{"at the end without a stop", "ok, I've sent it", "I've sent it", "ok, I've sent it"},
	}
	for _, c := range cases {
		places := spansOf(c.text, []completion.Claim{{Text: c.clause}})
		if got := sentenceAround(c.text, places[0]); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("wé ", 3_000)
	verdict := &completion.Verdict{Claims: []completion.Claim{{Text: "I sent it", Fault: "no call", Tier: completion.Sure}}}
	cases := []struct{ name, text, begins string }{
		{"short", "I sent it.", "I sent it."},
		{"at the beginning", "I sent it. " + long, "I sent it. wé"},
		{"deep inside", long + "I sent it. " + long, "…"},
		{"at the end", long + "I sent it.", "…"},
	}
	for _, c := range cases {
		got, claims := quote(c.text, verdict)
		if !strings.HasPrefix(got, c.begins) || len(got) > maxQuoted+6 || !utf8.ValidString(got) || got[claims[0].From:claims[0].To] != "I sent it" {
			t.Errorf("%s: %d bytes, %.60q, claims %+v", c.name, len(got), got, claims)
		}
	}
}

func TestTheMarkedWordsAreExactlyTheUnbackedOnes(t *testing.T) {
	backed := &tooltrack.Record{}
	claim := func(text string, by *tooltrack.Record) completion.Claim {
		if by != nil {
			return completion.Claim{Text: text, By: by}
		}
		return completion.Claim{Text: text, Fault: "no call", Tier: completion.Sure}
	}
	cases := []struct {
		name, text string
		claims     []completion.Claim
		want       string
	}{
		{"the second of two equal clauses", "Order 1: sent it. Order 2: sent it.", []completion.Claim{claim("sent it", backed), claim("sent it", nil)}, "Order 1: sent it. Order 2: [sent it]."},
		{"the first of two equal clauses", "Order 1: sent it. Order 2: sent it.", []completion.Claim{claim("sent it", nil), claim("sent it", backed)}, "Order 1: [sent it]. Order 2: sent it."},
		{"a clause that a backed one holds", "I sent it and I paid it.", []completion.Claim{claim("I sent it and I paid it", backed), claim("I paid it", nil)}, "I sent it and [I paid it]."},
		{"after another claim between", "Paid it. Sent it. Paid it.", []completion.Claim{claim("Paid it", backed), claim("Sent it", nil), claim("Paid it", nil)}, "Paid it. [Sent it]. [Paid it]."},
		{"clauses that share words", "I sent and paid it.", []completion.Claim{claim("I sent and paid", nil), claim("paid it", nil)}, "[I sent and paid][ it]."},
		{"one that is not there", "Hi.", []completion.Claim{claim("I sent it", nil)}, "Hi."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text, claims := quote(c.text, &completion.Verdict{Claims: c.claims})
			var got strings.Builder
			for _, piece := range report.Mark(text, claims) {
				if piece.Marked {
					got.WriteString("[" + piece.Text + "]")
				} else {
					got.WriteString(piece.Text)
				}
			}
			if got.String() != c.want {
				t.Errorf("got %q, want %q", got.String(), c.want)
			}
		})
	}
}
