package intent

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/intent/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// profile is what a tool's own words say about the requests it serves.
type profile struct {
	name string
	manner
	like   int32               // the number of its manner; see numberManners
	target map[string]bool     // the words of what it delivers, by its description
	first  map[string]bool     // the words of its name before a preposition
	words  map[string]float32  // lemma or stem → how much it says
	named  map[string]bool     // those in the name
	attrs  map[string]bool     // nouns of what its subject has: title, date
	topics map[uint16]float32  // fields that its words belong to
	kinds  map[string]bool     // nouns of what its subject is: task, event
	forms  map[string][]string // words as written, by stem
	sorted []string            // see sortedWords
	pairs  [][2]string         // words that stand side by side in its name or description
}

// manner is all of a tool that its score depends on, beside which words of it a
// message says. Tools of one manner of which nothing is said score the same.
type manner struct {
	// acts are the verb families of the tool's name, or of its description when
	// the name has no verb; told are those of the rest of its description; kin
	// those that may stand for acts.
	acts, told, kin lexicon.Families
	verb            int32 // the lemma of its name's verb, -1 if there is none
	targets, firsts int32 // the numbers of words of what it delivers, and of its name before a preposition
	// weight is the sum of the weights of its name's words.
	weight float32
	takes  slots // what its words say it is given
	// info is true for a tool that only answers.
	info bool
	// entity is true for one of several tools that keep one collection, and for
	// one whose subject the host has declared: its things can have any words for
	// titles.
	entity bool
	// calendar is true for a tool that knows times and days of the user.
	calendar bool
	// runs is true for one that runs commands, whatever they do.
	runs bool
	// changes is true for one that is declared to change something.
	changes bool
	// executes is true for one whose name says that it runs something.
	executes bool
	// general is true for one that searches the web for anything.
	general bool
	// agenda is true for one that knows what the user has to do.
	agenda bool
}

// How much a word says by where it stands.
const (
	weightName        = 1.0
	weightDescription = 0.6
	weightLater       = 0.35
	weightParameter   = 0.4
	weightHost        = 1.0
)

// infoFamilies only answer; asking for one may be served by another: "find the
// area" is a calculation.
var infoFamilies = lexicon.FamiliesOf(lexicon.Read, lexicon.Search, lexicon.Calculate, lexicon.Analyze, lexicon.Compare, lexicon.Verify, lexicon.Predict,
	lexicon.Convert, lexicon.Translate, lexicon.Count, lexicon.Recommend, lexicon.Explain, lexicon.Summarize, lexicon.Track, lexicon.Classify,
	lexicon.Review, lexicon.Answer, lexicon.Sort, lexicon.Filter, lexicon.Report)

// profileOf reads a tool. The profiler keeps its memory for the next one.
func (r *profiler) profileOf(tool tooltrack.Tool) *profile {
	language := r.language
	p := &profile{name: tool.Name, manner: manner{verb: -1}, words: map[string]float32{}, named: map[string]bool{}, attrs: map[string]bool{}, kinds: map[string]bool{}, forms: map[string][]string{}, topics: map[uint16]float32{}, target: map[string]bool{}, first: map[string]bool{}}
	*r = profiler{language: language, profile: p, tokens: r.tokens, performs: r.performs, slots: r.slots}
	r.readDescription(tool.Description)
	r.readName(tool.Name)
	r.spellOut()
	r.readParameters(tool.Parameters)
	r.readHost(tool.Words)
	if tool.Subject.Kind != "" {
		p.entity = true
		r.noun(tool.Subject.Kind, weightName)
	}
	if p.acts.Empty() {
		p.acts = r.first
	}
	if !r.deed.Empty() && (p.verb < 0 || r.light) {
		p.acts = r.deed
	}
	p.targets, p.firsts = int32(len(p.target)), int32(len(p.first))
	p.kin = kinOf(p.acts)
	p.general = p.searchesAnything()
	p.runs = p.acts.Has(lexicon.Run) && (p.words["command"] > 0 || p.words["shell"] > 0 || p.words["terminal"] > 0 || p.words["bash"] > 0)
	p.changes = tool.Effect == tooltrack.Changes
	p.info = tool.Effect == tooltrack.Reads || tool.Effect != tooltrack.Changes && (p.acts.Empty() || p.acts.Overlaps(infoFamilies) && p.acts.Without(infoFamilies).Empty())
	for word, weight := range p.words {
		if entry := language.Lookup(word); entry != nil {
			p.takes |= r.slots.of(entry)
			for _, topic := range language.Topics(entry) {
				p.topics[topic] = max(p.topics[topic], weight)
			}
			switch language.GroupName(entry.Group) {
			case "calendar", "meeting":
				p.calendar, p.agenda = true, true
			case "task", "reminder":
				p.agenda = true
			}
		}
	}
	for _, word := range p.sortedWords() { // in order, so that the sum is always the same
		if p.named[word] {
			p.weight += p.words[word]
		}
	}
	return p
}

type profiler struct {
	lead     lexicon.Families // of the description's first verb
	first    lexicon.Families // its plainest sense
	light    bool             // it leaves the act to its object: "perform a search"
	deed     lexicon.Families // and what that object says
	language *lexicon.Language
	slots    slotCues
	performs lexicon.Cue // verbs that leave the act to their object
	profile  *profile
	tokens   []lexicon.Token
}

// readName takes the words of snake_case, camelCase and dotted names. The last
// verb that is no noun as well is the act; its other words are the object.
func (r *profiler) readName(name string) {
	words := lexicon.NameWords(name)
	verb := r.verbOf(words)
	leading, before := true, ""
	for i, word := range words {
		if entry := r.language.Lookup(word); entry != nil && entry.Class.Has(lexicon.Preposition) && i > 0 {
			leading = false
		}
		if i == verb {
			entry := r.language.Lookup(word)
			r.profile.verb = entry.ID
			r.profile.executes = entry.Families.Overlaps(executing)
			r.profile.acts = entry.Families
			if shared := entry.Families.Without(entry.Families.Without(r.first)); !shared.Empty() {
				r.profile.acts = shared
			} else if entry.Primary != lexicon.NoFamily {
				r.profile.acts = lexicon.FamiliesOf(entry.Primary)
			}
			if len(words) > 1 {
				continue
			}
		}
		if len(word) > 1 && !numeric(word) {
			entry := r.language.Lookup(word)
			if entry != nil && entry.Class.Has(lexicon.Boilerplate) && !entry.Class.Has(lexicon.Container) && len(words) > 2 || functional(entry) {
				continue
			}
			stem := r.noun(word, weightName)
			r.profile.named[stem] = true
			r.pair(before, stem)
			before = stem
			if leading {
				r.profile.first[stem] = true
			}
		}
	}
}

// verbOf finds the verb of a name. Names hold nouns that could be verbs
// (order_status_check, Travel.FindHotel), so the description has the first say;
// then the first word counts, then one that is no noun, then the last.
func (r *profiler) verbOf(words []string) int {
	first, plain, last := -1, -1, -1
	for i, word := range words {
		entry := r.language.Lookup(word)
		if entry == nil || !entry.Form.Has(lexicon.Base|lexicon.Third) || entry.Families.Empty() {
			continue
		}
		if entry.Families.Overlaps(r.lead) || !r.lead.Empty() && r.lead.Overlaps(infoFamilies) && infoFamilies.Has(entry.Primary) && !entry.Form.Has(lexicon.Noun) {
			return i
		}
		if i == 0 {
			first = i
		}
		if plain < 0 && !entry.Form.Has(lexicon.Noun) {
			plain = i
		}
		if i == len(words)-1 {
			last = i
		}
	}
	switch {
	case first >= 0:
		return first
	case plain >= 0:
		return plain
	default:
		return last
	}
}

func numeric(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// maxDescription bounds what is read of a description; what a tool is for is
// said at its beginning.
const maxDescription = 600

func (r *profiler) readDescription(description string) {
	if len(description) > maxDescription {
		description = description[:maxDescription]
	}
	r.tokens = r.language.Tokenize(r.tokens[:0], description)
	weight := float32(weightDescription)
	seeking, seen := true, false // the phrase behind the first verb is what the tool delivers
	start, owned := true, false  // at a place where a verb of the tool may stand; behind "its" or a colon
	before := ""
	for i := range r.tokens {
		token := &r.tokens[i]
		switch {
		case token.Kind == lexicon.End:
			weight, start, owned, before = weightLater, true, false, ""
			continue
		case token.Kind == lexicon.Comma:
			start, before = true, ""
			owned = owned || description[token.Start] == ':'
			continue
		case !token.IsWord():
			continue
		}
		if start && token.Form().Has(lexicon.Base|lexicon.Third) && !token.Families().Empty() && !(i > 0 && token.Form().Has(lexicon.Noun|lexicon.Plural) && !token.Form().Has(lexicon.Third)) && !(!seen && i > 0 && token.Class().Has(lexicon.Boilerplate) && !token.Form().Has(lexicon.Third)) {
			families := r.verbFamilies(token)
			r.profile.told = r.profile.told.Union(families)
			if r.lead.Empty() {
				r.lead, r.first = token.Families(), families
				r.light = token.Entry.Is(r.performs)
			}
			start, before = false, ""
			seeking = seeking && !seen
			seen = true
			continue
		}
		if seen && seeking && r.light && r.deed.Empty() && token.Form().Has(lexicon.Noun) {
			r.deed = token.Families()
		}
		if seen && seeking {
			seeking = r.delivers(description[token.Start:token.End], token)
		}
		if i > 0 && !token.Families().Empty() && (token.Form().Has(lexicon.Gerund) || token.Form().Has(lexicon.Base) && description[r.tokens[i-1].Start:r.tokens[i-1].End] == "to") && weight == weightDescription {
			r.profile.told = r.profile.told.With(token.Entry.Primary)
		}
		class := token.Class()
		opening := !seen && class.Has(lexicon.Determiner|lexicon.Boilerplate|lexicon.Auxiliary|lexicon.Modal) // "This function"
		start = class.Has(lexicon.Conjunction) || start && (token.Form().Has(lexicon.Adverb) || opening)
		owned = owned || class.Has(lexicon.Possessive) && class.Has(lexicon.ThirdPerson)
		stem := r.described(description[token.Start:token.End], token, weight, owned)
		r.pair(before, stem)
		before = stem
	}
}

// pair notes two words that stand side by side.
func (r *profiler) pair(first, second string) {
	if first != "" && second != "" {
		r.profile.pairs = append(r.profile.pairs, [2]string{first, second})
	}
}

// spellOut replaces abbreviations in the name by the words of the description
// that they begin: "calc", "prob", "dist".
func (r *profiler) spellOut() {
	p := r.profile
	words := p.sortedWords()
	for _, short := range words {
		if !p.named[short] || len(short) < 3 || r.language.Lookup(short) != nil {
			continue
		}
		for _, word := range words {
			if len(word) > len(short)+1 && strings.HasPrefix(word, short) && !p.named[word] {
				p.named[word] = true
				p.words[word] = weightName
				delete(p.named, short)
			}
		}
	}
}

// verbFamilies is what a verb of a description means. What a function "returns"
// it reads; who is told to "return" something may have to bring it back.
func (r *profiler) verbFamilies(token *lexicon.Token) lexicon.Families {
	families := lexicon.FamiliesOf(token.Entry.Primary)
	if token.Entry.Primary == lexicon.Return && token.Families().Has(lexicon.Read) {
		if token.Form().Has(lexicon.Third) {
			return lexicon.FamiliesOf(lexicon.Read)
		}
		return families.With(lexicon.Read)
	}
	return families
}

// delivers takes a word of the phrase that says what the tool delivers, and
// reports whether the phrase goes on.
func (r *profiler) delivers(word string, token *lexicon.Token) bool {
	class := token.Class()
	if class.Has(lexicon.Preposition|lexicon.Question|lexicon.Condition) || token.Form().Has(lexicon.Participle|lexicon.Gerund) && !token.Form().Has(lexicon.Noun|lexicon.Adjective) && len(r.profile.target) > 0 {
		return len(r.profile.target) == 0
	}
	if !functional(token.Entry) && !class.Has(lexicon.Boilerplate) && token.Kind == lexicon.Word && len(word) > 1 {
		r.profile.target[r.language.Stem(lexicon.Fold(word))] = true
	}
	return true
}

// described takes one word of a description.
func (r *profiler) described(word string, token *lexicon.Token, weight float32, owned bool) (stem string) {
	if token.Kind == lexicon.Number || len(word) < 2 || functional(token.Entry) {
		return ""
	}
	if token.Class().Has(lexicon.Boilerplate) && !token.Class().Has(lexicon.Container) {
		weight *= 0.25
	}
	stem = r.noun(word, weight)
	if token.Form().Has(lexicon.Noun | lexicon.Plural) {
		if owned {
			r.profile.attrs[stem] = true
		} else if weight >= weightDescription {
			r.profile.kinds[stem] = true
		}
	}
	return stem
}

// functional reports whether a word only serves the grammar.
func functional(entry *lexicon.Entry) bool {
	const grammar = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary | lexicon.FirstPerson | lexicon.SecondPerson | lexicon.ThirdPerson |
		lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question | lexicon.Condition | lexicon.Politeness |
		lexicon.Affirmation | lexicon.Refusal | lexicon.Greeting | lexicon.Interjection | lexicon.Pronoun | lexicon.Sequence | lexicon.Existence
	return entry != nil && entry.Class.Has(grammar) && !entry.Form.Has(lexicon.Noun|lexicon.Plural)
}

// noun adds a word to the tool's words and returns its stem.
func (r *profiler) noun(word string, weight float32) string {
	word = lexicon.Fold(word)
	stem := r.language.Stem(word)
	if !slices.Contains(r.profile.forms[stem], word) {
		r.profile.forms[stem] = append(r.profile.forms[stem], word)
	}
	r.profile.words[stem] = max(r.profile.words[stem], weight)
	if weight >= weightName {
		r.profile.kinds[stem] = true
	}
	return stem
}

// readParameters takes the names of the arguments as hints.
func (r *profiler) readParameters(schema json.RawMessage) {
	var object struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(schema) == 0 || json.Unmarshal(schema, &object) != nil {
		return
	}
	for name := range object.Properties {
		for _, word := range lexicon.NameWords(name) {
			if entry := r.language.Lookup(word); len(word) > 2 && !functional(entry) && (entry == nil || !entry.Class.Has(lexicon.Boilerplate)) {
				stem := r.noun(word, weightParameter)
				r.profile.attrs[stem] = true
			}
		}
	}
}

// readHost takes the words that the host gives.
func (r *profiler) readHost(words tooltrack.Words) {
	for _, verb := range words.Verbs {
		verb = lexicon.Fold(strings.TrimSpace(verb))
		if entry := r.language.Lookup(verb); entry != nil && !entry.Families.Empty() {
			r.profile.acts = r.profile.acts.Union(entry.Families)
		}
	}
	for _, noun := range words.Nouns {
		for _, word := range strings.Fields(lexicon.Fold(noun)) {
			r.noun(word, weightHost)
		}
	}
}

// searchesAnything reports whether the tool is a search of the web at large.
func (p *profile) searchesAnything() bool {
	if !p.acts.Has(lexicon.Search) && !p.told.Has(lexicon.Search) && p.words["search"] == 0 {
		return false
	}
	for _, word := range []string{"web", "internet", "engine", "google", "duckduckgo", "wikipedia"} {
		if p.words[word] > 0 {
			return true
		}
	}
	return false
}

// workspace reports whether the tool changes or checks files or code.
func (p *profile) workspace(language *lexicon.Language) bool {
	if p.info {
		return false
	}
	for word := range p.named {
		if entry := language.Lookup(word); entry != nil && ofCode(language.GroupName(entry.Group)) {
			return true
		}
	}
	return false
}

// sortedWords are the tool's words in a fixed order. They are sorted again only
// when there are more of them.
func (p *profile) sortedWords() []string {
	if len(p.sorted) == len(p.words) {
		return p.sorted
	}
	p.sorted = p.sorted[:0]
	for word := range p.words {
		p.sorted = append(p.sorted, word)
	}
	slices.Sort(p.sorted)
	return p.sorted
}
