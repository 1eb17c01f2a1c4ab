package guard

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A rule for a tool that does not exist protects nobody, and says nothing. So
// every name in the options is held against the names there are, and all that
// lead nowhere are told at once.

// checkNames refuses options that name tools, arguments or kinds that do not
// exist.
func (g *Guard) checkNames(tools []tooltrack.Tool) error {
	c := configuration{tools: names(tools), arguments: map[string][]string{}}
	var kinds []string
	for _, tool := range tools {
		c.arguments[tool.Name] = declaredArguments(tool)
		if tool.Subject.Arg != "" {
			c.argument("Subject.Arg of "+tool.Name, tool.Name, tool.Subject.Arg)
		}
		if tool.Answer.Arg != "" {
			c.argument("Answer.Arg of "+tool.Name, tool.Name, tool.Answer.Arg)
		}
		c.toolWords(&tool)
		if tool.Subject.Kind != "" && !slices.Contains(kinds, tool.Subject.Kind) {
			kinds = append(kinds, tool.Subject.Kind)
		}
	}
	for _, kind := range keys(g.options.Directories) {
		if !slices.Contains(kinds, kind) {
			c.fault("Options.Directories", kind, "the Subject.Kind of a tool", kinds)
		}
		if isAbsent(g.options.Directories[kind]) {
			c.wrong("Options.Directories: the directory of %q is nil; give one, or leave the kind out", clipped(kind))
		}
	}
	g.plans = c.plans(tools)
	c.parts(&g.options)
	c.contracts(&g.options)
	c.modes(g.options.Modes)
	c.policy(g.options.Policy)
	c.words(&g.options)
	c.values(&g.options)
	return errors.Join(c.faults...)
}

// anyArgument refuses the name of an argument that no tool has. One whose schema declares
// none may have it.
func (c *configuration) anyArgument(where, name string) {
	var known []string
	for _, tool := range c.tools {
		declared := c.arguments[tool]
		if declared == nil || slices.Contains(declared, name) {
			return
		}
		known = append(known, declared...)
	}
	slices.Sort(known)
	c.fault(where, name, "an argument of a tool", slices.Compact(known))
}

// parts are the host's own judges. One that is nil in its interface would fail in
// every turn, and turns go on without it.
func (c *configuration) parts(options *Options) {
	c.absentPart("Classifier", options.Classifier)
	c.absentPart("Reviewer", options.Reviewer)
	c.absentPart("Evaluator", options.Evaluator)
	c.absentPart("Referee", options.Referee)
	c.absentPart("Budgets.Meter", options.Budgets.Meter)
	if options.Classifier != nil && options.Intent != nil {
		c.wrong("Options.Intent tunes the default classifier, which Options.Classifier replaces; leave one of them out")
	}
	if options.Proof > Never {
		c.wrong("Options.Proof is %d; use WhenUnsure, Always or Never", options.Proof)
	}
}

func (c *configuration) absentPart(name string, given any) {
	if given != nil && isAbsent(given) {
		c.wrong("Options.%s holds a nil pointer or function; give one that works, or leave the field out", name)
	}
}

func (c *configuration) contracts(options *Options) {
	for _, kind := range keys(options.Contracts) {
		if !slices.Contains(requestKinds, kind) {
			c.wrong("Options.Contracts: %s is not a kind of request; use one of %s, %s, %s, %s", kind,
				intent.Chat, intent.Question, intent.Analysis, intent.Action)
			continue
		}
		c.contract("Options.Contracts of "+kind.String(), options.Contracts[kind])
	}
	for _, mode := range options.Modes {
		if mode.Contract != nil {
			c.contract("Options.Modes, Contract of "+mode.Name, *mode.Contract)
		}
	}
}

func (c *configuration) contract(where string, contract completion.Contract) {
	if contract.Due > completion.DueNothing {
		c.wrong("%s: Due is %d; use DueChange, DueAnswer or DueNothing", where, contract.Due)
	}
	for i, requirement := range contract.Require {
		if isAbsent(requirement) {
			c.wrong("%s: Require[%d] is nil; give a requirement, or leave it out", where, i)
		}
	}
	c.tool(where, contract.Tools()...)
}

func (c *configuration) modes(modes []Mode) {
	for _, mode := range modes {
		c.tool("Options.Modes, Tools of "+mode.Name, mode.Tools...)
		c.perTool("Options.Modes", &mode.Mode)
		for _, name := range keys(mode.PerTool) {
			if len(mode.Tools) > 0 && slices.Contains(c.tools, name) && !slices.Contains(mode.Tools, name) {
				c.wrong("Options.Modes, PerTool of %s: %q is not offered in it; add it to Tools, or leave its limit out",
					clipped(mode.Name), name)
			}
		}
	}
}

func (c *configuration) perTool(where string, mode *policy.Mode) {
	c.tool(where+", PerTool of "+mode.Name, keys(mode.PerTool)...)
}

func (c *configuration) policy(options *policy.Options) {
	if options == nil {
		return
	}
	for _, name := range keys(options.Rules.Tools) {
		if !slices.Contains(options.Rules.Optional, name) {
			c.tool("Options.Policy.Rules", name)
		}
		for _, argument := range options.Rules.Tools[name] {
			c.argument("Options.Policy.Rules of "+name, name, argument.Name())
		}
	}
	ruled := keys(options.Rules.Tools)
	for _, argument := range options.Rules.Named {
		if ruled = append(ruled, argument.Name()); !slices.Contains(options.Rules.Optional, argument.Name()) {
			c.anyArgument("Options.Policy.Rules.Named", argument.Name())
		}
	}
	for _, name := range options.Rules.Optional {
		if !slices.Contains(ruled, name) {
			c.fault("Options.Policy.Rules.Optional", name, "a name in Rules.Tools or Rules.Named", ruled)
		}
	}
	for i := range options.Modes {
		c.perTool("Options.Policy.Modes", &options.Modes[i])
	}
	c.tool("Options.Policy.Rates", keys(options.Rates)...)
	c.absentPart("Policy.Limiter", options.Limiter)
	if options.Checklist != nil {
		c.checklist("Options.Policy.Checklist", options.Checklist)
	}
}

func (c *configuration) checklist(where string, list *policy.Checklist) {
	c.tool(where, list.Resolving...)
	for _, item := range list.Steps {
		c.tool(where, item.Tool)
		if item.PathArg != "" {
			c.argument(where, item.Tool, item.PathArg)
		}
		c.argument(where, item.Tool, keys(item.Args)...)
	}
}

// words are the options that speak of tools in words.
func (c *configuration) words(options *Options) {
	if judging := options.Completion; judging != nil {
		c.tool("Options.Completion.Wording", keys(judging.Wording)...)
		for _, phrase := range judging.Claims {
			if phrase.Tool != "" {
				c.tool("Options.Completion.Claims", phrase.Tool)
			}
		}
	}
	if listening := options.Intent; listening != nil {
		c.tool("Options.Intent.Silence", listening.Silence...)
		c.tool("Options.Intent.Force", keys(listening.Force)...)
		for _, example := range listening.Examples {
			c.tool("Options.Intent.Examples", example.Expected...)
		}
	}
}

// declaredArguments are the names under "properties" of a tool's schema. They are
// nil where it leaves open what may be sent: it says nothing, or other parts of it
// say more.
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

// Not only names can lead nowhere: a threshold that is not a number, a phrase without
// words and a time below zero would be taken for "not set", or would never apply.

// values refuses options whose values would do nothing.
func (c *configuration) values(options *Options) {
	c.numbers(options)
	c.combinations(options)
	c.texts(options)
	c.phrases(options)
	if options.Dates != nil {
		if err := options.Dates.Validate(); err != nil {
			c.wrong("Options.Dates: %w", err)
		}
	}
}

func (c *configuration) numbers(options *Options) {
	c.probability("Thresholds.Change", options.Thresholds.Change)
	c.probability("Thresholds.Read", options.Thresholds.Read)
	c.probability("Thresholds.Due", options.Thresholds.Due)
	c.probability("Thresholds.Outcome", options.Thresholds.Outcome)
	if judging := options.Completion; judging != nil {
		c.probability("Completion.Sure", judging.Sure)
		c.probability("Completion.Unsure", judging.Unsure)
	}
	limit := func(name string, value time.Duration, standard string) {
		if value < 0 {
			c.wrong("Options.%s is %s; use a positive time, or 0 for %s", name, value, standard)
		}
	}
	limit("ToolTimeout", options.ToolTimeout, "none but the context's")
	limit("AbandonAfter", options.AbandonAfter, defaultAbandonAfter.String())
	limit("ReaskTimeout", options.ReaskTimeout, "none but the context's")
	c.budgets(&options.Budgets)
	if options.Parallel < 0 {
		c.wrong("Options.Parallel is %d; use a number from 1, or 0 for %d", options.Parallel, defaultParallel)
	}
}

func (c *configuration) probability(name string, value float64) {
	if !(value >= 0) { // not a number is below nothing and above nothing
		c.wrong("Options.%s is %v; use a probability above 0, a number above 1 for never, or 0 for the default", name, value)
	}
}

// combinations are options of which one makes another useless.
func (c *configuration) combinations(options *Options) {
	if options.Proof == Never && !isAbsent(options.Referee) {
		c.wrong("Options.Referee answers requests for proof, and Options.Proof is Never; leave one of them out")
	}
	if options.Proof == Always && options.Budgets.Proof < 0 {
		c.wrong("Options.Proof is Always, and Options.Budgets.Proof is %d, which means never; leave one of them out",
			options.Budgets.Proof)
	}
	for i, set := range [...]bool{options.LogClaims, options.LogErrors} {
		if set && options.Logger == nil {
			c.wrong("Options.%[1]s says what Options.Logger is told, and there is no Logger; give one, or leave %[1]s out",
				[...]string{"LogClaims", "LogErrors"}[i])
		}
	}
}

// texts are held against the placeholders that are filled in them, and against the
// reasons that there are.
func (c *configuration) texts(options *Options) {
	if judging := options.Completion; judging != nil {
		for _, tool := range keys(judging.Wording) {
			c.wording("Options.Completion.Wording of "+clipped(tool), judging.Wording[tool])
		}
		c.wording("Options.Completion.DefaultWording", judging.DefaultWording)
	}
	texts := options.Texts
	if texts == nil {
		return
	}
	c.placeholders("Options.Texts.Expected", texts.Expected, "{tools}")
	c.placeholders("Options.Texts.Times", texts.Times, "{n}")
	c.wording("Options.Texts.Calls", texts.Calls)
	unset := completion.Wording{}
	if options.Completion != nil && texts.Calls != unset && options.Completion.DefaultWording != unset {
		c.wrong("Options.Texts.Calls and Options.Completion.DefaultWording are two wordings for the same calls; " +
			"leave one of them out")
	}
	if options.Reviewer != nil { // its rules have the names that it gives them
		return
	}
	known := rulesOf(options.Policy)
	for _, name := range keys(texts.Reasons) {
		if !slices.Contains(known, name) {
			c.fault("Options.Texts.Reasons", name, "a reason that calls are refused for", known)
		}
	}
}

// rulesOf are the names under which calls can be refused or fail, sorted.
func rulesOf(options *policy.Options) []string {
	entities := []string{ruleAmbiguous, ruleNotFound, ruleResolve}
	known := slices.Concat(slices.Collect(maps.Keys(TextsIn("en").Reasons)), argumentRules, valueRules, entities)
	if options != nil {
		arguments := slices.Clone(options.Rules.Named)
		for _, own := range options.Rules.Tools {
			arguments = append(arguments, own...)
		}
		for _, argument := range arguments {
			known = append(known, argument.Rules()...)
		}
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

// placeholders refuses names in braces that nothing is put in place of.
func (c *configuration) placeholders(where, text string, known ...string) {
	for {
		_, rest, opened := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !opened || !closed {
			return
		}
		text = rest
		if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			continue // braces of the host's own
		}
		text = after
		if placeholder := "{" + name + "}"; !slices.Contains(known, placeholder) {
			c.fault(where, placeholder, "a placeholder of it", known)
		}
	}
}

func isOnlySpace(text string) bool { return strings.TrimSpace(text) == "" }

// phrases are words of the host's that are looked for in texts and messages.
func (c *configuration) phrases(options *Options) {
	if judging := options.Completion; judging != nil {
		for i, phrase := range judging.Claims {
			if isOnlySpace(phrase.Text) {
				c.wrong("Options.Completion.Claims[%d]: Text is blank; give the phrase, or leave it out", i)
			}
		}
		for i, phrase := range judging.Blockers {
			if isOnlySpace(phrase.Text) {
				c.wrong("Options.Completion.Blockers[%d]: Text is blank; give the phrase, or leave it out", i)
			}
			if phrase.Kind == completion.NoBlocker || phrase.Kind > completion.Refusal {
				c.wrong("Options.Completion.Blockers[%d]: Kind is %s; use one of %s", i, phrase.Kind, blockerKinds())
			}
		}
	}
	if options.Intent == nil {
		return
	}
	for i, example := range options.Intent.Examples {
		if isOnlySpace(example.User) {
			c.wrong("Options.Intent.Examples[%d]: User is blank; give the message, or leave the example out", i)
		}
	}
	for _, tool := range keys(options.Intent.Force) {
		for _, phrase := range options.Intent.Force[tool] {
			if !strings.ContainsFunc(phrase, isWordRune) {
				c.wrong("Options.Intent.Force of %s: %q has no words; give some, or leave it out", clipped(tool), clipped(phrase))
			}
		}
		if slices.Contains(options.Intent.Silence, tool) {
			c.wrong("Options.Intent.Force and Silence both name %q; leave it out of one", clipped(tool))
		}
	}
}

func blockerKinds() string {
	var kinds []string
	for kind := completion.NoBlocker + 1; kind <= completion.Refusal; kind++ {
		kinds = append(kinds, kind.String())
	}
	return strings.Join(kinds, ", ")
}

// toolWords refuses words of a tool that are none.
func (c *configuration) toolWords(tool *tooltrack.Tool) {
	for i, list := range [...][]string{tool.Words.Verbs, tool.Words.Nouns} {
		if slices.ContainsFunc(list, isOnlySpace) {
			c.wrong("Words.%s of %s: one is blank; give the word, or leave it out", [...]string{"Verbs", "Nouns"}[i],
				clipped(tool.Name))
		}
	}
}

// requestKinds are those of requests, for which there can be contracts.
var requestKinds = []intent.Kind{intent.Chat, intent.Question, intent.Analysis, intent.Action}
