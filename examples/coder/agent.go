package main

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const system = `You are a coding agent in a small Go repository. Work with the tools: read before you edit, edit with write_file or apply_patch, and check your work with run_tests.
When you are done, say in a few sentences which files you changed and what the tests say. If something prevents the work, say exactly what, and what is needed to go on.`

// fixMode is the mode of "/fix": done means that the tests pass after the last edit, whatever the text says.
const fixMode = "fix"

// newGuard is the whole agent beside its tools. Two requirements of its own add
// to the library's contract for changes.
func newGuard() (*guard.Guard, error) {
	classifier, err := intent.FromTools(tools(), nil)
	if err != nil {
		return nil, err
	}
	done := []completion.Requirement{finished(), verifiedAsSaid()}
	fixed := completion.Action(append(done, completion.Verified())...)
	return guard.New(tools(), &guard.Options{
		System:     system,
		Policy:     &policy.Options{Strict: true},
		Classifier: anyEdit(classifier),
		Completion: &completion.Options{Claims: testClaims},
		Contracts:  map[intent.Kind]completion.Contract{intent.Action: completion.Action(done...)},
		Modes: []guard.Mode{{
			Mode:         policy.Mode{Name: fixMode, Calls: policy.Unlimited},
			Contract:     &fixed,
			Instructions: "FIX MODE: make the tests pass. You are done when run_tests succeeds after your last edit.",
		}},
	})
}

// anyEdit reads messages as the classifier does, but "implement this" and "add a test" ask for any edit: which
// tool makes it is up to the model. The kind of the request still says that one is due.
func anyEdit(classifier *intent.Classifier) intent.Func {
	return func(ctx context.Context, request intent.Utterance) (intent.Intent, error) {
		found, err := classifier.Classify(ctx, request)
		found.Expect = slices.DeleteFunc(slices.Clone(found.Expect), func(e intent.Expectation) bool {
			verb, _, _ := strings.Cut(strings.ToLower(e.Words), " ")
			return e.Tool == "write_file" || e.Tool == "apply_patch" || slices.Contains(editing.Verbs, verb)
		})
		return found, err
	}
}

// read makes a turn of what the person typed. "/fix" chooses the mode, and the
// rest is the message; "/refactor" names the files.
func read(typed string) guard.Input {
	if message, is := strings.CutPrefix(typed, "/fix "); is {
		return guard.Input{User: message, Mode: fixMode}
	}
	if files, is := strings.CutPrefix(typed, "/refactor "); is {
		targets := strings.Fields(files)
		return guard.Input{
			User: "Refactor " + strings.Join(targets, " and ") + ": they do the same thing twice.",
			Task: typed, Checklist: analysis.For(targets...),
		}
	}
	return guard.Input{User: typed}
}

// analysis is what comes before a refactoring: the one definition behind the gate and the text in the
// prompt. What was read in one attempt counts in the next, since the records belong to the task.
var analysis = policy.Checklist{
	Steps: []policy.Step{
		{Name: "read the target files", Tool: "read_file", PathArg: "path", EachTarget: true},
		{Name: "read ARCHITECTURE.md", Tool: "read_file", PathArg: "path", Path: "ARCHITECTURE.md"},
	},
	Resolving:   []string{"write_file", "apply_patch"},
	MaxAttempts: 5,
}

// touched are the files that the successful edits of a turn name, each once.
func touched(reply *guard.Reply) []string {
	var files []string
	for _, subject := range tooltrack.EvidenceOf(reply.Records).Touched {
		files = append(files, cmp.Or(subject.ID, subject.Title))
	}
	return files
}

// testClaims are the words by which models say that the tests pass. They need a
// successful run_tests of the same turn, whatever was asked.
var testClaims = func() (claims []completion.ClaimPhrase) {
	for _, text := range []string{
		"tests pass", "tests passed", "tests now pass", "tests have passed", "tests are passing", "tests are green",
		"tests succeed", "test passes", "passes all tests", "test suite passes",
	} {
		claims = append(claims, completion.ClaimPhrase{Text: text, Tool: "run_tests"})
	}
	return claims
}()

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

// finished requires that the text of a turn with edits does not end by announcing another one: nobody would make it.
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

// lastSentence is what a text ends with. A stop counts only with white space after it, so that "calc.go" stays whole.
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

//go:embed tools.json
var toolsText []byte

// tools are described once: what the model may call, what a success proves, and which argument names the
// file that was touched. A look at the diff proves no more than that there is one: only tests verify.
func tools() []tooltrack.Tool {
	tools := stage.Tools(toolsText)
	for i := range tools {
		if tools[i].Effect == tooltrack.Changes {
			tools[i].Words = editing
		}
	}
	return tools
}

// editing are the words by which models report an edit, whichever tool made it.
var editing = tooltrack.Words{
	Verbs: []string{"implement", "add", "write", "fix", "edit", "change", "update", "rename", "refactor"},
	Nouns: []string{"function", "test", "code", "bug"},
}
