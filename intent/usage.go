package intent

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// People rarely ask in a tool's own words: "take it off" for delete_item, "how full
// is" for get_level. Which words ask for which sort of tool holds from one set of
// tools to the next, so it is learned: each word of a message has a weight for each
// trait of a tool, and what a message says for a tool is their sum.

// trait is one of a tool's traits by which words ask for it: what it does, that it
// only answers or not, or a word of its name.
type trait = int32

const (
	traitAnswers trait = 128 + iota // families come first
	traitActs
	traitWords // from here on, by the lemma
)

// saying is how much a word asks for tools of a trait.
type saying struct {
	trait  trait
	weight float32
}

// usages are the fitted sayings of English, by word.
type usages struct {
	listed   []int32                // by lemma; 0 is none, else the number of the word + 1
	unlisted hashtable.Table[int32] // by hash, for words that the language does not list
	begins   []int32                // where the sayings of a word begin; those of the next end them
	sayings  []saying
}

//go:embed data/usage.txt
var fittedUsage string

// parseUsages reads the fitted weights: a line holds a word, and traits with theirs.
func parseUsages(language *lexicon.Language, text string) (*usages, error) {
	u := &usages{listed: make([]int32, language.Lemmas()), unlisted: hashtable.New[int32](strings.Count(text, "\n"))}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		for _, field := range fields[1:] {
			name, number, _ := strings.Cut(field, ":")
			trait, known := traitNamed(language, name)
			weight, err := strconv.ParseFloat(number, 32)
			if err != nil || !known {
				return nil, fmt.Errorf("the fitted usage has no trait and weight in %q", line)
			}
			u.sayings = append(u.sayings, saying{trait, float32(weight)})
		}
		u.begins = append(u.begins, int32(len(u.sayings)-len(fields)+1))
		if entry := language.Lookup(fields[0]); entry != nil {
			u.listed[entry.ID] = int32(len(u.begins))
		} else {
			u.unlisted.Put(lexicon.Hash(fields[0]), int32(len(u.begins)))
		}
	}
	u.begins = append(u.begins, int32(len(u.sayings)))
	return u, nil
}

// The names of traits: "=delete" is what a tool does, "order" a word of its name.
const nameAnswers, nameActs, nameFamily = "+answers", "+acts", "="

func traitNamed(language *lexicon.Language, name string) (trait, bool) {
	switch {
	case name == nameAnswers:
		return traitAnswers, true
	case name == nameActs:
		return traitActs, true
	case strings.HasPrefix(name, nameFamily):
		family, err := lexicon.FamilyNamed(name[len(nameFamily):])
		return trait(family), err == nil
	}
	entry := language.Lookup(name)
	if entry == nil {
		return 0, false
	}
	return traitWords + entry.ID, true
}

// number is that of a word, 0 if there is no saying of it.
func (u *usages) number(token *lexicon.Token) int32 {
	switch {
	case token.Kind != lexicon.Word || token.Has(lexicon.Quoted):
		return 0
	case token.Entry == nil:
		return u.unlisted.Find(token.Hash)
	case token.Entry.ID < 0 || int(token.Entry.ID) >= len(u.listed): // a number, a word of the host
		return 0
	}
	return u.listed[token.Entry.ID]
}

// traits are those of a tool.
func (p *profile) traits() (all []trait) {
	for f := p.acts.Next(lexicon.NoFamily); f != lexicon.NoFamily; f = p.acts.Next(f) {
		all = append(all, trait(f))
	}
	if p.info {
		all = append(all, traitAnswers)
	} else {
		all = append(all, traitActs)
	}
	for _, lemma := range p.words {
		all = append(all, traitWords+lemma)
	}
	return all
}

// askable is what of the usages concerns a set of tools.
type askable struct {
	words   *usages
	begins  []int32  // as those of the usages, of the sayings that are left
	sayings []saying // whose traits are the places of their tools
	tools   [][]int32
}

// newAskable leaves out the sayings of which no tool has the trait: a message is
// read thousands of times for each set of tools, and most are said of others.
func newAskable(u *usages, language *lexicon.Language, profiles []*profile) *askable {
	a := &askable{words: u, begins: make([]int32, 0, len(u.begins)), sayings: make([]saying, 0, len(u.sayings)/4)}
	places := make([]int32, int(traitWords)+language.Lemmas()) // by trait, + 1
	for tool, p := range profiles {
		for _, trait := range p.traits() {
			if places[trait] == 0 {
				a.tools = append(a.tools, nil)
				places[trait] = int32(len(a.tools))
			}
			of := &a.tools[places[trait]-1]
			*of = append(*of, int32(tool))
		}
	}
	from := int32(0)
	for _, to := range u.begins {
		for _, said := range u.sayings[from:to] {
			if place := places[said.trait]; place != 0 {
				a.sayings = append(a.sayings, saying{place - 1, said.weight})
			}
		}
		a.begins, from = append(a.begins, int32(len(a.sayings))), to
	}
	return a
}

// nextAsking is the first token from i on that may ask for something. "Thank you"
// does not, nor do the words of a title: "remind me to cancel the gym" cancels nothing.
func (r *reader) nextAsking(i int) int {
	for i < len(r.Tokens) {
		n := r.polite(i)
		for k := range r.Requests {
			if q := &r.Requests[k]; q.Body <= i && i < q.To && i > q.Verb && q.Families.Overlaps(entitled) {
				n = q.To - i
			}
		}
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// addUsage adds up what the words of the message ask for, by tool.
func (c *Classifier) addUsage(s *scratch) {
	clear(s.usage)
	if c.askable == nil {
		return
	}
	s.round++
	for i := s.reader.nextAsking(0); i < len(s.reader.Tokens); i = s.reader.nextAsking(i + 1) {
		number := c.askable.words.number(&s.reader.Tokens[i])
		if number == 0 || s.used[number-1] == s.round {
			continue
		}
		s.used[number-1] = s.round
		for _, said := range c.askable.sayings[c.askable.begins[number-1]:c.askable.begins[number]] {
			for _, tool := range c.askable.tools[said.trait] {
				s.usage[tool] += said.weight
			}
		}
	}
}
