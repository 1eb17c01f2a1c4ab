package tooltrack

import (
	_ "embed" // of the table
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

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
	when                     func(value []byte) bool
	text                     func(text string) bool
	is, opens, closes, holds []string
	marks, within            string
	leaves                   string // "doubt" or "partly": a success, of which it says no more
	notes                    map[string]bool
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
	members map[string][]*ResultRule // by the member's name in lower case
	texts   []*ResultRule
}

var resultTable = sync.OnceValue(func() *table {
	t := &table{members: map[string][]*ResultRule{}}
	for _, block := range strings.Split(resultsText, "\n\n") {
		if rule, err := parseRule(block); err != nil {
			panic(err) // the file is part of the program and covered by its tests
		} else if rule.Name != "" {
			t.rows = append(t.rows, rule)
		}
	}
	for i := range t.rows {
		row := &t.rows[i]
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

// parseRule reads a block of results.txt. One of comments is a rule without a name.
func parseRule(block string) (ResultRule, error) {
	own := &ownRule{notes: map[string]bool{}}
	rule := ResultRule{own: own}
	lists := map[string]*[]string{
		"members": &rule.Members, "values": &rule.Values, "begins": &rule.Begins, "ends": &rule.Ends, "lines": &rule.Lines,
		"is": &own.is, "opens": &own.opens, "closes": &own.closes, "holds": &own.holds,
	}
	texts := map[string]*string{"row": &rule.Name, "source": &rule.Source, "marks": &own.marks, "within": &own.within}
	for line := range strings.Lines(block) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case !found:
			return rule, fmt.Errorf("%q has no value", line)
		case lists[key] != nil:
			for part := range strings.SplitSeq(value, "|") {
				*lists[key] = append(*lists[key], strings.TrimSpace(part))
			}
		case texts[key] != nil:
			*texts[key] = strings.TrimSpace(*texts[key] + " " + strings.Trim(value, `"`))
			if key == "marks" {
				own.marks = strings.Trim(value, `"`)
			}
		case !rule.set(key, value):
			return rule, fmt.Errorf("%s: %q is not known", rule.Name, line)
		}
	}
	return rule, nil
}

// set takes what stands once in a block; false if it is nothing known.
func (r *ResultRule) set(key, value string) (known bool) {
	known = true
	switch key {
	case "example":
		r.Example = escapes.Replace(value)
	case "but":
		r.Counterexample = escapes.Replace(value)
	case "when":
		r.own.when, known = valueTests[value]
	case "text":
		r.own.text, known = textTests[value]
	case "notes":
		for note := range strings.FieldsSeq(value) {
			r.own.notes[note] = true
		}
	case "then":
		if value == "doubt" || value == "partly" {
			r.own.leaves, r.Then = value, Succeeded
			return true
		}
		return r.Then.UnmarshalText([]byte(value)) == nil
	default:
		return false
	}
	return known
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
	if r.own != nil && r.own.when != nil {
		return r.own.when(value)
	}
	text := jsonspan.Scalar(value)
	if kind := jsonspan.KindOf(value); kind == jsonspan.Bool || kind == jsonspan.Null {
		text = string(value)
	}
	return slices.ContainsFunc(r.Values, func(known string) bool { return isSameWords(known, text) })
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

func (o *ownRule) isIn(text string) bool {
	isLine := len(text) <= maxTold/2 && !strings.Contains(text, "\n")
	switch o.within {
	case "line":
		if !isLine {
			return false
		}
	case "sentence":
		if !isLine {
			return false
		}
		text, _, _ = strings.Cut(text, ". ")
	case "message":
		if len(text) > maxTold {
			return false
		}
	}
	bare := strings.TrimRight(text, " .!")
	same := func(phrase string) bool { return strings.EqualFold(bare, phrase) }
	opens := func(phrase string) bool { return o.hasOpening(text, phrase) }
	closes := func(phrase string) bool { // which is not all there is: that may be the answer to a question
		at := len(bare) - len(phrase)
		return at > 1 && bare[at-1] == ' ' && strings.EqualFold(bare[at:], phrase)
	}
	spaced := ""
	holds := func(phrase string) bool {
		if spaced == "" {
			spaced = " " + punctuation.Replace(strings.ToLower(text)) + " "
		}
		return strings.Contains(spaced, " "+phrase+" ")
	}
	return o.text != nil && o.text(text) || slices.ContainsFunc(o.is, same) || slices.ContainsFunc(o.opens, opens) ||
		slices.ContainsFunc(o.closes, closes) || slices.ContainsFunc(o.holds, holds)
}

var punctuation = strings.NewReplacer(".", " ", ",", " ", "!", " ", ";", " ", ":", " ")

// hasOpening reports whether a text begins with words, and ends there or goes on with one
// of the marks.
func (o *ownRule) hasOpening(text, words string) bool {
	if !hasPrefixFold(text, words) {
		return false
	}
	rest := text[len(words):]
	if !strings.Contains(o.marks, " ") {
		rest = strings.TrimLeft(rest, " ") // as French sets its colons
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || strings.ContainsRune(o.marks, next)
}

func hasPrefixFold(text, beginning string) bool {
	return beginning != "" && len(text) >= len(beginning) && strings.EqualFold(text[:len(beginning)], beginning)
}
