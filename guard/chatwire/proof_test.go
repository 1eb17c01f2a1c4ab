package chatwire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
)

// doubtful is a guard that expects nothing and is unsure of sentences with
// "gone" in them.
func doubtful(t *testing.T) *guard.Guard {
	return newGuard(t, func(o *guard.Options) {
		o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
			return intent.Intent{Kind: intent.Chat}, nil
		})
		o.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
			verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
			for sentence := range strings.SplitAfterSeq(turn.Text, ". ") {
				if strings.Contains(sentence, "gone") {
					verdict.Claims = append(verdict.Claims, completion.Claim{
						Text: strings.TrimSpace(sentence), Kind: completion.ClaimChange, Doubt: 0.6, Tier: completion.Unsure, Fault: "no call clearly shows it",
					})
				}
			}
			return verdict
		})
	})
}

// form is a format, whole or streamed: how a server says something in it, and
// how a client reads it.
type form struct {
	name, path string
	request    string
	say        func(text, stop string, in, out int) string
	read       func(body string) (guard.Response, error)
}

func forms() []form {
	chatBody := func(more string) string {
		return `{"response_format":{"type":"json_schema","json_schema":{}},"messages":[{"role":"user","content":"get rid of t1"},{"role":"assistant","content":null,"tool_calls":[` +
			callJSON("a", "delete_task", `{"id":"t1"}`) + `]},{"role":"tool","tool_call_id":"a","content":"{\"success\":true}"}],` + offer + more + `}`
	}
	messagesBody := func(more string) string {
		return `{"output_format":{"type":"json_schema"},"messages":[{"role":"user","content":"get rid of t1"},{"role":"assistant","content":[` + useJSON("a", "delete_task", `{"id":"t1"}`) +
			`]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"{\"success\":true}"}]}],` + inputOffer + more + `}`
	}
	itemsBody := func(more string) string {
		return `{"text":{"format":{"type":"json_schema"}},"input":[{"role":"user","content":"get rid of t1"},` + functionJSON("a", "delete_task", `{"id":"t1"}`) +
			`,{"type":"function_call_output","call_id":"a","output":"{\"success\":true}"}],` + listOffer + more + `}`
	}
	itemsAnswer := func(text, stop string, in, out int) string {
		said := answered("resp_1", hiddenThought, messageJSON(text))
		if stop == "cut" {
			said = cutShort("max_output_tokens", hiddenThought, messageJSON(text))
		}
		return strings.Replace(said, `"input_tokens":5,"output_tokens":7,"total_tokens":12`, fmt.Sprintf(`"input_tokens":%d,"output_tokens":%d,"total_tokens":%d`, in, out, in+out), 1)
	}
	chatStops := map[string]string{"end": "stop", "cut": "length"}
	messagesStops := map[string]string{"end": "end_turn", "cut": "max_tokens"}
	return []form{
		{"chat", "/v1/chat/completions", chatBody(""), func(text, stop string, in, out int) string {
			return fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":%s,"x":%d},"finish_reason":%q}],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`, quoted(text), in, chatStops[stop], in, out, in+out)
		}, func(body string) (guard.Response, error) { return chatwire.ChatCompletions.ParseResponse([]byte(body)) }},
		{"chat, streamed", "/v1/chat/completions", chatBody(`,"stream":true`), func(text, stop string, in, out int) string {
			return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}],\"usage\":null}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\n"+
				"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"total_tokens\":%d}}\n\ndata: [DONE]\n\n", quoted(text), chatStops[stop], in, out, in+out)
		}, func(body string) (guard.Response, error) {
			return chatwire.ChatCompletions.ReadStream(strings.NewReader(body), nil)
		}},
		{"Messages", "/v1/messages", messagesBody(""), func(text, stop string, in, out int) string {
			return fmt.Sprintf(`{"type":"message","role":"assistant","content":[%s,%s],"stop_reason":%q,"usage":{"input_tokens":%d,"output_tokens":%d}}`, thought, textJSON(text), messagesStops[stop], in, out)
		}, func(body string) (guard.Response, error) { return chatwire.Messages.ParseResponse([]byte(body)) }},
		{"Messages, streamed", "/v1/messages", messagesBody(`,"stream":true`), func(text, stop string, in, out int) string {
			return eventStream(strings.Replace(startEvent, `"input_tokens":25`, fmt.Sprintf(`"input_tokens":%d`, in), 1), begins(0, emptyText), piece(0, textPiece(text)), stops(0),
				strings.Replace(ends(messagesStops[stop]), `"output_tokens":15`, fmt.Sprintf(`"output_tokens":%d`, out), 1), stopEvent)
		}, func(body string) (guard.Response, error) {
			return chatwire.Messages.ReadStream(strings.NewReader(body), nil)
		}},
		{"Responses", "/v1/responses", itemsBody(""), itemsAnswer, func(body string) (guard.Response, error) { return chatwire.Responses.ParseResponse([]byte(body)) }},
		{"Responses, streamed", "/v1/responses", itemsBody(`,"stream":true`), func(text, stop string, in, out int) string {
			return eventStream(event("response.created", `,"response":{}`), event("response.output_text.delta", `,"delta":`+quoted(text)), event("response.completed", `,"response":`+itemsAnswer(text, stop, in, out)))
		}, func(body string) (guard.Response, error) {
			return chatwire.Responses.ReadStream(strings.NewReader(body), nil)
		}},
	}
}

// TestProofOnTheWire: an unsure text is asked about behind the client's back,
// and what the client gets is an ordinary answer, made whole.
func TestProofOnTheWire(t *testing.T) {
	const draft = "Good evening. t1 is gone from your list. "
	kept := `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	partly := `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]},{"what":"t2","status":"not_done","reason":"it is locked"}]}`
	corrected := `{"message":"t1 has been taken off.","items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	type said struct{ text, stop string }
	cases := []struct {
		name   string
		proofs []said
		own    bool   // the client gets the draft's own bytes
		text   string // otherwise this, in pieces that must be there
		not    string
		in     int
	}{
		{"the draft is kept", []said{{kept, "end"}}, true, "", "", 0},
		{"it goes on with what is not done", []said{{partly, "end"}}, false, draft + "\n\n", "", 10 + 20},
		{"it is corrected", []said{{corrected, "end"}}, false, "t1 has been taken off.", "gone", 10 + 20},
		{"no proof comes", []said{{"As I said.", "end"}, {"Trust me.", "end"}}, false, "Good evening.", "gone", 10 + 20 + 30},
		{"the proof is cut off", []said{{`{"message":`, "cut"}, {`{"mess`, "cut"}}, false, "Good evening.", "gone", 10 + 20 + 30},
		{"the server breaks", nil, true, "", "", 0}, // the record speaks for it
	}
	for _, f := range forms() {
		for _, c := range cases {
			t.Run(f.name+", "+c.name, func(t *testing.T) {
				answers := []string{f.say(draft, "end", 10, 1)}
				for i, proof := range c.proofs {
					answers = append(answers, f.say(proof.text, proof.stop, 10*(i+2), i+2))
				}
				u := newUpstream(t, answers...)
				status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.request)
				response, err := f.read(got)
				if err != nil || status != http.StatusOK {
					t.Fatalf("%d %s: %v", status, got, err)
				}
				if c.own && got != answers[0] {
					t.Errorf("the client got %s", got)
				}
				if !strings.HasPrefix(response.Message.Text, c.text) || c.not != "" && strings.Contains(response.Message.Text, c.not) || response.Stop != guard.StopEnd {
					t.Errorf("%q, %v", response.Message.Text, response.Stop)
				}
				if f.name == "chat" && strings.HasPrefix(c.text, draft) && !strings.Contains(got, `"x":10}`) {
					t.Errorf("a text that goes on from the draft goes on from %s", got)
				}
				if c.in > 0 && response.Usage.Input != c.in {
					t.Errorf("usage %+v in %s", response.Usage, got)
				}
				checkProofRequest(t, f, u)
			})
		}
	}
}

// checkProofRequest: tools and messages stand as before, the form that the
// client wants is gone, and something follows.
func checkProofRequest(t *testing.T, f form, u *upstream) {
	t.Helper()
	if len(u.got) < 2 || u.got[0] != f.request {
		t.Fatalf("the server got %q", u.got)
	}
	sent := u.got[1]
	list := f.request[strings.Index(f.request, `{"role":"user"`):strings.Index(f.request, `],"tools"`)]
	if !strings.Contains(sent, list) || !strings.Contains(sent, f.request[strings.Index(f.request, `"tools"`):]) || strings.Contains(sent, "json_schema") || !strings.Contains(sent, "Check your answer before it is shown.") {
		t.Errorf("asked for proof by %s", sent)
	}
	if strings.HasSuffix(f.path, "responses") {
		if err := checkItems([]byte(sent)); err != nil {
			t.Errorf("the server refuses %s: %v", sent, err)
		}
	}
	if strings.HasSuffix(f.path, "messages") {
		if err := checkMessages([]byte(sent)); err != nil {
			t.Errorf("the server refuses %s: %v", sent, err)
		}
	}
}

// TestABrokenConnectionDoesNotLoseTheAnswer: the answer is there, only its proof is not.
// A call on record speaks for one sentence, and none for the other.
func TestABrokenConnectionDoesNotLoseTheAnswer(t *testing.T) {
	for _, f := range forms() {
		asked := 0
		next := func(*http.Request) (*http.Response, error) {
			if asked++; asked > 1 {
				return nil, io.ErrUnexpectedEOF
			}
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(f.say("Good evening. t1 is gone. I've paid invoice 77, and the debt is gone. ", "end", 1, 1)))}, nil
		}
		request, _ := http.NewRequest(http.MethodPost, "http://example.com"+f.path, strings.NewReader(f.request))
		response, err := chatwire.Middleware(doubtful(t), nil)(request, next)
		if err != nil || response.StatusCode != 200 {
			t.Fatalf("%s: %v, %v", f.name, response, err)
		}
		body, _ := io.ReadAll(response.Body)
		if read, err := f.read(string(body)); err != nil || !strings.HasPrefix(read.Message.Text, "Good evening. t1 is gone.") || strings.Contains(read.Message.Text, "paid") {
			t.Errorf("%s: %s, %v", f.name, body, err)
		}
	}
}

// TestThoughtsAboutAReportAreNotTheClients: a text that was cut or changed goes back to
// the draft, with what the model thought when it wrote that.
func TestThoughtsAboutAReportAreNotTheClients(t *testing.T) {
	answer := func(text, thought string) string {
		quoted, _ := json.Marshal(text)
		return `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":` + string(quoted) +
			`,"reasoning_content":"` + thought + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	}
	draft := answer("Good evening. t1 is gone from your list.", "early")
	changed := `{"message":"t1 has been taken off.","items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	f := forms()[0]
	for name, proofs := range map[string][]string{"withheld": {"no", "no"}, "changed": {changed}} {
		t.Run(name, func(t *testing.T) {
			answers := []string{draft}
			for _, proof := range proofs {
				answers = append(answers, answer(proof, "late"))
			}
			u := newUpstream(t, answers...)
			status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.request)
			if status != http.StatusOK || strings.Contains(got, "late") || strings.Contains(got, "gone") {
				t.Errorf("%d %s", status, got)
			}
		})
	}
}
