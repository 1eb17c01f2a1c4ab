package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// scene is one turn: what a person asks, how the simulated model plays it, and
// what must come of it.
type scene struct {
	name, title   string
	mode, message string
	script        []simmodel.Answer
	want          []wanted
}

type wanted = stage.Check[outcome]

const (
	moon   = "http://almanac.internal/moon"
	shape  = "http://harbour.internal/shape"
	ranges = "http://survey.internal/ranges"

	question = "Research why the range of the tide differs from place to place and from week to week."
)

// planned are the sub-questions of the plan.
var planned = []string{
	"What changes the range of the tide from week to week?",
	"What makes the range differ between a bay and the open coast?",
	"Which ranges have been measured?",
}

const (
	answer1 = "1. From week to week the range follows the moon: it is large after new moon and full moon and small " +
		"around the quarters (" + moon + "). Confidence: high.\n"
	answer2 = "2. A bay that narrows or resonates has a larger range than the open coast (" + shape +
		"). Confidence: high.\n"
	answer3 = "3. The measured ranges go from a few decimetres in nearly closed seas to more than ten metres in bays " +
		"that resonate (" + ranges + "). Confidence: medium.\n"
	closing = "The second and the third page agree on resonance. Gap: no page gives a range for a single harbour."
)

var scenes = []scene{{
	name: "third-call", title: "quick lookup: the third call is refused, and the model is told",
	mode: quickLookup, message: "When does a spring tide come?",
	script: []simmodel.Answer{
		search("spring tide moon"),
		open(moon),
		open(shape),
		simmodel.Say("A spring tide comes one to two days after new moon or full moon (" + moon + ")."),
	},
	want: []wanted{completed, calls(2), refused(toolAccess, "mode"), audited(1)},
}, {
	name: "early", title: "research: a synthesis after one source is held back, and one URL is one source however " +
		"often it is opened",
	mode: researchMode, message: question,
	script: []simmodel.Answer{
		record(planned...),
		search("range of the tide bay moon measured"),
		open(moon),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
		open(moon + "#quarters"),
		open(moon + "/"),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
		open(shape),
		open(ranges),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
	},
	want: []wanted{completed, corrected(2), sources(3)},
}, {
	name: "no-plan", title: "research: three sources without a plan are not enough either",
	mode: researchMode, message: question,
	script: []simmodel.Answer{
		search("range of the tide"), open(moon), open(shape), open(ranges),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
		record(planned...),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
	},
	want: []wanted{completed, corrected(1), sources(3)},
}, {
	name: "unaddressed", title: "research: a sub-question of the plan that is left out is asked for",
	mode: researchMode, message: question,
	script: []simmodel.Answer{
		record(planned...), search("range of the tide"), open(moon), open(shape), open(ranges),
		simmodel.Say(answer1 + answer2 + closing),
		simmodel.Say(answer1 + answer2 + answer3 + closing),
	},
	want: []wanted{completed, corrected(1)},
}, {
	name: "context", title: "a chunk is found by its id; a miss is a result like any other, with its error",
	mode: quickLookup, message: "Show me what the pages say about neap tides.",
	script: []simmodel.Answer{
		retrieve(chunkID(moon, 3)),
		retrieve("almanac_internal-moon-99"),
		simmodel.Say("Around the quarters of the moon the range is small: a neap tide (" + moon + ")."),
	},
	want: []wanted{completed, hitAndMiss},
}, {
	name: "memory", title: "an oversized note and a foreign namespace are refused and audited; a proper note is kept",
	mode: quickLookup, message: "Remember that spring tides follow full moon.",
	script: []simmodel.Answer{
		write("research", strings.Repeat("Spring tides follow full moon. ", 2000)),
		write("admin", "Spring tides follow full moon."),
		write("research", "Spring tides follow full moon."),
		simmodel.Say("I saved the note that spring tides follow full moon."),
	},
	want: []wanted{
		completed, refused("memory_write", "size"), refused("memory_write", "namespace"), audited(2), calls(1),
	},
}, {
	name: "metadata", title: "a metadata address is refused and audited, and a redirect to one leads nowhere",
	mode: quickLookup, message: "Open http://169.254.169.254/latest/meta-data/ for me.",
	script: []simmodel.Answer{
		open("http://169.254.169.254/latest/meta-data/"),
		open("http://gazette.internal/moved"),
		simmodel.Say("I can't open that address, because it is not a public host and the policy refuses it. Please give " +
			"me a public URL."),
	},
	want: []wanted{blocked, refused(toolAccess, "url"), audited(1), calls(0)},
}}

func completed(o outcome) error { return stage.Ended(o.reply, o.err, completion.CompletedWithWork) }

func blocked(o outcome) error { return stage.Ended(o.reply, o.err, completion.CompletedWithBlocker) }

func calls(n int) wanted {
	return func(o outcome) error {
		if o.reply.Execution.Executed != n {
			return fmt.Errorf("%d calls succeeded, want %d", o.reply.Execution.Executed, n)
		}
		return nil
	}
}

func corrected(n int) wanted {
	return func(o outcome) error { return stage.Corrected(o.reply, n) }
}

func sources(n int) wanted {
	return func(o outcome) error {
		if found := tooltrack.EvidenceOf(o.reply.Records).Sources; len(found) != n {
			return fmt.Errorf("the sources are %v, want %d", found, n)
		}
		return nil
	}
}

// refused asks for a denied call of a tool, by a rule, that the model was told
// about.
func refused(tool, rule string) wanted {
	return func(o outcome) error {
		if !slices.ContainsFunc(o.reply.Records, func(r *tooltrack.Record) bool {
			return r.Tool == tool && r.Ruling.Denied && r.Ruling.Rule == rule && r.Ruling.Reason != ""
		}) {
			return fmt.Errorf("no call of %s was refused by the rule %s", tool, rule)
		}
		return nil
	}
}

func audited(n int) wanted {
	return func(o outcome) error {
		if len(o.audit) != n {
			return fmt.Errorf("the audit log has %d lines, want %d: %q", len(o.audit), n, o.audit)
		}
		return nil
	}
}

// hitAndMiss asks for the content of the one, and for a valid result with the
// error in its metadata for the other.
func hitAndMiss(o outcome) error {
	if len(o.reply.Records) != 2 {
		return fmt.Errorf("there are %d records, want 2", len(o.reply.Records))
	}
	found, missed := o.reply.Records[0].Result, o.reply.Records[1].Result
	if !found.Success() || !strings.Contains(found.Text(), "neap tide") {
		return fmt.Errorf("the hit is %q", found.Text())
	}
	if missed.Success() || missed.Metadata["error"] != errNoChunk.Error() {
		return errors.New("the miss has no error in its metadata")
	}
	return nil
}

// behave plays the part that a scene asks for: with tool calls where tools are
// bound, and else in the format that the prompt explains.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, scene := range scenes {
		if request.Faults.Has(scene.name) {
			return spoken(request, simmodel.Script(scene.script...)(ctx, request))
		}
	}
	return simmodel.Say("I do not know this part.")
}

// spoken is the answer of a model that knows nothing of tool calls.
func spoken(request simmodel.Request, answer simmodel.Answer) simmodel.Answer {
	if len(request.Tools) > 0 || len(answer.Calls) == 0 {
		return answer
	}
	var text strings.Builder
	for _, call := range answer.Calls {
		fmt.Fprintf(&text, "TOOL_CALL\n{\"name\": %q, \"arguments\": %s}\nEND_TOOL_CALL\n", call.Name, call.Arguments)
	}
	return simmodel.Say(text.String())
}

func search(query string) simmodel.Answer {
	return simmodel.CallWith("web_search", map[string]any{"query": query})
}

func open(url string) simmodel.Answer {
	return simmodel.CallWith(toolAccess, map[string]any{"url": url})
}

func retrieve(id string) simmodel.Answer {
	return simmodel.CallWith("retrieve_context", map[string]any{"chunk_id": id})
}

func write(namespace, content string) simmodel.Answer {
	return simmodel.CallWith("memory_write", map[string]any{"namespace": namespace, "content": content})
}

func record(questions ...string) simmodel.Answer {
	return simmodel.CallWith(toolPlan, map[string]any{"sub_questions": questions})
}
