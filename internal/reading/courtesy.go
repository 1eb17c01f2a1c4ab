package reading

import (
	_ "embed" // of the courtesies
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/courtesies.txt
var courtesyFile string

// courtesyRow is one pattern of courtesies.txt, by its place.
type courtesyRow struct {
	place string
	words []courtesyWord
}

// courtesyWord is what may stand in one place of a pattern.
type courtesyWord struct {
	hashes   []uint64
	optional bool
	name     bool // words of a name, or none
}

// courtesies are patterns by what they may begin with.
type courtesies = hashtable.Table[[]*courtesyRow]

// englishCourtesies are the patterns by the first of the places that they are looked for in.
var englishCourtesies = sync.OnceValue(func() map[string]*courtesies {
	openings, bids := &courtesies{}, &courtesies{}
	tables := map[string]*courtesies{
		"opening": openings, "sentence": openings, "bid": bids, "proposal": bids, "closing": {}, "answer": {},
	}
	for line := range strings.Lines(courtesyFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") || len(fields) < 2 {
			continue
		}
		row := &courtesyRow{place: fields[0]}
		for _, word := range strings.Fields(fields[1]) {
			row.words = append(row.words, newCourtesyWord(word))
		}
		row.file(tables[row.place])
	}
	return tables
})

func newCourtesyWord(word string) (w courtesyWord) {
	if w.name = word == "@"; w.name {
		return w
	}
	word, w.optional = strings.CutSuffix(word, "?")
	for _, alternative := range strings.Split(word, "/") {
		w.hashes = append(w.hashes, lexicon.Hash(alternative))
	}
	return w
}

// file puts a row under each word that it may begin with.
func (r *courtesyRow) file(table *courtesies) {
	for _, w := range r.words {
		for _, hash := range w.hashes {
			rows := table.Add(hash)
			*rows = append(*rows, r)
		}
		if !w.optional {
			return
		}
	}
}

// answersKindly reports whether all words of tokens are those of a courtesy that an
// answer begins with.
func answersKindly(tokens []lexicon.Token) bool {
	if len(tokens) == 0 || !tokens[0].IsWord() {
		return false
	}
	for _, row := range englishCourtesies()["answer"].Find(tokens[0].Hash) {
		if end := row.match(tokens, 0, 0); end > 0 && !saysWord(tokens[end:]) {
			return true
		}
	}
	return false
}

// maxCourtesies bounds how many courtesies are taken from each edge of a message,
// maxCourtesy how many tokens the last of them may have.
const maxCourtesies, maxCourtesy = 4, 20

// unframed is between which tokens a message stands without the courtesies at its edges: a
// greeting, a wish, an apology, thanks, a signature, "could you" before a verb. Beside a
// request they say nothing; none are left of a message that is nothing else. It may only
// propose what it asks for: "why don't you".
func unframed(tokens []lexicon.Token) (from, to int, proposed bool) {
	to = len(tokens)
	for range maxCourtesies {
		next := opened(tokens, from)
		if next == from {
			break
		}
		from = next
	}
	if row, next := bidden(tokens, from); row != nil {
		from, proposed = next, row.place == "proposal"
	}
	for range maxCourtesies {
		last := closed(tokens, from, to)
		if last == to {
			break
		}
		to = last
	}
	if cut := from > 0 || to < len(tokens); cut && !saysWord(tokens[from:to]) {
		return 0, 0, false
	}
	return from, to, proposed
}

// bidden is the bid or proposal that begins at a token, and where the verb stands after
// it; nil if there is none.
func bidden(tokens []lexicon.Token, from int) (*courtesyRow, int) {
	if from >= len(tokens) || tokens[from].Kind != lexicon.Word {
		return nil, from
	}
	for _, row := range englishCourtesies()["bid"].Find(tokens[from].Hash) {
		i := row.match(tokens, from, 0)
		for i > from && i < len(tokens) && tokens[i].Entry != nil && fills(tokens[i].Entry) {
			i++
		}
		if i > from && i < len(tokens) && mayAct(&tokens[i]) {
			return row, i
		}
	}
	return nil, from
}

// mayAct reports whether a word is a verb, or one that nobody knows.
func mayAct(token *lexicon.Token) bool {
	return token.Kind == lexicon.Word && (token.Entry == nil || token.Form().Has(lexicon.Base)) &&
		!token.Class().Has(lexicon.Auxiliary|lexicon.Modal)
}

func saysWord(tokens []lexicon.Token) bool {
	for i := range tokens {
		if tokens[i].IsWord() {
			return true
		}
	}
	return false
}

// isMark reports whether token i ends or divides sentences.
func isMark(tokens []lexicon.Token, i int) bool {
	return tokens[i].Kind == lexicon.End || tokens[i].Kind == lexicon.Break || tokens[i].Kind == lexicon.Comma
}

// opened is where a message goes on after the courtesy that begins at a token; there, if
// there is none.
func opened(tokens []lexicon.Token, from int) int {
	if from >= len(tokens) || !tokens[from].IsWord() {
		return from
	}
	for _, row := range englishCourtesies()["opening"].Find(tokens[from].Hash) {
		if end := row.match(tokens, from, 0); end > from {
			if next := row.leadsTo(tokens, end); next >= 0 {
				return next
			}
		}
	}
	return from
}

// leadsTo is where a message goes on after an opening; -1 if the opening is none.
func (r *courtesyRow) leadsTo(tokens []lexicon.Token, end int) int {
	next := end
	for next < len(tokens) && isMark(tokens, next) {
		next++
	}
	if next == len(tokens) {
		return next
	}
	token := &tokens[next]
	switch {
	case token.Hash == butHash: // "sorry to bother you, but"
		return next + 1
	case next > end, r.place == "opening" && beginsRequest(token):
		return next
	}
	return -1
}

var butHash = lexicon.Hash("but")

// beginsRequest reports whether a word that follows a greeting without a mark begins a
// request: "hi can you", and not "hello kitty".
func beginsRequest(token *lexicon.Token) bool {
	const begins = lexicon.Modal | lexicon.Auxiliary | lexicon.Question | lexicon.Politeness | lexicon.FirstPerson |
		lexicon.SecondPerson
	return token.Class().Has(begins) ||
		token.Form().Has(lexicon.Base) && !token.Families().Empty() && !token.Form().Has(lexicon.Noun)
}

// closed is where a message ends before the courtesy that it closes with; its end, if
// there is none.
func closed(tokens []lexicon.Token, from, to int) int {
	last, closings := to, englishCourtesies()["closing"]
	for last > from && !tokens[last-1].IsWord() {
		last--
	}
	for i := max(from, last-maxCourtesy); i < last; i++ {
		token := &tokens[i]
		if !token.IsWord() || token.Has(lexicon.Quoted) {
			continue
		}
		rows := closings.Find(token.Hash)
		if len(rows) == 0 || i > from && !closesAfter(tokens, i) {
			continue
		}
		for _, row := range rows {
			if row.match(tokens[:last], i, 0) != last {
				continue
			}
			for i > from && (tokens[i-1].Kind == lexicon.Comma || tokens[i-1].Kind == lexicon.Break) {
				i--
			}
			return i
		}
	}
	return to
}

// closesAfter reports whether a courtesy may begin at i: after a mark, or after a word
// that it cannot belong to ("cancel it thanks", and not "send my thanks", "no thanks"). A
// capital is as good as a mark, unless a title begins with it: "play Take Care".
func closesAfter(tokens []lexicon.Token, i int) bool {
	before := &tokens[i-1]
	class, form := before.Class(), before.Form()
	const joins = lexicon.Determiner | lexicon.Possessive
	const binds = joins | lexicon.Preposition | lexicon.Conjunction | lexicon.Modal | lexicon.Auxiliary |
		lexicon.SecondPerson | lexicon.FirstPerson | lexicon.Refusal | lexicon.Negation | lexicon.Question
	acts := form.Has(lexicon.Base) && !form.Has(lexicon.Noun)
	switch {
	case isMark(tokens, i-1), i+1 < len(tokens) && capitalizes(&tokens[i], &tokens[i+1]):
		return true
	case tokens[i].Has(lexicon.Capital) && !before.Has(lexicon.Upper):
		return !acts && (!class.Has(joins) || class.Has(lexicon.Pronoun|lexicon.Quantity))
	case !before.IsWord(), class.Has(binds) && !class.Has(lexicon.Pronoun|lexicon.Affirmation):
		return false
	}
	return !form.Has(lexicon.Verb) || form.Has(lexicon.Noun) && i > 1
}

// capitalizes reports whether two tokens begin as a sentence does, and no title: "Take
// care", "Thanks, Maria".
func capitalizes(first, second *lexicon.Token) bool {
	return first.Has(lexicon.Capital) &&
		(second.Kind == lexicon.Word && !second.Has(lexicon.Capital) || second.Kind == lexicon.Comma)
}

// match is where the pattern ends that is read from its n-th word on at i; -1 if it does
// not stand there. What is longer goes first.
func (r *courtesyRow) match(tokens []lexicon.Token, i, n int) int {
	if n == len(r.words) {
		return i
	}
	w := &r.words[n]
	if w.name {
		return r.nameEnd(tokens, i)
	}
	if i < len(tokens) && tokens[i].Kind == lexicon.Word && w.is(tokens[i].Hash) {
		if end := r.match(tokens, i+1, n+1); end >= 0 {
			return end
		}
	}
	if w.optional {
		return r.match(tokens, i, n+1)
	}
	return -1
}

func (w *courtesyWord) is(hash uint64) bool {
	for _, h := range w.hashes {
		if h == hash {
			return true
		}
	}
	return false
}

// maxName is how many words the name of a person has at most.
const maxName = 4

// nameEnd is where the name ends that stands at a token, after a comma or on the next line
// perhaps; there if none does. After a greeting a mark must follow such a name, and a
// signature goes on to the end of the message.
func (r *courtesyRow) nameEnd(tokens []lexicon.Token, end int) int {
	at := end
	for at < len(tokens) && (tokens[at].Kind == lexicon.Comma || tokens[at].Kind == lexicon.Break) {
		at++
	}
	i := at
	for i < len(tokens) && i < at+maxName && r.isName(tokens, i, at) {
		i++
	}
	signs, hails := r.place == "closing" && i == len(tokens), r.place == "opening" && i < len(tokens) && isMark(tokens, i)
	if i == at || at > end && !signs && !hails {
		return end
	}
	return i
}

// isName reports whether token i may belong to a name that begins at another: it has a
// capital, and is no verb. The last word of a message may be any in a signature: "Thanks,
// mark".
func (r *courtesyRow) isName(tokens []lexicon.Token, i, first int) bool {
	token := &tokens[i]
	if token.Kind != lexicon.Word {
		return false
	}
	acts := token.Form().Has(lexicon.Base) && !token.Families().Empty()
	if r.place == "closing" && i == first && i+1 == len(tokens) {
		return token.Has(lexicon.Capital) || token.Entry == nil
	}
	return token.Has(lexicon.Capital) && !acts && token.Class()&^lexicon.Boilerplate == 0
}
