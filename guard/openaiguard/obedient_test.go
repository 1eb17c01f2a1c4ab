package openaiguard_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/cast"
	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
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

// serve plays each nth turn, and counts those in which a change ran that nobody asked
// for, and those in which one was made at the guard's word.
func (m *manor) serve(
	t *testing.T, domains []labelled.Domain, every int, eager bool, classifier func([]tooltrack.Tool) guard.Classifier,
) (turns, harmed, helped int) {
	number := 0
	for i := range domains {
		options := guard.Options{Classifier: classifier(domains[i].Tools), Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})}
		g, err := guard.New(domains[i].Tools, &options)
		if err != nil {
			t.Fatal(err)
		}
		client := openai.NewClient(option.WithBaseURL(m.URL+"/v1/"), option.WithAPIKey("test-key"), option.WithMiddleware(openaiguard.Middleware(g, nil)))
		for j := range domains[i].Turns {
			if number++; number%every != 0 {
				continue
			}
			servant := cast.Serve(domains[i].Tools, &domains[i].Turns[j], eager, wordsOf)
			m.perform(client, domains[i].Tools, servant, number%(2*every) == 0)
			turns++
			if unwanted := servant.Unwanted(); len(unwanted) > 0 {
				harmed++
				if eager || len(domains) > 4 {
					t.Logf("%s: %q: %v ran", servant.Turn.ID, servant.Turn.User, unwanted)
				}
			} else if len(servant.Ran) > len(servant.Turn.Calls) {
				helped++
			}
		}
	}
	return turns, harmed, helped
}

// wordsOf are the verb and the nouns in the name of a tool.
func wordsOf(tool *tooltrack.Tool) (verb string, nouns []string) {
	reading := toolname.Read(lexicon.English(), toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters})
	for _, noun := range reading.Nouns {
		nouns = append(nouns, noun.Text)
	}
	return reading.Verb.Text, nouns
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
	if raceEnabled {
		t.Skip("judges hundreds of turns, one after the other: the race detector has nothing to find in it")
	}
	own, err := labelled.Domains()
	if err != nil {
		t.Fatal(err)
	}
	m := newManor(t)
	for _, eager := range []bool{false, true} {
		turns, harmed, helped := m.serve(t, own, 30, eager, byItself)
		t.Logf("eager %v: of %d turns %d are harmed, and %d helped", eager, turns, harmed, helped)
		most := 0
		if eager { // an invitation that names no tool may be taken for more
			most = turns / 300
		}
		if harmed > most || helped < 10 {
			t.Errorf("eager %v: of %d turns %d are harmed, and %d helped", eager, turns, harmed, helped)
		}
	}
	small := slices.Clone(own[:4])
	if turns, harmed, _ := m.serve(t, small, 10, false, certainOfAll); harmed <= turns/4 {
		t.Errorf("of %d turns %d are harmed: this test sees no harm", turns, harmed)
	}
}
