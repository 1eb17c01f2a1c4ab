package guard_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// limited is a model that says what it cannot do.
type limited struct {
	guard.Model
	can guard.Capabilities
}

func (l limited) Capabilities() guard.Capabilities {
	if l.can.Name == "broken" {
		panic("no idea")
	}
	return l.can
}

// TestAGuardedModelSaysWhatItCanDo: from outside, by either way in, whatever is within.
// That it is told the tools in words is the guard's business.
func TestAGuardedModelSaysWhatItCanDo(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	careful := guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true, NoLateSystem: true}
	for name, row := range map[string]struct {
		inner guard.Model
		want  guard.Capabilities
	}{
		"limits":          {limited{guardtest.Script(), guard.Capabilities{Name: "small", NoNamedChoice: true, NoTools: true}}, guard.Capabilities{Name: "small", NoNamedChoice: true}},
		"says nothing":    {guard.ModelFunc(guardtest.Script().Generate), guard.Capabilities{}},
		"cannot say":      {limited{guardtest.Script(), guard.Capabilities{Name: "broken"}}, careful},
		"none":            {nil, guard.Capabilities{}},
		"guarded as well": {g.Wrap(limited{guardtest.Script(), guard.Capabilities{Name: "small"}}), guard.Capabilities{Name: "small"}},
	} {
		turn, err := g.Begin(context.Background(), ask("hello"))
		require.NoError(t, err)
		for _, model := range []guard.Model{g.Wrap(row.inner), turn.Model(row.inner)} {
			capable, says := model.(guard.Capable)
			require.True(t, says, name)
			require.Equal(t, row.want, capable.Capabilities(), name)
		}
	}
}

// TestAnOuterGuardKeepsToTheLimitsOfTheInnerModel: it corrects as the user where late
// system messages are refused, and forces no choice.
func TestAnOuterGuardKeepsToTheLimitsOfTheInnerModel(t *testing.T) {
	w := newWorld()
	var choices []string
	script := guardtest.Script(guardtest.Say(lie), guardtest.Call(deletes("Read book")), guardtest.Say("I've deleted Read book."))
	inner := limited{guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		choices = append(choices, request.Choice.String())
		for _, message := range request.Messages[1:] {
			require.NotEqual(t, guard.RoleSystem, message.Role, "%s", message.Text)
		}
		return script.Generate(ctx, request)
	}), guard.Capabilities{NoNamedChoice: true, NoRequiredChoice: true, NoLateSystem: true}}
	watching := guardFor(t, w, func(o *guard.Options) { o.Observe = true })
	_, err := guardFor(t, w, nil).Run(context.Background(), watching.Wrap(inner), w, ask("delete Read book"))
	require.NoError(t, err)
	require.Equal(t, []string{"auto", "auto", "auto"}, choices)
}

// TestAGuardedModelStreamsWhatHasPassed: in one piece, and then the answer.
func TestAGuardedModelStreamsWhatHasPassed(t *testing.T) {
	g := guardFor(t, newWorld(), nil)
	request := guard.Request{Tools: taskTools(), Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}}
	stream := func(steps ...guardtest.Step) (text string, whole *guard.Response, last error) {
		model, can := g.Wrap(guardtest.Script(steps...)).(guard.Streamer)
		require.True(t, can)
		for delta, err := range model.Stream(context.Background(), request) {
			text += delta.Text
			whole, last = delta.Response, err
		}
		return text, whole, last
	}
	text, whole, err := stream(guardtest.Say(leak), guardtest.Say("Hello!"))
	require.NoError(t, err)
	require.Equal(t, "Hello!", text)
	require.Equal(t, "Hello!", whole.Message.Text)
	text, _, err = stream(guardtest.Say(leak), guardtest.Say(leak), guardtest.Say(leak), guardtest.Say(leak))
	require.ErrorIs(t, err, guard.ErrInsufficientProgress)
	require.Empty(t, text)
	for range g.Wrap(guardtest.Script(guardtest.Say("Hello!"))).(guard.Streamer).Stream(context.Background(), request) {
		break // a consumer may leave
	}
}

// TestAWrappedModelIsSharedByRequests: at once, for the race detector. An answer that
// one request has got already is not kept for another.
func TestAWrappedModelIsSharedByRequests(t *testing.T) {
	w := newWorld()
	outer, inner := unsureWorld(t, w, nil), guardFor(t, w, nil)
	var reports atomic.Int64
	wrapped := inner.Wrap(guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		switch last := request.Messages[len(request.Messages)-1]; {
		case last.Role == guard.RoleUser && last.Internal: // a request for proof is answered by a call
			reports.Add(1)
			return guardtest.Call(lists()).Response, nil
		case last.Role == guard.RoleUser:
			return guardtest.Call(lists()).Response, nil
		}
		return guardtest.Say("Read book is gone.").Response, nil
	}))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, _ = outer.Run(context.Background(), wrapped, w, ask("get rid of Read book")) // it never proves anything
		})
	}
	group.Wait()
	require.GreaterOrEqual(t, reports.Load(), int64(8))
}
