package guard

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

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
	for _, threshold := range []struct {
		name  string
		value float64
	}{
		{"Thresholds.Change", options.Thresholds.Change}, {"Thresholds.Read", options.Thresholds.Read},
		{"Thresholds.Due", options.Thresholds.Due}, {"Thresholds.Outcome", options.Thresholds.Outcome},
	} {
		c.probability(threshold.name, threshold.value)
	}
	if judging := options.Completion; judging != nil {
		c.probability("Completion.Sure", judging.Sure)
		c.probability("Completion.Unsure", judging.Unsure)
	}
	for _, limit := range []struct {
		name, standard string
		value          time.Duration
	}{
		{"ToolTimeout", "none but the context's", options.ToolTimeout},
		{"AbandonAfter", defaultAbandonAfter.String(), options.AbandonAfter},
		{"ReaskTimeout", "none but the context's", options.ReaskTimeout},
	} {
		if limit.value < 0 {
			c.wrong("Options.%s is %s; use a positive time, or 0 for %s", limit.name, limit.value, limit.standard)
		}
	}
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
	if options.Proof == Never && !absent(options.Referee) {
		c.wrong("Options.Referee answers requests for proof, and Options.Proof is Never; leave one of them out")
	}
	if options.Proof == Always && options.Budgets.Proof < 0 {
		c.wrong("Options.Proof is Always, and Options.Budgets.Proof is %d, which means never; leave one of them out",
			options.Budgets.Proof)
	}
	const unheard = "Options.%[1]s says what Options.Logger is told, and there is no Logger; " +
		"give one, or leave %[1]s out"
	if options.LogClaims && options.Logger == nil {
		c.wrong(unheard, "LogClaims")
	}
	if options.LogErrors && options.Logger == nil {
		c.wrong(unheard, "LogErrors")
	}
}

// texts are held against the placeholders that are filled in them, and against the
// reasons that there are.
func (c *configuration) texts(options *Options) {
	if judging := options.Completion; judging != nil {
		for _, tool := range slices.Sorted(maps.Keys(judging.Wording)) {
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
	for _, name := range slices.Sorted(maps.Keys(texts.Reasons)) {
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

// phrases are words of the host's that are looked for in texts and messages.
func (c *configuration) phrases(options *Options) {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	if judging := options.Completion; judging != nil {
		for i, phrase := range judging.Claims {
			if blank(phrase.Text) {
				c.wrong("Options.Completion.Claims[%d]: Text is blank; give the phrase, or leave it out", i)
			}
		}
		for i, phrase := range judging.Blockers {
			if blank(phrase.Text) {
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
		if blank(example.User) {
			c.wrong("Options.Intent.Examples[%d]: User is blank; give the message, or leave the example out", i)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(options.Intent.Force)) {
		for _, phrase := range options.Intent.Force[tool] {
			if !strings.ContainsFunc(phrase, wordRune) {
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
	for _, words := range []struct {
		field string
		list  []string
	}{{"Verbs", tool.Words.Verbs}, {"Nouns", tool.Words.Nouns}} {
		if slices.ContainsFunc(words.list, func(word string) bool { return strings.TrimSpace(word) == "" }) {
			c.wrong("Words.%s of %s: one is blank; give the word, or leave it out", words.field, clipped(tool.Name))
		}
	}
}

// kinds are those of requests, for which there can be contracts.
var kinds = []intent.Kind{intent.Chat, intent.Question, intent.Analysis, intent.Action}
