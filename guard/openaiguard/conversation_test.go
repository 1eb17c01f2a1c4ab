package openaiguard_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// inputOf is what a request sends, item by item, each as its type or role.
func inputOf(t *testing.T, asked provider.Received) string {
	t.Helper()
	var request struct {
		Previous     *string `json:"previous_response_id"`
		Conversation *string
		Store        *bool
		Input        []struct{ Type, Role string }
	}
	if err := json.Unmarshal(asked.Body, &request); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, item := range request.Input {
		if item.Type == "" || item.Type == "message" {
			item.Type = item.Role
		}
		said = append(said, item.Type)
	}
	line := strings.Join(said, " ")
	if request.Conversation != nil {
		line += " in " + *request.Conversation
	}
	if request.Previous != nil {
		line += " after " + *request.Previous
	}
	if request.Store != nil && !*request.Store {
		line += ", not stored"
	}
	return line
}

// conversing is a loop in a conversation that the provider keeps, and its
// executor.
func conversing(t *testing.T, g *guard.Guard, p *provider.Provider) (guardtest.Talk, *guardtest.Executor) {
	t.Helper()
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
		"delete_task": guardtest.Returns(`{"success":true}`), "list_tasks": guardtest.Returns(`{"tasks":[]}`),
	})
	described := tools()
	for i := range described {
		if len(described[i].Parameters) == 0 {
			described[i].Parameters = []byte(`{"type":"object"}`)
		}
	}
	s := &guardtest.Setting{T: t, Address: p.URL, Executor: executor, Tools: described}
	client := clientOf(p.URL, option.WithMiddleware(openaiguard.Middleware(g, nil)))
	return itemsLoop(func() openai.Client { return client }, s, inConversation, false), executor
}

// TestAConversationGetsEachItemOnce: the provider adds every request and every
// answer to it, so that what is asked again holds only what is new.
func TestAConversationGetsEachItemOnce(t *testing.T) {
	p := provider.New(t, guardtest.Say("I've deleted the task."), guardtest.Call(deletes("t1")), guardtest.Say("I've deleted the task."))
	talk, executor := conversing(t, newGuard(t, nil), p)
	text, err := talk(context.Background(), "delete the first task")
	if err != nil || text != "I've deleted the task." || executor.Count("delete_task") != 1 {
		t.Fatalf("%q, %v", text, err)
	}
	want := []string{"user in conv_1", "system in conv_1", "function_call_output in conv_1"}
	for i, asked := range p.Received() {
		if got := inputOf(t, asked); got != want[i] || asked.Refused != "" {
			t.Errorf("request %d sends %s, want %s %s", i, got, want[i], asked.Refused)
		}
	}
}

// TestNoCallIsLeftWithoutAResult: a turn that did not pass leaves calls in the
// provider's conversation, and the next request answers them.
func TestNoCallIsLeftWithoutAResult(t *testing.T) {
	bad := guardtest.Call(tooltrack.Call{ID: "bad", Tool: "delete_task", Args: []byte(`{"id":7}`)})
	p := provider.New(t, bad, bad, bad, bad, bad, bad)
	talk, executor := conversing(t, newGuard(t, nil), p)
	_, err := talk(context.Background(), "delete the first task")
	if !errors.Is(err, guard.ErrDenied) && !errors.Is(err, guard.ErrInsufficientProgress) && !errors.Is(err, guard.ErrToolNotTriggered) {
		t.Fatalf("the turn ends in %v", err)
	}
	asked := len(p.Received())
	p.Restart(guardtest.Say("Good morning!"))
	if text, err := talk(context.Background(), "good morning"); err != nil || text != "Good morning!" || len(executor.Calls()) != 0 {
		t.Errorf("%q, %v", text, err)
	}
	if got := inputOf(t, p.Received()[asked]); got != "function_call_output user in conv_1" {
		t.Errorf("the next request sends %s", got)
	}
	if refused := p.Refused(); refused != nil {
		t.Error(refused)
	}
}

// TestBackgroundIsRefusedWithAHint, since nobody would judge the answer.
func TestBackgroundIsRefusedWithAHint(t *testing.T) {
	p := provider.New(t)
	client := clientOf(p.URL, option.WithMiddleware(openaiguard.Middleware(newGuard(t, nil), nil)), option.WithJSONSet("background", true))
	s := &guardtest.Setting{Address: p.URL, Tools: []tooltrack.Tool{{Name: "delete_task", Parameters: []byte(`{}`)}}}
	_, err := itemsLoop(func() openai.Client { return client }, s, byID, false)(context.Background(), "delete the first task")
	if !errors.Is(err, chatwire.ErrUnguarded) || !strings.Contains(err.Error(), "ask without background") || len(p.Received()) != 0 {
		t.Errorf("%v after %d requests", err, len(p.Received()))
	}
}

// TestProofIsAskedForAside: a report never becomes part of the conversation, and
// a call that comes instead of one is brought there together with its result.
func TestProofIsAskedForAside(t *testing.T) {
	unsure := guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
		verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
		verdict.Claims = []completion.Claim{{Text: turn.Text, Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure, Fault: "no call clearly shows it"}}
		return verdict
	})
	p := provider.New(t, guardtest.Say("The first task is gone."), guardtest.Call(deletes("t1")), guardtest.Say("The first task is gone."),
		guardtest.Say(`{"message":null,"items":[{"what":"task deleted","status":"done","records":[1]}]}`))
	due := intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		return intent.Intent{Kind: intent.Action, Due: 0.9}, nil
	})
	g, err := guard.New(tools(), &guard.Options{Evaluator: unsure, Classifier: due})
	if err != nil {
		t.Fatal(err)
	}
	talk, executor := conversing(t, g, p)
	text, err := talk(context.Background(), "get rid of the first task")
	if err != nil || text != "The first task is gone." || executor.Count("delete_task") != 1 {
		t.Errorf("%q, %v", text, err)
	}
	want := []string{
		"user in conv_1", "user after resp_1, not stored", "function_call function_call_output in conv_1", "user after resp_3, not stored",
	}
	for i, asked := range p.Received() {
		if got := inputOf(t, asked); got != want[i] || asked.Refused != "" {
			t.Errorf("request %d sends %s, want %s %s", i, got, want[i], asked.Refused)
		}
	}
}
