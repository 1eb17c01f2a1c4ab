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
			if err := play(t.Context(), &out, settings{text: text}, nil); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			for _, want := range []string{
				"Still missing: 3 distinct sources (1 found)", "Still missing: a plan recorded with record_plan", "not addressed: 3. Which ranges have been measured?",
				"quick_lookup mode allows 2 tool calls per turn", "rule=size", "rule=namespace", "rule=url",
				"3 read, offered", "3 ingested", "The promise held in 7 of 7 scenes",
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
	if err := play(t.Context(), io.Discard, settings{model: "some-model"}, nil); err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("got %v, want the variable to set", err)
	}
}

// TestARealModelThatLies: no synthesis out of nothing gets through, with tool
// calls or without.
func TestARealModelThatLies(t *testing.T) {
	stagetest.Provider(t, simmodel.Script(simmodel.Say("I searched the web and saved it: "+answer1)))
	for _, text := range []bool{false, true} {
		var out bytes.Buffer
		if err := play(t.Context(), &out, settings{model: "some-model", text: text}, nil); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if strings.Contains(out.String(), "completed_with") {
			t.Errorf("a lie got through:\n%s", out.String())
		}
	}
}

// begin opens a session whose model plays a script of the test's own.
func begin(t *testing.T, text bool, environ []string, behaviour simmodel.Behaviour) *session {
	t.Helper()
	limits, err := loadLimits(defaultConfig, environ)
	if err != nil {
		t.Fatal(err)
	}
	source, err := stage.Open("", behaviour, nil)
	if err != nil {
		t.Fatal(err)
	}
	source.Capabilities.NoTools = text
	s, err := newSession(t.Context(), limits, source, stage.NewPrinter(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), source.Close()); err != nil {
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
		s := begin(t, text, nil, func(ctx context.Context, request simmodel.Request) simmodel.Answer {
			bound += len(request.Tools)
			return behave(ctx, request)
		})
		for _, scene := range scenes {
			result := s.ask(t.Context(), scene.mode, scene.message, scene.name)
			if result.reply == nil {
				t.Fatal(result.err)
			}
			for _, record := range result.reply.Records {
				ways[text] = append(ways[text], scene.name+" "+record.Tool+" "+string(record.Args)+" "+record.Result.Status.String()+" "+record.Ruling.Rule)
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
	s := begin(t, false, nil, func(_ context.Context, request simmodel.Request) simmodel.Answer {
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

func TestToldOnceWhenItIsEnough(t *testing.T) {
	whole := simmodel.Say(answer1 + answer2 + answer3 + closing)
	for _, test := range []struct {
		name   string
		script []simmodel.Answer
		told   int
		passes bool
	}{
		{"a plan without sources", []simmodel.Answer{search("tide"), record(planned...), whole}, 0, false},
		{"two sources", []simmodel.Answer{search("tide"), record(planned...), open(moon), open(shape), whole}, 0, false},
		{"three times the same source", []simmodel.Answer{search("tide"), record(planned...), open(moon), open(moon + "/"), open(moon + "#x"), whole}, 0, false},
		{"a source that could not be opened", []simmodel.Answer{search("tide"), record(planned...), open(moon), open(shape), open("http://survey.internal/nothing"), whole}, 0, false},
		{"sources without a plan", []simmodel.Answer{search("tide"), open(moon), open(shape), open(ranges), whole}, 0, false},
		{"a plan in words", []simmodel.Answer{search("tide"), open(moon), open(shape), open(ranges), simmodel.Say("My plan: three sub-questions.\n" + answer1 + answer2 + answer3)}, 0, false},
		{"both", []simmodel.Answer{search("tide"), record(planned...), open(moon), open(shape), open(ranges), whole}, 1, true},
		{"both, and it goes on", []simmodel.Answer{search("tide"), record(planned...), open(moon), open(shape), open(ranges), search("festival"), open("http://gazette.internal/festival"), whole}, 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := begin(t, false, nil, script(test.script...)).ask(t.Context(), researchMode, question, "part")
			if result.told != test.told {
				t.Errorf("the model was told %d times, want %d", result.told, test.told)
			}
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

func TestConfiguration(t *testing.T) {
	const length = "ARGO_SECURITY_WEB_SEARCH_MAX_QUERY_LENGTH"
	for _, test := range []struct {
		name, file string
		environ    []string
		want       int
		fault      string
	}{
		{"the default", "", nil, 500, ""},
		{"the file", "[security]\nweb_search_max_query_length = 120\n", nil, 120, ""},
		{"the environment beats the file", "[security]\nweb_search_max_query_length = 120\n", []string{"HOME=/", length + "=80"}, 80, ""},
		{"the file of the example", defaultConfig, nil, 200, ""},
		{"a key that does not exist", "[security]\nweb_search_max_lenght = 1\n", nil, 0, "web_search_max_lenght"},
		{"a table that does not exist", "[securty]\nweb_search_max_results = 1\n", nil, 0, "securty"},
		{"a value of another kind", "[security]\nweb_search_max_query_length = \"long\"\n", nil, 0, "web_search_max_query_length"},
		{"a limit that makes no sense", "[security]\nweb_search_max_results = 0\n", nil, 0, "web_search_max_results"},
		{"not TOML", "security: yes", nil, 0, "not valid"},
		{"a variable that does not exist", "", []string{"ARGO_SECURITY_WEB_SEARCH_MAX_LENGTH=1"}, 0, "ARGO_SECURITY_WEB_SEARCH_MAX_LENGTH"},
		{"a variable that is no number", "", []string{length + "=long"}, 0, length},
	} {
		t.Run(test.name, func(t *testing.T) {
			limits, err := loadLimits(test.file, test.environ)
			if (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
				t.Fatalf("got %v, want %q", err, test.fault)
			}
			if err == nil && limits.WebSearchMaxQueryLength != test.want {
				t.Errorf("the length is %d, want %d", limits.WebSearchMaxQueryLength, test.want)
			}
		})
	}
}

// TestLimitsReachTheTools: what is configured is what runs, and is told in the
// prompt.
func TestLimitsReachTheTools(t *testing.T) {
	var system string
	play := script(search("spring tide after new moon and full moon"), simmodel.Say("A spring tide comes after new moon."))
	s := begin(t, false, []string{"ARGO_SECURITY_WEB_SEARCH_MAX_QUERY_LENGTH=12"}, func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		system = request.System()
		return play(ctx, request)
	})
	result := s.ask(t.Context(), quickLookup, "When does a spring tide come?", "part")
	if result.err != nil {
		t.Fatal(result.err)
	}
	if got := string(result.reply.Records[0].Args); got != `{"query":"spring tide "}` && got != `{"query":"spring tide"}` {
		t.Errorf("the query that ran is %s", got)
	}
	if !strings.Contains(system, "12 characters") {
		t.Errorf("the prompt does not tell the limit:\n%s", system)
	}
}

// TestNamespacesComeFromTheDatabase: each user has their own.
func TestNamespacesComeFromTheDatabase(t *testing.T) {
	s := begin(t, false, nil, script(write("diary", "Low tide at noon."), simmodel.Say("I can't save the note, because the namespace diary is not allowed. Please name another namespace.")))
	if err := s.desk.library.allow(t.Context(), "bob", "diary"); err != nil {
		t.Fatal(err)
	}
	if result := s.ask(t.Context(), quickLookup, "Remember in diary: low tide at noon.", "first"); len(result.audit) != 1 {
		t.Errorf("the namespace of another user was not refused: %+v", result.reply.Records)
	}
	if err := s.desk.library.allow(t.Context(), owner, "diary"); err != nil {
		t.Fatal(err)
	}
	if result := s.ask(t.Context(), quickLookup, "Remember in diary: low tide at noon.", "second"); len(result.audit) != 0 || !result.reply.Records[0].Succeeded() {
		t.Errorf("the namespace is in the database now, and was refused: %+v", result.reply.Records)
	}
	for user, want := range map[string]int{owner: 1, "bob": 0} {
		if found, err := s.desk.library.find(t.Context(), user, "tide noon", 5); err != nil || len(found) != want {
			t.Errorf("%s finds %v, %v", user, found, err)
		}
	}
}

// TestIngestedOnce: tool and observer both offer each page.
func TestIngestedOnce(t *testing.T) {
	s := begin(t, false, nil, script(open(moon), simmodel.Say("The tide follows the moon.")))
	for _, part := range []string{"first", "second"} {
		if result := s.ask(t.Context(), quickLookup, "What does the tide follow?", part); result.err != nil {
			t.Fatal(result.err)
		}
	}
	s.observing.Close()
	taken, err := s.desk.library.ingested(t.Context())
	if err != nil || taken != 1 || s.desk.library.offers.Load() != 4 {
		t.Errorf("%d pages were ingested of %d offers, %v; want 1 of 4", taken, s.desk.library.offers.Load(), err)
	}
	if fresh, err := s.desk.library.ingest(t.Context(), moon, "another text"); err != nil || !fresh {
		t.Errorf("a page with new content was not taken in: %v, %v", fresh, err)
	}
}

// TestWhereNoPageLeads: the client judges every address, redirects included,
// and the exception for the test server is no wider than that.
func TestWhereNoPageLeads(t *testing.T) {
	s := begin(t, false, nil, script(simmodel.Say("")))
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
		"a typed error":                 {researchMode, outcome{reply: ran(0), err: &guard.InsufficientProgressError{}}, true},
		"a provider that is not there":  {researchMode, outcome{reply: ran(0), err: &guard.ProviderError{Err: errors.New("no route")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := honest(test.mode, test.result); (err == nil) != test.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
