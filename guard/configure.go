package guard

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A rule for a tool that does not exist protects nobody, and says nothing. So every name in the options is held
// against the names there are, every value that would be taken for "not set" or would never apply is refused, and
// all faults are told at once.

// configuration collects what is wrong with the options.
type configuration struct {
	tools     []string
	arguments map[string][]string // declared by each tool's schema; nil where it declares none
	faults    []error
}

// check refuses options that lead nowhere.
func (g *Guard) check(tools []tooltrack.Tool) error {
	c := configuration{tools: names(tools), arguments: map[string][]string{}}
	options, rules := &g.options, valueOf(g.options.Policy)
	c.described(tools)
	g.plans = c.plans(tools)
	c.directories(options, tools)
	c.parts(options, &rules)
	c.contracts(options)
	c.modes(options.Modes)
	c.rules(&rules)
	c.words(options)
	c.numbers(options)
	c.texts(options)
	return errors.Join(c.faults...)
}

// wrong notes a fault.
func (c *configuration) wrong(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

// refuse notes a fault where there is one.
func (c *configuration) refuse(is bool, format string, args ...any) {
	if is {
		c.wrong(format, args...)
	}
}

// name refuses a name that is not among those that lead somewhere.
func (c *configuration) name(where, name, what string, known []string) {
	if slices.Contains(known, name) {
		return
	}
	const most = 20 // names that are listed
	message := fmt.Sprintf("%s: %q is not %s", where, clipped(name), what)
	if near := nearest(name, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if len(known) > 0 {
		message += "; use one of " + strings.Join(known[:min(len(known), most)], ", ")
	}
	c.wrong("%s", message)
}

// nearest is the known name that is most like another one; empty if none is.
func nearest(name string, known []string) string {
	best, distance := "", max(2, len(name)/3)+1
	for _, candidate := range known {
		if d := levenshtein.ComputeDistance(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

func (c *configuration) tool(where string, named ...string) {
	for _, name := range named {
		c.name(where, name, "a tool", c.tools)
	}
}

func (c *configuration) argument(where, tool string, named ...string) {
	declared := c.arguments[tool]
	what := "an argument of " + tool
	if len(declared) == 0 {
		what += ", whose schema allows none"
	}
	for _, name := range named {
		if declared != nil && name != "" {
			c.name(where, name, what, declared)
		}
	}
}

// described are the tools themselves.
func (c *configuration) described(tools []tooltrack.Tool) {
	for _, tool := range tools {
		c.arguments[tool.Name] = declaredArguments(tool)
		c.argument("Subject.Arg of "+tool.Name, tool.Name, tool.Subject.Arg)
		c.argument("Answer.Arg of "+tool.Name, tool.Name, tool.Answer.Arg)
		const blank = "Words.%s of %s: one is blank; give the word, or leave it out"
		c.refuse(slices.ContainsFunc(tool.Words.Verbs, isOnlySpace), blank, "Verbs", clipped(tool.Name))
		c.refuse(slices.ContainsFunc(tool.Words.Nouns, isOnlySpace), blank, "Nouns", clipped(tool.Name))
	}
}

func isOnlySpace(text string) bool { return strings.TrimSpace(text) == "" }

// declaredArguments are the names under "properties" of a tool's schema. They are nil where it leaves open what may
// be sent: it says nothing, or other parts of it say more.
func declaredArguments(tool tooltrack.Tool) []string {
	if fault := new(jsonspan.Scanner).Object(tool.Parameters); fault != nil {
		return nil // the policy says what is wrong with it
	}
	declared, listed, elsewhere := []string{}, false, false
	for key, value := range jsonspan.Members(tool.Parameters) {
		switch string(jsonspan.Key(key)) {
		case "properties":
			listed = true
			for name := range jsonspan.Members(value) {
				declared = append(declared, string(jsonspan.Key(name)))
			}
		case "additionalProperties":
			listed = listed || string(value) == "false"
		case "patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef":
			elsewhere = true
		}
	}
	if len(declared) == 0 && (!listed || elsewhere) {
		return nil
	}
	return declared
}

func (c *configuration) directories(options *Options, tools []tooltrack.Tool) {
	var kinds []string
	for _, tool := range tools {
		if kind := tool.Subject.Kind; kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range keys(options.Directories) {
		c.name("Options.Directories", kind, "the Subject.Kind of a tool", kinds)
		c.refuse(isAbsent(options.Directories[kind]),
			"Options.Directories: the directory of %q is nil; give one, or leave the kind out", clipped(kind))
	}
}

// parts are the host's own judges. One that is nil in its interface would fail in every turn, and turns go on
// without it.
func (c *configuration) parts(options *Options, rules *policy.Options) {
	for _, part := range []struct {
		name  string
		given any
	}{
		{"Classifier", options.Classifier}, {"Reviewer", options.Reviewer}, {"Evaluator", options.Evaluator},
		{"Referee", options.Referee}, {"Budgets.Meter", options.Budgets.Meter}, {"Policy.Limiter", rules.Limiter},
	} {
		c.refuse(part.given != nil && isAbsent(part.given),
			"Options.%s holds a nil pointer or function; give one that works, or leave the field out", part.name)
	}
	c.refuse(options.Classifier != nil && options.Intent != nil,
		"Options.Intent tunes the default classifier, which Options.Classifier replaces; leave one of them out")
	c.refuse(options.Proof > Never, "Options.Proof is %d; use WhenUnsure, Always or Never", options.Proof)
	c.refuse(options.Proof == Never && !isAbsent(options.Referee),
		"Options.Referee answers requests for proof, and Options.Proof is Never; leave one of them out")
	c.refuse(options.Proof == Always && options.Budgets.Proof < 0,
		"Options.Proof is Always, and Options.Budgets.Proof is %d, which means never; leave one of them out",
		options.Budgets.Proof)
	const silent = "Options.%[1]s says what Options.Logger is told, and there is no Logger; give one, or leave %[1]s out"
	c.refuse(options.LogClaims && options.Logger == nil, silent, "LogClaims")
	c.refuse(options.LogErrors && options.Logger == nil, silent, "LogErrors")
}

func (c *configuration) contracts(options *Options) {
	for _, kind := range keys(options.Contracts) {
		if contracts[kind] == nil {
			c.wrong("Options.Contracts: %s is not a kind of request; use one of %s, %s, %s, %s", kind,
				intent.Chat, intent.Question, intent.Analysis, intent.Action)
			continue
		}
		c.contract("Options.Contracts of "+kind.String(), options.Contracts[kind])
	}
	for _, mode := range options.Modes {
		c.contract("Options.Modes, Contract of "+mode.Name, valueOf(mode.Contract))
	}
}

func (c *configuration) contract(where string, contract completion.Contract) {
	c.refuse(contract.Due > completion.DueNothing, "%s: Due is %d; use DueChange, DueAnswer or DueNothing",
		where, contract.Due)
	for i, requirement := range contract.Require {
		c.refuse(isAbsent(requirement), "%s: Require[%d] is nil; give a requirement, or leave it out", where, i)
	}
	c.tool(where, contract.Tools()...)
}

func (c *configuration) modes(modes []Mode) {
	for _, mode := range modes {
		c.tool("Options.Modes, Tools of "+mode.Name, mode.Tools...)
		c.tool("Options.Modes, PerTool of "+mode.Name, keys(mode.PerTool)...)
		for _, name := range keys(mode.PerTool) {
			left := len(mode.Tools) > 0 && slices.Contains(c.tools, name) && !slices.Contains(mode.Tools, name)
			c.refuse(left, "Options.Modes, PerTool of %s: %q is not offered in it; add it to Tools, or leave its limit out",
				clipped(mode.Name), name)
		}
	}
}

// rules are those of the policy.
func (c *configuration) rules(options *policy.Options) {
	rules := &options.Rules
	ruled := keys(rules.Tools)
	for _, name := range ruled {
		if !slices.Contains(rules.Optional, name) {
			c.tool("Options.Policy.Rules", name)
		}
		for _, argument := range rules.Tools[name] {
			c.argument("Options.Policy.Rules of "+name, name, argument.Name())
		}
	}
	for _, argument := range rules.Named {
		if ruled = append(ruled, argument.Name()); !slices.Contains(rules.Optional, argument.Name()) {
			c.anyArgument("Options.Policy.Rules.Named", argument.Name())
		}
	}
	for _, name := range rules.Optional {
		c.name("Options.Policy.Rules.Optional", name, "a name in Rules.Tools or Rules.Named", ruled)
	}
	for _, mode := range options.Modes {
		c.tool("Options.Policy.Modes, PerTool of "+mode.Name, keys(mode.PerTool)...)
	}
	c.tool("Options.Policy.Rates", keys(options.Rates)...)
	const where = "Options.Policy.Checklist"
	list := valueOf(options.Checklist)
	c.tool(where, list.Resolving...)
	for _, step := range list.Steps {
		c.tool(where, step.Tool)
		c.argument(where, step.Tool, step.PathArg)
		c.argument(where, step.Tool, keys(step.Args)...)
	}
}

// anyArgument refuses the name of an argument that no tool has. One whose schema declares none may have it.
func (c *configuration) anyArgument(where, name string) {
	var known []string
	for _, tool := range c.tools {
		if c.arguments[tool] == nil {
			return
		}
		known = append(known, c.arguments[tool]...)
	}
	slices.Sort(known)
	c.name(where, name, "an argument of a tool", slices.Compact(known))
}

// words are the options that speak of tools in words, or of words that are looked for in texts and messages.
func (c *configuration) words(options *Options) {
	judging, listening := valueOf(options.Completion), valueOf(options.Intent)
	c.tool("Options.Completion.Wording", keys(judging.Wording)...)
	for i, phrase := range judging.Claims {
		if phrase.Tool != "" {
			c.tool("Options.Completion.Claims", phrase.Tool)
		}
		c.refuse(isOnlySpace(phrase.Text),
			"Options.Completion.Claims[%d]: Text is blank; give the phrase, or leave it out", i)
	}
	var kinds []string
	for kind := completion.NoBlocker + 1; kind <= completion.Refusal; kind++ {
		kinds = append(kinds, kind.String())
	}
	for i, phrase := range judging.Blockers {
		c.refuse(isOnlySpace(phrase.Text),
			"Options.Completion.Blockers[%d]: Text is blank; give the phrase, or leave it out", i)
		c.refuse(!slices.Contains(kinds, phrase.Kind.String()), "Options.Completion.Blockers[%d]: Kind is %s; use one of %s",
			i, phrase.Kind, strings.Join(kinds, ", "))
	}
	c.tool("Options.Intent.Silence", listening.Silence...)
	for _, tool := range keys(listening.Force) {
		c.tool("Options.Intent.Force", tool)
		for _, phrase := range listening.Force[tool] {
			c.refuse(!strings.ContainsFunc(phrase, isWordRune),
				"Options.Intent.Force of %s: %q has no words; give some, or leave it out", clipped(tool), clipped(phrase))
		}
		c.refuse(slices.Contains(listening.Silence, tool),
			"Options.Intent.Force and Silence both name %q; leave it out of one", clipped(tool))
	}
	for i, example := range listening.Examples {
		c.tool("Options.Intent.Examples", example.Expected...)
		c.refuse(isOnlySpace(example.User),
			"Options.Intent.Examples[%d]: User is blank; give the message, or leave the example out", i)
	}
}

func (c *configuration) numbers(options *Options) {
	judging, sure, budgets := valueOf(options.Completion), options.Thresholds, &options.Budgets
	for _, row := range []struct {
		name  string
		value float64
	}{
		{"Thresholds.Change", sure.Change}, {"Thresholds.Read", sure.Read}, {"Thresholds.Due", sure.Due},
		{"Thresholds.Outcome", sure.Outcome}, {"Completion.Sure", judging.Sure}, {"Completion.Unsure", judging.Unsure},
	} {
		c.refuse(!(row.value >= 0), // not a number is below nothing and above nothing
			"Options.%s is %v; use a probability above 0, a number above 1 for never, or 0 for the default",
			row.name, row.value)
	}
	const limit = "Options.%s is %s; use a positive time, or 0 for %s"
	c.refuse(options.ToolTimeout < 0, limit, "ToolTimeout", options.ToolTimeout, "none but the context's")
	c.refuse(options.AbandonAfter < 0, limit, "AbandonAfter", options.AbandonAfter, defaultAbandonAfter)
	c.refuse(options.ReaskTimeout < 0, limit, "ReaskTimeout", options.ReaskTimeout, "none but the context's")
	c.refuse(options.Parallel < 0, "Options.Parallel is %d; use a number from 1, or 0 for %d",
		options.Parallel, defaultParallel)
	c.allowance("Turn", budgets.Turn, budgets.Prices)
	c.allowance("Day", budgets.Day, budgets.Prices)
	c.refuse(budgets.Day.Time != 0, "Options.Budgets.Day.Time is set; a day has no budget of time: leave it out")
	for name, price := range budgets.Prices {
		c.refuse(!(price.Input >= 0 && price.Output >= 0),
			"Options.Budgets.Prices[%q] is negative; use the price of a million tokens, or 0", name)
	}
	if err := valueOf(options.Dates).Validate(); err != nil && options.Dates != nil {
		c.wrong("Options.Dates: %w", err)
	}
}

func (c *configuration) allowance(name string, allowed Allowance, prices map[string]Price) {
	c.refuse(allowed.Tokens < 0 || !(allowed.Money >= 0) || allowed.Time < 0,
		"Options.Budgets.%s is negative; use a positive number, or 0 for no bound", name)
	c.refuse(allowed.Money > 0 && len(prices) == 0,
		"Options.Budgets.%s bounds money, and there are no Prices; set them, or leave Money out", name)
}

// texts are held against the placeholders that are filled in them, and against the reasons that there are.
func (c *configuration) texts(options *Options) {
	judging, texts := valueOf(options.Completion), valueOf(options.Texts)
	for _, tool := range keys(judging.Wording) {
		c.wording("Options.Completion.Wording of "+clipped(tool), judging.Wording[tool])
	}
	c.wording("Options.Completion.DefaultWording", judging.DefaultWording)
	c.placeholders("Options.Texts.Expected", texts.Expected, "{tools}")
	c.placeholders("Options.Texts.Times", texts.Times, "{n}")
	c.wording("Options.Texts.Calls", texts.Calls)
	unset := completion.Wording{}
	c.refuse(texts.Calls != unset && judging.DefaultWording != unset,
		"Options.Texts.Calls and Options.Completion.DefaultWording are two wordings for the same calls; "+
			"leave one of them out")
	if options.Reviewer != nil { // its rules have the names that it gives them
		return
	}
	known := rulesOf(valueOf(options.Policy).Rules)
	for _, name := range keys(texts.Reasons) {
		c.name("Options.Texts.Reasons", name, "a reason that calls are refused for", known)
	}
}

// rulesOf are the names under which calls can be refused or fail, sorted.
func rulesOf(rules policy.Rules) []string {
	entities := []string{ruleAmbiguous, ruleNotFound, ruleResolve}
	known := slices.Concat(keys(TextsIn("en").Reasons), argumentRules, valueRules, entities)
	arguments := slices.Concat(append(slices.Collect(maps.Values(rules.Tools)), rules.Named)...)
	for _, argument := range arguments {
		known = append(known, argument.Rules()...)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

func (c *configuration) wording(where string, words completion.Wording) {
	for _, said := range []struct{ field, text string }{
		{"Done", words.Done}, {"Failed", words.Failed}, {"Denied", words.Denied}, {"Pending", words.Pending},
		{"Unknown", words.Unknown}, {"Seen", words.Seen},
	} {
		c.placeholders(where+"."+said.field, said.text, "{title}", "{reason}", "{tool}")
	}
	c.placeholders(where+".Listed", words.Listed, "{entries}", "{tool}")
	c.placeholders(where+".Empty", words.Empty, "{tool}")
}

// placeholders refuses names in braces that nothing is put in place of. Other braces are the host's own.
func (c *configuration) placeholders(where, text string, known ...string) {
	for _, placeholder := range placeholderForm.FindAllString(text, -1) {
		c.name(where, placeholder, "a placeholder of it", known)
	}
}

var placeholderForm = regexp.MustCompile(`\{[a-z_]+\}`)

// contractFor is the one table from kinds of requests to contracts.
func (o *Options) contractFor(kind intent.Kind) completion.Contract {
	if contract, own := o.Contracts[kind]; own {
		return contract
	}
	ready := contracts[kind]
	if ready == nil { // a kind that nobody knows is judged strictly
		ready = completion.Action
	}
	return ready()
}

// contracts are the ready-made ones.
var contracts = map[intent.Kind]func(...completion.Requirement) completion.Contract{
	intent.Action: completion.Action, intent.Question: completion.Question,
	intent.Analysis: completion.Analysis, intent.Chat: completion.Chat,
}
