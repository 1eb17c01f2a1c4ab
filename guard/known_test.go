package guard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestWhatTheHostHasTold needs no look-up: an answer that the prompts give passes,
// one whose values only stand there is asked about, and on what they do not hold a
// look-up is insisted.
func TestWhatTheHostHasTold(t *testing.T) {
	title := json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)
	tools := []tooltrack.Tool{
		{Name: "list_loans", Description: "List the books that the member has on loan, with due dates.", Effect: tooltrack.Reads},
		{Name: "renew_loan", Description: "Renew a loan, which moves its due date by three weeks.", Effect: tooltrack.Changes, Parameters: title, Subject: tooltrack.SubjectArg{Arg: "title", Kind: "loan"}},
	}
	const loans = "You work for a library, for Annabeth.\n1. Be short.\n2. Be polite.\nThe member's loans: Dune (due 2026-11-20), Emma (due 2026-11-25)."
	const passes, asks, insists, corrects = "passes", "asks", "insists", "corrects"
	for name, c := range map[string]struct{ user, text, want string }{
		"the same":             {"when is Emma due?", "Emma is due on 2026-11-25.", passes},
		"in other words":       {"when is Emma due?", "Emma's due date is November 25.", passes},
		"all of it":            {"which books do I have on loan?", "You have Dune (due November 20) and Emma (due November 25) on loan.", passes},
		"another one's date":   {"when is Dune due?", "Dune is due on 2026-11-25.", asks},
		"a date of no one's":   {"when is Emma due?", "Emma is due on 2026-12-24.", insists},
		"a list of no one's":   {"list my loans", "Your loans:\n1. Solaris\n2. Ubik", insists},
		"small figures":        {"list my loans", "You have 2 books on loan.", insists},
		"names alone":          {"list my loans", "You have Dune and Emma on loan.", asks},
		"a name beside a lie":  {"list my loans", "You have 3 books on loan, Annabeth.", insists},
		"a change that is due": {"renew Emma", "Emma is due on 2026-11-25.", insists},
		"a change as told":     {"when is Emma due?", "I've renewed Emma until 2026-11-25.", corrects},
	} {
		for way, from := range map[string]func(*guard.Options, *guard.Input){
			"Input.System":   func(_ *guard.Options, i *guard.Input) { i.System = loans },
			"Options.System": func(o *guard.Options, _ *guard.Input) { o.System = loans },
			"a message": func(_ *guard.Options, i *guard.Input) {
				i.Previous = []guard.Message{{Role: guard.RoleSystem, Text: loans}}
			},
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				options, input := guard.Options{}, guard.Input{User: c.user}
				from(&options, &input)
				g, err := guard.New(tools, &options)
				require.NoError(t, err)
				got := passes
				reply, _ := g.Run(context.Background(), guard.ModelFunc(func(_ context.Context, r guard.Request) (guard.Response, error) {
					last := r.Messages[len(r.Messages)-1]
					switch {
					case got != passes: // only the first reaction counts
					case r.Report:
						got = asks
					case strings.Contains(last.Text, "was not called"):
						got = insists
					case last.Internal:
						got = corrects
					}
					return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: c.text}}, nil
				}), guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return nil, nil }), input)
				require.Equal(t, c.want, got)
				require.Equal(t, c.want == passes, reply.Text == c.text, "only what is so is shown")
			})
		}
	}
}
