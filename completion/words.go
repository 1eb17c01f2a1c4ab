package completion

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/en.txt
var english string

// role is the set of parts that a word may play in a report of work.
type role uint64

const (
	roleHave role = 1 << iota
	roleBe
	roleWas
	roleBeen
	roleBeing
	roleWill
	roleModal
	roleDo
	roleTo
	roleFirst
	roleSecond
	roleThird
	roleNegative
	roleSubordinate
	roleFactive
	roleEarlier
	roleNow
	roleAdverb
	roleRelative
	roleBy
	roleAnd
	roleBut
	roleAttitude
	roleInforming
	roleAll
	roleAble
	roleComplete
	roleStatus
	roleSystem
	roleQuestion
	roleThis
	roleMine
	roleYours
	roleMoney
	roleArtefact
	roleEffect
	roleAffirm
	roleDecline
	roleReport
	roleSaying
	roleTrying
	roleFailing
	roleEncounter
	roleSucceed
	roleCalling
	roleLight // a verb that says nothing without its noun: make, do, take
	rolePurpose
	roleHedge
	roleTalk // what needs no tool to be looked at
	roleRequesting
	roleInstruct
	roleHolding
	roleLonger
	roleWent
	roleSetting
	roleYielding
	roleOccurring
	roleTechnical
	roleHere
	roleEmpty
	roleLooking
	roleShowing
	roleWhen
	rolePhrase // begins a fixed expression
)

var roleNames = map[string]role{
	"have": roleHave, "be": roleBe, "was": roleWas, "been": roleBeen, "being": roleBeing, "will": roleWill, "modal": roleModal, "do": roleDo,
	"to": roleTo, "first": roleFirst, "second": roleSecond, "third": roleThird, "negative": roleNegative, "subordinate": roleSubordinate,
	"factive": roleFactive, "earlier": roleEarlier, "now": roleNow, "adverb": roleAdverb, "relative": roleRelative, "by": roleBy, "and": roleAnd,
	"but": roleBut, "attitude": roleAttitude, "informing": roleInforming, "all": roleAll, "able": roleAble, "complete": roleComplete,
	"status": roleStatus, "system": roleSystem, "question": roleQuestion, "this": roleThis,
	"mine": roleMine, "yours": roleYours, "money": roleMoney, "artefact": roleArtefact, "effect": roleEffect, "affirm": roleAffirm,
	"decline": roleDecline,
	"report":  roleReport, "saying": roleSaying, "trying": roleTrying, "encounter": roleEncounter, "succeed": roleSucceed,
	"calling": roleCalling, "light": roleLight, "purpose": rolePurpose, "hedge": roleHedge, "talk": roleTalk, "requesting": roleRequesting, "instruct": roleInstruct, "holding": roleHolding, "longer": roleLonger, "went": roleWent, "setting": roleSetting, "yielding": roleYielding, "occurring": roleOccurring, "technical": roleTechnical, "here": roleHere, "empty": roleEmpty, "looking": roleLooking, "showing": roleShowing, "when": roleWhen,
}

// cue is the set of hints that a word gives about its sentence.
type cue uint32

const (
	cuePlease cue = 1 << iota
	cueLet
	cueAsk
	cueWant
	cueHold
	cueUnable
	cueError
	cueTrouble
	cueWhether
	cueDetail
	cueEnabling
	cuePrevented
	cueOnward
	cueDraft
	cueThanks
	cueFail
	cuePolicy
	cuePermission
	cueMissing
	cueEnvironment
	cueFiction
	cueCheck // tests, a build: what can pass
	cuePass
)

var cueNames = map[string]cue{
	"please": cuePlease, "let": cueLet, "ask": cueAsk, "want": cueWant, "hold": cueHold, "unable": cueUnable, "error": cueError,
	"trouble": cueTrouble, "whether": cueWhether, "detail": cueDetail, "enabling": cueEnabling, "prevented": cuePrevented, "onward": cueOnward,
	"draft": cueDraft, "thanks": cueThanks, "fail": cueFail, "policy": cuePolicy, "permission": cuePermission, "missing": cueMissing, "environment": cueEnvironment, "fiction": cueFiction,
	"check": cueCheck, "pass": cuePass,
}

// word is all that the reader needs to know of a written form.
type word struct {
	role  role
	cue   cue
	act   act // as a verb
	noun  act // as the noun of an act
	form  lexicon.Form
	count uint8 // the number it spells
	// trigger marks a word that may be, or begin, the verb of a report.
	trigger trigger
	phrases uint16 // the expressions that begin with it, counted from 1
}

// trigger says what a word may begin.
type trigger uint8

const (
	triggerVerb  trigger = 1 << iota // a report by its verb, or a fixed expression
	triggerState                     // one by what is or holds something: "is now on your list"
)

// vocabulary is the words of one language as reports use them: one probe per
// token. It is immutable once built.
type vocabulary struct {
	language *lexicon.Language
	words    []word // the first is noWord
	table    []slot // open addressing, a power of two
	mask     uint64
	phrases  [][]phrase // by word.phrases; the first is empty
	// hostBlockers is true when the host has blocker phrases of its own.
	hostBlockers bool
	strangers    *strangers
	known        *knownWords
}

// slot is small, so that the table stays in the cache.
type slot struct {
	hash  uint64
	index uint32 // in words; 0 is an empty slot
}

// phrase is a fixed expression behind its first word.
type phrase struct {
	rest []uint64
	kind phraseKind
	rule string // names it in verdicts
	tool string // a host's claim phrase: the tool that must have succeeded
	stop BlockerKind
}

type phraseKind uint8

const (
	phraseDone    phraseKind = iota + 1 // reports that the work is done
	phraseOffer                         // ends a text politely
	phraseClaim                         // the host's own claim
	phraseBlocker                       // the host's own blocker
)

var phraseNames = map[string]phraseKind{"done": phraseDone, "offer-end": phraseOffer}

// noWord stands for every word that the vocabulary lacks, and for marks.
var noWord = &word{}

// find is the word of a hash; noWord if there is none.
func (v *vocabulary) find(hash uint64) *word {
	for i := hash >> 32 & v.mask; ; i = (i + 1) & v.mask {
		s := &v.table[i]
		if s.hash == hash && s.index != 0 {
			return &v.words[s.index]
		}
		if s.index == 0 {
			return noWord
		}
	}
}

// builder collects words before the table is laid out.
type builder struct {
	language *lexicon.Language
	words    map[string]*word
	acted    map[string]bool // words whose act was given here
	phrases  map[uint64][]phrase
	firsts   []string // the words that begin phrases
}

// newVocabulary joins the lexicon's words with the roles of a data file.
func newVocabulary(language *lexicon.Language, data string, options *Options) (*vocabulary, error) {
	b := builder{language: language, words: map[string]*word{}, acted: map[string]bool{}, phrases: map[uint64][]phrase{}}
	for _, entry := range language.Entries() {
		if form := entry.Form & (lexicon.Verb | lexicon.Adverb); form != 0 {
			w := b.word(entry.Word)
			w.form = form
			if form.Has(lexicon.Verb) {
				w.act = actsOf(entry.Families)
			}
		}
	}
	section := ""
	for number, line := range strings.Split(data, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = line
			continue
		}
		key, words, _ := strings.Cut(line, ":")
		if err := b.add(section, key, words); err != nil {
			return nil, fmt.Errorf("line %d of the report words: %w", number+1, err)
		}
	}
	for _, p := range options.Claims {
		b.addPhrase(p.Text, phrase{kind: phraseClaim, rule: "host: " + p.Text, tool: p.Tool})
	}
	for _, p := range options.Blockers {
		b.addPhrase(p.Text, phrase{kind: phraseBlocker, rule: "host: " + p.Text, stop: p.Kind})
	}
	v := b.layOut()
	v.hostBlockers = len(options.Blockers) > 0
	v.known = newKnownWords(v, b.forms())
	var err error
	v.strangers, err = parseStrangers(others)
	return v, err
}

// forms are all written forms, the lexicon's and those added here.
func (b *builder) forms() map[string]bool {
	forms := map[string]bool{}
	for _, entry := range b.language.Entries() {
		forms[entry.Word] = true
	}
	for form := range b.words {
		forms[form] = true
	}
	for _, form := range b.firsts {
		forms[form] = true
	}
	return forms
}

func (b *builder) word(form string) *word {
	if b.words[form] == nil {
		b.words[form] = &word{}
	}
	return b.words[form]
}

func (b *builder) add(section, key, words string) error {
	switch section {
	case "[roles]":
		return b.addRoles(key, strings.Fields(words))
	case "[cues]":
		return b.addCues(key, strings.Fields(words))
	case "[lemmas]":
		return b.addRoles(key, b.inflect(strings.Fields(words)))
	case "[acts]":
		return b.addActs(key, strings.Fields(words))
	case "[nouns]":
		return b.addNouns(key, strings.Fields(words))
	case "[phrases]":
		return b.addPhrases(key, words)
	}
	return fmt.Errorf("there is no section %q", section)
}

func (b *builder) addRoles(key string, forms []string) error {
	for i, name := range countNames {
		if name == key {
			for _, form := range forms {
				b.word(form).count = uint8(i + 1)
			}
			return nil
		}
	}
	known, ok := roleNames[key]
	if !ok {
		return fmt.Errorf("there is no role %q", key)
	}
	for _, form := range forms {
		b.word(form).role |= known
	}
	return nil
}

func (b *builder) addCues(key string, forms []string) error {
	known, ok := cueNames[key]
	if !ok {
		return fmt.Errorf("there is no cue %q", key)
	}
	for _, form := range forms {
		b.word(form).cue |= known
	}
	return nil
}

var countNames = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// inflect lists all forms of words.
func (b *builder) inflect(lemmas []string) []string {
	var forms []string
	for _, lemma := range lemmas {
		forms = b.language.Inflect(forms, lemma)
	}
	return forms
}

// addActs gives verbs their act, in all forms. Words that the lexicon does not
// list are inflected by rule.
func (b *builder) addActs(key string, lemmas []string) error {
	acts, ok := actNames[key]
	if !ok {
		return fmt.Errorf("there is no act %q", key)
	}
	for _, lemma := range lemmas {
		for _, form := range b.language.Inflect(nil, lemma) {
			w := b.word(form)
			if !b.acted[form] {
				w.act, b.acted[form] = 0, true
			}
			w.act |= acts
			if !w.form.Has(lexicon.Verb) {
				w.form |= regularForm(form, lemma)
			}
		}
	}
	return nil
}

func regularForm(form, lemma string) lexicon.Form {
	switch {
	case strings.HasSuffix(form, "ed"):
		return lexicon.Past | lexicon.Participle
	case strings.HasSuffix(form, "ing"):
		return lexicon.Gerund
	case form == lemma:
		return lexicon.Base
	}
	return lexicon.Third
}

func (b *builder) addNouns(key string, forms []string) error {
	acts, ok := actNames[key]
	if !ok {
		return fmt.Errorf("there is no act %q", key)
	}
	for _, form := range forms {
		b.word(form).noun |= acts
	}
	return nil
}

func (b *builder) addPhrases(key, words string) error {
	kind, ok := phraseNames[key]
	if !ok {
		return fmt.Errorf("there is no kind of phrase %q", key)
	}
	for _, text := range strings.Split(words, "|") {
		b.addPhrase(text, phrase{kind: kind, rule: key})
	}
	return nil
}

// addPhrase adds an expression; one without words is ignored.
func (b *builder) addPhrase(text string, p phrase) {
	var hashes []uint64
	for _, token := range b.language.Tokenize(nil, text) {
		if !token.IsWord() {
			continue
		}
		if len(hashes) == 0 {
			b.firsts = append(b.firsts, lexicon.Fold(text[token.Start:token.End]))
		}
		hashes = append(hashes, token.Hash)
	}
	if len(hashes) == 0 {
		return
	}
	p.rest = hashes[1:]
	b.phrases[hashes[0]] = append(b.phrases[hashes[0]], p)
}

func (b *builder) layOut() *vocabulary {
	size := 1
	for size < 2*(len(b.words)+len(b.phrases)) {
		size *= 2
	}
	v := &vocabulary{
		language: b.language, words: make([]word, 1, len(b.words)+1), table: make([]slot, size), mask: uint64(size - 1), phrases: make([][]phrase, 1),
	}
	for form, w := range b.words {
		if w.form&(lexicon.Past|lexicon.Participle) != 0 || w.role&(roleComplete|roleAble) != 0 {
			w.trigger |= triggerVerb
		}
		if w.role&(roleNow|roleLonger|roleYours) != 0 {
			w.trigger |= triggerState
		}
		if *w != (word{}) {
			*v.put(lexicon.Hash(form)) = *w
		}
	}
	for first, phrases := range b.phrases {
		v.phrases = append(v.phrases, phrases)
		w := v.put(first)
		w.role |= rolePhrase
		w.phrases = uint16(len(v.phrases) - 1)
		w.trigger |= triggerVerb
	}
	return v
}

// put finds or makes the place of a hash. Only layOut may use it.
func (v *vocabulary) put(hash uint64) *word {
	for i := hash >> 32 & v.mask; ; i = (i + 1) & v.mask {
		s := &v.table[i]
		if s.index == 0 {
			v.words = append(v.words, word{})
			*s = slot{hash, uint32(len(v.words) - 1)}
		}
		if s.hash == hash {
			return &v.words[s.index]
		}
	}
}
