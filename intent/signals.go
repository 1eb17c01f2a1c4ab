package intent

import (
	"math/bits"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// signals are what the words of a message say whatever the tools are.
type signals struct {
	words, negated, refused, agreed, thanks, questions, ids int
	standing                                                int // it is to happen again and again
	narrated, yous, mys                                     int
	given                                                   slots            // what a call can be given
	prefixes                                                []reading.Prefix // of the ids
	deeds                                                   []deed
	done                                                    lexicon.Families // by these
}

const (
	maxDeeds    = 12 // acts of a message that are compared with the tools
	maxPrefixes = 4  // and ids
	maxReply    = 12 // words of a message that only answers what the assistant said before
)

// signals reads the words of a message one by one.
func (r *reader) signals() signals {
	g := signals{deeds: make([]deed, 0, maxDeeds)}
	thanked := 0
	for i := range r.Tokens {
		token := &r.Tokens[i]
		if token.Kind == lexicon.End {
			g.questions += number(r.Text[token.Start] == '?')
			continue
		}
		if !token.IsWord() || i < thanked {
			continue
		}
		if class, n := r.Expression(i); class.Has(lexicon.Politeness) {
			thanked = i + n // "thank you" speaks of nobody
			g.thanks += number(r.is(i, cueThank))
			continue
		}
		given, prefix := r.giving(i)
		if g.given |= given; given.has(identity) {
			g.ids++
			if prefix[0] != 0 && len(g.prefixes) < maxPrefixes {
				g.prefixes = append(g.prefixes, prefix)
			}
		}
		if d, acts := r.deed(i); acts && len(g.deeds) < maxDeeds {
			g.deeds = append(g.deeds, d)
			g.done = g.done.Union(d.families)
		}
		g.standing += number(r.Standing(i))
		g.count(r, i)
	}
	return g
}

// count counts what the word at i says by its class.
func (g *signals) count(r *reader, i int) {
	entry := r.At(i)
	class := entry.Class
	g.words += number(!class.Has(lexicon.Politeness | lexicon.Greeting | lexicon.Interjection))
	g.narrated += number(entry.Form.Has(lexicon.Past) && !entry.Form.Has(lexicon.Base|lexicon.Noun) &&
		(r.Class(i-1) | r.Class(i-2)).Has(lexicon.FirstPerson))
	g.yous += number(class.Has(lexicon.SecondPerson))
	g.mys += number(class.Has(lexicon.FirstPerson) && class.Has(lexicon.Possessive))
	g.negated += number(class.Has(lexicon.Negation))
	g.refused += number(class.Has(lexicon.Refusal))
	g.agreed += number(class.Has(lexicon.Affirmation))
	g.thanks += number(class.Has(lexicon.Interjection) || entry.Is(r.cues[cueThank]))
}

// number is 1 for what is so.
func number(so bool) int { return int(one(so)) }

// A message gives what a call needs: numbers, dates, addresses, the id of the
// thing that is meant. Which of them a tool takes, its schema says.

// slots are sorts of arguments.
type slots uint16

const (
	place slots = 1 << iota
	moment
	amount
	person
	mail
	link
	wording // a text
	money
	identity // which thing is meant
)

func (s slots) has(any slots) bool { return s&any != 0 }

func (s slots) len() float32 { return float32(bits.OnesCount16(uint16(s))) }

// giving is what the token at i gives; of an id also the letters that it begins with.
func (r *reader) giving(i int) (s slots, prefix reading.Prefix) {
	token := &r.Tokens[i]
	word := r.Text[token.Start:token.End]
	switch {
	case token.Has(lexicon.Quoted):
		return wording, prefix
	case token.Kind == lexicon.Name && strings.Contains(word, "://"):
		return link, prefix
	case token.Kind == lexicon.Name && strings.Contains(word, "@"):
		return mail, prefix
	case token.Kind == lexicon.Name:
	case token.Kind == lexicon.Number:
		if s = amount; r.Clock(i) {
			s |= moment
		}
		if letters := r.joined(i); letters != "" {
			return s | identity, reading.PrefixOf(letters)
		}
		if reading.Digits(word) >= 5 {
			s |= identity
		}
	case r.Class(i).Has(lexicon.Time):
		s = moment
	case !token.Has(lexicon.Plain) && reading.LooksLikeID(word):
		return identity, reading.PrefixOf(word)
	case token.Entry == nil && token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart):
		s = place
	}
	return s, prefix
}

// joined is the word that a mark joins to the number at i: "iv-318" is read as two words.
func (r *reader) joined(i int) string {
	const most = 4 // letters
	joint := r.Tokens[i].Start - 1
	if i == 0 || r.Tokens[i-1].End != joint || r.Tokens[i-1].Kind != lexicon.Word ||
		r.Text[joint] != '-' && r.Text[joint] != '_' || joint-r.Tokens[i-1].Start > most {
		return ""
	}
	return r.Text[r.Tokens[i-1].Start:joint]
}

// reply reports whether a message is nothing but agreement, or a correction.
func (r *reader) reply() (agrees, corrects bool) {
	// An answer may consist of them: "sounds good", "no way", "thank you".
	const replying = lexicon.Affirmation | lexicon.Refusal | lexicon.Politeness
	if !r.Has(lexicon.Affirmation | lexicon.Refusal) {
		return false, false
	}
	words, extra, refuses, points := 0, 0, false, false
	for i := 0; i < len(r.Tokens); i++ {
		if !r.Wordy(i) {
			continue
		}
		if words++; words > maxReply {
			return false, false
		}
		if class, n := r.Expression(i); class.Has(replying) {
			agrees = agrees || class.Has(lexicon.Affirmation)
			refuses = refuses || class.Has(lexicon.Refusal)
			i += n - 1
			continue
		}
		class := r.Class(i)
		if class.Has(lexicon.Negation) {
			return false, false
		}
		agrees = agrees || class.Has(lexicon.Affirmation)
		refuses = refuses || class.Has(lexicon.Refusal) && i == 0
		points = points || class.Has(lexicon.Ordinal) || r.is(i, cueOtherMean)
		extra += number(r.Adds(i))
	}
	// "Sure, my number is 7340" gives information; it agrees to nothing.
	return agrees && !refuses && extra <= 1, refuses && points
}
