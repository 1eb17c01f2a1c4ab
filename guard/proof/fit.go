package proof

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/telling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A call fits a sentence where it has as much to show as the sentence tells: the
// same figure under the same name, and as many things.

// fits checks that the calls of this turn can be what a claim tells of. What a text
// looks back to happened under other calls.
func (c *checker) fits(i int) {
	claim := &c.verdict.Claims[i]
	calls := c.succeededNow()
	if claim.Earlier || len(calls) == 0 || c.known.hedged(c.within[i]) {
		return
	}
	if name, said, other := c.known.otherFigure(claim.Text, calls); said != "" {
		c.textFault("contradicted", claim.Text, "the message says %s %s, and the records say %s",
			oneLine(name, 40), oneLine(said, 40), oneLine(other, 40))
	}
	acted := claim.Kind == completion.ClaimChange && slices.ContainsFunc(calls, c.mayChange)
	said := c.known.tooMany(claim.Text, calls)
	if acted && said == "" {
		read := func(r *tooltrack.Record) bool { return !c.mayChange(r) }
		changes := slices.DeleteFunc(calls, read)
		if said = c.known.doneMore(claim.Text, changes, c.tools); said == "" {
			said = c.known.lacking(claim.Text, changes, false)
		}
	}
	if said != "" && (acted || c.known.tellsAct(claim.Text)) {
		c.textFault("too many", claim.Text, "the message says %s, and the calls show fewer; change the message so that "+
			"it tells those that were done", oneLine(said, 60))
	}
}

// succeededNow are the calls of this turn that succeeded.
func (c *checker) succeededNow() []*tooltrack.Record {
	var calls []*tooltrack.Record
	for _, record := range c.turn.List.records[c.turn.List.earlier:] {
		if record.Succeeded() {
			calls = append(calls, record)
		}
	}
	return calls
}

// noCount are the flags of numbers that neither count nor number anything.
const noCount = reading.Derived | reading.Merged | reading.Ordinal | reading.Percent

// otherFigure finds a figure in a text that stands beside the name of an argument
// or a result ("line 2", "4 replicas") while the calls give another one by that
// name, and none gives the same at all.
func (k *knowledge) otherFigure(text string, calls []*tooltrack.Record) (name, said, other string) {
	values := k.valuesOf(text)
	for i := range values {
		v := &values[i]
		figure := v.Kind == reading.Number && !v.Has(noCount|reading.Worded)
		if !figure || k.inRecords(v.Key) || totals(calls, v.Number) {
			continue
		}
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(values) || !beside(&values[j], v, text) {
				continue
			}
			if other := k.figureOf(values[j].Key, calls, j > i, v.Number); other != "" {
				return values[j].String(), v.String(), other
			}
		}
	}
	return "", "", ""
}

// totals reports whether a number is what the calls of one tool come to together.
func totals(calls []*tooltrack.Record, number float64) bool {
	return len(calls) > 1 && telling.Totals(calls, calls[0].Tool, number)
}

// beside reports whether a word stands next to a figure.
func beside(word, figure *reading.Value, text string) bool {
	if word.Kind != reading.Word || word.Has(reading.Derived|reading.Merged) || word.End() > len(text) {
		return false
	}
	gap := max(figure.Start()-word.End(), word.Start()-figure.End())
	return gap == 1 && word.End()-word.Start() > 2
}

// figureOf is a figure that the calls give by a name; empty if they give none. Where the
// name tells what is counted ("8 rows"), it is also empty if they give as many: these
// number the things, and count none.
func (k *knowledge) figureOf(name uint64, calls []*tooltrack.Record, counts bool, number float64) (figure string) {
	given := 0.0
	for _, record := range calls {
		for _, source := range [][]byte{record.Args, record.Result.Data} {
			for _, leaf := range leafList(source) {
				called := slices.ContainsFunc(k.values(leaf.key), func(v reading.Value) bool { return v.Key == name })
				if called && isFigure(leaf.value) {
					figure = cmp.Or(figure, leaf.value)
					given++
				}
			}
		}
	}
	if counts && given > 1 && number <= given {
		return ""
	}
	return figure
}

func isFigure(text string) bool {
	for i := range len(text) {
		if (text[i] < '0' || text[i] > '9') && text[i] != '.' {
			return false
		}
	}
	return text != ""
}

// tooMany is how many things a text says that something was done to, where it says
// that these are all ("both", "all three") and fewer calls were made, none of which
// speaks of as many; empty if it does not.
func (k *knowledge) tooMany(text string, calls []*tooltrack.Record) string {
	read := k.read(text)
	for i := range read.Values {
		v := &read.Values[i]
		counts := v.Kind == reading.Number && !v.Has(noCount|reading.Money)
		if !counts || v.Number < 2 || v.Number > 100 || v.Number <= float64(len(calls)) {
			continue
		}
		if !countsAll(read, v) || k.speaksOf(v.Number, calls) {
			continue
		}
		return v.String()
	}
	return ""
}

// doneMore is how often, or to how many things, a text says that something was done
// ("twice", "added two coffees") where fewer changes were made, none of which speaks of
// as many; empty if it does not. Only what these changes do counts: "It was mentioned
// twice" tells of no call.
func (k *knowledge) doneMore(text string, changes []*tooltrack.Record, tools map[string]*toolReading) string {
	read := k.read(text)
	for i := range read.Clauses {
		clause := &read.Clauses[i]
		active := clause.Shape == reading.ActivePerfect || clause.Shape == reading.ActivePast
		passive := clause.Shape == reading.PassivePerfect || clause.Shape == reading.PassivePast
		if !told(clause) || !(active && clause.Actor == reading.Us || passive) {
			continue
		}
		acts := read.Tokens[clause.Verb].Families()
		does := func(r *tooltrack.Record) bool { return tools[r.Tool] != nil && tools[r.Tool].Families.Overlaps(acts) }
		if number, said := counted(read, clause); number > float64(len(changes)) && slices.ContainsFunc(changes, does) {
			if number <= 100 && !k.speaksOf(number, changes) {
				return text[said[0]:said[1]]
			}
			read = k.read(text) // what the calls say was read over it
		}
	}
	return ""
}

// counted is how many things a clause tells an act of, or how often, and where it says
// so: beside its verb, or as the first thing of a passive. Spans of time count nothing.
func counted(read *reading.Text, clause *reading.Clause) (number float64, place [2]int) {
	for t := clause.From; t < clause.To; t++ {
		token := &read.Tokens[t]
		place = [2]int{int(token.Start), int(token.End)}
		if t > clause.Verb && strings.EqualFold(read.Word(t), "twice") {
			return 2, place
		}
		number := numberAt(read, token)
		if number < 2 || t+1 >= clause.To || !read.Tokens[t+1].IsWord() {
			continue
		}
		times := strings.EqualFold(read.Word(t+1), "times")
		place[1] = int(read.Tokens[t+1].End)
		if times && t > clause.Verb || !times && (t == clause.Verb+1 || t == clause.From) && !spans(&read.Tokens[t+1]) {
			return number, place
		}
	}
	return 0, place
}

// spans reports whether a word is a span of time, or leads to something else than what
// is counted: "two hours", "two of them".
func spans(token *lexicon.Token) bool { return token.Class().Has(lexicon.Time | functional) }

// numberAt is the plain number that begins at a token; 0 if there is none.
func numberAt(read *reading.Text, token *lexicon.Token) float64 {
	for i := range read.Values {
		v := &read.Values[i]
		if v.Start() == int(token.Start) && v.Kind == reading.Number && !v.Has(noCount|reading.Money) {
			return v.Number
		}
	}
	return 0
}

// countsAll reports whether a number says that all of something are meant: "both",
// "all three", "all 27".
func countsAll(read *reading.Text, v *reading.Value) bool {
	for t := range read.Tokens {
		token := &read.Tokens[t]
		if int(token.Start) != v.Start() {
			continue
		}
		// "every five minutes" counts nothing, and has the same role.
		return read.Roles[t]&reading.RoleAll != 0 || t > 0 && strings.EqualFold(read.Word(t-1), "all")
	}
	return false
}

// speaksOf reports whether calls give a number: as a figure, or as the length of a
// list.
func (k *knowledge) speaksOf(number float64, calls []*tooltrack.Record) bool {
	for _, record := range calls {
		text := textOf(record)
		figures := appendFigures(nil, text, k.values(text))
		figures = appendTotals(appendTotals(figures, record.Args, 0), record.Result.Data, 0)
		if slices.Contains(figures, number) {
			return true
		}
	}
	return false
}

// opaque reports whether a value is no more than an id that the user does not say.
func (k *knowledge) opaque(value string) bool {
	values := k.values(value)
	return len(values) > 0 && values[0].Kind == reading.ID && values[0].End() == len(value) && !k.said[values[0].Key]
}

// elsewhere reports whether the calls that an item cites did another part of what
// the user asked for than a claim tells of: they have nothing of the claim, the
// claim has something of the message, and the calls have something else of it.
func (c *checker) elsewhere(item *Item, i int) bool {
	cited := c.turn.List.Cited(item.Records)
	if !c.asked[i] || len(cited) == 0 || c.ownAct(c.verdict.Claims[i].Text, cited) {
		return false
	}
	asked, own := false, c.ownAct(item.What, cited)
	shows, takes := keys{}, keys{}
	for _, record := range cited {
		shows.add(c.known.content(textOf(record)))
		for name, value := range leaves(record.Args) {
			shows.add(c.known.content(name))
			takes.add(c.known.content(value))
			if own && c.known.opaque(value) {
				return false // it may be what the claim calls by its name
			}
		}
	}
	for _, v := range c.named[i] {
		if shows[v.Key] {
			return false
		}
		asked = asked || c.known.said[v.Key]
	}
	if !asked {
		return false
	}
	return slices.ContainsFunc(c.known.content(c.turn.User), func(v reading.Value) bool { return takes[v.Key] })
}
