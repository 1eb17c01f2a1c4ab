package simmodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var lamp = []tooltrack.Tool{{
	Name: "switch_lamp", Description: "Switch a lamp on or off.", Effect: tooltrack.Changes,
	Parameters: json.RawMessage(`{"type":"object","properties":{"state":{"type":"string"}},"required":["state"]}`),
}}

func start(t *testing.T, behaviour simmodel.Behaviour, options *simmodel.Options) *simmodel.Server {
	t.Helper()
	server, err := simmodel.Start(behaviour, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func model(server *simmodel.Server, message string, faults ...string) *openaiguard.Model {
	options := []option.RequestOption{option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0)}
	for name, values := range simmodel.Turn(message, faults) {
		options = append(options, option.WithHeader(name, values[0]))
	}
	return openaiguard.NewModel(openai.NewClient(options...), "sim", nil)
}

// ask asks once, whole or streamed.
func ask(m *openaiguard.Model, streamed bool, messages ...guard.Message) (guard.Response, error) {
	request := guard.Request{Messages: messages, Tools: lamp}
	if !streamed {
		return m.Generate(context.Background(), request)
	}
	for delta, err := range m.Stream(context.Background(), request) {
		if err != nil {
			return guard.Response{}, err
		}
		if delta.Response != nil {
			return *delta.Response, nil
		}
	}
	return guard.Response{}, errors.New("the stream ended without an answer")
}

func user(text string) guard.Message { return guard.Message{Role: guard.RoleUser, Text: text} }

// lampModel is a healthy model with a lamp, and the faults of the wire.
func lampModel(_ context.Context, request simmodel.Request) simmodel.Answer {
	if results := request.Results(); len(results) > 0 && !strings.HasPrefix(results[len(results)-1].Text, "Error") {
		return simmodel.Say("The lamp is on now.")
	}
	return simmodel.Distort(request, simmodel.CallTool("switch_lamp", `{"state":"on"}`))
}

func TestWholeAndStreamedSayTheSame(t *testing.T) {
	server := start(t, lampModel, nil)
	for _, test := range []struct {
		name, fault string
		calls       []string
		text        string
	}{
		{name: "healthy", calls: []string{`switch_lamp {"state":"on"}`}},
		{name: "leaked call", fault: "leaked-call", text: `"name": "switch_lamp"`},
		{name: "bad JSON", fault: "bad-json", calls: []string{`switch_lamp {"state":"on"`}},
		{name: "unknown tool", fault: "unknown-tool", calls: []string{`tasks.switch_lamp {"state":"on"}`}},
		{name: "double call", fault: "double-call", calls: []string{`switch_lamp {"state":"on"}`, `switch_lamp {"state":"on"}`}},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(test.name+map[bool]string{true: ", streamed", false: ", whole"}[streamed], func(t *testing.T) {
				response, err := ask(model(server, "light", test.fault), streamed, user("light"))
				if err != nil {
					t.Fatal(err)
				}
				var calls []string
				for _, call := range response.Message.Calls {
					calls = append(calls, call.Tool+" "+string(call.Args))
				}
				if !slices.Equal(calls, test.calls) {
					t.Errorf("calls %q, want %q", calls, test.calls)
				}
				if !strings.Contains(response.Message.Text, test.text) {
					t.Errorf("text %q, want %q in it", response.Message.Text, test.text)
				}
				if response.Usage.Input == 0 {
					t.Error("no usage was counted")
				}
			})
		}
	}
}

func TestHTTP500IsAnError(t *testing.T) {
	server := start(t, lampModel, nil)
	for _, streamed := range []bool{false, true} {
		var failed *openai.Error
		if _, err := ask(model(server, "light", "http-500"), streamed, user("light")); !errors.As(err, &failed) || failed.StatusCode != http.StatusInternalServerError {
			t.Errorf("streamed %v: got %v, want status 500", streamed, err)
		}
	}
}

func TestSlowCanBeCancelled(t *testing.T) {
	server := start(t, lampModel, &simmodel.Options{Slow: time.Hour})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := model(server, "light", "slow").Generate(ctx, guard.Request{Messages: []guard.Message{user("light")}, Tools: lamp})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

func TestWhatProvidersRefuse(t *testing.T) {
	server := start(t, lampModel, nil)
	call := tooltrack.Call{ID: "c1", Tool: "switch_lamp", Args: json.RawMessage(`{}`)}
	for name, messages := range map[string][]guard.Message{
		"no messages":            nil,
		"a call without result":  {user("light"), {Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}}, user("well?")},
		"a result without call":  {user("light"), {Role: guard.RoleTool, CallID: "c1", Text: "ok"}},
		"last call not answered": {user("light"), {Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}}},
	} {
		t.Run(name, func(t *testing.T) {
			var failed *openai.Error
			if _, err := ask(model(server, "light"), false, messages...); !errors.As(err, &failed) || failed.StatusCode != http.StatusBadRequest {
				t.Errorf("got %v, want status 400", err)
			}
		})
	}
}

// TestTheTurn shows that corrections are told from what the person wrote.
func TestTheTurn(t *testing.T) {
	var seen simmodel.Request
	server := start(t, func(_ context.Context, request simmodel.Request) simmodel.Answer {
		seen = request
		return simmodel.Say("ok")
	}, nil)
	call := tooltrack.Call{ID: "c1", Tool: "switch_lamp", Args: json.RawMessage(`{"state":"on"}`)}
	_, err := ask(model(server, "light please"), false,
		guard.Message{Role: guard.RoleSystem, Text: "You switch lamps."},
		user("hello"), guard.Message{Role: guard.RoleAssistant, Text: "Hi."},
		user("light please"),
		guard.Message{Role: guard.RoleAssistant, Text: "It is on."},
		user("Nothing was done. Call the tool."),
		guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}},
		guard.Message{Role: guard.RoleTool, CallID: "c1", Text: "OK"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := seen.Asked(); got != "light please" {
		t.Errorf("asked: %q", got)
	}
	if got := seen.Corrections(); got != 1 {
		t.Errorf("corrections: %d, want 1", got)
	}
	if got := seen.Results(); len(got) != 1 || got[0].Call.Name != "switch_lamp" || got[0].Text != "OK" {
		t.Errorf("results: %+v", got)
	}
	if !strings.Contains(seen.System(), "lamps") {
		t.Errorf("system: %q", seen.System())
	}
}

// TestAGuardedTurn runs every wire fault through a guard: the lamp is switched
// at most once, and never claimed to be on when it is not.
func TestAGuardedTurn(t *testing.T) {
	server := start(t, lampModel, nil)
	for _, fault := range append([]string{""}, simmodel.WireFaults[:]...) {
		t.Run("fault "+fault, func(t *testing.T) {
			if fault == "slow" {
				t.Skip("slow is a matter of time, not of the answer")
			}
			g, err := guard.New(lamp, &guard.Options{DeliverAccount: true})
			if err != nil {
				t.Fatal(err)
			}
			switched := 0
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
				switched++
				return []byte(`{"success":true}`), nil
			})
			message := "switch the lamp on"
			reply, err := g.Run(context.Background(), model(server, message, fault), executor, guard.Input{User: message})
			var unreachable *guard.TurnError
			if (errors.As(err, &unreachable) && errors.Is(err, guard.ErrProvider)) != (fault == "http-500") || err != nil && unreachable == nil {
				t.Fatal(err)
			}
			if want := map[bool]int{true: 0, false: 1}[fault == "http-500"]; switched != want {
				t.Errorf("switched %d times, want %d; the reply is %q", switched, want, reply.Text)
			}
			if claimed := strings.Contains(reply.Text, "is on now"); claimed != (switched > 0) {
				t.Errorf("the reply is %q with the lamp switched %d times", reply.Text, switched)
			}
		})
	}
}

func TestScript(t *testing.T) {
	server := start(t, simmodel.Script(simmodel.CallTool("switch_lamp", `{"state":"on"}`), simmodel.Say("done")), nil)
	first, err := ask(model(server, "light"), false, user("light"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := ask(model(server, "light"), false, user("light"), first.Message,
		guard.Message{Role: guard.RoleTool, CallID: first.Message.Calls[0].ID, Text: "OK"})
	if err != nil || second.Message.Text != "done" {
		t.Errorf("got %q, %v, want the second answer", second.Message.Text, err)
	}
}

func TestParseFaults(t *testing.T) {
	known := simmodel.WireFaults[:]
	faults, err := simmodel.ParseFaults(" slow, ,bad-json,slow", known)
	if err != nil || faults.String() != "slow,bad-json" || !faults.Has("slow") || faults.Has("http-500") {
		t.Errorf("got %v, %v", faults, err)
	}
	if _, err := simmodel.ParseFaults("slow,lazy", known); err == nil || !strings.Contains(err.Error(), "leaked-call") {
		t.Errorf("got %v, want an error that lists the faults", err)
	}
}
