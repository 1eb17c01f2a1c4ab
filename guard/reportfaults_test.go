package guard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// alwaysWorld asks for a report of everything and expects nothing.
func alwaysWorld(t *testing.T, w *world, change func(*guard.Options)) *guard.Guard {
	return guardFor(t, w, func(o *guard.Options) {
		o.Proof, o.Classifier, o.Evaluator = guard.Always, dueBy(0), doubting()
		if change != nil {
			change(o)
		}
	})
}

func reports(message string) tooltrack.Call {
	return guardtest.Tool("report", fmt.Sprintf(`{"message":%q,"items":[]}`, message))
}

// TestFaultsStayWithTheirCallsBesideReports: wherever reports stand, the calls
// with a fault are the ones that do not run.
func TestFaultsStayWithTheirCallsBesideReports(t *testing.T) {
	ways := map[string]func(*guard.Guard, guard.Model, *world) (*guard.Reply, error){
		"run": func(g *guard.Guard, model guard.Model, w *world) (*guard.Reply, error) {
			return g.Run(context.Background(), model, w, ask("hello"))
		},
		"stream": func(g *guard.Guard, model guard.Model, w *world) (reply *guard.Reply, err error) {
			for event, fault := range g.Stream(context.Background(), model, w, ask("hello")) {
				reply, err = event.Reply, fault
			}
			return reply, err
		},
	}
	// Each letter is a call: r reports, an upper letter adds a task and is broken, a
	// lower one adds a task.
	for _, order := range []string{"rA", "Ar", "rAb", "raB", "arB", "aBr", "rArB", "arBrc", "rABr", "rrA", "rarBrCd", "RaB"} {
		for name, run := range ways {
			t.Run(order+" "+name, func(t *testing.T) {
				w, g := newWorld(), (*guard.Guard)(nil)
				g = alwaysWorld(t, w, nil)
				var calls []tooltrack.Call
				var faults []guard.CallFault
				var runs, denied []string
				for i, letter := range strings.Split(order, "") {
					call := adds(letter)
					if strings.ToLower(letter) == "r" {
						call = reports("Done.")
					} else if letter == strings.ToUpper(letter) {
						denied = append(denied, string(call.Args))
					} else {
						runs = append(runs, string(call.Args))
					}
					call.ID = fmt.Sprint("call ", i)
					calls = append(calls, call)
					if letter == strings.ToUpper(letter) {
						faults = append(faults, guard.CallFault{Call: i, Reason: "it is broken"})
					}
				}
				beside := guardtest.Call(calls...)
				beside.Response.Faults = faults
				reply, err := run(g, guardtest.Script(beside, guardtest.Call(reports("There it is."))), w)
				require.NoError(t, err)
				require.Equal(t, "There it is.", reply.Text)
				var ran, refused []string
				for _, call := range w.Calls() {
					ran = append(ran, string(call.Args))
				}
				for _, record := range reply.Records {
					if record.Ruling.Denied {
						require.Equal(t, "format", record.Ruling.Rule)
						refused = append(refused, string(record.Args))
					}
				}
				require.Equal(t, runs, ran)
				require.Equal(t, denied, refused)
			})
		}
	}
}

// TestWhatCannotBeReadDoesNotRunBesideAReport: as a server sends it.
func TestWhatCannotBeReadDoesNotRunBesideAReport(t *testing.T) {
	call := func(id, kind, tool, args string) string {
		return fmt.Sprintf(`{"id":%q,"type":%q,"function":{"name":%q,"arguments":%q}}`, id, kind, tool, args)
	}
	report := call("a", "function", "report", `{"message":"Done.","items":[]}`)
	for name, calls := range map[string][]string{
		"two calls under one id": {report, call("b", "function", "delete_task", `{"task_id":"Read book"}`), call("b", "function", "delete_task", `{"task_id":"Call mom"}`)},
		"another type":           {report, call("b", "custom", "delete_task", `{"task_id":"Read book"}`)},
		"half a character":       {report, `{"id":"b","type":"function","function":{"name":"delete_task","arguments":"{\"task_id\":\"\ud83d\"}"}}`},
	} {
		for _, mode := range []guard.ProofMode{guard.WhenUnsure, guard.Always} {
			t.Run(fmt.Sprint(name, mode), func(t *testing.T) {
				w := newWorld()
				g := alwaysWorld(t, w, func(o *guard.Options) { o.Proof = mode })
				body := `{"choices":[{"message":{"role":"assistant","tool_calls":[` + strings.Join(calls, ",") + `]},"finish_reason":"tool_calls"}]}`
				answer, err := chatwire.ChatCompletions.ParseResponse([]byte(body))
				require.NoError(t, err)
				require.NotEmpty(t, answer.Faults)
				model := guardtest.Script(guardtest.Step{Response: answer}, guardtest.Say("I could not do that."), guardtest.Say(nothingToShow))
				_, err = g.Run(context.Background(), model, w, ask("hello"))
				require.NoError(t, err)
				require.Empty(t, w.Calls())
			})
		}
	}
}

// TestABrokenReportEndsNothing: it is told what is wrong with it, like any call.
func TestABrokenReportEndsNothing(t *testing.T) {
	w := newWorld()
	broken := guardtest.Call(reports("Done."))
	broken.Response.Faults = []guard.CallFault{{Call: 0, Reason: "the call is not of the type \"function\""}}
	model := guardtest.Script(broken, guardtest.Call(reports("Hello there.")))
	reply, err := alwaysWorld(t, w, nil).Run(context.Background(), model, w, ask("hello"))
	require.NoError(t, err)
	require.Equal(t, "Hello there.", reply.Text)
	messages := model.Requests()[1].Messages
	require.Contains(t, messages[len(messages)-1].Text, "not of the type")
}

// TestAReportNobodyAskedForIsNoTool: a loop of the host's own is offered no such
// tool, so a call of it is denied, and those beside it are handed out as they are.
func TestAReportNobodyAskedForIsNoTool(t *testing.T) {
	ctx := context.Background()
	beside := guardtest.Call(reports("Done."), adds("A"))
	t.Run("wrapped", func(t *testing.T) {
		model := guardtest.Script(beside, guardtest.Call(adds("A")))
		response, err := alwaysWorld(t, newWorld(), nil).Wrap(model).Generate(ctx, said("add A"))
		require.NoError(t, err)
		require.Equal(t, []tooltrack.Call{adds("A")}, response.Message.Calls)
		messages := model.Requests()[1].Messages
		require.Contains(t, messages[len(messages)-2].Text, `there is no tool "report"`)
	})
	t.Run("handed over", func(t *testing.T) {
		w := newWorld()
		turn := begin(t, alwaysWorld(t, w, nil), "hello")
		response, err := turn.Model(guardtest.Script(beside)).Generate(ctx, said("add A"))
		require.NoError(t, err)
		require.Equal(t, beside.Response.Message.Calls, response.Message.Calls)
		for _, call := range response.Message.Calls {
			_, err := turn.Executor(w).Execute(ctx, call)
			require.NoError(t, err)
		}
		require.Equal(t, 1, w.Count("add_task"))
	})
	t.Run("observed", func(t *testing.T) {
		g := alwaysWorld(t, newWorld(), func(o *guard.Options) { o.Observe = true })
		response, err := g.Wrap(guardtest.Script(beside)).Generate(ctx, said("add A"))
		require.NoError(t, err)
		require.Equal(t, beside.Response.Message.Calls, response.Message.Calls)
	})
}
