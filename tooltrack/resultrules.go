package tooltrack

import (
	_ "embed" // of the table
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// rule is a row of results.txt, which says what the fields are: how tools, runtimes and
// frameworks say that a call did not succeed. It looks either at the top-level members of a
// JSON object or at a text.
type rule struct {
	name, source            string
	members                 []string
	when                    func(value []byte) bool
	matches, unless         *regexp.Regexp
	lines, like             []string
	within                  string
	then                    Status
	leaves                  string // "doubt" or "partly": a success, of which it says no more
	notes                   map[string]bool
	example, counterexample string
}

//go:embed results.txt
var resultsText string

// table is results.txt, indexed.
type table struct {
	rows    []*rule
	named   map[string]*rule
	members map[string][]*rule // by the member's name in lower case
	texts   []*rule
}

var resultTable = sync.OnceValue(func() *table {
	t := &table{named: map[string]*rule{}, members: map[string][]*rule{}}
	for _, block := range strings.Split(resultsText, "\n\n") {
		row, err := parseRule(block)
		if err != nil {
			panic(err) // the file is part of the program and covered by its tests
		}
		if row.name == "" { // nothing but comments
			continue
		}
		t.rows, t.named[row.name] = append(t.rows, row), row
		for _, name := range row.members {
			t.members[strings.ToLower(name)] = append(t.members[strings.ToLower(name)], row)
		}
		if row.members == nil {
			t.texts = append(t.texts, row)
		}
	}
	return t
})

// forms are the fields of a row that list phrases, as regular expressions: the phrases in any
// letter case in the place of %s, and what a space in them stands for.
var forms = []struct{ field, pattern, space string }{
	{"values", `^%s$`, "[ _-]"}, {"begins", `^%s`, " "}, {"ends", `%s$`, " "}, {"is", `^%s[ .!]*$`, " "},
	{"opens", `^%s{marks}`, " "}, {"closes", `. %s[ .!]*$`, " "},
	{"holds", `(?:^|[ .,!;:])%s(?:$|[ .,!;:])`, "[ .,!;:]"},
}

// otherFields are what a block of results.txt may hold beside those.
var otherFields = strings.Fields("row source members when lines marks matches unless like within then notes example " +
	"but")

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\e`, "\x1b")

// parseRule reads a block of results.txt.
func parseRule(block string) (*rule, error) {
	fields := map[string][]string{}
	for line := range strings.Lines(block) {
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
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
	r := &rule{
		name: text("row"), source: text("source"), members: list("members"), when: valueTests[text("when")],
		unless: patternOf(fields["unless"]), lines: list("lines"), like: list("like"), within: text("within"),
		notes: map[string]bool{}, example: escapes.Replace(text("example")), counterexample: escapes.Replace(text("but")),
	}
	for note := range strings.FieldsSeq(text("notes")) {
		r.notes[note] = true
	}
	marks := strings.Trim(text("marks"), `"`)
	marks = "(?:$|[" + marks + "])"
	if !strings.Contains(marks, " ") {
		marks = " *" + marks // as French sets its colons
	}
	patterns := fields["matches"]
	for _, form := range forms {
		if phrases := list(form.field); phrases != nil {
			pattern := strings.ReplaceAll(form.pattern, "{marks}", marks)
			patterns = append(patterns, fmt.Sprintf(pattern, "(?i:"+alternatives(phrases, form.space)+")"))
		}
		delete(fields, form.field)
	}
	r.matches = patternOf(patterns)
	for field := range fields {
		if !slices.Contains(otherFields, field) {
			return nil, fmt.Errorf("%s: the field %q is not known", r.name, field)
		}
	}
	if then := text("then"); then == "doubt" || then == "partly" {
		r.leaves, r.then = then, Succeeded
	} else if err := r.then.UnmarshalText([]byte(then)); err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return r, nil
}

// patternOf compiles alternatives, in which {name} stands for the phrases of words.txt; nil if
// there are none. Beginnings share one "^", or all of a text would be searched.
func patternOf(patterns []string) *regexp.Regexp {
	if len(patterns) == 0 {
		return nil
	}
	all := strings.Join(patterns, "|")
	if strings.Count(all, "|^") == len(patterns)-1 && all[0] == '^' {
		all = "^(?:" + strings.ReplaceAll(all[1:], "|^", "|") + ")"
	}
	return regexp.MustCompile("(?s)" + phraseList.ReplaceAllStringFunc(all, func(name string) string {
		return alternatives(phrases(strings.Trim(name, "{}")), " ")
	}))
}

var phraseList = regexp.MustCompile(`\{[a-z][a-z ]+\}`)

func alternatives(phrases []string, space string) string {
	all := strings.ReplaceAll(regexp.QuoteMeta(strings.Join(phrases, "|")), `\|`, "|")
	return "(?:" + strings.ReplaceAll(all, " ", space) + ")"
}

// isAbout reports whether a row is about a member's value.
func (r *rule) isAbout(value []byte) bool {
	if r.when != nil {
		return r.when(value)
	}
	text := strings.TrimSpace(jsonspan.Scalar(value))
	if kind := jsonspan.KindOf(value); kind == jsonspan.Bool || kind == jsonspan.Null {
		text = string(value)
	}
	isLike := func(row string) bool { return resultTable().named[row].isIn(text) }
	return text != "" && r.isIn(text) || strings.ContainsAny(text, " :") && slices.ContainsFunc(r.like, isLike)
}

// What a text may be within a row of results.txt, in bytes.
const (
	maxTold = 400  // that is told as a message. What is longer is content, which may begin with any words
	maxPage = 2000 // of a page that is looked at
)

// isIn reports whether what a row is about stands in a text.
func (r *rule) isIn(text string) bool {
	isLine := len(text) <= maxTold/2 && !strings.Contains(text, "\n")
	switch {
	case (r.within == "line" || r.within == "sentence") && !isLine, r.within == "message" && len(text) > maxTold:
		return false
	case r.within == "sentence":
		text, _, _ = strings.Cut(text, ". ")
	case r.within == "page":
		text = text[:min(len(text), maxPage)]
	case r.within == "tail":
		text = text[max(0, len(text)-maxTold):]
	}
	if r.matches != nil && r.matches.MatchString(text) {
		return r.unless == nil || !r.unless.MatchString(text)
	}
	for at := 0; r.lines != nil && at >= 0; {
		line := strings.TrimLeft(text, " \t")
		if slices.ContainsFunc(r.lines, func(beginning string) bool {
			return len(line) >= len(beginning) && strings.EqualFold(line[:len(beginning)], beginning)
		}) {
			return true
		}
		if at = strings.IndexByte(text, '\n'); at >= 0 {
			text = text[at+1:]
		}
	}
	return false
}
