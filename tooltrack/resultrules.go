package tooltrack

import (
	_ "embed" // of the table
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ResultRule is a row of the table by which the results of calls are read. It
// looks either at the top-level members of a JSON object (Members, in any
// letter case) or at a text (Begins, Ends, Lines). The table of this package is
// [ResultRules]; [ParseOptions.Rules] adds a host's own rows, which count like
// those.
type ResultRule struct {
	// Name is what the row is called, and Source who writes results like that.
	Name, Source string
	// Members are names of a member, such as "status", and Values the texts,
	// numbers or literals of it that the row is about, in any letter case.
	Members, Values []string
	// Begins are beginnings of a text, Ends endings, and Lines beginnings of any of
	// its lines, in any letter case.
	Begins, Ends, Lines []string
	// Then is what such a result is.
	Then Status
	// Example is a body that the row is about, and Counterexample one that looks
	// like it and is a plain success.
	Example, Counterexample string

	own *ownRule // what only rows of this package have
}

// ownRule is what a row of results.txt can ask and say beside what hosts can.
type ownRule struct {
	when            func(value []byte) bool
	matches, unless *regexp.Regexp
	closes, holds   []string
	like            []string // names of rows
	within          string
	leaves          string // "doubt" or "partly": a success, of which it says no more
	notes           map[string]bool
}

// has reports whether a row has a note; see results.txt.
func (r *ResultRule) has(note string) bool { return r.own != nil && r.own.notes[note] }

// leaves is what the row makes of a success; empty if it makes it something else.
func (r *ResultRule) leaves() string {
	if r.own == nil {
		return ""
	}
	return r.own.leaves
}

// Validate reports a row that can match no result, or that leads to no status.
func (r ResultRule) Validate() error {
	switch member := len(r.Members) > 0; {
	case r.own != nil:
	case member && len(r.Values) == 0:
		return errors.New("the Members have no Values; name the values that the row is about")
	case !member && len(r.Values) > 0:
		return errors.New("the Values have no Members; name the members that hold them")
	case !member && len(r.Begins)+len(r.Ends)+len(r.Lines) == 0:
		return errors.New("it is about no result; set Members with Values, Begins, Ends or Lines")
	}
	if int(r.Then) >= len(statusNames) {
		return fmt.Errorf("the field Then is %s; use one of %s", r.Then, strings.Join(statusNames[:], ", "))
	}
	return nil
}

// ResultRules is the table: how tools, runtimes and frameworks say that a call
// did not succeed. It is a copy.
func ResultRules() []ResultRule { return slices.Clone(resultTable().rows) }

//go:embed results.txt
var resultsText string

// table is results.txt, indexed.
type table struct {
	rows    []ResultRule
	named   map[string]*ResultRule
	members map[string][]*ResultRule // by the member's name in lower case
	texts   []*ResultRule
}

var resultTable = sync.OnceValue(func() *table {
	t := &table{named: map[string]*ResultRule{}, members: map[string][]*ResultRule{}}
	for _, block := range strings.Split(resultsText, "\n\n") {
		if rule, err := parseRule(block); err != nil {
			panic(err) // the file is part of the program and covered by its tests
		} else if rule.Name != "" {
			t.rows = append(t.rows, rule)
		}
	}
	for i := range t.rows {
		row := &t.rows[i]
		t.named[row.Name] = row
		for _, name := range row.Members {
			t.members[strings.ToLower(name)] = append(t.members[strings.ToLower(name)], row)
		}
		if len(row.Members) == 0 {
			t.texts = append(t.texts, row)
		}
	}
	return t
})

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\e`, "\x1b")

// ruleFields are what a block of results.txt may hold.
var ruleFields = strings.Fields("row source members values when begins ends lines is opens marks closes holds " +
	"matches unless like within then notes example but")

// parseRule reads a block of results.txt. One of comments is a rule without a name.
func parseRule(block string) (ResultRule, error) {
	fields := map[string][]string{}
	for line := range strings.Lines(block) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		if !slices.Contains(ruleFields, key) {
			return ResultRule{}, fmt.Errorf("%q is not known", line)
		}
		fields[key] = append(fields[key], value)
	}
	text := func(key string) string { return strings.Join(fields[key], " ") }
	list := func(key string) (all []string) {
		for _, line := range fields[key] {
			for part := range strings.SplitSeq(line, "|") {
				all = append(all, strings.TrimSpace(part))
			}
		}
		return all
	}
	own := &ownRule{
		when: valueTests[text("when")], closes: list("closes"), holds: list("holds"), like: list("like"),
		within: text("within"), notes: map[string]bool{},
	}
	for note := range strings.FieldsSeq(text("notes")) {
		own.notes[note] = true
	}
	own.matches = patternOf(append(fields["matches"], phrasePatterns(list, strings.Trim(text("marks"), `"`))...))
	own.unless = patternOf(fields["unless"])
	rule := ResultRule{
		Name: text("row"), Source: text("source"), Members: list("members"), Values: list("values"), Begins: list("begins"),
		Ends: list("ends"), Lines: list("lines"), Example: escapes.Replace(text("example")),
		Counterexample: escapes.Replace(text("but")), own: own,
	}
	if then := text("then"); then == "doubt" || then == "partly" {
		own.leaves, rule.Then = then, Succeeded
	} else if err := rule.Then.UnmarshalText([]byte(then)); err != nil {
		return rule, fmt.Errorf("%s: %w", rule.Name, err)
	}
	return rule, nil
}

// phrasePatterns are the phrases of a row as regular expressions.
func phrasePatterns(list func(key string) []string, marks string) (patterns []string) {
	gap := ""
	if !strings.Contains(marks, " ") {
		gap = " *" // as French sets its colons
	}
	for _, form := range [][2]string{
		{"is", `^%s[ .!]*$`},
		{"opens", "^%s" + gap + "(?:$|[" + marks + "])"},
	} {
		if phrases := list(form[0]); phrases != nil {
			patterns = append(patterns, fmt.Sprintf(form[1], "(?i:"+alternatives(phrases)+")"))
		}
	}
	return patterns
}

// patternOf compiles alternatives, in which {name} stands for the phrases of words.txt; nil if
// there are none. Those that only look at the beginning do so with one "^", or all of a text
// would be searched.
func patternOf(patterns []string) *regexp.Regexp {
	if len(patterns) == 0 {
		return nil
	}
	all := strings.Join(patterns, "|")
	if strings.Count(all, "|^") == len(patterns)-1 && all[0] == '^' {
		all = "^(?:" + strings.ReplaceAll(all[1:], "|^", "|") + ")"
	}
	return regexp.MustCompile("(?s)" + phraseList.ReplaceAllStringFunc(all, func(name string) string {
		return alternatives(phrases(strings.Trim(name, "{}")))
	}))
}

var phraseList = regexp.MustCompile(`\{[a-z][a-z ]+\}`)

func alternatives(phrases []string) string {
	return "(?:" + strings.ReplaceAll(regexp.QuoteMeta(strings.Join(phrases, "|")), `\|`, "|") + ")"
}

// rowsFor are the rows about a member, the host's own among them.
func rowsFor(key string, options *ParseOptions) iter.Seq[*ResultRule] {
	return func(yield func(*ResultRule) bool) {
		for _, row := range resultTable().members[key] {
			if !yield(row) {
				return
			}
		}
		same := func(name string) bool { return strings.EqualFold(name, key) }
		for row := range options.rows() {
			if slices.ContainsFunc(row.Members, same) && !yield(row) {
				return
			}
		}
	}
}

// textRows are the rows about texts, the host's own first.
func textRows(options *ParseOptions) iter.Seq[*ResultRule] {
	return func(yield func(*ResultRule) bool) {
		for row := range options.rows() {
			if len(row.Members) == 0 && !yield(row) {
				return
			}
		}
		for _, row := range resultTable().texts {
			if !yield(row) {
				return
			}
		}
	}
}

// isAbout reports whether a row is about a member's value.
func (r *ResultRule) isAbout(value []byte) bool {
	switch {
	case r.own != nil && r.own.when != nil:
		return r.own.when(value)
	case r.own != nil && r.own.matches != nil:
		return r.own.isAbout(strings.TrimSpace(jsonspan.Scalar(value)))
	}
	text := jsonspan.Scalar(value)
	if kind := jsonspan.KindOf(value); kind == jsonspan.Bool || kind == jsonspan.Null {
		text = string(value)
	}
	return slices.ContainsFunc(r.Values, func(known string) bool { return isSameWords(known, text) })
}

func (o *ownRule) isAbout(text string) bool {
	isLike := func(row string) bool { return resultTable().named[row].isIn(text) }
	return text != "" && o.isIn(text) || strings.ContainsAny(text, " :") && slices.ContainsFunc(o.like, isLike)
}

// isIn reports whether what a row is about stands in a text.
func (r *ResultRule) isIn(text string) bool {
	begins := func(beginning string) bool { return hasPrefixFold(text, beginning) }
	ends := func(ending string) bool {
		return len(text) >= len(ending) && strings.EqualFold(text[len(text)-len(ending):], ending)
	}
	if slices.ContainsFunc(r.Begins, begins) || slices.ContainsFunc(r.Ends, ends) || r.own != nil && r.own.isIn(text) {
		return true
	}
	for line := range strings.Lines(text) {
		if len(r.Lines) == 0 {
			break
		}
		line = strings.TrimLeft(line, " \t")
		if slices.ContainsFunc(r.Lines, func(beginning string) bool { return hasPrefixFold(line, beginning) }) {
			return true
		}
	}
	return false
}

// What a text may be within a row of results.txt, in bytes.
const (
	maxTold = 400  // that is told as a message. What is longer is content, which may begin with any words
	maxPage = 2000 // of a page that is looked at
)

func (o *ownRule) isIn(text string) bool {
	isLine := len(text) <= maxTold/2 && !strings.Contains(text, "\n")
	switch {
	case (o.within == "line" || o.within == "sentence") && !isLine, o.within == "message" && len(text) > maxTold:
		return false
	case o.within == "sentence":
		text, _, _ = strings.Cut(text, ". ")
	case o.within == "page":
		text = text[:min(len(text), maxPage)]
	case o.within == "tail":
		text = text[max(0, len(text)-maxTold):]
	}
	if o.matches != nil && o.matches.MatchString(text) {
		return o.unless == nil || !o.unless.MatchString(text)
	}
	bare := strings.TrimRight(text, " .!")
	closes := func(phrase string) bool { // which is not all there is: that may be the answer to a question
		at := len(bare) - len(phrase)
		return at > 1 && bare[at-1] == ' ' && strings.EqualFold(bare[at:], phrase)
	}
	if o.holds == nil {
		return slices.ContainsFunc(o.closes, closes)
	}
	spaced := " " + punctuation.Replace(strings.ToLower(text)) + " "
	return slices.ContainsFunc(o.holds, func(phrase string) bool { return strings.Contains(spaced, " "+phrase+" ") })
}

var punctuation = strings.NewReplacer(".", " ", ",", " ", "!", " ", ";", " ", ":", " ")

func hasPrefixFold(text, beginning string) bool {
	return beginning != "" && len(text) >= len(beginning) && strings.EqualFold(text[:len(beginning)], beginning)
}
