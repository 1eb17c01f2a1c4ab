package intent

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// lessonsForTest teach the jargon of a house: "sploosh" deletes, "park" creates.
func lessonsForTest() []Example {
	var examples []Example
	for _, thing := range []string{"the boiler", "number four", "the roof", "Ann's errand", "the third one", "the tax thing", "that", "the gutter"} {
		examples = append(examples,
			Example{"sploosh " + thing, []string{"delete_task"}}, Example{"please sploosh " + thing + " now", []string{"delete_task"}},
			Example{"park " + thing + " for me", []string{"create_task"}}, Example{"park " + thing, []string{"create_task"}},
			Example{"we talked about " + thing, nil}, Example{"is " + thing + " loud", nil})
	}
	return examples
}

func TestExamplesTeachTheHostsLanguage(t *testing.T) {
	plain := classifierFor(t, taskTools, nil)
	taught := classifierFor(t, taskTools, &Options{Examples: lessonsForTest()})
	cases := []struct {
		user string
		want []string
	}{
		{"sploosh the parking fine", []string{"delete_task"}}, {"please sploosh the fence now", []string{"delete_task"}}, {"park the fence for me", []string{"create_task"}},
	}
	for _, tc := range cases {
		if got := expected(t, plain, Utterance{User: tc.user}); len(got) != 0 {
			t.Errorf("without examples %q expects %v: the test teaches nothing", tc.user, got)
		}
		if got := expected(t, taught, Utterance{User: tc.user}); !slices.Equal(got, tc.want) {
			t.Errorf("%q expects %v, want %v", tc.user, got, tc.want)
		}
	}
	for _, user := range sentences { // what was known before is still known
		if strings.Contains(user, "tax") {
			continue // the examples speak of taxes
		}
		if want, got := expected(t, plain, Utterance{User: user}), expected(t, taught, Utterance{User: user}); !slices.Equal(got, want) {
			t.Errorf("%q expects %v, with examples %v", user, want, got)
		}
	}
}

func TestABadExampleBreaksNothing(t *testing.T) {
	plain := classifierFor(t, taskTools, nil)
	bad := append(lessonsForTest(),
		Example{"", nil}, Example{"hello there", []string{"delete_task"}}, Example{"delete the boiler task", nil},
		Example{"anything", []string{"a_tool_of_somebody_else"}}, Example{"\xff\xfe", []string{"create_task"}})
	taught := classifierFor(t, taskTools, &Options{Examples: bad})
	for _, user := range sentences {
		if strings.Contains(user, "tax") {
			continue
		}
		if want, got := expected(t, plain, Utterance{User: user}), expected(t, taught, Utterance{User: user}); !slices.Equal(got, want) {
			t.Errorf("%q expects %v, with a bad example %v", user, want, got)
		}
	}
}

func TestLearningIsDeterministic(t *testing.T) {
	var examples []Example
	for range 10 {
		examples = append(examples, lessonsForTest()...)
	}
	first := classifierFor(t, taskTools, &Options{Examples: examples})
	second := classifierFor(t, taskTools, &Options{Examples: examples})
	if !reflect.DeepEqual(first.memory, second.memory) {
		t.Error("the same examples make different models")
	}
}

func TestChain(t *testing.T) {
	sure := Func(func(context.Context, Utterance) (Intent, error) { return Intent{Kind: Action}, nil })
	unsure := Func(func(context.Context, Utterance) (Intent, error) { return Intent{Kind: Chat, Unsure: true}, nil })
	foreign := Func(func(context.Context, Utterance) (Intent, error) { return Intent{Unsupported: true}, nil })
	asked := 0
	second := Func(func(context.Context, Utterance) (Intent, error) { asked++; return Intent{Kind: Question}, nil })
	broken := Func(func(context.Context, Utterance) (Intent, error) { return Intent{}, errors.New("no connection") })
	cases := []struct {
		name  string
		first Func
		want  Kind
		asked int
	}{
		{"a sure first is not asked again", sure, Action, 0}, {"an unsure one is", unsure, Question, 1}, {"a foreign language is", foreign, Question, 1},
	}
	for _, tc := range cases {
		asked = 0
		in, err := Chain(tc.first, second).Classify(context.Background(), Utterance{})
		if err != nil || in.Kind != tc.want || asked != tc.asked {
			t.Errorf("%s: %v, %v, asked %d times", tc.name, in.Kind, err, asked)
		}
	}
	if in, err := Chain(unsure, broken).Classify(context.Background(), Utterance{}); err == nil || !in.Unsure {
		t.Errorf("a broken second gives %+v, %v; want the first answer and the error", in, err)
	}
	if in, err := Chain(broken, second).Classify(context.Background(), Utterance{}); err != nil || in.Kind != Question {
		t.Errorf("a broken first gives %+v, %v; want the second answer", in, err)
	}
}
