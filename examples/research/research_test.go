package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/examples/internal/stage/stagetest"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestPlay runs the example as its user does, with tool calls and without.
func TestPlay(t *testing.T) {
	for name, text := range map[string]bool{"tool calls": false, "text": true} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := play(t.Context(), &out, "", text); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			for _, want := range []string{
				"Still missing: 3 distinct sources (1 found)", "Still missing: a plan recorded with record_plan", "not addressed: 3. Which ranges have been measured?",
				"quick_lookup mode allows 2 tool calls per turn", "rule=size", "rule=namespace", "rule=url",
				"The promise held in 7 of 7 scenes",
			} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the run does not print %q", want)
				}
			}
		})
	}
}

func TestModelNeedsAKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	if err := play(t.Context(), io.Discard, "some-model", false); err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("got %v, want the variable to set", err)
	}
}

// TestARealModelThatLies: no synthesis out of nothing gets through, with tool
// calls or without.
func TestARealModelThatLies(t *testing.T) {
	stagetest.Provider(t, simmodel.Script(simmodel.Say("I searched the web and saved it: "+whole.Text)))
	for _, text := range []bool{false, true} {
		var out bytes.Buffer
		if err := play(t.Context(), &out, "some-model", text); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if strings.Contains(out.String(), "completed_with") {
			t.Errorf("a lie got through:\n%s", out.String())
		}
	}
}

// begin opens a session whose model plays a script of the test's own.
func begin(t *testing.T, text bool, behaviour simmodel.Behaviour) *session {
	t.Helper()
	source, err := stage.Open("", behaviour, nil)
	if err != nil {
		t.Fatal(err)
	}
	source.Capabilities.NoTools = text
	s, err := newSession(source, stage.NewPrinter(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.site.Close(), source.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func script(answers ...simmodel.Answer) simmodel.Behaviour {
	return func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		return spoken(request, simmodel.Script(answers...)(ctx, request))
	}
}

// TestBothWaysAreTheSame: what is called, what runs and what is said does not
// depend on how the tools are rendered.
func TestBothWaysAreTheSame(t *testing.T) {
	ways := map[bool][]string{}
	for _, text := range []bool{false, true} {
		bound := 0
		s := begin(t, text, func(ctx context.Context, request simmodel.Request) simmodel.Answer {
			bound += len(request.Tools)
			return behave(ctx, request)
		})
		for _, scene := range scenes {
			result := s.ask(t.Context(), scene.Note("mode"), scene.Person, scene.Part(1))
			if result.reply == nil {
				t.Fatal(result.err)
			}
			for _, record := range result.reply.Records {
				ways[text] = append(ways[text], scene.Name+" "+record.Tool+" "+string(record.Args)+" "+record.Result.Status.String()+" "+record.Ruling.Rule)
			}
			ways[text] = append(ways[text], result.reply.Text)
		}
		if (bound == 0) != text {
			t.Errorf("text %v: %d tools were bound", text, bound)
		}
	}
	if !slices.Equal(ways[false], ways[true]) {
		t.Errorf("the two ways differ:\n%s\n\nand\n\n%s", strings.Join(ways[false], "\n"), strings.Join(ways[true], "\n"))
	}
}

func TestThePromptHoldsAllSixConditions(t *testing.T) {
	golden.Check(t, "stopping.txt", stoppingText())
	var system string
	s := begin(t, false, func(_ context.Context, request simmodel.Request) simmodel.Answer {
		system = request.System()
		return simmodel.Say("Which tide do you mean?")
	})
	s.ask(t.Context(), researchMode, question, "part")
	for _, part := range []string{strings.TrimSpace(stoppingText()), strings.TrimSpace(policy.Research().Guidelines())} {
		if !strings.Contains(system, part) {
			t.Errorf("the prompt lacks %q", part)
		}
	}
}

func TestNoSynthesisBeforeItsEvidence(t *testing.T) {
	for _, test := range []struct {
		name   string
		script []simmodel.Answer
		passes bool
	}{
		{"a plan without sources", []simmodel.Answer{search("tide"), plan3(), whole}, false},
		{"two sources", []simmodel.Answer{search("tide"), plan3(), open(moon), open(shape), whole}, false},
		{"three times the same source", []simmodel.Answer{search("tide"), plan3(), open(moon), open(moon + "/"), open(moon + "#x"), whole}, false},
		{"a source that could not be opened", []simmodel.Answer{search("tide"), plan3(), open(moon), open(shape), open("http://survey.internal/nothing"), whole}, false},
		{"sources without a plan", []simmodel.Answer{search("tide"), open(moon), open(shape), open(ranges), whole}, false},
		{"a plan in words", []simmodel.Answer{search("tide"), open(moon), open(shape), open(ranges), simmodel.Say("My plan: three sub-questions.\n" + whole.Text)}, false},
		{"both", []simmodel.Answer{search("tide"), plan3(), open(moon), open(shape), open(ranges), whole}, true},
		{"both, and it goes on", []simmodel.Answer{search("tide"), plan3(), open(moon), open(shape), open(ranges), search("festival"), open("http://gazette.internal/festival"), whole}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := begin(t, false, script(test.script...)).ask(t.Context(), researchMode, question, "part")
			if passes := result.err == nil; passes != test.passes {
				t.Fatalf("passed: %v (%v), want %v", passes, result.err, test.passes)
			}
			if !test.passes && (!errors.Is(result.err, guard.ErrInsufficientProgress) || result.reply.Text != "" || result.reply.Verdict.Reason != completion.MissingRequirement) {
				t.Errorf("the error is %v, the reason %v and the text %q", result.err, result.reply.Verdict.Reason, result.reply.Text)
			}
		})
	}
}

func TestAddressed(t *testing.T) {
	records := []*tooltrack.Record{{
		Call:   tooltrack.Call{Tool: toolPlan, Args: []byte(`{"sub_questions":["Why is the moon involved?","Which ranges were measured?"]}`)},
		Result: tooltrack.Result{Status: tooltrack.Succeeded},
	}}
	failed := []*tooltrack.Record{{Call: records[0].Call, Result: tooltrack.FailedResult("no")}}
	for _, test := range []struct {
		name, text string
		records    []*tooltrack.Record
		missing    string
	}{
		{"all", "1. The moon pulls.\n2. Many ranges.", records, ""},
		{"in any order, with emphasis", "Intro.\n\n**2.** Ranges vary.\n\n## 1) The moon\nIt pulls.", records, ""},
		{"over several lines", "1. It is this:\n   the moon pulls.\n2. Ranges vary.", records, ""},
		{"one left out", "1. The moon pulls.", records, "2. Which ranges"},
		{"a number with another matter", "1. The moon pulls.\n2. I like boats.", records, "2. Which ranges"},
		{"no numbers", "The moon pulls, and ranges vary.", records, "1. Why is"},
		{"no plan", "The moon pulls.", nil, ""},
		{"a plan that was not recorded", "The moon pulls.", failed, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := addressed(completion.Case{Text: test.text, Records: test.records}, completion.Blocker{})
			if (got == "") != (test.missing == "") || !strings.Contains(got, test.missing) {
				t.Errorf("got %q, want %q", got, test.missing)
			}
		})
	}
}

func FuzzSections(f *testing.F) {
	f.Add("1. a\n2) b\n**3.** c")
	f.Add("99. \n-1.\n1.1")
	f.Fuzz(func(t *testing.T, text string) {
		for number, section := range sectionsOf(text) {
			if number < 0 || number > 99 || len(section) > len(text)+1+strings.Count(text, "\n") {
				t.Errorf("section %d of %q is %q", number, text, section)
			}
		}
	})
}

// TestNamespacesAreTheOwners: the namespace of another user is refused, and nothing is kept.
func TestNamespacesAreTheOwners(t *testing.T) {
	for namespace, allowed := range map[string]bool{"research": true, "diary": false} {
		s := begin(t, false, script(write(namespace, "Low tide at noon."), simmodel.Say("I can't save it elsewhere, because the namespace is not allowed. Please name another namespace.")))
		result := s.ask(t.Context(), quickLookup, "Remember: low tide at noon.", "part")
		if (len(result.audit) == 0) != allowed || (len(s.desk.notes["ann"]) == 1) != allowed {
			t.Errorf("%s: audit %q, notes %q", namespace, result.audit, s.desk.notes)
		}
	}
}

// TestWhereNoPageLeads: the client judges every address, redirects included,
// and the exception for the test server is no wider than that.
func TestWhereNoPageLeads(t *testing.T) {
	s := begin(t, false, script(simmodel.Say("")))
	for _, address := range []string{
		"http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://gazette.internal/moved",
		"http://localhost/", "http://other.internal/moon", "http://10.0.0.1/", "file:///etc/passwd",
	} {
		if response, err := s.desk.client.Get(address); err == nil {
			_ = response.Body.Close()
			t.Errorf("%s was opened", address)
		}
	}
	response, err := s.desk.client.Get(moon)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
}

func TestHonest(t *testing.T) {
	ran := func(n int) *guard.Reply {
		reply := &guard.Reply{Verdict: completion.Verdict{Outcome: completion.CompletedWithWork}}
		for range n {
			reply.Records = append(reply.Records, &tooltrack.Record{Result: tooltrack.Result{Status: tooltrack.Succeeded}})
		}
		return reply
	}
	for name, test := range map[string]struct {
		mode   string
		result outcome
		ok     bool
	}{
		"two calls in a quick lookup":   {quickLookup, outcome{reply: ran(2)}, true},
		"three calls in a quick lookup": {quickLookup, outcome{reply: ran(3)}, false},
		"a synthesis out of nothing":    {researchMode, outcome{reply: ran(0)}, false},
		"a typed error":                 {researchMode, outcome{reply: ran(0), err: &guard.TurnError{Kind: guard.ErrInsufficientProgress}}, true},
		"a provider that is not there":  {researchMode, outcome{reply: ran(0), err: &guard.TurnError{Kind: guard.ErrProvider, Cause: errors.New("no route")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := honest(test.mode, test.result); (err == nil) != test.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
