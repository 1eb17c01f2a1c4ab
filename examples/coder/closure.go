package main

import (
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// testClaims are the words by which models say that the tests pass. They need a
// successful run_tests of the same turn, whatever was asked.
var testClaims = []completion.ClaimPhrase{
	{Text: "tests pass", Tool: "run_tests"}, {Text: "tests passed", Tool: "run_tests"},
	{Text: "tests now pass", Tool: "run_tests"}, {Text: "tests have passed", Tool: "run_tests"},
	{Text: "tests are passing", Tool: "run_tests"}, {Text: "tests are green", Tool: "run_tests"},
	{Text: "tests succeed", Tool: "run_tests"}, {Text: "test passes", Tool: "run_tests"},
	{Text: "passes all tests", Tool: "run_tests"}, {Text: "test suite passes", Tool: "run_tests"},
}

// verifiedAsSaid requires of a text which says that the tests pass that they
// passed after the last edit: a run before it says nothing about it.
func verifiedAsSaid() completion.Requirement {
	evaluator := completion.New(&completion.Options{Claims: testClaims})
	return completion.RequirementFunc(func(turn completion.Case, _ completion.Blocker) string {
		evidence := tooltrack.EvidenceOf(turn.Records)
		if evidence.Changes == 0 || evidence.Verified {
			return ""
		}
		said := evaluator.Evaluate(completion.Case{Text: turn.Text, Contract: completion.Chat()})
		for _, claim := range said.Claims {
			if strings.HasPrefix(claim.Rule, "host: ") {
				return "a successful run_tests after the last edit, since the text says that tests pass"
			}
		}
		return ""
	})
}

// finished requires that the text of a turn with edits does not end by
// announcing another one: nobody would make it.
func finished() completion.Requirement {
	evaluator := completion.New(nil)
	return completion.RequirementFunc(func(turn completion.Case, blocker completion.Blocker) string {
		if blocker.Kind != completion.NoBlocker || tooltrack.EvidenceOf(turn.Records).Changes == 0 {
			return ""
		}
		end := completion.Case{User: turn.User, Text: lastSentence(turn.Text), Tools: turn.Tools}
		if verdict := evaluator.Evaluate(end); verdict.Outcome.Completed() || verdict.Reason != completion.Promise {
			return ""
		}
		return "the work that the last sentence announces, or what prevents it"
	})
}

// lastSentence is what a text ends with. A stop counts only with white space
// after it, so that "calc.go" stays whole.
func lastSentence(text string) string {
	text = strings.TrimSpace(text)
	start := 0
	for i := 0; i+1 < len(text); i++ {
		if strings.IndexByte(".!?\n", text[i]) >= 0 && (text[i] == '\n' || text[i+1] == ' ' || text[i+1] == '\n') {
			start = i + 1
		}
	}
	return strings.TrimSpace(text[start:])
}
