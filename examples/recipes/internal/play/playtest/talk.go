package playtest

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
)

// Looped is a loop that remembers what was said.
func Looped[M any](s *guardtest.Setting, streamed bool, loop play.Loop[M]) guardtest.Talk {
	loop.Ledger, loop.Tools, loop.Execute = s.Options.Ledger, s.Tools, s.Executor.Execute
	var messages []M
	return func(ctx context.Context, user string) (text string, err error) {
		input, _ := guard.FromContext(ctx)
		heard, hear := listener(streamed)
		text, messages, err = loop.Converse(ctx, input, append(messages, loop.Say(user)), hear)
		if streamed {
			return heard.String(), err
		}
		return text, err
	}
}

// Reply lets a framework work for a turn whose conversation so far is given.
type Reply func(
	ctx context.Context, turn *guard.Turn, messages []guard.Message, hear func(string),
) (*guard.Reply, error)

// Turned is an agent of a framework that works for turns, and remembers what was said.
func Turned(s *guardtest.Setting, streamed bool, work Reply) guardtest.Talk {
	var previous []guard.Message
	return func(ctx context.Context, user string) (string, error) {
		input, _ := guard.FromContext(ctx)
		input.User, input.Previous = user, previous
		turn, err := s.Guard.Begin(ctx, input)
		if err != nil {
			return "", err
		}
		heard, hear := listener(streamed)
		reply, err := work(ctx, turn, append(previous, guard.Message{Role: guard.RoleUser, Text: user}), hear)
		if err == nil {
			previous = append(previous, reply.Messages...)
		}
		if streamed {
			return heard.String(), err
		}
		return reply.Text, err
	}
}

// listener keeps what is streamed; nobody listens where nothing is.
func listener(streamed bool) (heard *strings.Builder, hear func(string)) {
	heard = new(strings.Builder)
	if streamed {
		hear = func(piece string) { heard.WriteString(piece) }
	}
	return heard, hear
}

// Table holds a recipe to the promises of every way in, whole and streamed, and the README to what was seen.
func Table(t *testing.T, recipe guardtest.Adapter, open func(s *guardtest.Setting, streamed bool) guardtest.Talk) {
	whole, streamed := recipe, recipe
	whole.Wire, whole.Variant = true, "whole"
	whole.Open = func(s *guardtest.Setting) guardtest.Talk { return open(s, false) }
	streamed.Wire, streamed.Variant, streamed.Streams = true, "streamed", true
	streamed.Open = func(s *guardtest.Setting) guardtest.Talk { return open(s, true) }
	seen := guardtest.TestAdapters(t, whole, streamed)
	promisetable.CheckIn(t, "../README.md", guardtest.Promises(), seen)
}
