package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolReading is what a tool does, by its words.
type toolReading struct {
	toolname.Reading
	effect tooltrack.Effect
	says   lexicon.Families // what the description says that it does
	hands  bool             // it hands its work to another agent
}

// does reports whether a tool does such a thing, by its name or by its description.
func (t *toolReading) does(acts lexicon.Families) bool {
	return t.Families.Overlaps(acts) || t.says.Overlaps(acts)
}

// Readings are what a set of tools does, read once for many reports. They are
// immutable and safe for concurrent use; nil holds none.
type Readings struct {
	byName map[string]*toolReading
	words  keys // the tools' own, of all of them
}

// NewReadings reads tools.
func NewReadings(tools []tooltrack.Tool) *Readings {
	readings, reader := Readings{make(map[string]*toolReading, len(tools)), keys{}}, reading.English()
	for _, tool := range tools {
		named := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
		read := toolname.Read(lexicon.English(), named)
		readings.byName[tool.Name] = &toolReading{read, tool.Effect, described(reader, tool.Description), tool.Delegates}
		readings.words.add(reader.Values(nil, tool.Name+"\n"+tool.Description+"\n"+string(tool.Parameters)))
	}
	return &readings
}

// described are the acts of which a description speaks. It is as good as the name for
// what a call may be: a tool that creates pull requests opens them.
func described(reader *reading.Reader, description string) (acts lexicon.Families) {
	text := reader.ReadClauses(nil, description)
	for i := range text.Clauses {
		if clause := &text.Clauses[i]; clause.Verb >= 0 && !clause.Negated {
			acts = acts.Union(text.Tokens[clause.Verb].Families())
		}
	}
	return acts
}

// of are the readings of the offered tools: these, or new ones where a tool is
// not among them.
func (r *Readings) of(tools []tooltrack.Tool) *Readings {
	for _, tool := range tools {
		if r == nil || r.byName[tool.Name] == nil {
			return NewReadings(tools)
		}
	}
	if r == nil {
		return &Readings{}
	}
	return r
}

// TellsAct reports whether a text tells as done, by us or by nobody in particular, what
// some words ask for: by their own verb, or by one of the same kind.
func TellsAct(text, words string, acts lexicon.Families) bool {
	k := newReader()
	defer k.leave()
	if !k.tellsAct(text) {
		return false
	}
	verbs := k.verbs(text)
	asked := func(v reading.Value) bool { return verbs[v.Key] }
	return actsOf(text).Overlaps(acts) || slices.ContainsFunc(k.values(words), asked)
}

// ownedByAnother reports whether an act plainly belongs to another offered tool,
// and none of the cited calls could be meant by it. Another word for the same act
// is no evidence: the act must be outside all that the cited tools do, and inside
// what exactly the other one does.
func (c *checker) ownedByAnother(what string, cited []*tooltrack.Record, answered bool) bool {
	acts := c.actsOf(what, cited)
	if acts.Empty() {
		return false
	}
	for _, record := range cited {
		tool := c.tools[record.Tool]
		if tool == nil || !record.Succeeded() {
			continue
		}
		if tool.Families.Empty() || tool.does(acts) || strings.Contains(what, record.Tool) {
			return false
		}
	}
	return slices.ContainsFunc(c.turn.Tools, func(tool tooltrack.Tool) bool {
		read := c.tools[tool.Name]
		if read.effect.MayChange() == answered {
			return false // what was looked up belongs to a tool that reads, what was done to one that changes
		}
		return read.Families.Overlaps(acts) && !citedTool(cited, tool.Name) && c.shares(what, read)
	})
}

// ownAct reports whether the act that a description tells is what a cited call
// does.
func (c *checker) ownAct(what string, cited []*tooltrack.Record) bool {
	acts := actsOf(what)
	return slices.ContainsFunc(cited, func(r *tooltrack.Record) bool {
		return c.tools[r.Tool] != nil && c.tools[r.Tool].Families.Overlaps(acts)
	})
}

// opposed is the tool of a cited call that does the opposite of what an item
// says, where no other cited call does what it says; empty if there is none.
func (c *checker) opposed(what string, cited []*tooltrack.Record) string {
	acts, opposite := c.actsOf(what, cited), ""
	for _, record := range cited {
		tool := c.tools[record.Tool]
		if tool == nil || !record.Succeeded() || !c.mayChange(record) {
			continue
		}
		if tool.does(acts) || !tool.Opposites.Overlaps(acts) || strings.Contains(what, record.Tool) {
			return ""
		}
		opposite = record.Tool
	}
	return opposite
}

// undone is the tool of the only cited call where an item tells as a state what its
// sibling brings about and it undoes: "Card 4411 is frozen", shown by unfreeze_card beside
// freeze_card. It is empty if there is none.
func (c *checker) undone(what string, cited []*tooltrack.Record) string {
	if len(cited) != 1 || !c.came(cited[0]) || !c.mayChange(cited[0]) || c.known.hedged(what) {
		return ""
	}
	tool, text := c.tools[cited[0].Tool], c.known.read(what)
	if tool == nil {
		return ""
	}
	for i := range text.Clauses {
		clause := &text.Clauses[i]
		if !told(clause) || text.Says(clause.Verb-1, "still") || !text.Tokens[clause.Verb].Form().Has(lexicon.Participle) {
			continue // what is still so was another's
		}
		verb, acts := text.Word(clause.Verb), text.Tokens[clause.Verb].Families()
		if tool.does(acts) || !tool.Opposites.Overlaps(acts) || c.known.overlap(verb, textOf(cited[0])) {
			continue
		}
		sibling := func(other tooltrack.Tool) bool {
			read := c.tools[other.Name]
			return c.sameVerb(verb, read) && sameNouns(read.Nouns, tool.Nouns)
		}
		if slices.ContainsFunc(c.turn.Tools, sibling) {
			return cited[0].Tool
		}
	}
	return ""
}

// sameNouns reports whether two tools work on the same thing.
func sameNouns(a, b []toolname.Word) bool {
	return len(a) > 0 && slices.EqualFunc(a, b, func(a, b toolname.Word) bool { return a.Text == b.Text })
}

// shares reports whether a piece of text names a tool's own verb, or one of the
// things it works on.
func (c *checker) shares(what string, read *toolReading) bool {
	if c.known.overlap(what, read.Verb.Text) {
		return true
	}
	for _, noun := range read.Nouns {
		if c.known.overlap(what, noun.Text) {
			return true
		}
	}
	return len(read.Nouns) == 0
}

func citedTool(cited []*tooltrack.Record, tool string) bool {
	for _, record := range cited {
		if record.Tool == tool {
			return true
		}
	}
	return false
}

// actsOf are the acts that an item tells. In the user's own words those are none that
// the cited calls say, too: one may have taken "my son ordered it" for its reason.
func (c *checker) actsOf(what string, cited []*tooltrack.Record) lexicon.Families {
	if !strings.Contains(c.turn.User, what) {
		return actsOf(what)
	}
	var said strings.Builder
	for _, record := range cited {
		said.WriteString(strings.ToLower(textOf(record)))
	}
	return actsBut(what, said.String())
}

// actsOf are the families of the verb that a short description begins with:
// "Cancelled the dinner", "the dinner was cancelled". The first word that can
// only be a verb in such a place counts; once something is told as done, a bare verb is
// none: "Asked Ann for the pay slips".
func actsOf(what string) lexicon.Families { return actsBut(what, "") }

// actsBut are the same, but for words that are said elsewhere.
func actsBut(what, said string) lexicon.Families {
	language, done := lexicon.English(), false
	for _, token := range language.Tokenize(nil, what) {
		if token.Entry == nil || !token.IsWord() || token.Flags&lexicon.Quoted != 0 {
			continue // the words of a title do nothing
		}
		if said != "" && strings.Contains(said, strings.ToLower(what[token.Start:token.End])) {
			continue
		}
		form := token.Form()
		past := form.Has(lexicon.Past | lexicon.Participle)
		if form.Has(lexicon.Noun) || !past && (done || !form.Has(lexicon.Base)) {
			continue
		}
		if !token.Families().Empty() {
			return token.Families()
		}
		done = done || past
	}
	return lexicon.Families{}
}

// names reports whether a piece of text speaks of what a tool does.
func (c *checker) names(what, tool string) bool {
	read := c.tools[tool]
	if read == nil {
		return strings.Contains(strings.ToLower(what), strings.ToLower(tool))
	}
	return read.Families.Overlaps(actsOf(what)) || c.shares(what, read) && len(read.Nouns) > 0
}
