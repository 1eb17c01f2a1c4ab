package guard_test

import (
	"context"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// setting is a value of an option that would do nothing, and what New says of it.
type setting struct {
	set  func(*[]tooltrack.Tool, *guard.Options)
	want string
}

// anyValue is an option of which no value does nothing, with the reason.
type anyValue string

func option(want string, set func(*guard.Options)) setting {
	return setting{func(_ *[]tooltrack.Tool, o *guard.Options) { set(o) }, want}
}

func ruled(want string, set func(*policy.Options)) setting {
	return option(want, func(o *guard.Options) { o.Policy = &policy.Options{}; set(o.Policy) })
}

func toolset(want string, set func([]tooltrack.Tool)) setting {
	return setting{func(tools *[]tooltrack.Tool, _ *guard.Options) { set(*tools) }, want}
}

func confirmed(want string, confirm tooltrack.Confirm) setting {
	return toolset(want, func(tools []tooltrack.Tool) { tools[4].Confirm = &confirm })
}

func judgedBy(want string, judge completion.Options) setting {
	return option(want, func(o *guard.Options) { o.Completion = &judge })
}

func understanding(want string, listen intent.Options) setting {
	return option(want, func(o *guard.Options) { o.Intent = &listen })
}

func checks(want string, change func(*policy.Checklist)) setting {
	return ruled(want, func(o *policy.Options) {
		o.Checklist = &policy.Checklist{
			Steps:     []policy.Step{{Name: "look", Tool: "list_tasks"}},
			Resolving: []string{"delete_task"},
		}
		change(o.Checklist)
	})
}

func moded(want string, mode guard.Mode) setting {
	return option(want, func(o *guard.Options) {
		mode.Name = "m"
		o.Modes = []guard.Mode{mode}
	})
}

func stepped(want string, step policy.Step) setting {
	return checks(want, func(c *policy.Checklist) { c.Steps = append(c.Steps, step) })
}

const (
	eitherWay, someText, membersOf = anyValue("either way it does something"), anyValue("a text of the host's"), anyValue("its members are looked at")
	hostCode                       = anyValue("code of the host's, which is asked in turns")
)

// everyOption says for each field that a host can set which value of it would do
// nothing. Whoever adds a field says it here.
var everyOption = map[string]any{
	"guard.Options.Observe":          eitherWay,
	"guard.Options.Classifier":       option("Options.Classifier holds a nil", func(o *guard.Options) { o.Classifier = intent.Func(nil) }),
	"guard.Options.Intent":           membersOf,
	"guard.Options.Policy":           membersOf,
	"guard.Options.Reviewer":         option("Options.Reviewer holds a nil", func(o *guard.Options) { o.Reviewer = guard.ReviewerFunc(nil) }),
	"guard.Options.Evaluator":        option("Options.Evaluator holds a nil", func(o *guard.Options) { o.Evaluator = guard.EvaluatorFunc(nil) }),
	"guard.Options.Completion":       membersOf,
	"guard.Options.Ledger":           hostCode,
	"guard.Options.Directories":      option(`Options.Directories: "tusk" is not the Subject.Kind of a tool; did you mean "task"?`, func(o *guard.Options) { o.Directories = map[string]guard.Directory{"tusk": nil} }),
	"guard.Options.Results":          membersOf,
	"guard.Options.Contracts":        option("Options.Contracts: kind(99) is not a kind of request; use one of chat, question, analysis, action", func(o *guard.Options) { o.Contracts = map[intent.Kind]completion.Contract{99: completion.Chat()} }),
	"guard.Options.Modes":            membersOf,
	"guard.Options.Budgets":          membersOf,
	"guard.Options.Proof":            option("Options.Proof is 9; use WhenUnsure, Always or Never", func(o *guard.Options) { o.Proof = 9 }),
	"guard.Options.Referee":          option("Options.Referee answers requests for proof, and Options.Proof is Never; leave one of them out", func(o *guard.Options) { o.Referee, o.Proof = guardtest.Script(), guard.Never }),
	"guard.Options.Lenient":          eitherWay,
	"guard.Options.Texts":            membersOf,
	"guard.Options.Thresholds":       membersOf,
	"guard.Options.System":           someText,
	"guard.Options.Dates":            option("Options.Dates: date window of -1 years back and 0 ahead; both must lie between 0 and 1000", func(o *guard.Options) { o.Dates = &policy.DateWindow{YearsBack: -1} }),
	"guard.Options.Clock":            hostCode,
	"guard.Options.ToolTimeout":      option("Options.ToolTimeout is -1s; use a positive time, or 0 for none but the context's", func(o *guard.Options) { o.ToolTimeout = -time.Second }),
	"guard.Options.AbandonAfter":     option("Options.AbandonAfter is -1s; use a positive time, or 0 for 100ms", func(o *guard.Options) { o.AbandonAfter = -time.Second }),
	"guard.Options.ReaskTimeout":     option("Options.ReaskTimeout is -1s; use a positive time, or 0 for none but the context's", func(o *guard.Options) { o.ReaskTimeout = -time.Second }),
	"guard.Options.Parallel":         option("Options.Parallel is -1; use a number from 1, or 0 for 4", func(o *guard.Options) { o.Parallel = -1 }),
	"guard.Options.Key":              hostCode,
	"guard.Options.DeliverAccount":   eitherWay,
	"guard.Options.ReleaseSentences": eitherWay,
	"guard.Options.Logger":           hostCode,
	"guard.Options.LogClaims":        option("Options.LogClaims says what Options.Logger is told, and there is no Logger; give one, or leave LogClaims out", func(o *guard.Options) { o.LogClaims = true }),
	"guard.Options.LogErrors":        option("Options.LogErrors says what Options.Logger is told, and there is no Logger; give one, or leave LogErrors out", func(o *guard.Options) { o.LogErrors = true }),

	"guard.Budgets.MissingTool": anyValue("a negative number means none"),
	"guard.Budgets.Progress":    anyValue("a negative number means none"),
	"guard.Budgets.Proof":       option("Options.Proof is Always, and Options.Budgets.Proof is -1, which means never; leave one of them out", func(o *guard.Options) { o.Proof, o.Budgets.Proof = guard.Always, -1 }),
	"guard.Budgets.Rounds":      anyValue("a negative number means none"),
	"guard.Budgets.Repeats":     anyValue("a negative number means none"),
	"guard.Budgets.ReadBacks":   anyValue("a negative number means none"),
	"guard.Budgets.Turn":        membersOf,
	"guard.Budgets.Day":         membersOf,
	"guard.Budgets.Prices":      membersOf,
	"guard.Budgets.Meter":       option("Options.Budgets.Meter holds a nil", func(o *guard.Options) { o.Budgets.Meter = (*brokenMeter)(nil) }),
	"guard.Allowance.Tokens":    option("Options.Budgets.Turn is negative; use a positive number, or 0 for no bound", func(o *guard.Options) { o.Budgets.Turn.Tokens = -1 }),
	"guard.Allowance.Money":     option("Options.Budgets.Day bounds money, and there are no Prices; set them, or leave Money out", func(o *guard.Options) { o.Budgets.Day.Money = 1 }),
	"guard.Allowance.Time":      option("Options.Budgets.Day.Time is set; a day has no budget of time", func(o *guard.Options) { o.Budgets.Day.Time = time.Hour }),
	"guard.Price.Input":         option(`Options.Budgets.Prices["m"] is negative`, func(o *guard.Options) { o.Budgets.Prices = map[string]guard.Price{"m": {Input: -1}} }),
	"guard.Price.Output":        option(`Options.Budgets.Prices["m"] is negative`, func(o *guard.Options) { o.Budgets.Prices = map[string]guard.Price{"m": {Output: math.NaN()}} }),

	"guard.Thresholds.Change":  option("Options.Thresholds.Change is -0.5; use a probability above 0, a number above 1 for never, or 0 for the default", func(o *guard.Options) { o.Thresholds.Change = -0.5 }),
	"guard.Thresholds.Read":    option("Options.Thresholds.Read is NaN; use a probability above 0", func(o *guard.Options) { o.Thresholds.Read = math.NaN() }),
	"guard.Thresholds.Due":     option("Options.Thresholds.Due is -Inf; use a probability above 0", func(o *guard.Options) { o.Thresholds.Due = math.Inf(-1) }),
	"guard.Thresholds.Outcome": option("Options.Thresholds.Outcome is NaN; use a probability above 0", func(o *guard.Options) { o.Thresholds.Outcome = math.NaN() }),

	"guard.Texts.NotDone":  someText,
	"guard.Texts.Withheld": someText, "guard.Texts.Unshown": someText, "guard.Texts.Recorded": someText,
	"guard.Texts.RecordedEarlier": someText, "guard.Texts.Nothing": someText, "guard.Texts.LookedUp": someText, "guard.Texts.NotTriggered": someText,
	"guard.Texts.NotCompleted": someText, "guard.Texts.CutOff": someText, "guard.Texts.Filtered": someText,
	"guard.Texts.Refused": someText, "guard.Texts.NotAllowed": someText, "guard.Texts.Unreachable": someText,
	"guard.Texts.Ended": someText, "guard.Texts.Unjudged": someText, "guard.Texts.Untold": someText,
	"guard.Texts.Held": someText, "guard.Texts.HeldAfter": someText, "guard.Texts.HeldUntil": someText, "guard.Texts.HeldNothing": someText,
	"guard.Texts.Expected": option(`Options.Texts.Expected: "{tool}" is not a placeholder of it; did you mean "{tools}"?`, func(o *guard.Options) { o.Texts = &guard.Texts{Expected: "Needed: {tool}."} }),
	"guard.Texts.Times":    option(`Options.Texts.Times: "{times}" is not a placeholder of it; use one of {n}`, func(o *guard.Options) { o.Texts = &guard.Texts{Times: "{times}mal"} }),
	"guard.Texts.Calls": option("Options.Texts.Calls and Options.Completion.DefaultWording are two wordings for the same calls; leave one of them out", func(o *guard.Options) {
		o.Texts, o.Completion = &guard.Texts{Calls: completion.Wording{Done: "a"}}, &completion.Options{DefaultWording: completion.Wording{Done: "b"}}
	}),
	"guard.Texts.Reasons": option(`Options.Texts.Reasons: "timeuot" is not a reason that calls are refused for; did you mean "timeout"?`, func(o *guard.Options) { o.Texts = &guard.Texts{Reasons: map[string]string{"timeuot": "zu langsam"}} }),

	"guard.Mode.Mode":         membersOf,
	"guard.Mode.Contract":     membersOf,
	"guard.Mode.Tools":        moded(`Options.Modes, Tools of m: "ad_task" is not a tool; did you mean "add_task"?`, guard.Mode{Tools: []string{"ad_task"}}),
	"guard.Mode.Instructions": someText,

	"completion.Contract.Due": option("Due is 9; use DueChange", func(o *guard.Options) { o.Contracts = map[intent.Kind]completion.Contract{intent.Chat: {Due: 9}} }),
	"completion.Contract.Require": option("Require[0] is nil", func(o *guard.Options) {
		o.Contracts = map[intent.Kind]completion.Contract{intent.Chat: {Require: []completion.Requirement{nil}}}
	}),
	"completion.Options.Claims":         membersOf,
	"completion.ClaimPhrase.Text":       judgedBy("Options.Completion.Claims[0]: Text is blank; give the phrase, or leave it out", completion.Options{Claims: []completion.ClaimPhrase{{Text: " "}}}),
	"completion.ClaimPhrase.Tool":       judgedBy(`Options.Completion.Claims: "ad_task" is not a tool; did you mean "add_task"?`, completion.Options{Claims: []completion.ClaimPhrase{{Text: "it is in", Tool: "ad_task"}}}),
	"completion.Options.Blockers":       membersOf,
	"completion.BlockerPhrase.Text":     judgedBy("Options.Completion.Blockers[0]: Text is blank; give the phrase, or leave it out", completion.Options{Blockers: []completion.BlockerPhrase{{Kind: completion.Policy}}}),
	"completion.BlockerPhrase.Kind":     judgedBy("Options.Completion.Blockers[0]: Kind is blocker(99); use one of needs input, needs confirmation, not found", completion.Options{Blockers: []completion.BlockerPhrase{{Text: "locked", Kind: 99}}}),
	"completion.Options.Sure":           judgedBy("Options.Completion.Sure is NaN; use a probability above 0", completion.Options{Sure: math.NaN()}),
	"completion.Options.Unsure":         judgedBy("Options.Completion.Unsure is -1; use a probability above 0", completion.Options{Unsure: -1}),
	"completion.Options.Wording":        judgedBy(`Options.Completion.Wording: "ad_task" is not a tool; did you mean "add_task"?`, completion.Options{Wording: map[string]completion.Wording{"ad_task": {Done: "In."}}}),
	"completion.Options.DefaultWording": membersOf,
	"completion.Wording.Done":           judgedBy(`Options.Completion.DefaultWording.Done: "{titel}" is not a placeholder of it; did you mean "{title}"?`, completion.Options{DefaultWording: completion.Wording{Done: "Fertig: {titel}"}}),
	"completion.Wording.Failed":         judgedBy(`Options.Completion.Wording of add_task.Failed: "{why}" is not a placeholder of it; use one of {title}, {reason}, {tool}`, completion.Options{Wording: map[string]completion.Wording{"add_task": {Failed: "{why}"}}}),
	"completion.Wording.Denied":         option(`Options.Texts.Calls.Denied: "{x}" is not a placeholder`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Denied: "{x}"}} }),
	"completion.Wording.Pending":        option(`Options.Texts.Calls.Pending: "{x}" is not a placeholder`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Pending: "{x}"}} }),
	"completion.Wording.Seen":           option(`Options.Texts.Calls.Seen: "{x}" is not a placeholder`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Seen: "{x}"}} }),
	"completion.Wording.Unknown":        option(`Options.Texts.Calls.Unknown: "{x}" is not a placeholder`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Unknown: "{x}"}} }),
	"completion.Wording.Listed":         option(`Options.Texts.Calls.Listed: "{title}" is not a placeholder of it; use one of {entries}, {tool}`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Listed: "{title}"}} }),
	"completion.Wording.Empty":          option(`Options.Texts.Calls.Empty: "{entries}" is not a placeholder`, func(o *guard.Options) { o.Texts = &guard.Texts{Calls: completion.Wording{Empty: "{entries}"}} }),
	"intent.Options.Language":           understanding("intent: Options.Language: language host", intent.Options{Language: strings.NewReader("no\x00list")}),
	"intent.Options.Examples":           membersOf,
	"intent.Example.User":               understanding("Options.Intent.Examples[0]: User is blank; give the message, or leave the example out", intent.Options{Examples: []intent.Example{{Expected: []string{"add_task"}}}}),
	"intent.Example.Expected":           understanding(`Options.Intent.Examples: "ad_task" is not a tool; did you mean "add_task"?`, intent.Options{Examples: []intent.Example{{User: "jot it", Expected: []string{"ad_task"}}}}),
	"intent.Options.Silence":            understanding(`Options.Intent.Silence: "ad_task" is not a tool; did you mean "add_task"?`, intent.Options{Silence: []string{"ad_task"}}),
	"intent.Options.Force":              understanding(`Options.Intent.Force of add_task: "?!" has no words; give some, or leave it out`, intent.Options{Force: map[string][]string{"add_task": {"jot", "?!"}}}),
	"tooltrack.ParseOptions.Rule":       hostCode,
	"policy.Options.Rules":              membersOf,
	"policy.Options.Strict":             eitherWay,
	"policy.Options.Identity":           membersOf,
	"policy.Options.Modes":              membersOf,
	"policy.Options.DefaultMode":        ruled(`default mode "m" is not among the modes`, func(o *policy.Options) { o.DefaultMode = "m" }),
	"policy.Options.Checklist":          membersOf,
	"policy.Options.Approvals": ruled(`approval of "ad_task": there is no such tool`, func(o *policy.Options) {
		o.Approvals = []policy.Approval{policy.NeedsApproval("ad_task", policy.Always())}
	}),
	"policy.Options.Rates":         ruled(`Options.Policy.Rates: "ad_task" is not a tool; did you mean "add_task"?`, func(o *policy.Options) { o.Rates = map[string]policy.Rate{"ad_task": {Calls: 1, Per: time.Second}} }),
	"policy.Options.Logger":        hostCode,
	"policy.Rules.Tools":           ruled(`Options.Policy.Rules: "ad_task" is not a tool; did you mean "add_task"?`, func(o *policy.Options) { o.Rules.Tools = map[string][]policy.Argument{"ad_task": nil} }),
	"policy.Rules.Named":           ruled(`Options.Policy.Rules.Named: "titel" is not an argument of a tool; did you mean "title"?`, func(o *policy.Options) { o.Rules.Named = []policy.Argument{policy.Arg("titel", policy.NotBlank())} }),
	"policy.Rules.Optional":        ruled("Options.Policy.Rules.Optional", func(o *policy.Options) { o.Rules.Optional = []string{"ad_task"} }),
	"policy.Identity.Arg":          ruled("identity[0] has no argument name", func(o *policy.Options) { o.Identity = make([]policy.Identity, 1) }),
	"policy.Identity.Set":          eitherWay,
	"policy.Mode.Name":             ruled("a mode has no name", func(o *policy.Options) { o.Modes = make([]policy.Mode, 1) }),
	"policy.Mode.Calls":            moded("mode m: calls is -2; use a number from 0, or Unlimited", guard.Mode{Mode: policy.Mode{Calls: -2}}),
	"policy.Mode.Preferred":        moded("mode m: preferred is 2; it must lie between 0 and calls (1)", guard.Mode{Mode: policy.Mode{Calls: 1, Preferred: 2}}),
	"policy.Mode.PerTool":          moded(`Options.Modes, PerTool of m: "delete_task" is not offered in it; add it to Tools, or leave its limit out`, guard.Mode{Mode: policy.Mode{Calls: 1, PerTool: map[string]int{"delete_task": 1}}, Tools: []string{"add_task"}}),
	"policy.Mode.NoneWhen":         someText,
	"policy.Mode.Fallback":         someText,
	"policy.Mode.Deeper":           moded(`mode m: the deeper mode "n" is not among the modes`, guard.Mode{Mode: policy.Mode{Deeper: "n"}}),
	"policy.Checklist.Steps":       checks("there are no steps", func(c *policy.Checklist) { c.Steps = nil }),
	"policy.Checklist.Resolving":   checks("there are no resolving tools", func(c *policy.Checklist) { c.Resolving = nil }),
	"policy.Checklist.Targets":     checks("there are targets, but no step asks for each of them; set EachTarget, or leave them out", func(c *policy.Checklist) { c.Targets = []string{"a.go"} }),
	"policy.Checklist.Root":        someText,
	"policy.Checklist.MaxAttempts": checks("max attempts is -1", func(c *policy.Checklist) { c.MaxAttempts = -1 }),
	"policy.Step.Name":             stepped("steps[1] needs a name and a tool", policy.Step{Tool: "list_tasks"}),
	"policy.Step.Tool":             stepped("steps[1] needs a name and a tool", policy.Step{Name: "x"}),
	"policy.Step.Args":             stepped(`Options.Policy.Checklist: "x" is not an argument of list_tasks`, policy.Step{Name: "x", Tool: "list_tasks", Args: map[string]string{"x": "y"}}),
	"policy.Step.PathArg":          stepped(`step "x" names PathArg, but no path to compare; set Path or EachTarget, or leave it out`, policy.Step{Name: "x", Tool: "list_tasks", PathArg: "status_filter"}),
	"policy.Step.Path":             stepped("name the argument that holds them in PathArg", policy.Step{Name: "x", Tool: "list_tasks", Path: "y"}),
	"policy.Step.EachTarget":       stepped("name the argument that holds them in PathArg", policy.Step{Name: "x", Tool: "list_tasks", EachTarget: true}),
	"policy.Options.Limiter":       ruled("Options.Policy.Limiter holds a nil", func(o *policy.Options) { o.Limiter = (*noLimiter)(nil) }),
	"policy.Options.LimiterDown":   ruled("LimiterDown is 9; use ReadsOnly, NoCalls or AllCalls", func(o *policy.Options) { o.LimiterDown = 9 }),
	"policy.Rate.Calls":            ruled("rate of add_task is 0 calls per 1s", func(o *policy.Options) { o.Rates = map[string]policy.Rate{"add_task": {Per: time.Second}} }),
	"policy.Rate.Per":              ruled("rate of add_task is 1 calls per 0s", func(o *policy.Options) { o.Rates = map[string]policy.Rate{"add_task": {Calls: 1}} }),
	"policy.Rate.Burst":            ruled("burst -1", func(o *policy.Options) { o.Rates = map[string]policy.Rate{"add_task": {Calls: 1, Per: 1, Burst: -1}} }),
	"policy.DateWindow.YearsBack":  option("Options.Dates: date window of 1001 years back", func(o *guard.Options) { o.Dates = &policy.DateWindow{YearsBack: 1001} }),
	"policy.DateWindow.YearsAhead": option("Options.Dates: date window of 0 years back and -3 ahead", func(o *guard.Options) { o.Dates = &policy.DateWindow{YearsAhead: -3} }),

	"tooltrack.Tool.Name":         toolset("tool name is empty", func(tools []tooltrack.Tool) { tools[0].Name = "" }),
	"tooltrack.Tool.Description":  someText,
	"tooltrack.Tool.Parameters":   toolset("parameters are not valid JSON", func(tools []tooltrack.Tool) { tools[0].Parameters = []byte("{") }),
	"tooltrack.Tool.Effect":       toolset("effect 77 is not one of", func(tools []tooltrack.Tool) { tools[0].Effect = 77 }),
	"tooltrack.Tool.Idempotent":   eitherWay,
	"tooltrack.Tool.Repeatable":   eitherWay,
	"tooltrack.Tool.Returns":      eitherWay,
	"tooltrack.Tool.Implied":      membersOf,
	"tooltrack.Implied.Reads":     eitherWay,
	"tooltrack.Implied.AsksState": eitherWay,
	"tooltrack.Implied.Repeats":   eitherWay,
	"tooltrack.Implied.Places":    eitherWay,
	"tooltrack.Implied.Starts":    eitherWay,
	"tooltrack.Implied.Begins":    eitherWay,
	"tooltrack.Implied.Makes":     eitherWay,
	"tooltrack.Implied.Verb":      anyValue("the words of a tool's name and of its end; none are needed"),
	"tooltrack.Implied.Words":     anyValue("the words of a tool's name and of its end; none are needed"),
	"tooltrack.Implied.Done":      anyValue("the words of a tool's name and of its end; none are needed"),
	"tooltrack.Implied.Alike":     anyValue("the words of a tool's name and of its end; none are needed"),
	"tooltrack.Tool.Subject":      membersOf,
	"tooltrack.SubjectArg.Arg":    toolset(`Subject.Arg of delete_task: "taskid" is not an argument of delete_task; did you mean "task_id"?`, func(tools []tooltrack.Tool) { tools[4].Subject.Arg = "taskid" }),
	"tooltrack.SubjectArg.Kind":   anyValue("a word by which people name the entity"),
	"tooltrack.Tool.Delegates":    eitherWay,
	"tooltrack.Tool.Answer":       membersOf,
	"tooltrack.AnswerArg.Arg":     toolset("Answer.Arg of add_task", func(tools []tooltrack.Tool) { tools[1].Answer.Arg = "text" }),
	"tooltrack.Tool.Confirm":      membersOf,
	"tooltrack.Confirm.Read": confirmed(`Confirm of delete_task: "list_taks" is not a tool; did you mean "list_tasks"?`, tooltrack.Confirm{
		Read: "list_taks()", Expect: "exists",
	}),
	"tooltrack.Confirm.By":          confirmed("Confirm of delete_task: give either Read or By", tooltrack.Confirm{Expect: "absent"}),
	"tooltrack.Confirm.Expect":      confirmed("Confirm of delete_task: there is no Expect", tooltrack.Confirm{Read: "list_tasks()"}),
	"tooltrack.Confirm.When":        confirmed(`When is "often"`, tooltrack.Confirm{Read: "list_tasks()", Expect: "exists", When: "often"}),
	"tooltrack.Confirm.Delay":       confirmed("Delay is -1s", tooltrack.Confirm{Read: "list_tasks()", Expect: "exists", Delay: -time.Second}),
	"tooltrack.Confirm.Tries":       confirmed("Tries is 21", tooltrack.Confirm{Read: "list_tasks()", Expect: "exists", Tries: 21}),
	"tooltrack.Confirm.Within":      confirmed("Within 1h0m0s", tooltrack.Confirm{Read: "list_tasks()", Expect: "exists", Within: time.Hour}),
	"tooltrack.Confirm.HoldChanged": eitherWay,
	"tooltrack.Tool.Words":          membersOf,
	"tooltrack.Words.Verbs":         toolset("Words.Verbs of add_task: one is blank; give the word, or leave it out", func(tools []tooltrack.Tool) { tools[1].Words.Verbs = []string{"jot", " "} }),
	"tooltrack.Words.Nouns":         toolset("Words.Nouns of add_task: one is blank; give the word, or leave it out", func(tools []tooltrack.Tool) { tools[1].Words.Nouns = []string{""} }),
}

// TestEveryOptionIsRefusedWhereItWouldDoNothing goes over all fields that a host can
// set, by reflection: one that is new has no row, and fails here.
func TestEveryOptionIsRefusedWhereItWouldDoNothing(t *testing.T) {
	seen := map[string]bool{}
	fieldsOf(reflect.TypeFor[guard.Options](), seen, map[reflect.Type]bool{})
	fieldsOf(reflect.TypeFor[tooltrack.Tool](), seen, map[reflect.Type]bool{})
	for name := range seen {
		require.Contains(t, everyOption, name, "say which value of it would do nothing")
	}
	for name, row := range everyOption {
		require.Contains(t, seen, name, "there is no such field")
		bad, refused := row.(setting)
		if !refused {
			require.NotEmpty(t, row)
			continue
		}
		tools, options := taskTools(), &guard.Options{}
		bad.set(&tools, options)
		_, err := guard.New(tools, options)
		require.ErrorContains(t, err, bad.want, name)
	}
}

// fieldsOf are the exported fields of a struct of ours, and of those in it.
func fieldsOf(of reflect.Type, seen map[string]bool, visited map[reflect.Type]bool) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		fieldsOf(of.Elem(), seen, visited)
		return
	case reflect.Struct:
	default:
		return
	}
	if visited[of] || !strings.HasPrefix(of.PkgPath(), "github.com/bonafide-go/bonafide/") {
		return
	}
	visited[of] = true
	for i := range of.NumField() {
		if field := of.Field(i); field.IsExported() {
			seen[of.String()+"."+field.Name] = true
			fieldsOf(field.Type, seen, visited)
		}
	}
}

func approve(_ context.Context, request policy.Proposal) (policy.Decision, error) {
	return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
}

func polite(context.Context, policy.CheckInput) (policy.CheckResult, error) {
	return policy.Pass(), nil
}

// TestOptionsThatDoSomethingAreTaken: what looks unusual and has its meaning.
func TestOptionsThatDoSomethingAreTaken(t *testing.T) {
	for name, options := range map[string]*guard.Options{
		"never":               {Thresholds: guard.Thresholds{Change: 2, Read: math.Inf(1), Due: 1, Outcome: 1e-9}},
		"no budget":           {Budgets: guard.Budgets{MissingTool: -1, Progress: -1, Proof: -1, Rounds: -1}},
		"reasons":             {Texts: &guard.Texts{Reasons: map[string]string{"rate": "a", "schema": "b", "ambiguous": "c", "not_found": "d", "held": "e", "timeout": "f", "resolve": "g"}}},
		"a reviewer's rules":  {Reviewer: guard.ReviewerFunc(approve), Texts: &guard.Texts{Reasons: map[string]string{"cedar_42": "nein"}}},
		"a rule of one's own": {Policy: &policy.Options{Rules: policy.Rules{Tools: map[string][]policy.Argument{"add_task": {policy.Arg("title", policy.Func("polite", polite))}}}}, Texts: &guard.Texts{Reasons: map[string]string{"polite": "bitte höflich"}}},
		"braces":              {Texts: &guard.Texts{Recorded: "{tools}", Expected: "{ } {} Nötig: {tools}", Calls: completion.Wording{Done: "{title} {tool}"}}},
		"logged":              {Logger: slog.New(slog.DiscardHandler), LogClaims: true, LogErrors: true},
		"targets later":       {Policy: &policy.Options{Checklist: &policy.Checklist{Steps: []policy.Step{{Name: "read", Tool: "list_tasks", PathArg: "status_filter", EachTarget: true}}, Resolving: []string{"delete_task"}}}},
	} {
		_, err := guard.New(taskTools(), options)
		require.NoError(t, err, name)
	}
}

// TestNullParametersAreNone: programs write null for a schema that is not there, and
// the tool can be called all the same.
func TestNullParametersAreNone(t *testing.T) {
	for _, null := range []string{"null", " null\n"} {
		tools := append(taskTools(), tooltrack.Tool{Name: "sync_tasks", Effect: tooltrack.Changes, Parameters: []byte(null)})
		g, err := guard.New(tools, &guard.Options{})
		require.NoError(t, err)
		require.Empty(t, g.Unreadable())
		reply, err := g.Run(context.Background(), guardtest.Script(
			guardtest.Call(guardtest.Tool("sync_tasks", `{}`)), guardtest.Say("The tasks are synced."),
		), guard.ExecutorFunc(guardtest.Returns(`{"success":true}`)), ask("sync my tasks"))
		require.NoError(t, err)
		require.False(t, reply.Records[0].Ruling.Denied, reply.Records[0].Ruling.Reason)
		set, err := policy.New(tools, nil)
		require.NoError(t, err)
		require.Empty(t, set.Unreadable())
	}
}
