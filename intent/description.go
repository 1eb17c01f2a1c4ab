package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// maxDescription bounds what is read of a description; what a tool is for is
// said at its beginning.
const maxDescription = 600

// description is how far the reading of a tool's description has come.
type description struct {
	text   string
	weight float32 // how much a word says: less behind the first sentence
	acted  bool    // a verb of the tool was met
	again  bool    // and another one
	start  bool    // at a place where a verb of the tool may stand
	owned  bool    // behind "its" or a colon
	plural bool    // behind a plural
}

// readDescription takes what the tool's description says.
func (r *profiler) readDescription(text string) {
	if len(text) > maxDescription {
		text = text[:maxDescription]
	}
	r.tokens = r.language.Tokenize(r.tokens[:0], text)
	d := description{text: text, weight: weightDescription, start: true}
	for i := range r.tokens {
		switch token := &r.tokens[i]; {
		case token.Kind == lexicon.End:
			d.weight, d.start, d.owned = weightLater, true, false
		case token.Kind == lexicon.Comma:
			d.start = true
			d.owned = d.owned || text[token.Start] == ':'
		case token.IsWord():
			if token.Kind == lexicon.Word && !token.Class().Has(lexicon.Determiner|lexicon.Preposition|lexicon.Conjunction) {
				r.bearings.AddWord(vector.Tool, token.Entry, text[token.Start:token.End])
			}
			listed := d.plural && token.Form().Has(lexicon.Plural) // "tasks, reminders, lists"
			d.plural = token.Form().Has(lexicon.Plural)
			if !listed && d.isAct(token, i == 0) {
				r.readAct(&d, i)
			} else {
				r.readWord(&d, i)
			}
		}
	}
}

// isAct reports whether a word says what the tool does: "Deletes", "and returns".
// One that may be a noun does so only at the very beginning, and so does
// boilerplate as long as no other verb was met: "Use this to".
func (d *description) isAct(token *lexicon.Token, first bool) bool {
	form := token.Form()
	if !d.start || !form.Has(lexicon.Base|lexicon.Third) || token.Families().Empty() {
		return false
	}
	return first || form.Has(lexicon.Third) ||
		!form.Has(lexicon.Noun|lexicon.Plural) && (d.acted || !token.Class().Has(lexicon.Boilerplate))
}

// readAct takes a verb that says what the tool does.
func (r *profiler) readAct(d *description, i int) {
	token, families := &r.tokens[i], r.verbFamilies(i)
	r.profile.told = r.profile.told.Union(families)
	if r.lead.Empty() {
		r.lead, r.first = token.Families().Union(families), families
		r.light = token.Entry.Is(r.performs)
		r.profile.lead = token.Entry.ID
	}
	d.start = false
	d.acted, d.again = true, d.acted
}

// readWord takes any other word.
func (r *profiler) readWord(d *description, i int) {
	token := &r.tokens[i]
	word, class := d.text[token.Start:token.End], token.Class()
	if d.acted && !d.again && r.light && r.deed.Empty() && token.Form().Has(lexicon.Noun) {
		r.deed = token.Families() // "performs a search"
	}
	if d.weight == weightDescription && r.isPurpose(d, i) {
		r.profile.told = r.profile.told.With(token.Entry.Primary)
	}
	const opening = lexicon.Determiner | lexicon.Boilerplate | lexicon.Auxiliary | lexicon.Modal // "This function"
	d.start = class.Has(lexicon.Conjunction) ||
		d.start && (token.Form().Has(lexicon.Adverb) || !d.acted && class.Has(opening))
	d.owned = d.owned || class.Has(lexicon.Possessive) && class.Has(lexicon.ThirdPerson)
	r.described(word, token, d.weight, d.owned)
}

// isPurpose reports whether the word at i is a verb that says what the tool is for:
// "for deleting", "a tool to delete".
func (r *profiler) isPurpose(d *description, i int) bool {
	token := &r.tokens[i]
	if i == 0 || token.Families().Empty() {
		return false
	}
	before := &r.tokens[i-1]
	return token.Form().Has(lexicon.Gerund) ||
		token.Form().Has(lexicon.Base) && d.text[before.Start:before.End] == "to"
}

// verbFamilies is what a verb of a description means. What a function "returns"
// it reads; who is told to "return" something may have to bring it back.
func (r *profiler) verbFamilies(i int) lexicon.Families {
	token := &r.tokens[i]
	if phrasal := r.phrasal(i); !phrasal.Empty() {
		return phrasal
	}
	families := lexicon.FamiliesOf(token.Entry.Primary)
	if token.Entry.Primary == lexicon.Return && token.Families().Has(lexicon.Read) {
		if token.Form().Has(lexicon.Third) {
			return lexicon.FamiliesOf(lexicon.Read)
		}
		return families.With(lexicon.Read)
	}
	return families
}

// phrasal is what the verb at i means with the particles that follow soon: "turns
// a lamp on or off".
func (r *profiler) phrasal(i int) (families lexicon.Families) {
	for k := i + 1; k < len(r.tokens) && k <= i+8 && r.tokens[k].Kind != lexicon.End; k++ {
		if r.tokens[k].Class().Has(lexicon.Particle) {
			families = families.Union(r.language.Phrasal(r.tokens[i].Entry, r.tokens[k].Entry))
		}
	}
	return families
}

// described takes one word of a description.
func (r *profiler) described(word string, token *lexicon.Token, weight float32, owned bool) {
	if token.Kind == lexicon.Number || len(word) < 2 || isFunctionWord(token.Entry) {
		return
	}
	if isBoilerplate(token.Entry) {
		weight *= 0.25
	}
	stem := r.vocabulary.wordOf(lexicon.Fold(word))
	r.add(stem, word, weight)
	if token.Form().Has(lexicon.Noun | lexicon.Plural) {
		if owned {
			r.term(stem).roles |= ofSubject
		} else if weight >= weightDescription {
			r.term(stem).roles |= isSubject
		}
	}
}
