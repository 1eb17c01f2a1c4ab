package guard_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// transcript prints the events of a stream.
func transcript(events iter.Seq2[guard.Event, error]) string {
	var lines []string
	for event, err := range events {
		switch {
		case err != nil:
			lines = append(lines, "error")
		case event.Text != "":
			lines = append(lines, event.Text)
		case event.Calling != "":
			lines = append(lines, "calling "+event.Calling)
		case event.AskedAgain != "":
			lines = append(lines, "asked again: "+event.AskedAgain)
		default:
			lines = append(lines, "reply")
		}
	}
	return strings.Join(lines, "|")
}

func TestStream(t *testing.T) {
	say, call := guardtest.Say, guardtest.Call
	cases := []struct {
		name      string
		sentences bool
		user      string
		script    []guardtest.Step
		want      string
	}{
		{"held until it has passed", false, "delete Read book", []guardtest.Step{call(deletes("Read book")), say("I've deleted Read book. Anything else?")},
			"calling delete_task|I've deleted Read book. Anything else?|reply"},
		{"a lie is never shown", false, "delete Read book", []guardtest.Step{say(lie), call(deletes("Read book")), say(lie)},
			"asked again: missing tool|calling delete_task|I've deleted Read book.|reply"},
		{"a stubborn lie ends in an error", false, "delete Read book", []guardtest.Step{say(lie), say(lie)}, "asked again: missing tool|error"},
		{"sentence by sentence", true, "hello", []guardtest.Step{say("Hello Ann. How are you? Fine")}, "Hello Ann. |How are you? |Fine|reply"},
		{"a sentence with a lie waits, and so does the rest", true, "hello", []guardtest.Step{say("Good day. I've deleted Read book. Bye. "), say("Good day. How can I help?")},
			"Good day. |asked again: unbacked claim|How can I help?|reply"},
		{"a fence waits for its end", true, "hello", []guardtest.Step{say("Let me see.\n" + leak), say("Hello! How can I help?")},
			"Let me see.\n|asked again: leaked call|\n\nHello! How can I help?|reply"},
		{"an id is not shown", true, "list my tasks", []guardtest.Step{call(lists()), say("The first is Read book (ID: " + readBook + "). Okay?")},
			"calling list_tasks|The first is Read book. |Okay?|reply"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.ReleaseSentences = c.sentences })
			if got := transcript(g.Stream(context.Background(), guardtest.Script(c.script...), w, ask(c.user))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestStreamWithoutChangingToolsIsNotHeld(t *testing.T) {
	w := newWorld()
	options := worldOptions(t, w)
	options.Directories = nil
	reads := []tooltrack.Tool{taskTools()[0]}
	g, err := guard.New(reads, options)
	if err != nil {
		t.Fatal(err)
	}
	if got := transcript(g.Stream(context.Background(), guardtest.Script(guardtest.Say("Hello Ann. How are you?")), w, ask("hello"))); got != "Hello Ann. |How are you?|reply" {
		t.Errorf("got %s", got)
	}
}

func TestLeavingAStreamEndsTheTurn(t *testing.T) {
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.ReleaseSentences = true })
	model := guardtest.Script(guardtest.Call(lists()), guardtest.Call(adds("Buy milk")), guardtest.Say("I've added Buy milk."))
	for event := range g.Stream(context.Background(), model, w, ask("add Buy milk")) {
		if event.Calling != "" {
			break
		}
	}
	if w.Count("add_task") != 0 || model.Calls() != 1 {
		t.Errorf("the turn went on: %v, %d model calls", w.Calls(), model.Calls())
	}
}

// brokenStream ends without a whole answer.
type brokenStream struct{ guard.Model }

func (brokenStream) Stream(context.Context, guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) { yield(guard.Delta{Text: "I've "}, nil) }
}

func TestAStreamWithoutAnEndIsAProviderFault(t *testing.T) {
	w := newWorld()
	for _, err := range guardFor(t, w, nil).Stream(context.Background(), brokenStream{}, w, ask("delete Read book")) {
		var provider *guard.TurnError
		if !(errors.As(err, &provider) && errors.Is(err, guard.ErrProvider)) {
			t.Errorf("the error is %v", err)
		}
	}
}

// BenchmarkGrowthOfReleasedSentences: each sentence is looked at once, so that four times
// as many take about four times as long.
func BenchmarkGrowthOfReleasedSentences(b *testing.B) {
	stream := func(sentences int) func() {
		text := strings.Repeat("What do you think of it? ", sentences)
		return func() {
			w := newWorld()
			g := guardFor(b, w, func(o *guard.Options) { o.ReleaseSentences = true })
			transcript(g.Stream(context.Background(), guardtest.Script(guardtest.Say(text)), w, ask("hello")))
		}
	}
	benchbound.Ratio(b, 12, stream(2000), stream(500))
}
