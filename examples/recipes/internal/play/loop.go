// Package play is what the recipes have in common: a few tools, a simulated model that is honest in some
// scenes and lies in others, and a stage that shows what became of it.
//
// A recipe hands over an [Agent], written as the users of its framework write one. [Show] lets it answer
// each of the [Scenes], and prints what passes between the person, the model, the guard and the tools; playtest
// holds it to what each scene must come to.
//
// The model is a real HTTP server (see simmodel), so the framework's own client talks to it as to any provider.
package play

import (
	"context"
	"errors"
	"net/http"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Loop is the loop that users of a client without one write: ask, run the calls, ask
// again, until there are none. M is a message of the client's.
type Loop[M any] struct {
	Ledger  *tooltrack.Ledger
	Tools   []tooltrack.Tool
	Execute func(context.Context, tooltrack.Call) ([]byte, error)
	// Ask asks the model, whole or streamed. It returns the message, its text and its calls.
	Ask func(ctx context.Context, messages []M, hear func(string)) (M, string, []tooltrack.Call, error)
	// Say is a message of the user's, and Tell one with the result of a call.
	Say  func(user string) M
	Tell func(call tooltrack.Call, result string) M
}

// On is the loop with what a stage has.
func (l Loop[M]) On(stage *Stage) *Loop[M] {
	l.Ledger, l.Tools, l.Execute = stage.Ledger, Tools(), stage.Tasks.Execute
	return &l
}

// Answer answers the only message there is.
func (l *Loop[M]) Answer(ctx context.Context, user string, hear func(string)) (string, error) {
	text, _, err := l.Converse(ctx, guard.Input{Owner: Owner, Turn: Turn}, []M{l.Say(user)}, hear)
	return text, err
}

// Converse returns the text, and all that was said. Calls run under the ledger: each is written down
// before it runs, and a change runs once in the turn, however often the loop is run for it.
func (l *Loop[M]) Converse(
	ctx context.Context, input guard.Input, messages []M, hear func(string),
) (string, []M, error) {
	ctx = guard.NewContext(ctx, input)
	turn, err := l.Ledger.Open(tooltrack.Scope{Owner: input.Owner, Turn: input.Turn})
	if err != nil {
		return "", messages, err
	}
	told := Run{}
	for range 10 {
		message, text, calls, err := l.Ask(ctx, messages, hear)
		if err != nil {
			return "", messages, err
		}
		if messages = append(messages, message); len(calls) == 0 {
			return text, messages, nil
		}
		for _, call := range calls {
			tool, _ := ToolNamed(l.Tools, call.Tool) // the guard refuses calls of others
			done, err := turn.Do(ctx, tool, call, nil, l.Execute)
			if err != nil {
				return "", messages, err
			}
			messages = append(messages, l.Tell(call, told.Tell(done)))
		}
	}
	return "", messages, errors.New("too many rounds")
}

// GuardedClient is an HTTP client whose turns pass the guard, or end in the guard's own error. With an http.Client
// and chatwire.Transport a framework has no more of that error than the account.
func GuardedClient(g *guard.Guard) Doer {
	middleware := chatwire.Middleware(g, nil)
	return func(request *http.Request) (*http.Response, error) {
		response, err := middleware(request, http.DefaultClient.Do)
		if err != nil {
			return nil, err
		}
		return response, nil
	}
}

// Doer is a client as most frameworks take one, and the transport of an http.Client for those that take nothing else.
type Doer func(*http.Request) (*http.Response, error)

// Do sends a request.
func (d Doer) Do(request *http.Request) (*http.Response, error) { return d(request) }

// RoundTrip is Do under the name that an http.Client asks for.
func (d Doer) RoundTrip(request *http.Request) (*http.Response, error) { return d(request) }
