package guard_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestCallsInOneMessage: sixty-four run; with one more none does, which is on record
// once, and the model is told why, once.
func TestCallsInOneMessage(t *testing.T) {
	for _, many := range []int{guard.MaxCalls, guard.MaxCalls + 1, 1000} {
		w := newWorld()
		calls := make([]tooltrack.Call, many)
		for i := range calls {
			calls[i] = adds(fmt.Sprint("Task ", i))
		}
		g := guardFor(t, w, func(o *guard.Options) { o.Evaluator = doubting() })
		model := guardtest.Script(guardtest.Call(calls...), guardtest.Say("Okay."))
		reply, err := g.Run(context.Background(), model, w, ask("add them"))
		require.NoError(t, err)
		messages := model.Requests()[1].Messages
		var told strings.Builder
		answers := messages[len(messages)-many:]
		for i, message := range answers {
			require.Equal(t, calls[i].ID, message.CallID)
			told.WriteString(message.Text)
		}
		if many == guard.MaxCalls {
			require.Equal(t, many, w.Count("add_task"))
			require.NotContains(t, told.String(), "Error")
			continue
		}
		require.Zero(t, w.Count("add_task"))
		require.Contains(t, answers[0].Text, fmt.Sprintf("the message holds %d calls; at most 64 are allowed", many))
		require.Equal(t, 1, strings.Count(told.String(), "at most 64"))
		require.Equal(t, many, strings.Count(told.String(), "Error: the call was not run."))
		require.Len(t, reply.Records, 1)
		require.Equal(t, map[string]uint64{"format": 1}, g.Counters().Denied)
	}
}

// TestALimitCountsTheBatch: calls approved before count for those after them, in
// one message as in several.
func TestALimitCountsTheBatch(t *testing.T) {
	w := newWorld()
	mode := guard.Mode{Mode: policy.Mode{Name: "few", Calls: 2}}
	g := guardFor(t, w, func(o *guard.Options) { o.Modes, o.Evaluator = []guard.Mode{mode}, doubting() })
	input := ask("add them")
	input.Mode = "few"
	_, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(adds("A"), adds("B"), adds("C")), guardtest.Say("Okay.")), w, input)
	require.NoError(t, err)
	require.Equal(t, 2, w.Count("add_task"))
}

// TestReadsSideBySide: an error of the ledger in one of them ends the turn, and
// one at a time is one at a time.
func TestReadsSideBySide(t *testing.T) {
	for _, parallel := range []int{1, 4} {
		w := newWorld()
		ctx, cancel := context.WithCancel(context.Background())
		w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": func(context.Context, tooltrack.Call) ([]byte, error) {
			cancel()
			return []byte("[]"), nil
		}})
		g := guardFor(t, w, func(o *guard.Options) { o.Parallel = parallel })
		other := lists()
		other.Args, other.ID = []byte(`{"page":2}`), "other"
		model := guardtest.Script(guardtest.Call(lists(), other), guardtest.Say("Nothing."))
		_, err := g.Run(ctx, model, w, ask("list my tasks"))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 1, model.Calls())
		if parallel == 1 {
			require.Equal(t, 1, w.Count("list_tasks"), "no new call after a cancellation")
		}
	}
}

// TestReadsSideBySideAreOnRecordInTheirOrder, whichever ends first.
func TestReadsSideBySideAreOnRecordInTheirOrder(t *testing.T) {
	w := newWorld()
	w.Executor = guardtest.Tools(map[string]guard.ExecutorFunc{"list_tasks": func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		return call.Args, nil
	}})
	g := guardFor(t, w, nil)
	var calls []tooltrack.Call
	for _, status := range []string{"a", "b", "c", "d", "e", "f"} {
		calls = append(calls, tooltrack.Call{ID: status, Tool: "list_tasks", Args: []byte(`{"status_filter":"` + status + `"}`)})
	}
	for range 20 {
		reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(calls...), guardtest.Say("Nothing is open.")), w, ask("list my tasks"))
		require.NoError(t, err)
		require.Len(t, reply.Records, len(calls))
		for i, record := range reply.Records {
			require.Equal(t, calls[i].ID, record.ID)
			require.True(t, record.Succeeded())
		}
	}
}

// TestAnAttemptWithoutCallsLeavesOneTrace, and no fault of the host's is counted
// for it.
func TestAnAttemptWithoutCallsLeavesOneTrace(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, nil)
	input := ask("hello")
	input.Task, input.Turn = "t1", "m1"
	for range 2 { // a replay leaves none of its own
		_, err := g.Run(context.Background(), guardtest.Script(guardtest.Say("Hello!")), w, input)
		require.NoError(t, err)
	}
	records, err := g.Ledger().Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Task: "t1"}})
	require.NoError(t, err)
	require.Len(t, records, 1)
	require.True(t, records[0].Ruling.Denied)
	require.Empty(t, g.Counters().HostFaults)
}

// TestWhatIsLogged: a judgement that changes something is told at the usual
// level, one that changes nothing only to those who look closely.
func TestWhatIsLogged(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		observe bool
		info    bool
	}{
		"a clean text":          {"Hello!", false, false},
		"a clean text, watched": {"Hello!", true, true},
		"a lie":                 {lie, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) {
				o.Observe, o.Logger = c.observe, slog.New(slog.NewTextHandler(&log, nil))
			})
			_, _ = g.Run(context.Background(), guardtest.Script(guardtest.Say(c.text), guardtest.Say("Hello!")), w, ask("hello"))
			require.Equal(t, c.info, strings.Contains(log.String(), `msg="guard: judged"`), log.String())
		})
	}
}

// TestLinkedRecordsCount: also those of a tool that is not declared to delegate,
// and beside it the call itself.
func TestLinkedRecordsCount(t *testing.T) {
	linked := &tooltrack.Record{Call: deletes("Read book"), Effect: tooltrack.Changes, Result: tooltrack.ResultOf([]byte(`{"success":true}`), nil),
		Touched: []tooltrack.Subject{{Kind: "task", Title: "Read book"}}}
	seen := map[string]int{}
	g := guardFor(t, newWorld(), func(o *guard.Options) {
		o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
			for _, record := range turn.Records {
				seen[record.Tool]++
			}
			return completion.Verdict{Outcome: completion.CompletedWithWork}
		})
	})
	executor := guard.ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
		return []byte("fine"), guard.Link(ctx, linked)
	})
	_, err := g.Run(context.Background(), guardtest.Script(guardtest.Call(adds("A")), guardtest.Say("Done.")), executor, ask("hello"))
	require.NoError(t, err)
	require.Equal(t, map[string]int{"add_task": 1, "delete_task": 1}, seen)
}

// TestTheListThatWasShownLast: a place means the list that was shown last; what was said
// before the message comes first until this turn has looked itself, and one
// title alone is no list.
func TestTheListThatWasShownLast(t *testing.T) {
	all := `"1. Book list\n2. Call mom"`
	for name, c := range map[string]struct {
		previous []guard.Message
		script   []guardtest.Step
		deleted  string
	}{
		"what was said": {[]guard.Message{{Role: guard.RoleAssistant, Text: "1. Read book\n2. Call mom"}},
			[]guardtest.Step{guardtest.Call(deletes("the second one"))}, callMom},
		"what was read in this turn": {[]guard.Message{{Role: guard.RoleAssistant, Text: "1. Read book\n2. Call mom"}},
			[]guardtest.Step{guardtest.Call(lists()), guardtest.Call(deletes("the second one"))}, returnBook},
		"what was said after a read of an earlier turn": {[]guard.Message{
			{Role: guard.RoleUser, Text: "list"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{lists()}},
			{Role: guard.RoleTool, CallID: lists().ID, Tool: "list_tasks", Text: all},
			{Role: guard.RoleAssistant, Text: "You have Return book to library and Read book."}},
			[]guardtest.Step{guardtest.Call(deletes("the second one"))}, readBook},
		"a title that was mentioned is no list": {[]guard.Message{
			{Role: guard.RoleUser, Text: "list"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{lists()}},
			{Role: guard.RoleTool, CallID: lists().ID, Tool: "list_tasks", Text: all},
			{Role: guard.RoleAssistant, Text: "Read book is the oldest."}},
			[]guardtest.Step{guardtest.Call(deletes("the second one"))}, callMom},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Evaluator, o.Classifier = doubting(), expecting(intent.Chat, 0) })
			input := ask("delete the second one")
			input.Previous = c.previous
			_, err := g.Run(context.Background(), guardtest.Script(append(c.script, guardtest.Say("Okay."))...), w, input)
			require.NoError(t, err)
			require.Len(t, w.order, 3)
			require.False(t, w.has(c.deleted), "deleted was another")
		})
	}
}

// TestTheContractIsTold: what a mode asks for before an answer stands in the
// prompt, and what every turn meets does not.
func TestTheContractIsTold(t *testing.T) {
	always := completion.RequirementFunc(func(completion.Case, completion.Blocker) string { return "" })
	never := completion.RequirementFunc(func(completion.Case, completion.Blocker) string { return "two sources" })
	for name, c := range map[string]struct {
		require []completion.Requirement
		want    string
	}{
		"one that is not met yet": {[]completion.Requirement{always, never}, "BEFORE YOUR FINAL ANSWER there must be:\n- two sources"},
		"met by every turn":       {[]completion.Requirement{always}, ""},
		"none":                    {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			contract := completion.Contract{Require: c.require}
			g := guardFor(t, w, func(o *guard.Options) {
				o.Modes, o.Dates = []guard.Mode{{Mode: policy.Mode{Name: "m", Calls: 9}, Contract: &contract}}, nil
			})
			input := ask("hello")
			input.Mode = "m"
			turn, err := g.Begin(context.Background(), input)
			require.NoError(t, err)
			system := turn.Request(context.Background()).Messages[0].Text
			if c.want == "" {
				require.NotContains(t, system, "BEFORE YOUR FINAL ANSWER")
			} else {
				require.Contains(t, system, c.want)
				require.Equal(t, 1, strings.Count(system, "\n- two sources"))
			}
		})
	}
}

// TestArgumentsOfAChecklistExist: those that are named are held against the
// schema, those that are not are not.
func TestArgumentsOfAChecklistExist(t *testing.T) {
	for argument, fault := range map[string]string{
		"title": "", "": "", "titel": `Options.Policy.Checklist: "titel" is not an argument of add_task; did you mean "title"?`,
	} {
		list := &policy.Checklist{Steps: []policy.Step{{Name: "look", Tool: "add_task", PathArg: argument}}, Resolving: []string{"delete_task"}}
		if argument != "" {
			list.Steps[0].Path = "plan.md"
		}
		_, err := guard.New(taskTools(), &guard.Options{Policy: &policy.Options{Checklist: list}})
		if fault == "" {
			require.NoError(t, err, argument)
		} else {
			require.EqualError(t, err, fault)
		}
	}
}

// floods is a model that streams a text of a given length, byte for byte in two
// pieces.
type floods struct {
	guard.Model
	size int
}

func (f floods) Stream(context.Context, guard.Request) iter.Seq2[guard.Delta, error] {
	text := strings.Repeat("x", f.size)
	return func(yield func(guard.Delta, error) bool) {
		if yield(guard.Delta{Text: text[:f.size-1]}, nil) && yield(guard.Delta{Text: text[f.size-1:]}, nil) {
			yield(guard.Delta{Response: &guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: text}}}, nil)
		}
	}
}

// TestAStreamIsBounded: a megabyte is read, and not a byte more.
func TestAStreamIsBounded(t *testing.T) {
	for _, beyond := range []int{0, 1} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Evaluator, o.Classifier = doubting(), expecting(intent.Chat, 0) })
		var failed error
		for _, err := range g.Stream(context.Background(), floods{size: 1<<20 + beyond}, w, ask("hello")) {
			failed = errors.Join(failed, err)
		}
		if beyond == 0 {
			require.NoError(t, failed)
		} else {
			require.ErrorContains(t, failed, "the model streams more than 1048576 bytes of text")
		}
	}
}

// TestASentenceOfNoEndWaits: once it is too long to be looked at again and
// again, the rest of the answer waits for the verdict.
func TestASentenceOfNoEndWaits(t *testing.T) {
	for _, beyond := range []int{0, 1} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) {
			o.Evaluator, o.Classifier, o.ReleaseSentences = doubting(), expecting(intent.Chat, 0), true
		})
		words := strings.Repeat("x", 8<<10-1+beyond) + " " // the script streams word by word
		got := transcript(g.Stream(context.Background(), guardtest.Script(guardtest.Say(words+"so. Yes. No")), w, ask("hello")))
		pieces := strings.Split(got, "|")
		require.Len(t, pieces, 4-2*beyond, "shown in %d pieces", len(pieces))
	}
}

// TestTextBesideCallsIsJudgedAfterThem: what only announces stays, what claims,
// leaks or invents a failure is kept from people.
func TestTextBesideCallsIsJudgedAfterThem(t *testing.T) {
	for reason, withheld := range map[completion.Reason]bool{
		completion.LeakedCall: true, completion.UnbackedClaim: true, completion.FabricatedFailure: true,
		completion.Promise: false, completion.NoWork: false, completion.UnreportedFailure: false,
	} {
		for _, outcome := range []completion.Outcome{completion.InsufficientProgress, completion.CompletedWithWork} {
			g := guardFor(t, newWorld(), func(o *guard.Options) {
				o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
					if turn.Text == "beside" {
						return completion.Verdict{Outcome: outcome, Reason: reason}
					}
					return completion.Verdict{Outcome: completion.CompletedWithWork}
				})
			})
			w := newWorld()
			model := guardtest.Script(guardtest.SayAndCall("beside", lists()), guardtest.Say("Okay."))
			reply, err := g.Run(context.Background(), model, w, ask("hello"))
			require.NoError(t, err)
			kept := !withheld || outcome.Completed()
			require.Equal(t, kept, reply.Messages[1].Text == "beside", "%v, %v", reason, outcome)
		}
	}
}

// TestToolsWithoutArgumentsAreToldSo: to a model that reads them as text.
func TestToolsWithoutArgumentsAreToldSo(t *testing.T) {
	g, err := guard.New([]tooltrack.Tool{{Name: "ping", Description: "Ping."}, {Name: "say", Description: "Say.", Parameters: []byte(`{"type":"object"}`)}}, nil)
	require.NoError(t, err)
	model := guardtest.Script(guardtest.Say("Hello!"))
	model.Limits.NoTools = true
	_, err = g.Run(context.Background(), model, newWorld(), ask("hello"))
	require.NoError(t, err)
	manifest := model.Requests()[0].Messages[0].Text
	require.True(t, strings.HasSuffix(manifest, "- ping: Ping.\n\n- say: Say.\n  arguments: {\"type\":\"object\"}\n"), manifest)
}

// TestALedgerThatCannotBeReadEndsTheTurn: of the conversation as of the task.
func TestALedgerThatCannotBeReadEndsTheTurn(t *testing.T) {
	for _, input := range []guard.Input{{Conversation: "c1"}, {Task: "t1"}, {Turn: "m1"}} {
		store := &hostStore{Store: tooltrack.NewMemory(nil), records: func(context.Context) ([]*tooltrack.Record, error) { return nil, errHost }}
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Ledger = tooltrack.NewLedger(store, nil) })
		input.User, input.Owner = "hello", "ann"
		_, err := g.Run(context.Background(), guardtest.Script(guardtest.Say("Hello!")), w, input)
		require.ErrorIs(t, err, errHost, "%+v", input)
	}
}

// TestARefusalQuotesNoSecret: the account tells the provider's own words, without
// what looks like a key.
func TestARefusalQuotesNoSecret(t *testing.T) {
	w := newWorld()
	refused := guardtest.Stopped(guard.StopFiltered, "")
	refused.Response.Refusal = "I cannot use the password=hunter2secret42 that you sent."
	reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(refused), w, ask("hello"))
	require.Error(t, err)
	require.Contains(t, reply.Account, "I cannot use the password=")
	require.NotContains(t, reply.Account, "hunter2secret42")
}
