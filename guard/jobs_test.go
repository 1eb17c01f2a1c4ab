package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// jobDomain is work that goes on after the call that begins it has returned, and the call
// that asks how it stands.
type jobDomain struct {
	name                  string
	launch, poll          tooltrack.Tool
	user, what            string
	args, begun           string // of the launch, and what it returns
	ask                   string // the arguments of the poll
	done, running, failed string // what the poll returns
	saysDone, saysRunning string
	saysFailed            string
}

func jobDomains() []jobDomain {
	const changes, reads, unknown = tooltrack.Changes, tooltrack.Reads, tooltrack.UnknownEffect
	tool := func(name, description string, effect tooltrack.Effect) tooltrack.Tool {
		return tooltrack.Tool{Name: name, Description: description, Effect: effect}
	}
	return []jobDomain{
		{
			name:   "render",
			launch: tool("render_video", "Render a video.", changes), poll: tool("get_render", "Look at a render.", reads),
			user: "render the holiday video", what: "render the holiday video",
			args: `{"name":"holiday"}`, begun: `{"job":"j-7","state":"queued"}`, ask: `{"job":"j-7"}`,
			done: `{"job":"j-7","state":"done"}`, running: `{"job":"j-7","state":"running","percent":40}`,
			failed:   `{"job":"j-7","state":"failed","error":"the codec is missing"}`,
			saysDone: "The holiday video has been rendered.", saysRunning: "I've started rendering the holiday video.",
			saysFailed: "The holiday video could not be rendered: the codec is missing.",
		},
		{
			name:   "export",
			launch: tool("startExport", "Export a table.", unknown), poll: tool("pollExport", "The state of an export.", unknown),
			user: "export the customers table", what: "export the customers table",
			args: `{"table":"customers"}`, begun: `{"exportId":"ex_91","status":"IN_PROGRESS"}`, ask: `{"exportId":"ex_91"}`,
			done:     `{"exportId":"ex_91","status":"COMPLETED"}`,
			running:  `{"exportId":"ex_91","status":"IN_PROGRESS"}`,
			failed:   `{"exportId":"ex_91","status":"FAILED","message":"disk full"}`,
			saysDone: "The customers table has been exported.", saysRunning: "The export of the customers table is running.",
			saysFailed: "The export of the customers table failed because the disk is full.",
		},
		{
			name:   "transfer",
			launch: tool("bank.transfer", "Transfer money.", changes), poll: tool("bank.get_transfer", "Read a transfer.", reads),
			user: "transfer 200 EUR to Mia", what: "transfer 200 EUR to Mia",
			args: `{"to":"Mia","amount":200,"currency":"EUR"}`, begun: `{"id":"tr_5","status":"awaiting_approval"}`, ask: `{"id":"tr_5"}`,
			done: `{"id":"tr_5","status":"settled"}`, running: `{"id":"tr_5","status":"awaiting_approval"}`,
			failed:   `{"id":"tr_5","status":"rejected","reason":"the limit is 100 EUR"}`,
			saysDone: "I've transferred 200 EUR to Mia.", saysRunning: "The transfer of 200 EUR to Mia is waiting for approval.",
			saysFailed: "The transfer of 200 EUR to Mia was rejected: the limit is 100 EUR.",
		},
		{
			name:   "pipeline",
			launch: tool("trigger_pipeline", "Run the pipeline of a branch.", changes), poll: tool("pipeline_status", "How a pipeline stands.", reads),
			user: "run the pipeline on main", what: "run the pipeline on main",
			args: `{"branch":"main"}`, begun: `{"pipeline":4711,"status":"created"}`, ask: `{"pipeline":4711}`,
			done: `{"pipeline":4711,"status":"completed","conclusion":"success"}`, running: `{"pipeline":4711,"status":"running","conclusion":null}`,
			failed:   `{"pipeline":4711,"status":"completed","conclusion":"failure"}`,
			saysDone: "The pipeline on main ran through and passed.", saysRunning: "I've triggered the pipeline on main, and it is running.",
			saysFailed: "The pipeline on main failed.",
		},
		{
			name:   "provisioning",
			launch: tool("provision-server", "Provision a server.", changes), poll: tool("describe-operation", "Read an operation.", reads),
			user: "set up the server atlas", what: "set up the server atlas",
			args: `{"name":"atlas","size":"small"}`, begun: `{"operation":{"id":"op-31","status":"PENDING"}}`, ask: `{"operation":"op-31"}`,
			done: `{"operation":{"id":"op-31","done":true}}`, running: `{"operation":{"id":"op-31","done":false}}`,
			failed:   `{"operation":{"id":"op-31","done":true,"error":{"code":8,"message":"the quota is used up"}}}`,
			saysDone: "The server atlas has been set up.", saysRunning: "The server atlas is being set up.",
			saysFailed: "The server atlas could not be set up: the quota is used up.",
		},
		{
			name:   "refund",
			launch: tool("refund_order", "Refund an order.", changes), poll: tool("refund_status", "How a refund stands.", reads),
			user: "refund order A-7", what: "refund order A-7",
			args: `{"order_id":"A-7"}`, begun: `{"order_id":"A-7","refund":"rf-12","status":"processing"}`, ask: `{"refund":"rf-12"}`,
			done: `{"refund":"rf-12","status":"refunded"}`, running: `{"refund":"rf-12","status":"processing"}`,
			failed:   `{"refund":"rf-12","status":"failed","reason":"the card has expired"}`,
			saysDone: "Order A-7 has been refunded.", saysRunning: "The refund of order A-7 is being processed.",
			saysFailed: "Order A-7 could not be refunded: the card has expired.",
		},
		{
			name:   "print",
			launch: tool("PrintDocument", "Print a document.", changes), poll: tool("ListPrintJobs", "List the print jobs.", reads),
			user: "print the lease", what: "print the lease",
			args: `{"document":"lease"}`, begun: `{"printJob":"p-3","state":"QUEUED"}`, ask: `{}`,
			done:       `{"jobs":[{"printJob":"p-2","state":"held"},{"printJob":"p-3","state":"completed"}]}`,
			running:    `{"jobs":[{"printJob":"p-2","state":"completed"},{"printJob":"p-3","state":"printing"}]}`,
			failed:     `{"jobs":[{"printJob":"p-2","state":"completed"},{"printJob":"p-3","state":"aborted"}]}`,
			saysDone:   "The lease has been printed.",
			saysFailed: "The lease was not printed: the job was aborted.", saysRunning: "The lease is being printed.",
		},
		{
			name:   "batch mail",
			launch: tool("send_newsletter", "Send the newsletter to a list.", changes), poll: tool("get_batch", "Read a batch.", reads),
			user: "send the May newsletter to the members", what: "send the May newsletter to the members",
			args: `{"issue":"May","list":"members"}`, begun: `{"batch_id":88,"status":"submitted"}`, ask: `{"batch_id":88}`,
			done: `{"batch_id":88,"status":"JOB_STATE_SUCCEEDED"}`, running: `{"batch_id":88,"status":"sending"}`,
			failed:   `{"batch_id":88,"status":"cancelled","reason":"the list is empty"}`,
			saysDone: "The May newsletter has been sent to the members.", saysRunning: "The May newsletter is queued for the members.",
			saysFailed: "The May newsletter was not sent to the members: the list is empty.",
		},
	}
}

func (d *jobDomain) guard(t *testing.T) *guard.Guard {
	g, err := guard.New([]tooltrack.Tool{d.launch, d.poll}, nil)
	require.NoError(t, err)
	return g
}

// record is a call that ran.
func (d *jobDomain) record(tool *tooltrack.Tool, args, body string) *tooltrack.Record {
	call := tooltrack.Call{Tool: tool.Name, Args: json.RawMessage(args)}
	run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), nil }
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), toolname.Tool{Name: tool.Name, Description: tool.Description}))
	known := *tool
	known.Implied = &implied
	return &tooltrack.Record{Call: call, Effect: tool.Effect, Implied: &implied, Result: tooltrack.Execute(context.Background(), &known, call, run, nil)}
}

func (d *jobDomain) launched() *tooltrack.Record { return d.record(&d.launch, d.args, d.begun) }

func (d *jobDomain) polled(body string) *tooltrack.Record { return d.record(&d.poll, d.ask, body) }

// faults are why an answer that cites some calls for all of a text is not accepted.
func (d *jobDomain) faults(t *testing.T, turn guard.Recorded, numbers ...int) string {
	question, err := d.guard(t).Question(t.Context(), turn)
	require.NoError(t, err)
	answer := proof.Answer{Letters: map[string]proof.Basis{}}
	for _, letter := range question.Letters {
		answer.Letters[letter.Name] = proof.Basis{Records: numbers}
	}
	_, faults := question.Check(t.Context(), answer)
	var reasons []string
	for _, fault := range faults {
		reasons = append(reasons, fault.Reason)
	}
	return strings.Join(reasons, "\n")
}

// TestAPollSettlesItsJob: what was told last of a job is what became of the call that
// began it, and a proof may cite either.
func TestAPollSettlesItsJob(t *testing.T) {
	cites := [][]int{{1}, {2}, {1, 2}}
	for _, d := range jobDomains() {
		now := func(text string, polls ...string) guard.Recorded {
			turn := guard.Recorded{User: d.user, Text: text, Records: []*tooltrack.Record{d.launched()}}
			for _, body := range polls {
				turn.Records = append(turn.Records, d.polled(body))
			}
			return turn
		}
		later := func(text, poll string) guard.Recorded {
			return guard.Recorded{
				User: "is it done?", Previous: d.saysRunning, Text: text,
				Earlier: []*tooltrack.Record{d.launched()}, Records: []*tooltrack.Record{d.polled(poll)},
			}
		}
		t.Run(d.name, func(t *testing.T) {
			require.Empty(t, d.faults(t, now(d.saysRunning), 1), "begun")
			require.NotEmpty(t, d.faults(t, now(d.saysDone), 1), "told as done when begun")
			for _, cited := range cites {
				says := fmt.Sprint(cited)
				require.Empty(t, d.faults(t, now(d.saysDone, d.done), cited...), "done "+says)
				require.Empty(t, d.faults(t, later(d.saysDone, d.done), cited...), "done, a turn later "+says)
				require.Empty(t, d.faults(t, now(d.saysRunning, d.running), cited...), "running "+says)
				require.Empty(t, d.faults(t, now(d.saysFailed, d.failed), cited...), "failed "+says)
				require.Empty(t, d.faults(t, later(d.saysFailed, d.failed), cited...), "failed, a turn later "+says)

				require.NotEmpty(t, d.faults(t, now(d.saysDone, d.running), cited...), says)
				require.NotEmpty(t, d.faults(t, later(d.saysDone, d.running), cited...), says)
				require.NotEmpty(t, d.faults(t, now(d.saysDone, d.failed), cited...), says)
				require.NotEmpty(t, d.faults(t, later(d.saysDone, d.failed), cited...), says)
			}
			require.NotEmpty(t, d.faults(t, now(d.saysDone, d.running), 2), "a look told as an end")
			require.NotEmpty(t, d.faults(t, now(d.saysDone, d.failed), 2), "a look told as an end")
			require.NotEmpty(t, d.faults(t, now(d.saysDone, d.done, d.running), 1, 2), "the last one counts")
			require.Empty(t, d.faults(t, now(d.saysDone, d.running, d.done), 3))
		})
	}
}

// TestALookAtSomethingElseSettlesNothing: a state counts only where it is that of the job,
// and a look that tells none leaves it as it is.
func TestALookAtSomethingElseSettlesNothing(t *testing.T) {
	for _, d := range jobDomains() {
		elsewhere := d.record(&d.poll, `{"id":"zz-900"}`, `{"id":"zz-900","status":"completed","state":"completed"}`)
		silent := d.record(&d.poll, d.ask, `{"owner":"ann"}`)
		for _, look := range []*tooltrack.Record{elsewhere, silent} {
			turn := guard.Recorded{User: d.user, Text: d.saysDone, Records: []*tooltrack.Record{d.launched(), look}}
			for _, cited := range [][]int{{1}, {2}, {1, 2}} {
				require.NotEmpty(t, d.faults(t, turn, cited...), "%s %v %s", d.name, cited, look.Result.Data)
			}
		}
		alone := guard.Recorded{User: d.user, Text: d.saysDone, Records: []*tooltrack.Record{d.polled(d.done)}}
		if d.poll.Effect == tooltrack.Reads {
			require.NotEmpty(t, d.faults(t, alone, 1), "%s: nothing was begun in this conversation", d.name)
		}
	}
}

// TestWhatWasBegunMayBeToldAsDone: to have begun it is a deed, too, as long as the text
// tells no more.
func TestWhatWasBegunMayBeToldAsDone(t *testing.T) {
	for _, d := range jobDomains() {
		for text, passes := range map[string]bool{d.saysRunning: true, d.saysDone: false} {
			turn := guard.Recorded{User: d.user, Text: text, Records: []*tooltrack.Record{d.launched()}}
			require.Equal(t, passes, d.faults(t, turn, 1) == "", "%s: %s", d.name, text)
		}
	}
}

// jobTurn is a turn of a model that calls, says something, and answers requests for proof
// with a report, or with its text again where it has none.
type jobTurn struct {
	user, text string
	calls      []*tooltrack.Record // and what comes of them
	report     string
}

func (turn jobTurn) run(t *testing.T, g *guard.Guard, n int, previous []guard.Message) *guard.Reply {
	step, ran := 0, 0
	model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		answer := guard.Message{Role: guard.RoleAssistant, Text: turn.text}
		switch {
		case step < len(turn.calls):
			call := turn.calls[step].Call
			call.ID, answer.Text = fmt.Sprint("call", n, step), ""
			answer.Calls = []tooltrack.Call{call}
		case step > len(turn.calls) && turn.report != "":
			answer.Text = turn.report
		}
		step++
		return guard.Response{Message: answer}, nil
	})
	executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
		ran++
		return turn.calls[ran-1].Result.Data, nil
	})
	reply, err := g.Run(t.Context(), model, executor, guard.Input{
		User: turn.user, Owner: "ann", Conversation: fmt.Sprint("c", n), Turn: fmt.Sprint(n), Previous: previous,
	})
	if err != nil {
		require.NotEmpty(t, reply.Account)
	}
	return reply
}

// TestWhatIsShownOfJobs: with default options, honest texts are shown as they are, those
// that tell an end which is not there are not, and nobody is shown what tools return.
func TestWhatIsShownOfJobs(t *testing.T) {
	for _, d := range jobDomains() {
		g, number := d.guard(t), 0
		plain := func(t *testing.T, reply *guard.Reply) {
			shown := reply.Text + "\n" + reply.Account
			for _, summary := range reply.Summaries() {
				shown += "\n" + summary.Message
			}
			for _, raw := range []string{"{", `":`, d.launch.Name, d.poll.Name, "_"} {
				require.NotContains(t, shown, raw)
			}
		}
		play := func(t *testing.T, text, cited string, polls ...string) *guard.Reply {
			turn := jobTurn{user: d.user, text: text, calls: []*tooltrack.Record{d.launched()}}
			for _, body := range polls {
				turn.calls = append(turn.calls, d.polled(body))
			}
			if cited != "" {
				turn.report = forAll("["+cited+"]", "")
			}
			number++
			reply := turn.run(t, g, number, nil)
			plain(t, reply)
			return reply
		}
		later := func(t *testing.T, text, poll string) *guard.Reply {
			before := []guard.Message{
				{Role: guard.RoleUser, Text: d.user},
				{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "l", Tool: d.launch.Name, Args: []byte(d.args)}}},
				{Role: guard.RoleTool, CallID: "l", Text: d.begun}, {Role: guard.RoleAssistant, Text: d.saysRunning},
			}
			number++
			other := d.guard(t)
			turn := jobTurn{user: "is it done?", text: text, calls: []*tooltrack.Record{d.polled(poll)}}
			turn.report = forAll("[1,2]", "")
			reply := turn.run(t, other, number, before)
			plain(t, reply)
			return reply
		}
		t.Run(d.name, func(t *testing.T) {
			for _, cited := range []string{"", "1", "2", "1,2"} {
				require.Equal(t, d.saysDone, play(t, d.saysDone, cited, d.done).Text, "done, citing "+cited)
				require.NotContains(t, play(t, d.saysDone, cited, d.running).Text, d.saysDone, "running")
				require.NotContains(t, play(t, d.saysDone, cited, d.failed).Text, d.saysDone, "failed")
				require.Equal(t, d.saysFailed, play(t, d.saysFailed, cited, d.failed).Text, "failed, citing "+cited)
				require.Equal(t, d.saysRunning, play(t, d.saysRunning, cited, d.running).Text, "running, citing "+cited)
			}
			require.Equal(t, d.saysRunning, play(t, d.saysRunning, "1").Text)
			require.Equal(t, d.saysRunning, play(t, d.saysRunning, "").Text)
			require.NotContains(t, play(t, d.saysDone, "1").Text, d.saysDone)
			require.Equal(t, d.saysDone, later(t, d.saysDone, d.done).Text)
			require.NotContains(t, later(t, d.saysDone, d.running).Text, d.saysDone)
			require.NotContains(t, later(t, d.saysDone, d.failed).Text, d.saysDone)
		})
	}
}

// TestAPollMayBeAskedAgain: where no effect is declared, too, a call that asks about a job is
// a question, however often it is put; one that does something to the job is none.
func TestAPollMayBeAskedAgain(t *testing.T) {
	for name, often := range map[string]bool{"poll_job": true, "wait_for_job": true, "job_status": true, "get_job": true, "restart_job": false} {
		tools := []tooltrack.Tool{{Name: "submit_booking", Description: "Book a flight."}, {Name: name}}
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		const polls = 12
		asked, ran := 0, 0
		model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
			switch asked++; {
			case asked == 1:
				return guardtest.Call(guardtest.Tool("submit_booking", `{"flight":"LH123"}`)).Response, nil
			case asked <= 1+polls:
				return guardtest.Call(guardtest.Tool(name, `{"job_id":"j-1"}`)).Response, nil
			}
			return guardtest.Say("LH123 is booked.").Response, nil
		})
		executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
			if call.Tool == "submit_booking" {
				return []byte(`{"job_id":"j-1","status":"queued"}`), nil
			}
			if ran++; ran < polls {
				return []byte(`{"job_id":"j-1","status":"running"}`), nil
			}
			return []byte(`{"job_id":"j-1","status":"confirmed"}`), nil
		})
		reply, err := g.Run(context.Background(), model, executor, guard.Input{User: "book flight LH123"})
		require.Equal(t, often, ran == polls, "%s ran %d times", name, ran)
		if often {
			require.NoError(t, err)
			require.Equal(t, "LH123 is booked.", reply.Text, name)
		}
	}
}

// TestAFailedJobMayBeTriedAgain: the call was accepted, so that it would run twice while it
// waits; once it has failed, it does not wait any more.
func TestAFailedJobMayBeTriedAgain(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "submit_booking", Description: "Book a flight.", Effect: tooltrack.Changes}, {Name: "get_job", Effect: tooltrack.Reads},
	}
	for end, tried := range map[string]int{"failed": 2, "running": 1} {
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		submit, look := guardtest.Tool("submit_booking", `{"flight":"LH123"}`), guardtest.Tool("get_job", `{"job_id":"j-1"}`)
		model := guardtest.Script(
			guardtest.Call(submit), guardtest.Call(look), guardtest.Call(submit), guardtest.Say("Which flight do you want instead?"))
		executor := guardtest.Tools(map[string]guard.ExecutorFunc{
			"submit_booking": guardtest.Returns(`{"job_id":"j-1","status":"queued"}`),
			"get_job":        guardtest.Returns(`{"job_id":"j-1","status":"` + end + `"}`),
		})
		_, err = g.Run(context.Background(), model, executor, guard.Input{User: "book flight LH123"})
		require.NoError(t, err)
		require.Equal(t, tried, executor.Count("submit_booking"), end)
	}
}

// forAll is an answer to a request for proof that says the same of all letters.
func forAll(basis, message string) string {
	told := "null"
	if message != "" {
		told = strconv.Quote(message)
	}
	text := "{"
	for letter := 'a'; letter < 'a'+proof.MaxLetters; letter++ {
		text += fmt.Sprintf("%q: %s, ", string(letter), basis)
	}
	return text + `"message": ` + told + "}"
}
