package completion

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed data/others.txt
var others string

// strangers are plain words of success in languages that have no grammar here.
// They are few, so a sentence is only looked up when hardly a word of it is
// known.
type strangers struct {
	words map[uint64]strange
	parts []strangePart
	not   [][]string // by language: parts that void a claim
}

// strange is a word: what it claims, in which languages, and in which it
// voids.
type strange struct {
	act        act
	says, nots uint64 // sets of languages
}

// strangePart is a piece of a word, for scripts without spaces.
type strangePart struct {
	text     string
	act      act
	language int
}

var strangeActs = map[string]act{
	"remove": actRemove, "create": actCreate, "update": actUpdate, "finish": actGeneric, "send": actSend, "store": actCreate,
	"done": actGeneric, "read": actRead,
}

// parseStrangers reads the data file.
func parseStrangers(data string) (*strangers, error) {
	s := &strangers{words: map[uint64]strange{}}
	language := -1
	for number, line := range strings.Split(data, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			language++
			s.not = append(s.not, nil)
			continue
		}
		key, words, _ := strings.Cut(line, ":")
		if err := s.add(language, key, words); err != nil {
			return nil, fmt.Errorf("line %d of the words of other languages: %w", number+1, err)
		}
	}
	return s, nil
}

func (s *strangers) add(language int, key, words string) error {
	switch {
	case language < 0 || language >= 64:
		return fmt.Errorf("language %d is out of range", language)
	case key == "part":
		for _, part := range strings.Split(words, "|") {
			name, text, found := strings.Cut(strings.TrimSpace(part), " ")
			if _, known := strangeActs[name]; !found || !known {
				return fmt.Errorf("%q is not of the kind ACT WORDS", part)
			}
			s.parts = append(s.parts, strangePart{text, strangeActs[name], language})
		}
		return nil
	case key == "not":
		s.not[language] = strings.Fields(words)
		for _, word := range s.not[language] {
			entry := s.words[lexicon.Hash(word)]
			entry.nots |= 1 << language
			s.words[lexicon.Hash(word)] = entry
		}
		return nil
	}
	acts, known := strangeActs[key]
	if !known {
		return fmt.Errorf("there is no act %q", key)
	}
	for _, word := range strings.Fields(words) {
		entry := s.words[lexicon.Hash(word)]
		entry.act |= acts
		entry.says |= 1 << language
		s.words[lexicon.Hash(word)] = entry
	}
	return nil
}

// findForeign looks for claims in sentences that are not in the evaluator's
// own language.
func (j *judge) findForeign() {
	if len(j.text.sentences) == 0 && j.text.ticks() && j.asks(actGeneric) {
		c := Claim{Text: strings.TrimSpace(j.text.text), Rule: "tick"}
		c.By, c.Fault = j.backForeign(actGeneric)
		j.claims = append(j.claims, c)
	}
	for i := range j.text.sentences {
		s := &j.text.sentences[i]
		if s.asking || s.unknown*2 < s.words {
			continue
		}
		acts := j.text.vocabulary.strangers.claimed(&j.text, s) | j.text.vocabulary.strangers.claimedInside(&j.text, s)
		if acts == 0 {
			continue
		}
		c := Claim{Text: j.text.slice(s.from, s.to), Rule: "other language"}
		if acts == actRead {
			c.Kind = ClaimLookup
			c.By, c.Fault = j.backLookup(nil, &c)
		} else {
			c.By, c.Fault = j.backForeign(acts)
		}
		if c.Backed() || !j.translates() {
			j.claims = append(j.claims, c)
		}
	}
}

// ticks reports whether a text without words holds a tick.
func (r *reading) ticks() bool {
	for i := range r.tokens {
		switch r.token(i) {
		case "✅", "✓", "✔", "☑", "👍":
			return true
		}
	}
	return false
}

// claimed is what the words of a sentence claim.
func (s *strangers) claimed(r *reading, in *sentence) act {
	var acts act
	var says, nots uint64
	for i := in.from; i < in.to; i++ {
		if !r.tokens[i].IsWord() || r.isQuoted(i) {
			continue
		}
		if entry, known := s.words[r.tokens[i].Hash]; known {
			acts |= entry.act
			says |= entry.says
			nots |= entry.nots
		}
	}
	if says&^nots == 0 {
		return 0
	}
	return acts
}

// claimedInside is what pieces of the words of a sentence claim.
func (s *strangers) claimedInside(r *reading, in *sentence) act {
	if in.wide == 0 {
		return 0
	}
	text := strings.ToLower(r.slice(in.from, in.to))
	for _, part := range s.parts {
		at := strings.Index(text, part.text)
		if at < 0 {
			continue
		}
		void := false
		for _, not := range s.not[part.language] {
			void = void || strings.Contains(text, not) && !strings.Contains(part.text, not)
		}
		if !void {
			return part.act
		}
	}
	return 0
}

// backForeign looks for a change of the kind claimed. What it was about cannot
// be read.
func (j *judge) backForeign(acts act) (*tooltrack.Record, string) {
	for _, record := range j.turn.Records {
		if record == nil || !record.Succeeded() || !j.turn.effectOf(record).MayChange() {
			continue
		}
		info := j.tools.of(record)
		if acts&(actGeneric|info.act) != 0 || !opposite(acts, info.act) && (acts&actUpdate != 0 || info.act == 0 || info.act&(actUpdate|actRun|actGeneric) != 0) {
			return record, ""
		}
	}
	return nil, faultNoRecord
}
