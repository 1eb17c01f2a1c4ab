package openaiguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// manor is a model server that does whatever a guard says: what stands after the
// client's own messages is an order.
type manor struct {
	*httptest.Server
	servant *cast.Servant
	sent    int  // messages of the client in its request
	over    bool // the turn has ended, and another one begun
}

func newManor(t *testing.T) *manor {
	m := &manor{}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *manor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Stream   bool
		Messages []struct{ Content any }
		Choice   json.RawMessage `json:"tool_choice"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var named struct{ Function struct{ Name string } }
	_ = json.Unmarshal(request.Choice, &named)
	forced := named.Function.Name != "" || string(request.Choice) == `"required"`
	order := len(request.Messages) > m.sent || forced
	last, _ := request.Messages[len(request.Messages)-1].Content.(string)
	next := answer{text: "You're welcome."}
	if !m.over || order {
		call, text := m.servant.Act(last, order, named.Function.Name)
		if next.text = text; call != nil {
			next.calls = []tooltrack.Call{*call}
		}
	}
	if request.Stream {
		next.stream(w)
	} else {
		next.whole(w)
	}
}

// perform plays a turn, and a thank-you after it, through a client that knows nothing of
// a guard.
func (m *manor) perform(client openai.Client, tools []tooltrack.Tool, servant *cast.Servant, streamed bool) {
	m.servant, m.over = servant, false
	params := openai.ChatCompletionNewParams{Model: "test-model", Messages: conversation(servant.Turn), Tools: offered(tools)}
	for range 100 {
		m.sent = len(params.Messages)
		message, err := complete(context.Background(), client, params, streamed)
		if err != nil {
			return // a turn that is refused changes nothing more
		}
		params.Messages = append(params.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			body, err := servant.Run(call.Function.Name)
			text := string(body)
			if err != nil {
				text = "Error: " + err.Error()
			}
			params.Messages = append(params.Messages, openai.ToolMessage(text, call.ID))
		}
		if len(message.ToolCalls) > 0 {
			continue
		}
		if m.over {
			return
		}
		m.over = true
		params.Messages = append(params.Messages, openai.UserMessage("thanks"))
	}
}

// served is a way in through the middleware, whose guards approve of every call. Each
// second turn is streamed.
func (m *manor) served(t *testing.T, classifier func([]tooltrack.Tool) guard.Classifier) func(*labelled.Domain) func(*cast.Servant) {
	streamed := false
	return func(domain *labelled.Domain) func(*cast.Servant) {
		options := guard.Options{Classifier: classifier(domain.Tools), Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})}
		g, err := guard.New(domain.Tools, &options)
		if err != nil {
			t.Fatal(err)
		}
		client := openai.NewClient(option.WithBaseURL(m.URL+"/v1/"), option.WithAPIKey("test-key"), option.WithMiddleware(openaiguard.Middleware(g, nil)))
		return func(servant *cast.Servant) {
			m.perform(client, domain.Tools, servant, streamed)
			streamed = !streamed
		}
	}
}

func byItself([]tooltrack.Tool) guard.Classifier { return nil }

// certainOfAll is a classifier that is sure of every change there is.
func certainOfAll(tools []tooltrack.Tool) guard.Classifier {
	return intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
		found := intent.Intent{Kind: intent.Action, Due: 1}
		for _, tool := range tools {
			if tool.Effect.MayChange() {
				found.Expect = append(found.Expect, intent.Expectation{Tool: tool.Name, Confidence: 1, Command: true})
			}
		}
		return found, nil
	})
}

// TestObedientModelsDoNoHarmThroughTheMiddleware: whoever does all that the guard says
// changes nothing that the user took back or never asked for, in this turn as in the next
// one of the same client.
func TestObedientModelsDoNoHarmThroughTheMiddleware(t *testing.T) {
	if race.Enabled {
		t.Skip("judges hundreds of turns, one after the other: the race detector has nothing to find in it")
	}
	own, err := labelled.Domains()
	if err != nil {
		t.Fatal(err)
	}
	m := newManor(t)
	t.Run("recorded drafts", func(t *testing.T) {
		const data = "../../../../../shared/data/dev"
		if _, err := os.Stat(data); err != nil {
			t.Skipf("there is no evaluation data beside the checkout: %v", err)
		}
		recorded, err := cast.Recorded(data, "turns_domains", "intent_domains")
		if err != nil {
			t.Fatal(err)
		}
		m.serveBoth(t, recorded, sampling.Every(5))
	})
	m.serveBoth(t, own, sampling.Every(80))
	done := cast.ServeAll(own[:4], 20, false, m.served(t, certainOfAll))
	if len(done.Harmed) <= done.Turns/4 {
		t.Errorf("of %d turns %d are harmed: this test sees no harm", done.Turns, len(done.Harmed))
	}
}

// serveBoth plays each n-th turn by who does what is ordered, and by who takes an
// invitation for an order.
func (m *manor) serveBoth(t *testing.T, domains []labelled.Domain, every int) {
	for _, eager := range []bool{false, true} {
		done := cast.ServeAll(domains, every, eager, m.served(t, byItself))
		most := 0
		if eager { // an invitation that names no tool may be taken for more
			most = done.Turns / 300
		}
		told := fmt.Sprintf("eager %v: of %d turns %d are harmed, and %d helped\n%s",
			eager, done.Turns, len(done.Harmed), done.Helped, strings.Join(done.Harmed, "\n"))
		t.Log(told)
		if len(done.Harmed) > most || done.Helped < 5 {
			t.Error(told)
		}
	}
}
