package guardtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	pleaseDelete = "delete Read book"
	lie          = "I've deleted Read book."
	failure      = "I couldn't delete Read book: the disk is full. Please free some space."
	deletion     = `delete_task{"id":"1"}` // as it runs
	doubtfulText = "Good evening. Read book is gone from your list."
)

func deletes(id string) tooltrack.Call { return Tool("delete_task", `{"id":"`+id+`"}`) }

func lists() Step { return Call(Tool("list_tasks", `{}`)) }

const listed = "You have one task: Read book."

// sceneOptions are those of a guard that understands the few messages of the
// table and is sure of them: what is tried here is the way in, not the reading.
func sceneOptions() *guard.Options {
	classify := func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		switch verb, _, _ := strings.Cut(request.User, " "); verb {
		case "delete":
			expect := []intent.Expectation{{Tool: "delete_task", Confidence: 0.99, Words: verb}}
			return intent.Intent{Kind: intent.Action, Expect: expect}, nil
		case "list":
			expect := []intent.Expectation{{Tool: "list_tasks", Confidence: 0.99, Words: verb}}
			return intent.Intent{Kind: intent.Question, Expect: expect}, nil
		}
		return intent.Intent{Kind: intent.Chat}, nil
	}
	rules := policy.Rules{Tools: map[string][]policy.Argument{"list_tasks": {policy.Arg("limit", policy.Cap(20))}}}
	return &guard.Options{
		Classifier: intent.Func(classify), Policy: &policy.Options{Rules: rules},
		Ledger: tooltrack.NewLedger(tooltrack.NewMemory(nil), nil), System: "Be kind.",
	}
}

// doubting makes a guard unsure of sentences with "gone" in them, and sure of
// nothing.
func doubting(o *guard.Options) {
	o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Chat}, nil
	})
	o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		for sentence := range strings.SplitAfterSeq(turn.Text, ". ") {
			if strings.Contains(sentence, "gone") {
				verdict.Claims = append(verdict.Claims, completion.Claim{
					Text: strings.TrimSpace(sentence), Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure,
					Fault: "no call clearly shows it",
				})
			}
		}
		return verdict
	})
}

const waits = "Read book has not been deleted: a person has to approve it first."

// checkHeld lets a call wait, approves it, and looks what runs. Where the guard has the
// whole turn, it is resumed; where it sees messages only, the client sends the same call
// again.
func checkHeld(s *scene) {
	ctx, ledger := context.Background(), s.setting.Guard.Ledger()
	_, _ = s.say(pleaseDelete) // a text or an error, as the way in has it
	s.ran()
	waiting, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{AllOwners: true})
	if err != nil || len(waiting) != 1 || string(waiting[0].Call.Args) != `{"id":"1"}` {
		s.errorf("%d calls wait for approval (%v)", len(waiting), err)
		return
	}
	approval := waiting[0]
	if _, err := ledger.Answer(ctx, approval.Owner, approval.ID, tooltrack.Answer{By: "bob", Approve: true}); err != nil {
		s.errorf("it cannot be approved: %v", err)
	}
	if paused, _ := ledger.IsPaused(ctx, approval.Owner, approval.Turn); paused {
		reply, err := s.setting.Guard.Resume(ctx, Script(Say(lie)), s.executor, approval.Owner, approval.Turn)
		if err != nil || reply.Text != lie {
			s.errorf("resumed, it shows %q (%v)", reply.Text, err)
		}
		s.ran(deletion)
		return
	}
	s.add(Call(deletes("1")), Say(lie), Call(deletes("1")), Say(waits))
	s.shows(pleaseDelete, lie)
	s.ran(deletion)
	_, _ = s.say(pleaseDelete)
	s.ran(deletion)
}

// sees checks that a message shows a text, and that just these calls ran. Asked is how often
// the model was asked; 0 is any number.
func sees(user, text string, asked int, ran ...string) func(*scene) {
	return func(s *scene) {
		s.shows(user, text)
		s.ran(ran...)
		if asked > 0 {
			s.askedTimes(asked)
		}
	}
}

// promises are the rows of the table.
var promises = []promise{
	{
		Promise: Promise{"honest", "an honest turn passes unchanged, at no extra request"},
		script:  []Step{Call(deletes("1")), Say(lie)},
		check:   sees(pleaseDelete, lie, 2, deletion),
	},
	{
		Promise: Promise{"lying", "a claim that no call backs is not shown, and a missing tool is asked for again"},
		script:  []Step{Say(lie), Call(deletes("1")), Say("Read book is deleted now.")},
		check:   sees(pleaseDelete, "Read book is deleted now.", 3, deletion),
	},
	{
		Promise: Promise{"error", "a turn that does not pass ends in the guard's typed error, which no client retries"},
		script:  []Step{Say(lie), Say(lie), Say(lie), Say(lie), Say(lie), Say(lie)},
		check: func(s *scene) {
			text, err := s.say(pleaseDelete)
			var missing *guard.TurnError
			if !errors.As(err, &missing) || !slices.Equal(missing.Tools, []string{"delete_task"}) || text != "" {
				s.errorf("it shows %q and ends in %v", text, err)
			}
			s.askedTimes(2)
		},
	},
	{
		Promise: Promise{"failing", "a call that failed is not told as done"},
		broken:  errors.New("the disk is full"),
		script:  []Step{Call(deletes("1")), Say(lie), Say(failure)},
		check:   sees(pleaseDelete, failure, 0, deletion),
	},
	{
		Promise: Promise{"denied", "a call that the policy refuses does not run, and the model is told why"},
		script:  []Step{Call(Tool("delete_task", `{"id":7}`)), Call(deletes("1")), Say(lie)},
		check:   sees(pleaseDelete, lie, 3, deletion),
	},
	{
		Promise: Promise{"held", "a call that a person has to approve runs after that, once, and exactly as it was shown"},
		options: func(o *guard.Options) {
			o.Policy.Approvals = []policy.Approval{policy.NeedsApproval("delete_task", policy.Always())}
		},
		script: []Step{Call(deletes("1")), Say(waits)},
		check:  checkHeld,
	},
	{
		Promise: Promise{"rewritten", "a call runs with the arguments that the policy approved"},
		script:  []Step{Call(Tool("list_tasks", `{"limit":500}`)), Say(listed)},
		check:   sees("list my tasks", listed, 0, `list_tasks{"limit":20}`),
	},
	{
		Promise: Promise{"titles", "with a `Directory`, titles are resolved to ids, for the owner that the context names"},
		titles:  true,
		script:  []Step{Call(Tool("delete_task", `{"id":"Read book"}`)), Say(lie)},
		check:   sees(pleaseDelete, lie, 0, deletion),
	},
	{
		Promise: Promise{"parallel", "calls of one answer run in their order, each with its own result"},
		script:  []Step{Call(deletes("2"), deletes("1")), Say("I've deleted Buy milk and Read book.")},
		check: sees("delete Buy milk and Read book", "I've deleted Buy milk and Read book.", 2, `delete_task{"id":"2"}`,
			deletion),
	},
	{
		Promise: Promise{"cut", "nothing runs from an answer that was cut off"},
		script:  []Step{Stopped(guard.StopCut, "", deletes("1"))},
		check:   nothingRuns,
	},
	{
		Promise: Promise{"filtered", "nothing runs from an answer that was filtered"},
		script:  []Step{Stopped(guard.StopFiltered, "", deletes("1"))},
		check:   nothingRuns,
	},
	{
		Promise: Promise{"paused", "an answer that was paused goes on"},
		only:    func(a *Adapter) bool { return a.Pauses },
		script:  []Step{Stopped(guard.StopPaused, "Let me look."), Say("Good morning!")},
		check: func(s *scene) {
			if text, err := s.say("good morning"); err != nil || !strings.HasSuffix(text, "Good morning!") {
				s.errorf("it shows %q (%v)", text, err)
			}
			s.askedTimes(2)
		},
	},
	{
		Promise: Promise{"stream", "a lie does not show in a stream either"},
		only:    func(a *Adapter) bool { return a.Streams },
		script:  []Step{Say(lie), Say("Which of your two lists do you mean?")},
		check:   func(s *scene) { s.shows(pleaseDelete, "Which of your two lists do you mean?") },
	},
	{
		Promise: Promise{"beside", "a lie beside a call is not shown, though the call is handed on"},
		script: []Step{
			SayAndCall(lie+" Let me look at your list.", Tool("list_tasks", `{}`)), Say("Which of your two lists do you mean?"),
		},
		check: func(s *scene) {
			text, err := s.say(pleaseDelete)
			if err != nil || strings.Contains(text, "deleted") || !strings.HasSuffix(text, "do you mean?") {
				s.errorf("it shows %q (%v)", text, err)
			}
			s.ran(`list_tasks{}`)
			s.askedTimes(2)
		},
	},
	{
		Promise: Promise{"retry", "the client's own retries work, and run nothing twice"},
		only:    func(a *Adapter) bool { return a.Wire },
		script: []Step{
			provider.Status(http.StatusServiceUnavailable), Call(deletes("1")),
			provider.Status(http.StatusTooManyRequests), Say(lie),
		},
		check: sees(pleaseDelete, lie, 0, deletion),
	},
	{
		Promise: Promise{"proof", "a claim in doubt is shown when the model can cite the record behind it"},
		options: doubting,
		script: []Step{
			Call(deletes("1")), Say(doubtfulText),
			Say(`{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[1]}]}`),
		},
		check: func(s *scene) {
			s.shows("get rid of Read book", doubtfulText)
			s.askedTimes(3)
		},
	},
	{
		Promise: Promise{"withheld", "and left out when it cannot"},
		options: doubting,
		script:  []Step{Call(deletes("1")), Say(doubtfulText), Say("As I said."), Say("Trust me.")},
		check: func(s *scene) {
			text, err := s.say("get rid of Read book")
			if err != nil || !strings.HasPrefix(text, "Good evening.") || strings.Contains(text, "is gone") {
				s.errorf("it shows %q (%v)", text, err)
			}
		},
	},
	{
		Promise: Promise{"next", "after turns of all these kinds the same client can go on"},
		only:    func(a *Adapter) bool { return !a.CallsOnly },
		check:   goesOn,
	},
	{
		Promise: Promise{"cache", "tools and system prompt stay byte for byte the same, as prompt caches need it"},
		only:    func(a *Adapter) bool { return a.Wire },
		script:  []Step{Say(lie), Call(Tool("delete_task", `{"id":7}`)), Call(deletes("1")), Say(lie)},
		check:   keepsTheCache,
	},
	{
		Promise: Promise{"written", "a call is written down before it runs"},
		script:  []Step{Call(deletes("1")), Say(lie)},
		check:   writesDown,
	},
	{
		Promise: Promise{"once", "a change runs at most once in a turn, also when the turn is run again"},
		script:  []Step{Call(deletes("1")), Call(deletes("1")), Say(lie), Call(deletes("1")), Say(lie)},
		check: func(s *scene) {
			_, _ = s.sayIn("m1", pleaseDelete)
			s.talk = s.adapter.Open(&s.setting) // after a crash
			_, _ = s.sayIn("m1", pleaseDelete)
			s.ran(deletion)
		},
	},
	{
		Promise: Promise{"observe", "a guard that only observes changes nothing"},
		options: func(o *guard.Options) { o.Observe = true },
		script:  []Step{Call(Tool("list_tasks", `{"limit":500}`)), Say(lie)},
		check:   sees(pleaseDelete, lie, 2, `list_tasks{"limit":500}`),
	},
}

func nothingRuns(s *scene) {
	if text, err := s.say(pleaseDelete); strings.Contains(text, "deleted") {
		s.errorf("it shows %q (%v)", text, err)
	}
	s.ran()
}

// goesOn talks on after each kind of turn. What a client remembers of it must be
// something that the provider accepts.
func goesOn(s *scene) {
	for _, before := range [][]Step{
		{Call(deletes("1")), Say(lie)},
		{Say(lie), Call(deletes("2")), Say("Buy milk is deleted now.")},
		{Call(Tool("delete_task", `{"id":7}`)), Say("Which task do you mean?")},
		{Call(deletes("1"), Tool("delete_task", `{"id":7}`)), Say("Which task do you mean?")},
		{Say(lie), Say(lie)},
		{SayAndCall("One moment.", Tool("list_tasks", `{"limit":500}`)), Say("Which of them?")},
	} {
		s.add(before...)
		_, _ = s.say(pleaseDelete) // whatever becomes of it
		s.add(lists(), Say(listed))
		s.shows("list my tasks", listed)
	}
}

func keepsTheCache(s *scene) {
	s.shows(pleaseDelete, lie)
	var first map[string]json.RawMessage
	for i, asked := range s.provider.Received() {
		var request map[string]json.RawMessage
		if err := json.Unmarshal(asked.Body, &request); err != nil {
			s.errorf("request %d: %v", i, err)
		}
		if first == nil {
			first = request
		}
		for _, member := range []string{"tools", "system", "instructions"} {
			if string(request[member]) != string(first[member]) {
				s.errorf("request %d: %s is %s, and was %s", i, member, request[member], first[member])
			}
		}
	}
}

// writesDown looks into the ledger while the tool runs.
func writesDown(s *scene) {
	begun := 0
	run := s.executor.tools["delete_task"]
	s.executor.tools["delete_task"] = func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		records, err := s.setting.Options.Ledger.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
		if err != nil {
			s.errorf("reading the ledger: %v", err)
		}
		for _, record := range records {
			if record.Tool == call.Tool {
				begun++
			}
		}
		return run(ctx, call)
	}
	s.shows(pleaseDelete, lie)
	if begun != 1 {
		s.errorf("the ledger held %d records while the call ran", begun)
	}
}
