package guard

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A rule for a tool that does not exist protects nobody, and says nothing. So
// every name in the options is held against the names there are, and all that
// lead nowhere are told at once.

// configuration collects what is wrong with the options.
type configuration struct {
	tools     []string
	arguments map[string][]string // declared by each tool's schema; nil where it declares none
	faults    []error
}

// checkNames refuses options that name tools, arguments or kinds that do not
// exist.
func (g *Guard) checkNames() error {
	c := configuration{tools: names(g.tools), arguments: map[string][]string{}}
	var kinds []string
	for _, tool := range g.tools {
		c.arguments[tool.Name] = declaredArguments(tool)
		if tool.Subject.Arg != "" {
			c.argument("Subject.Arg of "+tool.Name, tool.Name, tool.Subject.Arg)
		}
		if tool.Answer.Arg != "" {
			c.argument("Answer.Arg of "+tool.Name, tool.Name, tool.Answer.Arg)
		}
		if tool.Subject.Kind != "" && !slices.Contains(kinds, tool.Subject.Kind) {
			kinds = append(kinds, tool.Subject.Kind)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(g.options.Directories)) {
		if !slices.Contains(kinds, kind) {
			c.fault("Options.Directories", kind, "the Subject.Kind of a tool", kinds)
		}
		if absent(g.options.Directories[kind]) {
			c.faults = append(c.faults, fmt.Errorf(
				"Options.Directories: the directory of %q is nil; give one, or leave the kind out", clipped(kind)))
		}
	}
	c.parts(&g.options)
	c.modes(g.options.Modes)
	c.policy(g.options.Policy)
	c.words(&g.options)
	return errors.Join(c.faults...)
}

func (c *configuration) fault(where, name, what string, known []string) {
	message := fmt.Sprintf("%s: %q is not %s", where, clipped(name), what)
	if near := nearest(name, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if len(known) > 0 {
		message += "; use one of " + strings.Join(known[:min(len(known), maxListed)], ", ")
	}
	c.faults = append(c.faults, errors.New(message))
}

// maxListed is how many known names a fault lists where none is near.
const maxListed = 20

func (c *configuration) tool(where, name string) {
	if !slices.Contains(c.tools, name) {
		c.fault(where, name, "a tool", c.tools)
	}
}

func (c *configuration) argument(where, tool, name string) {
	if declared := c.arguments[tool]; declared != nil && !slices.Contains(declared, name) {
		c.fault(where, name, "an argument of "+tool, declared)
	}
}

// parts are the host's own judges. One that is nil in its interface would fail in
// every turn, and turns go on without it.
func (c *configuration) parts(options *Options) {
	for _, part := range []struct {
		name  string
		given any
	}{
		{"Classifier", options.Classifier}, {"Reviewer", options.Reviewer},
		{"Evaluator", options.Evaluator}, {"Referee", options.Referee},
	} {
		if part.given != nil && absent(part.given) {
			c.faults = append(c.faults, fmt.Errorf(
				"Options.%s holds a nil pointer or function; give one that works, or leave the field out", part.name))
		}
	}
}

func (c *configuration) modes(modes []Mode) {
	for _, mode := range modes {
		for _, name := range mode.Tools {
			c.tool("Options.Modes, Tools of "+mode.Name, name)
		}
		for _, name := range slices.Sorted(maps.Keys(mode.PerTool)) {
			c.tool("Options.Modes, PerTool of "+mode.Name, name)
		}
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
	for _, name := range slices.Sorted(maps.Keys(options.Rates)) {
		c.tool("Options.Policy.Rates", name)
	}
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
	if completion := options.Completion; completion != nil {
		for _, name := range slices.Sorted(maps.Keys(completion.Wording)) {
			c.tool("Options.Completion.Wording", name)
		}
		for _, phrase := range completion.Claims {
			if phrase.Tool != "" {
				c.tool("Options.Completion.Claims", phrase.Tool)
			}
		}
	}
	if intent := options.Intent; intent != nil && options.Classifier == nil {
		for _, name := range intent.Silence {
			c.tool("Options.Intent.Silence", name)
		}
		for _, name := range slices.Sorted(maps.Keys(intent.Force)) {
			c.tool("Options.Intent.Force", name)
		}
		for _, example := range intent.Examples {
			for _, name := range example.Expected {
				c.tool("Options.Intent.Examples", name)
			}
		}
	}
}

// declaredArguments are the names under "properties" of a tool's schema; nil if
// it declares none.
func declaredArguments(tool tooltrack.Tool) []string {
	var scan jsonspan.Scanner
	if _, fault := scan.Object(tool.Parameters); fault != nil {
		return nil // the policy says what is wrong with it
	}
	var declared []string
	for key, value := range jsonspan.Members(tool.Parameters) {
		if string(jsonspan.Key(key)) != "properties" {
			continue
		}
		for name := range jsonspan.Members(value) {
			declared = append(declared, string(jsonspan.Key(name)))
		}
	}
	return declared
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
