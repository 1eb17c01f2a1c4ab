package chatwire_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
)

// asker plays turns in one format through one transport whose model claims what
// is in doubt, and counts what the server is asked.
type asker struct {
	t         *testing.T
	form      form
	transport http.RoundTripper
}

// ask is how often the server is asked about one request. The answers are the
// draft, and what comes when proof is asked for.
func (a asker) ask(path, model string, proofs ...string) int {
	a.t.Helper()
	answers := []string{a.form.say("t1 is gone from your list.", "end", 1, 1)}
	for _, proof := range proofs {
		answers = append(answers, a.form.say(proof, "end", 1, 1))
	}
	u := newUpstream(a.t, answers...)
	body := a.form.request
	if model != "" {
		body = `{"model":` + model + `,` + strings.TrimPrefix(body, "{")
	}
	status, got, _ := post(a.t, context.Background(), a.transport, "http://models.test"+path+a.form.path+"?to="+u.URL, body)
	if status != http.StatusOK {
		a.t.Fatalf("%d %s", status, got)
	}
	return len(u.got)
}

// relay sends requests for any host to the server that their query names, so that
// their own address stays the same.
func relay(request *http.Request) (*http.Response, error) {
	clone := request.Clone(request.Context())
	clone.URL.Host = strings.TrimPrefix(request.URL.Query().Get("to"), "http://")
	return http.DefaultTransport.RoundTrip(clone)
}

type relayed func(*http.Request) (*http.Response, error)

func (r relayed) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// TestModelsOnTheWireAreToldApart: one that does not understand requests for
// proof is not asked any more, and the others behind the same transport are.
func TestModelsOnTheWireAreToldApart(t *testing.T) {
	const kept = `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	long := `"` + strings.Repeat("m", 5000)
	hiding := func(context.Context, *chatwire.Request) (chatwire.Handling, error) {
		return chatwire.Handling{Model: func(inner guard.Model) guard.Model { return guard.ModelFunc(inner.Generate) }}, nil
	}
	for _, c := range []struct {
		name                   string
		options                *chatwire.Options
		weakPath, strongPath   string
		weakModel, strongModel string
		apart                  bool
	}{
		{"by name", nil, "", "", `"weak"`, `"strong"`, true},
		{"the same one", nil, "", "", `"weak"`, `"weak"`, false},
		{"the same one at another path", nil, "/a", "/b", `"weak"`, `"weak"`, false},
		{"one has no name", nil, "", "", ``, `"strong"`, true},
		{"by path, where the body names none", nil, "/deployments/weak", "/deployments/strong", ``, ``, true},
		{"by path, where the name is none", nil, "/deployments/weak", "/deployments/strong", `7`, `null`, true},
		{"no name and one path", nil, "", "", ``, `""`, false},
		{"long names", nil, "", "", long + `a"`, long + `b"`, false},
		{"the host wraps the model", &chatwire.Options{Handle: hiding}, "", "", `"weak"`, `"strong"`, true},
	} {
		for _, f := range forms() {
			t.Run(c.name+", "+f.name, func(t *testing.T) {
				a := asker{t, f, chatwire.Transport(doubtful(t), relayed(relay), c.options)}
				for range 5 {
					if n := a.ask(c.weakPath, c.weakModel, "As I said.", "Trust me."); n != 3 {
						t.Fatalf("the weak model is asked %d times", n)
					}
				}
				if n := a.ask(c.weakPath, c.weakModel); n != 1 {
					t.Fatalf("the weak model is still asked for proof: %d", n)
				}
				want := 1
				if c.apart {
					want = 2
				}
				if n := a.ask(c.strongPath, c.strongModel, kept); n != want {
					t.Errorf("the other model is asked %d times and not %d", n, want)
				}
			})
		}
	}
}

// TestAWrappedModelKeepsTheLimitsOfTheFormat: a host that only listens does not
// know them. One that says its own is believed.
func TestAWrappedModelKeepsTheLimitsOfTheFormat(t *testing.T) {
	g := newGuard(t, func(o *guard.Options) {
		o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
			return intent.Intent{Kind: intent.Question, Expect: []intent.Expectation{{Tool: "list_tasks", Confidence: 0.99, Words: "list"}}}, nil
		})
	})
	for _, own := range []bool{false, true} {
		u := newUpstream(t, said("end_turn", textJSON("Hello!")), said("tool_use", useJSON("a", "list_tasks", `{}`)))
		handle := func(context.Context, *chatwire.Request) (chatwire.Handling, error) {
			return chatwire.Handling{Model: func(inner guard.Model) guard.Model {
				if own {
					return limited{guard.ModelFunc(inner.Generate)}
				}
				return guard.ModelFunc(inner.Generate)
			}}, nil
		}
		thinking := `"thinking":{"type":"enabled","budget_tokens":1024},` + inputOffer
		_, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, &chatwire.Options{Handle: handle}), u.URL+"/v1/messages", messagesBody("list my tasks", thinking))
		if len(u.got) != 2 {
			t.Fatalf("asked %d times: %s", len(u.got), got)
		}
		if forced := strings.Contains(u.got[1], `"tool_choice"`); forced != own {
			t.Errorf("own limits %v, forced %v: %s", own, forced, u.got[1])
		}
	}
}

// limited is a model that says it can do everything.
type limited struct{ guard.Model }

func (limited) Capabilities() guard.Capabilities { return guard.Capabilities{} }
