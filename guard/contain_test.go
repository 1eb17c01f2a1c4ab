package guard_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// mailTools are the tools of the turns that panics are planted in.
func mailTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "send_email", Description: "Send an e-mail.", Effect: tooltrack.Changes,
			Parameters: []byte(`{"type":"object","properties":{"to":{"type":"string"}}}`)},
		{Name: "find_contact", Description: "Find a contact.", Effect: tooltrack.Reads,
			Parameters: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)},
	}
}

// mailer finds two contacts side by side, sends an e-mail, and then says a text.
func mailer(text string) guard.Model {
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		answer := guard.Message{Role: guard.RoleAssistant}
		results := 0
		for _, message := range request.Messages {
			if message.Role == guard.RoleTool {
				results++
			}
		}
		switch results {
		case 0:
			answer.Calls = []tooltrack.Call{
				{ID: "a", Tool: "find_contact", Args: []byte(`{"name":"Bob"}`)},
				{ID: "b", Tool: "find_contact", Args: []byte(`{"name":"Ann"}`)},
			}
		case 2:
			answer.Text = "I'll send it now."
			answer.Calls = []tooltrack.Call{{ID: "c", Tool: "send_email", Args: []byte(`{"to":"bob"}`)}}
		default:
			answer.Text = text
		}
		return guard.Response{Message: answer}, nil
	})
}

var sends = guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
	return []byte(`{"success":true}`), nil
})

// waysIn are the ways into judgement, each of which returns what it would show.
var waysIn = map[string]func(ctx context.Context, g *guard.Guard, text string) (shown string, err error){
	"Run": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		reply, err := g.Run(ctx, mailer(text), sends, guard.Input{User: "send an email to bob"})
		return reply.Text, err
	},
	"Stream": func(ctx context.Context, g *guard.Guard, text string) (shown string, err error) {
		for event, failed := range g.Stream(ctx, mailer(text), sends, guard.Input{User: "send an email to bob"}) {
			shown, err = shown+event.Text, failed
		}
		return shown, err
	},
	"Begin": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		turn, err := g.Begin(ctx, guard.Input{User: "send an email to bob"})
		if err != nil {
			return "", err
		}
		for turn.Open() {
			response, _ := mailer(text).Generate(ctx, turn.Request(ctx))
			for _, call := range turn.Take(ctx, response) {
				if _, err := turn.Do(ctx, call, sends); err != nil {
					reply, err := turn.Fail(err)
					return reply.Text, err
				}
			}
		}
		reply, err := turn.Reply()
		return reply.Text, err
	},
	"Model and Executor": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		turn, err := g.Begin(ctx, guard.Input{User: "send an email to bob"})
		if err != nil {
			return "", err
		}
		return loop(ctx, turn.Model(mailer(text)), turn.Executor(sends))
	},
	"Wrap": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		return loop(ctx, g.Wrap(mailer(text)), sends)
	},
	"End": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		turn, err := g.Begin(ctx, guard.Input{User: "send an email to bob"})
		if err != nil {
			return "", err
		}
		reply, err := turn.End(ctx, text)
		return reply.Text, err
	},
	"Judge": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		_, err := g.Judge(ctx, guard.Recorded{User: "send an email to bob", Text: text})
		return "", err
	},
	"Question": func(ctx context.Context, g *guard.Guard, text string) (string, error) {
		_, err := g.Question(ctx, guard.Recorded{User: "send an email to bob", Text: text})
		return "", err
	},
	"TurnStart": func(ctx context.Context, g *guard.Guard, _ string) (string, error) {
		g.TurnStart(ctx, []guard.Message{{Role: guard.RoleUser, Text: "send an email to bob"}})
		return "", nil
	},
}

// loop is an agent loop that knows nothing of turns.
func loop(ctx context.Context, model guard.Model, executor guard.Executor) (string, error) {
	messages := []guard.Message{{Role: guard.RoleUser, Text: "send an email to bob"}}
	for range 10 {
		response, err := model.Generate(ctx, guard.Request{Messages: messages, Tools: mailTools()})
		if err != nil || len(response.Message.Calls) == 0 {
			return response.Message.Text, err
		}
		messages = append(messages, response.Message)
		for _, call := range response.Message.Calls {
			result, err := executor.Execute(ctx, call)
			if err != nil {
				return "", err
			}
			messages = append(messages, guard.Message{Role: guard.RoleTool, CallID: call.ID, Tool: call.Tool, Text: string(result)})
		}
	}
	return "", errors.New("the loop did not end")
}

// stagesOf are the stages that a way in runs through.
func stagesOf(t *testing.T, g *guard.Guard, run func(context.Context, *guard.Guard, string) (string, error)) []string {
	t.Helper()
	var mu sync.Mutex
	reached := map[string]bool{}
	remove := contain.Plant(func(stage string) {
		mu.Lock()
		defer mu.Unlock()
		reached[stage] = true
	})
	defer remove()
	_, err := run(longTurn(t), g, longText)
	if err != nil && !errors.Is(err, guard.ErrInsufficientProgress) && !errors.Is(err, guard.ErrToolNotTriggered) {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Sorted(maps.Keys(reached))
}

// longText is one that is judged in a goroutine of its own.
var longText = "I've sent the email to bob.\n\n" + strings.Repeat("-", 33<<10)

// longTurn is a context that can end, as in servers, so that tools run in goroutines.
func longTurn(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestAPanicOfOursIsContained plants a panic at each stage of each way in. The host lives
// on, nothing that could not be judged is shown, and the guard serves as before.
func TestAPanicOfOursIsContained(t *testing.T) {
	for _, options := range []guard.Options{{}, {Lenient: true}, {Proof: guard.Never}, {Proof: guard.Always}} {
		for name, run := range waysIn {
			g, err := guard.New(mailTools(), &options)
			if err != nil {
				t.Fatal(err)
			}
			stages := stagesOf(t, g, run)
			if len(stages) == 0 {
				t.Errorf("%s runs through no stage", name)
			}
			for _, stage := range stages {
				remove := contain.Plant(func(at string) {
					if at == stage {
						panic("planted")
					}
				})
				shown, err := run(longTurn(t), g, longText)
				remove()
				kept := strings.Contains(shown, "I've sent")
				if kept && !harmlessStage[stage] {
					t.Errorf("%s, %q: a text that could not be judged is shown: %.80q", name, stage, shown)
				}
				if name != "TurnStart" && err == nil && shown == "" && !harmlessStage[stage] {
					t.Errorf("%s, %q: neither a text nor an error", name, stage)
				}
				if g.Counters().Panics[stage] == 0 {
					t.Errorf("%s: the panic of %q is not counted: %v", name, stage, g.Counters().Panics)
				}
			}
			serves(t, g, name)
		}
	}
}

// harmlessStage are the stages whose panic costs something else than the judgement of
// the text: a call is denied, or a text beside calls is withheld.
var harmlessStage = map[string]bool{
	"reviewing a call": true, "reviewing a prompted call": true, "judging beside calls": true, "telling a result": true,
	"account": true, "settling": true,
}

// serves lets a guard serve 20 turns, 100 at night: no lock is left held, and nothing is lost.
func serves(t *testing.T, g *guard.Guard, after string) {
	t.Helper()
	for i := range 100 / sampling.Every(5) {
		reply, err := g.Run(t.Context(), mailer("I've sent the email to bob."), sends, guard.Input{User: "send an email to bob"})
		if err != nil || reply.Text != "I've sent the email to bob." || len(reply.Records) != 3 {
			t.Fatalf("after panics in %s, turn %d: %q, %v, %d records", after, i, reply.Text, err, len(reply.Records))
		}
	}
}

// TestAnObservingGuardHandsOnWhatItCannotJudge holds a watched host against an unguarded
// one: whatever panics, it gets the same.
func TestAnObservingGuardHandsOnWhatItCannotJudge(t *testing.T) {
	for name, run := range waysIn {
		switch name {
		case "Judge", "Question", "Ask", "TurnStart": // these have nothing to hand on
			continue
		}
		g, err := guard.New(mailTools(), &guard.Options{Observe: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range stagesOf(t, g, run) {
			if stage == "executing" || stage == "executing side by side" || stage == "running a tool" {
				continue // the ledger fails closed, also where it is only kept
			}
			remove := contain.Plant(func(at string) {
				if at == stage {
					panic("planted")
				}
			})
			shown, err := run(longTurn(t), g, longText)
			remove()
			if err != nil || shown != longText {
				t.Errorf("%s, %q: %.80q, %v", name, stage, shown, err)
			}
		}
	}
}

// TestACallWhoseRecordingPanicsIsOfUnknownFate: it may have run, so nobody is told that
// nothing was changed.
func TestACallWhoseRecordingPanicsIsOfUnknownFate(t *testing.T) {
	g, err := guard.New(mailTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	begun := false
	executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		if call.Tool == "send_email" {
			begun = true
		}
		return []byte(`{"success":true}`), nil
	})
	remove := contain.Plant(func(stage string) {
		if begun && stage == "settling" {
			panic("planted")
		}
	})
	defer remove()
	reply, err := g.Run(t.Context(), mailer("I've sent the email to bob."), executor, guard.Input{User: "send an email to bob"})
	var unjudged *guard.TurnError
	if !(errors.As(err, &unjudged) && errors.Is(err, guard.ErrUnjudged)) || unjudged.Reason != "a fault of the guard in settling" || unjudged.Account != reply.Account {
		t.Fatalf("%v", err)
	}
	if strings.Contains(reply.Account, "Nothing was changed") {
		t.Errorf("the account denies a change: %s", reply.Account)
	}
	if fmt.Sprint(err) != "the answer could not be judged: a fault of the guard in settling" {
		t.Errorf("%v", err)
	}
}

// TestTextsThatOnceCrashed are those that made the reading panic.
func TestTextsThatOnceCrashed(t *testing.T) {
	g, err := guard.New(mailTools(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ user, text string }{
		{"send an email to bob", `I've sent the email to bob about \n\n, 423.`},
		{`send an email to bob about C:\tmp\new, 423`, `I've sent the email to bob about C:\tmp\new, 423.`},
		{"send an email to bob about caf\xe9", "I've sent the email to bob about caf\xe9."},
		{"send an email to bob about x\xe9.\xff", "Done\xff"},
	} {
		for name, run := range waysIn {
			_, _ = run(t.Context(), g, c.text)
			_, _ = g.Run(t.Context(), mailer(c.text), sends, guard.Input{User: c.user})
			if panics := g.Counters().Panics; len(panics) > 0 {
				t.Fatalf("%s, %q: %v", name, c.text, panics)
			}
		}
	}
}
