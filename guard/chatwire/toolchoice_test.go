package chatwire_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
)

// chosen is a tool choice as each format writes it, by the path of the format.
type chosen struct {
	name           string
	chat, messages string
	items          string
	calls          bool // a call may answer
}

var choices = []chosen{
	{"none", `"none"`, `{"type":"none"}`, `"none"`, false},
	{"one by name", `{"type":"function","function":{"name":"delete_task"}}`, `{"type":"tool","name":"delete_task"}`, `{"type":"function","name":"delete_task"}`, true},
	{"any", `"required"`, `{"type":"any"}`, `"required"`, true},
	{"auto", `"auto"`, `{"type":"auto"}`, `"auto"`, true},
}

func (c *chosen) in(path string) string {
	switch {
	case strings.HasSuffix(path, "messages"):
		return `"tool_choice":` + c.messages
	case strings.HasSuffix(path, "responses"):
		return `"tool_choice":` + c.items
	}
	return `"tool_choice":` + c.chat
}

// with is a request with a tool choice.
func (f *form) with(choice string) string {
	return strings.TrimSuffix(f.request, "}") + "," + choice + "}"
}

// calls is an answer of a server that holds a call, whole or streamed.
func (f *form) calls() string {
	const id, args = "b", `{"id":"t1"}`
	streamed := strings.Contains(f.name, "streamed")
	switch {
	case strings.HasSuffix(f.path, "messages") && streamed:
		return eventStream(startEvent, begins(0, useJSON(id, "delete_task", `{}`)), piece(0, `{"type":"input_json_delta","partial_json":`+quoted(args)+`}`), stops(0), ends("tool_use"), stopEvent)
	case strings.HasSuffix(f.path, "messages"):
		return `{"type":"message","role":"assistant","content":[` + useJSON(id, "delete_task", args) + `],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`
	case strings.HasSuffix(f.path, "responses") && streamed:
		return eventStream(event("response.created", `,"response":{}`), event("response.completed", `,"response":`+answered("resp_1", functionJSON(id, "delete_task", args))))
	case strings.HasSuffix(f.path, "responses"):
		return answered("resp_1", functionJSON(id, "delete_task", args))
	case streamed:
		return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":%q,\"type\":\"function\",\"function\":{\"name\":\"delete_task\",\"arguments\":%s}}]}}]}\n\n"+
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n", id, quoted(args))
	}
	return `{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` + callJSON(id, "delete_task", args) + `]},"finish_reason":"tool_calls"}]}`
}

// TestAProofRespectsTheToolChoice: what the client says of calls holds for the
// question about its proof, too, byte for byte, and the client's next request
// stands as it was sent.
func TestAProofRespectsTheToolChoice(t *testing.T) {
	const draft = "Good evening. t1 is gone from your list. "
	const kept = `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	for _, f := range forms() {
		for _, choice := range choices {
			t.Run(f.name+", "+choice.name, func(t *testing.T) {
				wanted := choice.in(f.path)
				u := newUpstream(t, f.say(draft, "end", 1, 1), f.say("So it is.", "end", 1, 1), f.say(kept, "end", 1, 1), f.say("Bye.", "end", 1, 1))
				transport := chatwire.Transport(doubtful(t), nil, nil)
				body := f.with(wanted)
				status, got, _ := post(t, context.Background(), transport, u.URL+f.path, body)
				if response, err := f.read(got); status != http.StatusOK || err != nil || response.Message.Text != draft {
					t.Fatalf("%d %s: %v", status, got, err)
				}
				if len(u.got) != 3 || u.got[0] != body {
					t.Fatalf("the server got %q", u.got)
				}
				for i, sent := range u.got[1:3] { // the question, and the second one about an answer that was none
					if strings.Count(sent, `"tool_choice":`) != 1 || !strings.Contains(sent, wanted) {
						t.Errorf("asked by %s", sent)
					}
					if invited := strings.Contains(sent, "call the tool"); invited != choice.calls {
						t.Errorf("question %d invites a call: %v", i, invited)
					}
				}
				next := f.with(wanted)
				if _, got, _ := post(t, context.Background(), transport, u.URL+f.path, next); !strings.Contains(got, "Bye.") || u.got[3] != next {
					t.Errorf("the next request became %s, and got %s", u.got[3], got)
				}
			})
		}
	}
}

// TestACallThatWasForbiddenIsNoProof: a client that forbids calls gets none, not
// even from a model that answers a request for proof with one.
func TestACallThatWasForbiddenIsNoProof(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			u := newUpstream(t, f.say("Good evening. t1 is gone from your list. ", "end", 1, 1), f.calls(), f.calls())
			_, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.with(choices[0].in(f.path)))
			response, err := f.read(got)
			if err != nil || len(response.Message.Calls) > 0 || !strings.HasPrefix(response.Message.Text, "Good evening.") || strings.Contains(response.Message.Text, "gone") {
				t.Errorf("%s: %v", got, err)
			}
			if len(u.got) != 3 {
				t.Errorf("asked %d times", len(u.got)-1)
			}
		})
	}
}

// TestNothingIsInsistedOnWhereCallsAreForbidden: the client knows why it wants no
// call now. A choice of its own is not replaced by the guard's, either.
func TestNothingIsInsistedOnWhereCallsAreForbidden(t *testing.T) {
	sure := func(t *testing.T, tool string) *guard.Guard {
		return newGuard(t, func(o *guard.Options) {
			o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
				return intent.Intent{Kind: intent.Action, Due: 1, Expect: []intent.Expectation{{Tool: tool, Confidence: 1, Command: true, Words: "list"}}}, nil
			})
		})
	}
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			const talk = "It is a fine evening."
			u := newUpstream(t, f.say(talk, "end", 1, 1))
			_, got, _ := post(t, context.Background(), chatwire.Transport(sure(t, "list_tasks"), nil, nil), u.URL+f.path, f.with(choices[0].in(f.path)))
			if response, err := f.read(got); err != nil || response.Message.Text != talk || len(u.got) != 1 {
				t.Errorf("asked %d times, %s: %v", len(u.got), got, err)
			}
			named := choices[1].in(f.path) // the client wants another tool than the guard
			u = newUpstream(t, f.say(talk, "end", 1, 1), f.calls())
			_, _, _ = post(t, context.Background(), chatwire.Transport(sure(t, "list_tasks"), nil, nil), u.URL+f.path, f.with(named))
			if len(u.got) != 2 || strings.Count(u.got[1], `"tool_choice":`) != 1 || !strings.Contains(u.got[1], named) {
				t.Errorf("asked again by %q", u.got)
			}
		})
	}
}
