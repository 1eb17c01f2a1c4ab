package chatwire_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// plain is a request of one message in the format of the form, with tools of one
// argument each.
func (f *form) plain(user string, tools []tooltrack.Tool, choice string) string {
	var offers []string
	for _, tool := range tools {
		name, schema := quoted(tool.Name), string(tool.Parameters)
		switch {
		case strings.HasSuffix(f.path, "messages"):
			offers = append(offers, `{"name":`+name+`,"input_schema":`+schema+`}`)
		case strings.HasSuffix(f.path, "responses"):
			offers = append(offers, `{"type":"function","name":`+name+`,"parameters":`+schema+`}`)
		default:
			offers = append(offers, `{"type":"function","function":{"name":`+name+`,"parameters":`+schema+`}}`)
		}
	}
	list, stream := "messages", ""
	if strings.HasSuffix(f.path, "responses") {
		list = "input"
	}
	if strings.Contains(f.name, "streamed") {
		stream = `"stream":true,`
	}
	return `{"model":"m",` + stream + `"` + list + `":[{"role":"user","content":` + quoted(user) + `}],"tools":[` + strings.Join(offers, ",") + `],` + choice + `}`
}

func changing(name, description, arg, kind string) tooltrack.Tool {
	return tooltrack.Tool{
		Name: name, Description: description, Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: arg, Kind: kind},
		Parameters: json.RawMessage(`{"type":"object","properties":{"` + arg + `":{"type":"string"}}}`),
	}
}

// neverSure reads a text as the guard does, and accuses nobody.
var neverSure = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
	verdict := completion.New(nil).Evaluate(turn)
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	for i := range verdict.Claims {
		verdict.Claims[i].Tier = min(verdict.Claims[i].Tier, completion.Unsure)
	}
	return verdict
})

// TestAClaimIsDoubtedWhereCallsAreForbidden: nothing is due then, and what is told
// as done still has to rest on something; a proof in words needs no tool.
func TestAClaimIsDoubtedWhereCallsAreForbidden(t *testing.T) {
	tools := []tooltrack.Tool{changing("delete_task", "Delete a task of the user.", "title", "task"), changing("create_task", "Create a task.", "title", "task")}
	own := func(due, doubt float64) *guard.Options {
		return &guard.Options{
			Classifier: intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
				return intent.Intent{Kind: intent.Action, Due: due, Expect: []intent.Expectation{{Tool: "delete_task", Confidence: due, Words: "delete"}}}, nil
			}),
			Evaluator: guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
				verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}
				if strings.Contains(turn.Text, "gone") {
					verdict.Claims = []completion.Claim{{Text: turn.Text, Kind: completion.ClaimChange, Doubt: doubt, Tier: completion.Unsure, Fault: "no call clearly shows it"}}
				}
				return verdict
			}),
		}
	}
	unsure := &guard.Options{Evaluator: neverSure}
	for _, c := range []struct {
		name, text string
		options    *guard.Options
		shown      bool // although no proof comes
		asked      int  // of the server
	}{
		{"a claim, read by the guard itself", "Read book is gone.", unsure, false, 3},
		{"a claim in some doubt", "Read book is gone.", own(0.99, 0.5), false, 3},
		{"a claim in much doubt", "Read book is gone.", own(0.99, 0.8), false, 3},
		{"a claim in some doubt, where nothing was asked", "Read book is gone.", own(0.2, 0.5), true, 1},
		{"no claim, where something is asked for", "It is a fine evening.", own(0.99, 0.5), true, 1},
		{"no claim, where something is due for certain", "It is a fine evening.", own(1, 0.5), true, 1},
	} {
		for _, f := range forms() {
			t.Run(c.name+", "+f.name, func(t *testing.T) {
				g, err := guard.New(tools, c.options)
				if err != nil {
					t.Fatal(err)
				}
				u := newUpstream(t, f.say(c.text, "end", 1, 1), f.say("As I said.", "end", 1, 1), f.say("As I said.", "end", 1, 1))
				body := f.plain("delete Read book", tools, choices[0].in(f.path))
				status, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+f.path, body)
				response, err := f.read(got)
				if status != http.StatusOK || err != nil {
					t.Fatalf("%d %s: %v", status, got, err)
				}
				if shown := strings.Contains(response.Message.Text, c.text); shown != c.shown || len(u.got) != c.asked {
					t.Errorf("asked %d times, and %q was shown", len(u.got), response.Message.Text)
				}
				if strings.Contains(response.Message.Text, "Not done") {
					t.Errorf("something is told as due: %q", response.Message.Text)
				}
				for _, sent := range u.got[1:] {
					if strings.Contains(sent, "call the tool") || !strings.Contains(sent, choices[0].in(f.path)) {
						t.Errorf("a call is invited by %s", sent)
					}
				}
				if asked := g.Counters().ProofsAsked; asked != uint64(min(len(u.got)-1, 1)) {
					t.Errorf("%d proofs are counted", asked)
				}
			})
		}
	}
}

// TestAProofCountsWhereCallsAreForbidden as it does elsewhere: the model's word that a
// claim needs no call is not enough, and one that takes the claim back is shown.
func TestAProofCountsWhereCallsAreForbidden(t *testing.T) {
	tools := []tooltrack.Tool{changing("delete_task", "Delete a task of the user.", "title", "task"), changing("create_task", "Create a task.", "title", "task")}
	const honest, withheld = "I have not deleted Read book: I cannot do that here.", "A part of the answer is left out"
	const gone, off = "Read book is gone.", "Read book is off the list."
	for name, c := range map[string]struct{ draft, proof, shown string }{
		"nothing":              {gone, `{"message":null,"items":[]}`, withheld},
		"general":              {gone, `{"message":null,"items":[{"what":"Read book is gone","status":"general","reason":"no call needed"}]}`, withheld},
		"general, less likely": {off, `{"message":null,"items":[{"what":"Read book is off the list","status":"general","reason":"no call needed"}]}`, withheld},
		"no record":            {gone, `{"message":null,"items":[{"what":"Read book is gone","status":"done","records":[1]}]}`, withheld},
		"honest":               {gone, `{"message":"` + honest + `","items":[{"what":"delete Read book","status":"not_done","reason":"calls are not allowed here"}]}`, honest},
	} {
		for _, f := range forms() {
			t.Run(name+", "+f.name, func(t *testing.T) {
				g, err := guard.New(tools, &guard.Options{Evaluator: neverSure})
				if err != nil {
					t.Fatal(err)
				}
				u := newUpstream(t, f.say(c.draft, "end", 1, 1), f.say(c.proof, "end", 1, 1), f.say(c.proof, "end", 1, 1))
				_, got, _ := post(t, context.Background(), chatwire.Transport(g, nil, nil), u.URL+f.path, f.plain("delete Read book", tools, choices[0].in(f.path)))
				response, err := f.read(got)
				if err != nil || !strings.HasPrefix(response.Message.Text, c.shown) || strings.Contains(response.Message.Text, c.draft) {
					t.Errorf("%q is shown: %v", response.Message.Text, err)
				}
			})
		}
	}
}
