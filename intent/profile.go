package intent

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// profile is what is known of a tool before a message comes: what its own words say about
// the requests that it serves.
type profile struct {
	name      string
	number    int           // its place among the tools
	terms     []term        // its words, sorted
	toward    vector.Vector // where its words point
	arguments arguments
	naming
	acting
	traits
}

// naming are the words of a tool's name.
type naming struct {
	words   []int32  // their lemmas
	verb    int32    // that of the verb, -1 if there is none
	near    []int32  // verbs that may stand for it
	unknown []string // words that may be verbs of which nothing is known
	weight  float32  // the sum of what the words say
}

// acting is what a tool does.
type acting struct {
	acts    lexicon.Families // by the verb of its name, or by its description if there is none
	told    lexicon.Families // by the rest of its description
	kin     lexicon.Families // what may stand for acts
	opposed lexicon.Families // what undoes them
	lead    int32            // the lemma of the first verb of its description, -1 if there is none
	effect  toolname.Effect  // on the world, by its words
}

// traits are what else is so of a tool.
type traits struct {
	info     bool // it only answers
	entity   bool // its things have any words for titles: it keeps a collection with others, or the host says so
	runs     bool // it runs commands, whatever they do
	changes  bool // it is declared to change something
	executes bool // its name says that it runs something
	general  bool // it searches the web for anything
	repeats  bool // it can be asked for what happens again and again
	conveys  bool // its name speaks of messages
}

// How much a word says by where it stands.
const (
	weightName        = 1.0
	weightDescription = 0.6
	weightLater       = 0.35
	weightParameter   = 0.4
	weightHost        = 1.0
	weightService     = 0.4
	weightArgument    = 0.25
)

// infoFamilies only answer; asking for one may be served by another: "find the
// area" is a calculation.
var infoFamilies = toolname.Answering

// read reads a tool into a profile. The profiler keeps its memory for the next
// one.
func (r *profiler) read(p *profile, tool tooltrack.Tool) {
	p.name, p.verb, p.lead = tool.Name, -1, -1
	r.places = map[*word]int{}
	r.profile, r.opener, r.bearings = p, opener{}, r.bearings[:0]
	r.readDescription(tool.Description)
	r.readName(&tool)
	r.readSchema(tool.Parameters)
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
	p.kin = toolname.Kin(p.acts)
	p.opposed = toolname.Opposites(p.acts)
	p.general = r.isWebSearch()
	p.runs = p.acts.Has(lexicon.Run) && r.hasAny("command", "shell", "terminal", "bash")
	p.changes = tool.Effect == tooltrack.Changes
	p.info = tool.Effect == tooltrack.Reads || tool.Effect != tooltrack.Changes && p.acts.Without(infoFamilies).Empty()
	if r.vectors != nil {
		r.bearings.AddTool(p.acts, p.info, p.words)
		p.toward = r.vectors.Toward(r.bearings)
	}
	r.finish()
}

// newProfiler reads tools in a language; its vectors are nil where it has none.
func newProfiler(language *lexicon.Language, v *vector.Set) profiler {
	return profiler{
		language: language, vocabulary: newVocabulary(language), vectors: v, slots: newSlotCues(language),
		performs: language.Cue("perform-make-etc"), repeating: language.Cue("repeating-tools"),
		messages: language.Cue("message-words"),
	}
}

// profiler reads one tool after another.
type profiler struct {
	language   *lexicon.Language
	slots      slotCues
	performs   lexicon.Cue // verbs that leave the act to their object
	repeating  lexicon.Cue // words of tools that repeat and schedule
	messages   lexicon.Cue // words of tools that pass words on
	vocabulary *vocabulary
	places     map[*word]int // of the terms of the tool
	vectors    *vector.Set   // nil for other languages
	profile    *profile
	opener
	bearings vector.Bearings
	tokens   []lexicon.Token
}

// opener is the first verb of a description.
type opener struct {
	lead  lexicon.Families // all its families
	first lexicon.Families // its plainest sense
	light bool             // it leaves the act to its object: "perform a search"
	deed  lexicon.Families // and what that object says
}

// readName takes what the tool's name says: its verb is the act, its other words
// are the object. The words of a service before it say a little, too.
func (r *profiler) readName(tool *tooltrack.Tool) {
	p := r.profile
	read := toolname.Read(r.language, toolname.Tool{
		Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
	})
	p.acts, p.opposed = read.Families, read.Opposites
	p.effect = read.Effect
	if read.Verb.Entry != nil {
		if !read.Phrasal { // "check" alone does not check in
			p.verb = read.Verb.Entry.ID
			for _, other := range read.Verb.Entry.Related().Alike {
				p.near = append(p.near, other.ID)
			}
		}
		p.executes = read.Families.Overlaps(executing)
	}
	words := toolname.Words(toolname.Speaking(r.language, tool.Name, tool.Description))
	p.unknown = read.UnknownVerbs(r.language, words)
	nouns := read.Nouns
	if len(nouns) == 0 && read.Verb.Text != "" {
		nouns = []toolname.Word{read.Verb}
	}
	r.readNouns(nouns, words)
	p.words = nil
	for _, word := range words {
		entry := r.language.Lookup(word)
		if entry != nil && !(read.Phrasal && word == read.Verb.Text) {
			p.words = append(p.words, entry.ID)
			p.conveys = p.conveys || entry.Is(r.messages)
		}
		if word != read.Verb.Text && isTelling(word, entry) {
			r.noun(word, weightService)
		}
	}
}

// readNouns takes the nouns among the words of a name. Boilerplate says something
// only where little else does: "get_data".
func (r *profiler) readNouns(nouns []toolname.Word, words []string) {
	for _, noun := range nouns {
		if len(noun.Text) < 2 || isBoilerplate(noun.Entry) && len(words) > 2 {
			continue
		}
		r.term(r.noun(noun.Text, weightName)).roles |= inName
	}
}

// isBoilerplate reports whether a word is boilerplate, and not the name of a list.
func isBoilerplate(entry *lexicon.Entry) bool {
	return entry != nil && entry.Class.Has(lexicon.Boilerplate) && !entry.Class.Has(lexicon.Container)
}

// isFunctionWord reports whether a word only serves the grammar.
func isFunctionWord(entry *lexicon.Entry) bool {
	const grammar = lexicon.Negation | lexicon.Modal | lexicon.Auxiliary | lexicon.FirstPerson | lexicon.SecondPerson |
		lexicon.ThirdPerson | lexicon.Determiner | lexicon.Preposition | lexicon.Conjunction | lexicon.Question |
		lexicon.Condition | lexicon.Politeness | lexicon.Affirmation | lexicon.Refusal | lexicon.Greeting |
		lexicon.Interjection | lexicon.Pronoun | lexicon.Sequence | lexicon.Existence
	return entry != nil && entry.Class.Has(grammar) && !entry.Form.Has(lexicon.Noun|lexicon.Plural)
}

// isTelling reports whether a word says anything of a tool: neither "for" nor
// "data" does.
func isTelling(word string, entry *lexicon.Entry) bool {
	return len(word) > 2 && !isFunctionWord(entry) && (entry == nil || !entry.Class.Has(lexicon.Boilerplate))
}

// noun adds a word to the tool's words.
func (r *profiler) noun(text string, weight float32) *word {
	text = lexicon.Fold(text)
	w := r.vocabulary.wordOf(text)
	r.add(w, text, weight)
	return w
}

// add adds a form of a word to the tool's words.
func (r *profiler) add(w *word, form string, weight float32) {
	t := r.term(w)
	if form = lexicon.Fold(form); w.entry == nil && !slices.Contains(t.forms, form) {
		t.forms = append(t.forms, form)
	}
	t.weight = max(t.weight, weight)
	if weight >= weightName {
		t.roles |= isSubject
	}
}

// readSchema takes the arguments of a tool.
func (r *profiler) readSchema(schema json.RawMessage) {
	a := &r.profile.arguments
	var properties, required []byte
	for key, value := range jsonspan.Members(schema) {
		switch string(jsonspan.Key(key)) {
		case "properties":
			properties = value
		case "required":
			required = value
		}
	}
	for key, property := range jsonspan.Members(properties) {
		name := string(jsonspan.Key(key))
		slot := r.readArgument(name, property)
		a.takes |= slot
		a.any = true
		for each := range jsonspan.Elements(required) {
			if text, ok := jsonspan.Text(each); ok && text == name {
				a.requires |= slot
			}
		}
	}
}

// readArgument takes the words of an argument's name as hints, and the values that
// it may have, and says what it is.
func (r *profiler) readArgument(name string, property []byte) (s slots) {
	words := toolname.Words(name)
	for i, word := range words {
		entry := r.language.Lookup(word)
		r.bearings.AddWord(vector.Argument, entry, word)
		if isTelling(word, entry) {
			r.term(r.noun(word, weightParameter)).roles |= ofSubject
		}
		if s |= r.slots.of(entry); i < len(words)-1 {
			s &^= identity // "id" says so at the end
		}
	}
	for key, value := range jsonspan.Members(property) {
		text, _ := jsonspan.Text(value)
		switch string(jsonspan.Key(key)) {
		case "enum":
			r.readOptions(value)
		case "example", "default":
			r.profile.arguments.show(text)
		case "examples":
			for each := range jsonspan.Elements(value) {
				text, _ := jsonspan.Text(each)
				r.profile.arguments.show(text)
			}
		case "pattern":
			r.profile.arguments.show(reading.PatternID(text))
		case "description":
			r.readHint(text)
		case "type", "format":
			s |= slotOf(text)
		}
	}
	for _, word := range words {
		if len(word) > 1 && r.slots.of(r.language.Lookup(word))&identity == 0 {
			r.profile.arguments.handles = append(r.profile.arguments.handles, handle{word, s&identity != 0})
		}
	}
	return s
}

// maxOptions bounds how many values of an argument are read.
const maxOptions = 40

// readOptions takes the words of the values that an argument may have.
func (r *profiler) readOptions(list []byte) {
	n := 0
	for value := range jsonspan.Elements(list) {
		text, ok := jsonspan.Text(value)
		if n++; !ok || n > maxOptions {
			return
		}
		for _, word := range toolname.Words(text) {
			if entry := r.language.Lookup(word); len(word) > 1 && !isFunctionWord(entry) {
				r.noun(word, weightParameter)
			}
		}
	}
}

// readHint takes the description of an argument: what stands there is what
// requests give.
func (r *profiler) readHint(description string) {
	const enough = 120
	if len(description) > enough {
		description = description[:enough]
	}
	tokens := r.language.Tokenize(r.tokens[:0], description)
	for i := range tokens {
		token := &tokens[i]
		word := description[token.Start:token.End]
		if r.profile.arguments.show(word); token.Kind == lexicon.Word && isTelling(word, token.Entry) {
			r.add(r.vocabulary.wordOf(lexicon.Fold(word)), word, weightArgument)
		}
	}
	r.tokens = tokens
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

// isWebSearch reports whether the tool is a search of the web at large.
func (r *profiler) isWebSearch() bool {
	searches := r.profile.acts.Has(lexicon.Search) || r.profile.told.Has(lexicon.Search) || r.hasAny("search")
	return searches && r.hasAny("web", "internet", "engine", "google", "duckduckgo", "wikipedia")
}

// isOfWorkspace reports whether the tool changes or checks files or code.
func (p *profile) isOfWorkspace(language *lexicon.Language) bool {
	return !p.info && slices.ContainsFunc(p.terms, func(t term) bool {
		return t.is(inName) && t.entry != nil && isCodeGroup(language.Groups()[t.entry.Group])
	})
}

// slotCues are the words by which the name of an argument says what it is, in the
// order of the slots.
type slotCues [9]lexicon.Cue

func newSlotCues(language *lexicon.Language) (c slotCues) {
	for i, name := range []string{"place-words", "time-words", "number-words", "person-words", "mail-words",
		"link-words", "text-words", "money-words", "id-words"} {
		c[i] = language.Cue(name)
	}
	return c
}

// of is what a word says that an argument is.
func (c *slotCues) of(entry *lexicon.Entry) (s slots) {
	for i, cue := range c {
		if entry != nil && entry.Is(cue) {
			s |= 1 << i
		}
	}
	return s
}

// arguments is what the schema of a tool takes.
type arguments struct {
	takes, requires slots
	handles         []handle
	shown           []reading.Prefix // of ids that the schema gives as examples
	any             bool             // there is a schema that takes something
}

// handle is a word of an argument's name. Ids are often written with the
// beginning of what they name: "iv-318" is an interview, "T-40" a ticket.
type handle struct {
	word string
	id   bool // the argument is an id
}

// slotOf is what a type or format of a schema takes.
func slotOf(format string) slots {
	switch format {
	case "number", "integer":
		return amount
	case "date", "date-time", "time":
		return moment
	case "email":
		return mail
	case "uri", "url":
		return link
	case "uuid":
		return identity
	}
	return 0
}

// show notes an id that the schema gives as an example, or a pattern of it.
func (a *arguments) show(id string) {
	if p := reading.PrefixOf(id); p[0] != 0 && reading.LooksLikeID(id) && !slices.Contains(a.shown, p) {
		a.shown = append(a.shown, p)
	}
}
