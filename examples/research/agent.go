package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const system = `You are a research assistant. Answer from what the tools return, and name the URLs that you rest on. Notes of the user are kept with memory_write in a namespace that exists.`

// The session modes. Their limits and their prompt texts are one definition.
const (
	quickLookup  = "quick_lookup"
	researchMode = "research"
)

// namespaces are where each user may write.
var namespaces = map[string]bool{"ann/research": true, "ann/personal": true, "bob/diary": true}

// newGuard is the agent beside its tools: their rules, the web of this example, and the two modes.
func newGuard(web *policy.Web, audit *slog.Logger) (*guard.Guard, error) {
	mayWrite := assistant.MayWrite(func(owner, namespace string) bool { return namespaces[owner+"/"+namespace] })
	stop := contract()
	return guard.New(tools(), &guard.Options{
		System: system,
		Policy: &policy.Options{Rules: assistant.Rules(web, mayWrite...), Strict: true, Logger: audit},
		Completion: &completion.Options{Wording: map[string]completion.Wording{
			toolAccess:   {Done: "Opened a page"},
			"web_search": {Done: "Searched the web"},
		}},
		Modes: []guard.Mode{
			{Mode: policy.QuickLookup()},
			{Mode: policy.Research(), Contract: &stop, Instructions: stoppingText()},
		},
	})
}

// wantedSources is how many distinct sources a synthesis rests on.
const wantedSources = 3

// condition is one thing that must hold before a synthesis. The prompt says of each whether it is
// enforced, checked or only asked for, since a model that finds out by itself stops believing the rest.
type condition struct {
	text, how   string
	requirement completion.Requirement // nil for what is only asked for
}

func conditions() []condition {
	const asked = "asked for; nobody checks it but your reader"
	return []condition{
		{"a plan with the sub-questions is recorded with " + toolPlan, "enforced", completion.Planned(toolPlan)},
		{fmt.Sprintf("at least %d distinct sources were opened with %s; the same URL counts once", wantedSources,
			toolAccess), "enforced", completion.Sources(wantedSources)},
		{
			`every sub-question is addressed, each in a line of its own that begins with its number: "1. …"`,
			"checked against the recorded plan", completion.RequirementFunc(addressed),
		},
		{"the sources are checked against one another", asked, nil},
		{"every claim carries your confidence in it", asked, nil},
		{"gaps in the evidence are named", asked, nil},
	}
}

// stoppingText prints the conditions for the prompt.
func stoppingText() string {
	var text strings.Builder
	text.WriteString("RESEARCH MODE. Stop and write the synthesis when all of these hold:\n")
	for i, c := range conditions() {
		fmt.Fprintf(&text, "%d. %s (%s)\n", i+1, c.text, c.how)
	}
	return text.String()
}

// contract is what the conditions ask for, as far as it can be judged.
func contract() completion.Contract {
	var require []completion.Requirement
	for _, c := range conditions() {
		if c.requirement != nil {
			require = append(require, c.requirement)
		}
	}
	return completion.Question(require...)
}

// enough reports whether the enforced conditions are met, so that the model can be told to stop looking.
func enough(records []*tooltrack.Record) bool {
	for _, c := range conditions() {
		if c.how == "enforced" && c.requirement.Unmet(completion.Case{Records: records}, completion.Blocker{}) != "" {
			return false
		}
	}
	return true
}

// numbered finds the lines that begin with a number, whatever emphasis is around it.
var numbered = regexp.MustCompile(`(?m)^[\s*#_-]{0,8}(\d{1,2})[.):][\s*_]`)

// addressed names the sub-questions of the recorded plan without a section of their number that has a word of theirs.
func addressed(turn completion.Case, _ completion.Blocker) string {
	asked := lastPlan(append(turn.Earlier[:len(turn.Earlier):len(turn.Earlier)], turn.Records...))
	var missing []string
	sections := sectionsOf(turn.Text)
	for i, question := range asked.SubQuestions {
		if shared(question, sections[i+1]) == 0 {
			missing = append(missing, fmt.Sprintf("%d. %s", i+1, question))
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "an answer to every sub-question of the plan, each in a line that begins with its number (not addressed: " +
		strings.Join(missing, "; ") + ")"
}

// lastPlan is the plan that was recorded last.
func lastPlan(records []*tooltrack.Record) (last plan) {
	for _, record := range records {
		var p plan
		if record != nil && record.Tool == toolPlan && record.Succeeded() && json.Unmarshal(record.Args, &p) == nil {
			last = p
		}
	}
	return last
}

// sectionsOf cuts a text at its numbered lines.
func sectionsOf(text string) map[int]string {
	sections := map[int]string{}
	found := numbered.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		number, err := strconv.Atoi(text[at[2]:at[3]])
		if err == nil {
			sections[number] += text[at[1]:end] + "\n"
		}
	}
	return sections
}
