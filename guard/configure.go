package guard

import (
	"errors"
	"maps"
	"slices"

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
	for _, kind := range slices.Sorted(maps.Keys(g.options.Directories)) {
		if !slices.Contains(kinds, kind) {
			c.fault("Options.Directories", kind, "the Subject.Kind of a tool", kinds)
		}
		if absent(g.options.Directories[kind]) {
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
	if given != nil && absent(given) {
		c.wrong("Options.%s holds a nil pointer or function; give one that works, or leave the field out", name)
	}
}

func (c *configuration) contracts(options *Options) {
	for _, kind := range slices.Sorted(maps.Keys(options.Contracts)) {
		if !slices.Contains(kinds, kind) {
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
		if absent(requirement) {
			c.wrong("%s: Require[%d] is nil; give a requirement, or leave it out", where, i)
		}
	}
	for _, name := range contract.Tools() {
		c.tool(where, name)
	}
}

func (c *configuration) modes(modes []Mode) {
	for _, mode := range modes {
		for _, name := range mode.Tools {
			c.tool("Options.Modes, Tools of "+mode.Name, name)
		}
		c.perTool("Options.Modes", &mode.Mode)
		for _, name := range slices.Sorted(maps.Keys(mode.PerTool)) {
			if len(mode.Tools) > 0 && slices.Contains(c.tools, name) && !slices.Contains(mode.Tools, name) {
				c.wrong("Options.Modes, PerTool of %s: %q is not offered in it; add it to Tools, or leave its limit out",
					clipped(mode.Name), name)
			}
		}
	}
}

func (c *configuration) perTool(where string, mode *policy.Mode) {
	for _, name := range slices.Sorted(maps.Keys(mode.PerTool)) {
		c.tool(where+", PerTool of "+mode.Name, name)
	}
}

func (c *configuration) policy(options *policy.Options) {
	if options == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(options.Rules.Tools)) {
		if !slices.Contains(options.Rules.Optional, name) {
			c.tool("Options.Policy.Rules", name)
		}
		for _, argument := range options.Rules.Tools[name] {
			c.argument("Options.Policy.Rules of "+name, name, argument.Name())
		}
	}
	ruled := slices.Sorted(maps.Keys(options.Rules.Tools))
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
	for _, name := range slices.Sorted(maps.Keys(options.Rates)) {
		c.tool("Options.Policy.Rates", name)
	}
	c.absentPart("Policy.Limiter", options.Limiter)
	if options.Checklist != nil {
		c.checklist("Options.Policy.Checklist", options.Checklist)
	}
}

func (c *configuration) checklist(where string, list *policy.Checklist) {
	for _, name := range list.Resolving {
		c.tool(where, name)
	}
	for _, item := range list.Steps {
		c.tool(where, item.Tool)
		if item.PathArg != "" {
			c.argument(where, item.Tool, item.PathArg)
		}
		for _, argument := range slices.Sorted(maps.Keys(item.Args)) {
			c.argument(where, item.Tool, argument)
		}
	}
}

// words are the options that speak of tools in words.
func (c *configuration) words(options *Options) {
	if judging := options.Completion; judging != nil {
		for _, name := range slices.Sorted(maps.Keys(judging.Wording)) {
			c.tool("Options.Completion.Wording", name)
		}
		for _, phrase := range judging.Claims {
			if phrase.Tool != "" {
				c.tool("Options.Completion.Claims", phrase.Tool)
			}
		}
	}
	if listening := options.Intent; listening != nil {
		for _, name := range listening.Silence {
			c.tool("Options.Intent.Silence", name)
		}
		for _, name := range slices.Sorted(maps.Keys(listening.Force)) {
			c.tool("Options.Intent.Force", name)
		}
		for _, example := range listening.Examples {
			for _, name := range example.Expected {
				c.tool("Options.Intent.Examples", name)
			}
		}
	}
}

// declaredArguments are the names under "properties" of a tool's schema. They are
// nil where it leaves open what may be sent: it says nothing, or other parts of it
// say more.
func declaredArguments(tool tooltrack.Tool) []string {
	var scan jsonspan.Scanner
	if _, fault := scan.Object(tool.Parameters); fault != nil {
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
