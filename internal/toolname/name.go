package toolname

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// reader reads one tool.
type reader struct {
	language *lexicon.Language
	lead     lead
	words    []Word
	proper   int // where the name proper begins, after the service
	at, to   int // the words of the verb: a particle may belong to it
}

// cut cuts a name into its words. What stands before the last "__", "." or "/" is the service.
func (r *reader) cut(name string) {
	r.at, r.to = -1, -1
	service := ""
	for _, mark := range []string{"__", ".", "/", ":"} {
		if at := strings.LastIndex(name, mark); at > 0 && at+len(mark) < len(name) {
			service, name = service+" "+name[:at], name[at+len(mark):]
		}
	}
	parts, own := Words(service), Words(name)
	r.words = make([]Word, 0, len(parts)+len(own)+1)
	for _, word := range parts {
		r.add(word)
	}
	r.proper = len(r.words)
	for _, word := range own {
		if !r.split(word, len(own)) {
			r.add(word)
		}
	}
}

func (r *reader) add(word string) {
	r.words = append(r.words, Word{word, r.language.Lookup(word), r.language.NameWord(word)})
}

// split cuts a word that is a verb and a noun without a mark between them, as
// in "cancelorder"; false if it is none.
func (r *reader) split(word string, words int) bool {
	if words > 1 || len(word) < 7 || r.language.Lookup(word) != nil || r.language.NameWord(word) != (lexicon.NameWord{}) {
		return false
	}
	for cut := len(word) - 3; cut >= 3; cut-- {
		verb, noun := r.language.Lookup(word[:cut]), r.language.Lookup(word[cut:])
		if verb != nil && noun != nil && verb.Form.Has(lexicon.Base) && !verb.Families.Empty() &&
			noun.Form.Has(lexicon.Noun|lexicon.Plural) {
			r.add(word[:cut])
			r.add(word[cut:])
			return true
		}
	}
	return false
}

// verb finds the verb of the name and what it means.
func (r *reader) verb() (Word, lexicon.Families) {
	best, most := -1, 0
	for i := range r.words {
		if points := r.points(i); points > most {
			best, most = i, points
		}
	}
	if best < 0 {
		return r.strange()
	}
	r.at, r.to = best, best+1
	word := r.words[best]
	if r.isPhrasal(best) {
		r.to++
		return word, r.language.Phrasal(word.Entry, r.words[best+1].Entry)
	}
	if word.name.Light {
		lead := r.lead.word.Entry
		if lead != nil && !(word.Entry != nil && lead.ID == word.Entry.ID) {
			return word, r.lead.families
		}
		if act := r.object(best); !act.Empty() {
			return word, act
		}
	}
	return word, r.meaning(word)
}

// object is the act that the words after a place speak of, such as that of a light verb:
// place_order orders.
func (r *reader) object(verb int) lexicon.Families {
	for i := len(r.words) - 1; i > verb; i-- {
		if entry := r.words[i].Entry; entry != nil && entry.Form.Has(lexicon.Noun) &&
			entry.Primary != lexicon.NoFamily && !r.words[i].name.Answer {
			return lexicon.FamiliesOf(entry.Primary)
		}
	}
	return lexicon.Families{}
}

// meaning is what a verb means, of all that it may: what the description says,
// else what it means in names, else its plainest sense.
func (r *reader) meaning(word Word) lexicon.Families {
	inNames := word.name.Families
	families := inNames
	if word.Entry != nil {
		families = families.Union(word.Entry.Families)
	}
	if shared := families.Without(families.Without(r.lead.families)); !shared.Empty() {
		return shared
	}
	switch {
	case !inNames.Empty():
		return inNames
	case word.Entry.Primary != lexicon.NoFamily:
		return lexicon.FamiliesOf(word.Entry.Primary)
	default: // a verb of no family: the description may know more
		return r.lead.families
	}
}

// plain families are what tools are mostly named by; a word of theirs that may
// be a noun, too, is the verb rather than another such word beside it.
var plain = Answering.Union(lexicon.FamiliesOf(lexicon.Create, lexicon.Delete, lexicon.Update,
	lexicon.Complete, lexicon.Send, lexicon.Cancel,
	lexicon.Set, lexicon.Start, lexicon.Stop, lexicon.Open, lexicon.Close, lexicon.Move, lexicon.Copy,
	lexicon.Enable, lexicon.Disable,
	lexicon.Upload, lexicon.Download, lexicon.Save, lexicon.Approve, lexicon.Reject, lexicon.Archive,
	lexicon.Restore, lexicon.Assign, lexicon.Transfer)).
	Without(lexicon.FamiliesOf(lexicon.Report, lexicon.Review))

// points says how much speaks for the word at i as the verb of the name; 0 if it can be none.
func (r *reader) points(i int) int {
	word := r.words[i]
	inNames, entry := word.name, word.Entry
	verb := entry != nil && entry.Form.Has(lexicon.Base|lexicon.Third)
	if !verb && inNames.Families.Empty() {
		return 0
	}
	noun := inNames.Thing || entry != nil && entry.Form.Has(lexicon.Noun|lexicon.Plural)
	known := !inNames.Families.Empty() || !entry.Families.Empty()
	points := 1
	switch {
	case r.isPhrasal(i), !noun && known:
		points += 4
	case !noun:
		points++ // a verb of no family: anything may be meant
	case inNames.Thing:
	case !inNames.Families.Empty(), plain.Has(entry.Primary):
		points += 3
	}
	if !known && i != r.proper && r.agrees(word, inNames, noun) <= 0 {
		return 0
	}
	return max(points+r.place(i, noun)+r.agrees(word, inNames, noun), 0)
}

// isPhrasal reports whether the word at i and the next are a phrasal verb.
func (r *reader) isPhrasal(i int) bool {
	return i+1 < len(r.words) && r.words[i+1].Entry != nil && r.words[i+1].Entry.Class.Has(lexicon.Particle) &&
		!r.language.Phrasal(r.words[i].Entry, r.words[i+1].Entry).Empty()
}

// place is what the place of a word says: a verb leads its name, or ends it. It
// does not follow a preposition, and a noun before what tools hand out is what
// they hand it out of: order_status, order_cancellation.
func (r *reader) place(i int, noun bool) (points int) {
	last := len(r.words) - 1
	switch {
	case i == r.proper:
		points = 2
	case i == last:
		points = 1
	}
	if i < r.proper {
		points -= 5
	}
	if i > r.proper {
		if before := r.words[i-1].Entry; before != nil && before.Class.Has(lexicon.Preposition|lexicon.Determiner) {
			points -= 6
		}
	}
	if noun && i < last && r.isHandedOut(r.words[i], r.words[last]) {
		points -= 6
	}
	return points
}

// isHandedOut reports whether the last word of a name is what the tool hands out or
// does, and an earlier one only what of.
func (r *reader) isHandedOut(word, last Word) bool {
	inNames := word.name
	if inNames.Light || word.Entry != nil && plain.Has(word.Entry.Primary) && !inNames.Thing ||
		last.Entry != nil && last.Entry.Form.Has(lexicon.Base) {
		return false
	}
	act := last.Entry != nil && last.Entry.Form.Has(lexicon.Noun) && last.Entry.Primary != lexicon.NoFamily
	return last.name.Answer || act && inNames.Thing
}

// agrees is what the description says of a word as the verb.
func (r *reader) agrees(word Word, inNames lexicon.NameWord, noun bool) int {
	families, primary := inNames.Families, lexicon.NoFamily
	if word.Entry != nil {
		families, primary = families.Union(word.Entry.Families), word.Entry.Primary
	}
	lead := r.lead.word.Entry
	switch {
	case lead == nil:
		return 0
	case word.Entry != nil && word.Entry.ID == lead.ID:
		return 6
	case families.Overlaps(r.lead.families) && !(noun && r.lead.isInfo() && !Answering.Has(primary)):
		return 4
	case noun && r.lead.isInfo() && !Answering.Has(primary):
		return -6 // order_status: Gets the status of an order
	}
	return 0
}

// strange reads a name without a verb that is known: what a tool hands out
// ("status"), something that acts ("converter"), an act ("cancellation"), or a
// first word that can be nothing but a verb of its own.
func (r *reader) strange() (Word, lexicon.Families) {
	if verb, ok := r.told(); ok {
		return verb, r.lead.families
	}
	if len(r.words) == 0 {
		return Word{}, r.lead.families
	}
	last := r.words[len(r.words)-1]
	if r.lead.word.Entry == nil && last.name.Answer {
		if last.Entry != nil && Answering.Has(last.Entry.Primary) {
			return Word{}, lexicon.FamiliesOf(last.Entry.Primary)
		}
		return Word{}, lexicon.FamiliesOf(lexicon.Read)
	}
	for i := r.proper; i < len(r.words); i++ {
		if verb := r.actor(r.words[i], i == r.proper); verb.Entry != nil && (r.lead.families.Empty() ||
			verb.Entry.Families.Overlaps(r.lead.families)) {
			r.at, r.to = i, i+1
			return verb, lexicon.FamiliesOf(verb.Entry.Primary)
		}
	}
	if !r.lead.families.Empty() {
		return Word{}, r.lead.families
	}
	if act := r.object(r.proper - 1); !act.Empty() {
		return Word{}, act
	}
	return r.foremost(), lexicon.Families{}
}

// told finds a word of the name with which the description begins: "Waters the
// plants" makes a verb of plants_water.
func (r *reader) told() (Word, bool) {
	if r.lead.first == "" {
		return Word{}, false
	}
	for i := r.proper; i < len(r.words); i++ {
		word := r.words[i].Text
		if len(word) < 3 || len(r.lead.first) < len(word) || !strings.EqualFold(r.lead.first[:len(word)], word) {
			continue
		}
		if ending := r.lead.first[len(word):]; ending == "" && len(r.words)-r.proper > 1 || ending == "s" ||
			ending == "es" {
			r.at, r.to = i, i+1
			return r.words[i], true
		}
	}
	return Word{}, false
}

// foremost is the first word of a name if no language lists it and a noun
// follows: a verb of its own, as in defrost_fridge.
func (r *reader) foremost() Word {
	first := r.proper
	if len(r.words)-first < 2 || r.words[first].Entry != nil {
		return Word{}
	}
	if next := r.words[first+1].Entry; next == nil || !next.Form.Has(lexicon.Noun|lexicon.Plural) {
		return Word{}
	}
	r.at, r.to = first, first+1
	return r.words[first]
}

// actor is the verb in a noun for someone or something that acts: a converter converts. What goes
// on is a verb only where the name begins with it: now_playing plays nothing.
func (r *reader) actor(word Word, first bool) Word {
	if word.Entry != nil && !word.Entry.Families.Empty() && !word.Entry.Form.Has(lexicon.Gerund) {
		return Word{}
	}
	for _, ending := range [...]string{"er", "or", "r", "ing"} {
		stem, ok := strings.CutSuffix(word.Text, ending)
		if !ok || len(stem) < 3 || ending == "ing" && !first && !(word.Entry != nil &&
			word.Entry.Form.Has(lexicon.Noun)) {
			continue
		}
		for _, base := range [...]string{stem, stem + "e", stem[:len(stem)-1]} {
			if entry := r.language.Lookup(base); entry != nil && entry.Form.Has(lexicon.Base) &&
				entry.Primary != lexicon.NoFamily {
				return Word{Text: base, Entry: entry}
			}
		}
	}
	return Word{}
}

// nouns are the words of the name beside its verb that mean something, or else those of the
// service.
func (r *reader) nouns() []Word {
	nouns := make([]Word, 0, len(r.words))
	for _, part := range [2][2]int{{r.proper, len(r.words)}, {0, r.proper}} {
		for i := part[0]; i < part[1]; i++ {
			if (i < r.at || i >= r.to) && isMeant(r.words[i]) {
				nouns = append(nouns, r.words[i])
			}
		}
		if len(nouns) > 0 {
			break
		}
	}
	return nouns
}

// isMeant reports whether a word of a name says what the tool works on; grammar and numbers do not.
func isMeant(word Word) bool {
	const grammar = lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Auxiliary | lexicon.Modal |
		lexicon.Question
	if entry := word.Entry; entry != nil && entry.Class.Has(grammar) && !entry.Form.Has(lexicon.Noun|lexicon.Plural) {
		return false
	}
	return strings.TrimLeft(strings.TrimPrefix(word.Text, "v"), "0123456789") != ""
}
