package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// IsFrame reports whether a sentence is a greeting or a heading: what stands around
// an answer says nothing, and the answer is the same without it. A sentence with a
// word of one of the roles is none.
func (t *Text) IsFrame(s *Sentence, tells Role) bool {
	if t.Closes(s) {
		return !t.tells(s)
	}
	if s.Asking || s.Roles&tells != 0 {
		return false
	}
	if s.Place != Heading {
		return t.reader.Greets(t.Tokens[s.From:s.To]) || t.wishes(s) || t.wishesWell(s)
	}
	acts := func(k Clause) bool { return k.Shape != Verbless }
	return t.titles(s) || !slices.ContainsFunc(t.Clauses[s.First:s.Last], acts)
}

// titles: "What I did", "How it went" over what tells it.
func (t *Text) titles(s *Sentence) bool {
	const most = 4
	first := t.FirstWord(s)
	return s.Words <= most && first < s.To && t.Roles[first]&RoleQuestion != 0
}

// wishes: "Good luck with the talk!" Nothing follows that could be an act.
func (t *Text) wishes(s *Sentence) bool {
	if s.Last-s.First != 1 || t.Clauses[s.First].Shape != Verbless || !t.Tokens[s.From].BeginsExpression() {
		return false
	}
	class, n := t.reader.language.Expression(t.Tokens[s.From:s.To])
	act := func(token lexicon.Token) bool { return token.Form().Has(lexicon.Participle) }
	return n > 0 && class.Has(lexicon.Greeting) && !slices.ContainsFunc(t.Tokens[s.From+n:s.To], act)
}

// tells reports whether a sentence has a clause that may tell of something done: "It is
// booked, let me know if you need anything else".
func (t *Text) tells(s *Sentence) bool {
	return slices.ContainsFunc(t.Clauses[s.First:s.Last], func(c Clause) bool {
		switch c.Shape {
		case Verbless, Present, Progressive, Bare:
			return false
		case Copula:
			return !s.Asking
		}
		return c.Mood != Conditional
	})
}

// wishesWell: "Have a lovely day!", "Hope that helps!".
func (t *Text) wishesWell(s *Sentence) bool {
	const most = 6
	first, last := t.FirstWord(s), t.lastWord(s)
	if t.Says(first, "I") {
		first++
	}
	return s.Words <= most && (t.Says(first, "hope") && t.Says(last, "helps") ||
		t.Says(first, "have") && t.saysAny(first+1, "a", "an") &&
			(t.Tokens[last].Class().Has(lexicon.Time) || t.saysAny(last, "day", "time", "trip")))
}

// Greets reports whether all words of tokens are those of a greeting, with a name or two
// after it, or of another courtesy that answers begin with: "Hi Anna", "Great question".
func (r *Reader) Greets(tokens []lexicon.Token) bool {
	return r.hails(tokens) || answersKindly(tokens)
}

func (r *Reader) hails(tokens []lexicon.Token) bool {
	const greeting = lexicon.Greeting | lexicon.Interjection | lexicon.Politeness | lexicon.Affirmation
	words, names, hails := 0, 0, false
	for i := 0; i < len(tokens); i++ {
		token := &tokens[i]
		if !token.IsWord() {
			continue
		}
		words++
		hails = hails || words == 1 && token.Class().Has(lexicon.Greeting)
		name := token.Has(lexicon.Capital) && token.Form() == 0 || token.Class().Has(lexicon.Existence)
		if hails && name && words > 1 && names < 2 {
			names++
			continue
		}
		if token.BeginsExpression() { // "good night"
			if class, n := r.language.Expression(tokens[i:]); n > 0 && class.Has(greeting) {
				i += n - 1
				continue
			}
		}
		if !token.Class().Has(greeting) {
			return false
		}
	}
	return words > 0
}

// Ungreet is a text without the greetings that begin it, so that they hide no list, call or
// JSON after them. It returns the room for their tokens, for reuse.
func (r *Reader) Ungreet(text string, room []lexicon.Token) (string, []lexicon.Token) {
	const longest = 40
	for {
		text = strings.TrimLeft(text, " \n\t")
		end := strings.IndexAny(text[:min(len(text), longest)], "!.\n")
		quoted := strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "“") // it is no greeting of ours
		if quoted || end < 0 || end+1 >= len(text) || text[end] != '\n' && text[end+1] != ' ' {
			return text, room
		}
		word, entry := r.language.PlainWord(text, 0) // that of most texts is none of a greeting
		first := [1]lexicon.Token{{Entry: entry}}
		if word > 0 && text[word] == ' ' && !first[0].BeginsExpression() && !r.hails(first[:]) &&
			len(englishCourtesies()["answer"].Find(lexicon.Hash(text[:word]))) == 0 {
			return text, room
		}
		if room = r.language.Tokenize(room[:0], text[:end]); !r.Greets(room) {
			return text, room
		}
		text = text[end+1:]
	}
}

// DropFrames takes the frames from the sentences of a text, and their clauses.
func (t *Text) DropFrames(tells Role) {
	sentences, clauses := 0, 0
	for i := range t.Sentences {
		s := &t.Sentences[i]
		if t.IsFrame(s, tells) {
			continue
		}
		first := clauses
		clauses += s.Last - s.First
		if sentences < i { // most texts have none
			for k, clause := range t.Clauses[s.First:s.Last] {
				clause.Sentence = sentences
				t.Clauses[first+k] = clause
			}
			t.Sentences[sentences] = *s
			t.Sentences[sentences].First, t.Sentences[sentences].Last = first, clauses
		}
		sentences++
	}
	t.Sentences, t.Clauses = t.Sentences[:sentences], t.Clauses[:clauses]
}
