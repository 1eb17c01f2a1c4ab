package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/match"
)

// An honest model may know well what its answer rests on, and say so in a form of its own:
// a line for each letter, a table, or sentences with numbers in brackets.

// letterLine is a line that answers for a letter: "a: [2]", "- **b** no call".
var letterLine = whenUsed(`^[\s\-*+•(\["]*([A-Ha-h])["\])*]*\s*(?:[:=–-]+|\bis\b|\s)\s*(\S.*)$`)

// prose reads an answer that is no JSON.
func (r *reader) prose(text string) {
	if r.letterLines(text) || r.table(text) || r.memberLines(text) {
		return
	}
	r.sentences(text)
}

// letterLines reads a line for each letter. All of them must be there: a list of the model's
// own may have letters, too.
func (r *reader) letterLines(text string) bool {
	found := map[string]Basis{}
	for line := range strings.Lines(text) {
		one := letterLine().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if one == nil {
			continue
		}
		if letter, basis := named(r.letters, one[1]), basisIn(one[2]); letter != nil && basis.isGiven() {
			found[letter.Name] = basis
		}
	}
	if len(found) < len(r.letters) || len(found) == 0 {
		return false
	}
	r.read.Letters = found
	return true
}

// table reads a Markdown table whose first row names its columns.
func (r *reader) table(text string) bool {
	var columns []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.Count(line, "|") < 2 || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if columns == nil {
			for _, cell := range cells {
				columns = append(columns, nameOf(cell))
			}
			if !slices.Contains(columns, "what") {
				return false
			}
			continue
		}
		parts := map[string]any{}
		for i, cell := range cells[:min(len(cells), len(columns))] {
			parts[columns[i]] = strings.TrimSpace(cell)
		}
		r.items = append(r.items, itemOf(r, parts))
	}
	return len(r.items) > 0
}

var memberLine = whenUsed(`^\s*([-*+]\s+)?\**"?([A-Za-z_ ]{2,20})"?\**\s*:\s*\**\s*(\S.*)$`)

// memberLines reads items as lines, each with the name of a part: "- what: …", "status: …".
func (r *reader) memberLines(text string) bool {
	parts := map[string]any{}
	end := func() {
		if parts["what"] != nil {
			r.items = append(r.items, itemOf(r, parts))
		}
		parts = map[string]any{}
	}
	for line := range strings.Lines(text) {
		found := memberLine().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil {
			continue
		}
		name := nameOf(found[2])
		if name == "" || name == "items" || name == "message" {
			continue
		}
		if parts[name] != nil || found[1] != "" && name == "what" {
			end()
		}
		parts[name] = strings.Trim(found[3], `"', `)
	}
	end()
	return len(r.items) > 0
}

// cites is how a sentence cites calls: [2], (#2, #3), call 2, record #2.
var cites = whenUsed(
	`\[(?:#?[0-9]{1,3}(?:\s*,\s*)?)+\]|\(?#[0-9]{1,3}(?:,? (?:and )?#[0-9]{1,3})*\)?|` +
		`\(?\b(?i:by )?(?i:record|call)s? #?[0-9]{1,3}\b\)?`)

// sentences reads the sentences of a text that cite calls. One that denies something says
// that it was not done. Numbers of other things cite nothing: then there is no answer.
func (r *reader) sentences(text string) {
	for _, piece := range match.Pieces(text) {
		said := piece.Text()
		var numbers []int
		for _, cited := range cites().FindAllString(said, -1) {
			numbers = append(numbers, numbersIn(cited)...)
		}
		if len(numbers) == 0 {
			continue
		}
		if slices.ContainsFunc(numbers, func(number int) bool { return r.list.Record(number) == nil }) {
			r.fail("the answer cites a call that is not in the list: %w", ErrNoAnswer)
			return
		}
		one := item{what: strings.Trim(cites().ReplaceAllString(said, ""), " \t\n.-*"), records: numbers, cites: true}
		if match.Denies(one.what) {
			one = item{what: one.what, denied: true}
		}
		r.items = append(r.items, one)
	}
}
