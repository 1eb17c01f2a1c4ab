package intent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// sentences are requests and talk of every sort, for the properties.
var sentences = []string{
	"delete the boiler task", "please add jam to my shopping list", "what's on my list?", "mark the boiler task as done", "don't delete it yet",
	"can you delete tasks?", "did you add it?", "move the meeting with Ines to Friday", "remind me to call the bank", "hello there",
	"change my credit limit", "if I delete the task, can I get it back?", "add a task 'delete old files'", "take butter off my list and add jam",
	"what do I have tomorrow?", "I had a long day", "show me my reminders", "set a reminder for noon", "why does this happen",
	"cancel my dentist appointment", "new appointment on Monday", "my list please", "how do I delete a task", "complete the tax report",
}

// unrelatedTool shares neither verb nor words with the task tools.
var unrelatedTool = tooltrack.Tool{Name: "rotate_molecule", Description: "Spins a protein molecule in the viewer.", Effect: tooltrack.Changes}

func TestAnUnrelatedToolChangesNoAnswer(t *testing.T) {
	alone := classifierFor(t, taskTools, nil)
	joined := classifierFor(t, append(slices.Clone(taskTools), unrelatedTool), nil)
	first := classifierFor(t, append([]tooltrack.Tool{unrelatedTool}, taskTools...), nil)
	for _, user := range sentences {
		want := expected(t, alone, Utterance{User: user})
		for _, c := range []*Classifier{joined, first} {
			if got := expected(t, c, Utterance{User: user}); !slices.Equal(got, want) {
				t.Errorf("%q expects %v, with an unrelated tool %v", user, want, got)
			}
		}
	}
	mixed := classifierFor(t, mixedTools[:1], nil)
	more := classifierFor(t, append(slices.Clone(mixedTools[:1]), unrelatedTool), nil)
	for _, user := range []string{"what's the weather in Oslo", "will it rain tomorrow", "tell me a joke", "give me the forecast for Lima", "I like the sun"} {
		if want, got := expected(t, mixed, Utterance{User: user}), expected(t, more, Utterance{User: user}); !slices.Equal(got, want) {
			t.Errorf("%q expects %v, with an unrelated tool %v", user, want, got)
		}
	}
}

func TestCaseSpacesAndPolitenessChangeNoAnswer(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	changes := map[string]func(string) string{
		"upper case": strings.ToUpper,
		"capital":    func(s string) string { return string(unicode.ToUpper(rune(s[0]))) + s[1:] },
		"spaces":     func(s string) string { return "  " + strings.ReplaceAll(s, " ", "   ") + " \t" },
		"please":     func(s string) string { return strings.TrimRight(s, "?") + ", please" },
		"thanks":     func(s string) string { return s + " Thank you!" },
		"many":       func(s string) string { return s + ". Thanks in advance." },
		"full stop":  func(s string) string { return strings.TrimRight(s, "?") + "." },
	}
	for name, change := range changes {
		for _, user := range sentences {
			if name == "full stop" && strings.HasSuffix(user, "?") {
				continue // a question mark can decide
			}
			if name == "please" && strings.HasPrefix(user, "can you") {
				continue // so can "please": it turns a question of ability into a request
			}
			want, got := expected(t, c, Utterance{User: user}), expected(t, c, Utterance{User: change(user)})
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q expects %v, %q expects %v", name, user, want, change(user), got)
			}
		}
	}
}

func TestAnswersDoNotDependOnWhatWasReadBefore(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	var fresh [][]string
	for _, user := range sentences {
		fresh = append(fresh, expected(t, classifierFor(t, taskTools, nil), Utterance{User: user}))
	}
	for range 3 {
		for i, user := range sentences {
			if got := expected(t, c, Utterance{User: user}); !slices.Equal(got, fresh[i]) {
				t.Errorf("%q expects %v when read after others, %v alone", user, got, fresh[i])
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	c := classifierFor(t, taskTools, nil)
	want := expected(t, c, Utterance{User: sentences[0]})
	done := make(chan bool)
	for range 8 {
		go func() {
			defer func() { done <- true }()
			for range 50 {
				in, err := c.Classify(context.Background(), Utterance{User: sentences[0]})
				if err != nil || len(in.Expect) != len(want) || in.Expect[0].Tool != want[0] {
					t.Errorf("got %v, %v", in, err)
					return
				}
			}
		}()
	}
	for range 8 {
		<-done
	}
}

// A message is read into values that are dropped after it: few, and fewer for small talk.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, too")
	}
	c, ctx := classifierFor(t, taskTools, nil), context.Background()
	for user, most := range map[string]float64{hundredTalk: 48, "hello there": 12, hundred: 48, "delete the boiler task and add a task for the roof": 48} {
		n := testing.AllocsPerRun(200, func() { _, _ = c.Classify(ctx, Utterance{User: user}) })
		if n > most {
			t.Errorf("%q takes %v allocations, want at most %v", user, n, most)
		}
	}
}

// BenchmarkGrowth: hostile messages must not take more than linear time. The whole of what
// is read, again and again, takes about four times as long as a quarter of it.
func BenchmarkGrowth(b *testing.B) {
	c := classifierFor(b, append(slices.Clone(taskTools), mixedTools...), nil)
	classify := func(piece string, n int) func() {
		text := strings.Repeat(piece, n/len(piece)+1)
		return func() {
			if _, err := c.Classify(context.Background(), Utterance{User: text, Previous: text}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, piece := range []string{"and add ", "if ", "what ", "'a ", "please delete ", "you can ", "i want to ", "the task ", ", and then ", "remind me to ", "? ", "and ", "please ", "then also ", "- ", "to do "} {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			benchbound.Ratio(b, 10, classify(piece, maxMessage), classify(piece, maxMessage/4))
		})
	}
	for _, piece := range []string{"“a ", "send it. scratch that, sell it. "} {
		hold := func(n int) func() {
			text := strings.Repeat(piece, n)
			return func() { HoldOf(text) }
		}
		b.Run(fmt.Sprintf("held back by %q", piece), func(b *testing.B) { benchbound.Ratio(b, 10, hold(20_000), hold(5_000)) })
	}
}

func FuzzClassify(f *testing.F) {
	for _, user := range sentences {
		f.Add(user, "Shall I delete the task?")
	}
	f.Add("\xff'\"`“ to do", "I've \x00 deleted")
	f.Add("add add add, and and if you can't to do to do", "")
	f.Add("don't forget to", "don't forget to 'frobnicate' it")
	c := classifierFor(f, append(slices.Clone(taskTools), mixedTools...), &Options{Examples: lessonsForTest()})
	f.Fuzz(func(t *testing.T, user, previous string) {
		in, err := c.Classify(context.Background(), Utterance{User: user, Previous: previous})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range in.Expect {
			if seen[e.Tool] || e.Confidence < 0 || e.Confidence > 1 || !strings.Contains(user, e.Words) {
				t.Fatalf("%q gives %+v", user, e)
			}
			seen[e.Tool] = true
			if !(in.Due >= min(e.Confidence, surest)) || e.Hold > Explained {
				t.Fatalf("%q is due with %v, held %v, and gives %+v", user, in.Due, in.Hold, e)
			}
			if e.Command && len(in.Expect) == 1 && in.Kind == Chat {
				t.Fatalf("%q commands %+v, and is talk", user, e)
			}
		}
		if !(in.Due >= 0 && in.Due <= 1) || in.Hold > Explained || in.Hold != HoldOf(user) && len(user) <= maxMessage {
			t.Fatalf("%q is due with %v and held %v, %v by itself", user, in.Due, in.Hold, HoldOf(user))
		}
		if in.Unsupported && len(in.Expect) > 0 {
			t.Fatalf("%q is unsupported and expects %v", user, in.Expect)
		}
	})
}

func FuzzFromTools(f *testing.F) {
	f.Add("delete_task", "Delete a task.", `{"properties":{"title":{}}}`, "bin", "gizmo")
	f.Add("a.b:C-d", "", "", "", "")
	f.Fuzz(func(t *testing.T, name, description, parameters, verb, noun string) {
		tool := tooltrack.Tool{Name: name, Description: description, Parameters: []byte(parameters), Words: tooltrack.Words{Verbs: []string{verb}, Nouns: []string{noun}}}
		c, err := FromTools([]tooltrack.Tool{tool}, nil)
		if err != nil {
			return
		}
		if _, err := c.Classify(context.Background(), Utterance{User: description + " " + verb + " the " + noun}); err != nil {
			t.Fatal(err)
		}
	})
}
