package completion

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// asks reports whether this turn's request asks for a change of the given
// kind. A claim of that kind speaks of now, and earlier records do not back it.
func (j *judge) asks(kind act) bool {
	if !j.askedReady {
		j.askedReady = true
		j.readRequest()
	}
	if kind&(actGeneric|actMoney) != 0 {
		return j.asked&changing != 0
	}
	return j.asked&kind != 0
}

// readRequest collects the acts that are asked for: those of the user's verbs
// and, where the user only agrees, those of the text agreed to. A message that
// is missing, or of which no word is known, may ask for anything.
func (j *judge) readRequest() {
	j.agreed = j.readTalk(j.turn.User)
	if j.talk.unknown() {
		j.asked = changing
		return
	}
	switch {
	case j.agreed && j.turn.Previous != "":
		j.readTalk(j.turn.Previous)
	case j.agreed && j.asked == 0 && j.talk.nods(): // to what, nobody knows
		j.asked = changing
	}
}

// nods reports whether a message is nothing but a yes: "ok thanks" and questions
// are more.
func (r *reading) nods() bool {
	const most = 6 // words
	words := 0
	for i := range r.sentences {
		s := &r.sentences[i]
		if words += s.words; s.asking || s.cues&cueThanks != 0 {
			return false
		}
	}
	return words <= most
}

// unknown reports whether a text has hardly a word that the vocabulary knows.
func (r *reading) unknown() bool {
	known, all := 0, 0
	for i := range r.tokens {
		if r.tokens[i].Kind != lexicon.Word || r.isQuoted(i) {
			continue
		}
		all++
		if r.tokens[i].Entry != nil {
			known++
		}
	}
	return known*4 < all || all == 0 && len(r.tokens) == 0
}

// readTalk adds the acts of a message, and reports whether it agrees to what
// was said before.
func (j *judge) readTalk(text string) bool {
	j.hear(text)
	r := &j.talk
	for i := range r.sentences {
		j.readWish(&r.sentences[i])
	}
	for i := range r.sentences {
		if r.agrees(&r.sentences[i]) {
			return true
		}
	}
	return false
}

// readWish adds the acts that a sentence asks for. A question about the past
// asks for nothing.
func (j *judge) readWish(s *sentence) {
	r := &j.talk
	if s.asking && (r.words[s.first].role&(roleHave|roleBe|roleWas) != 0 || r.token(s.first) == "Did" || r.token(s.first) == "did") {
		return
	}
	confirms := false // "confirm that it is deleted"
	for i := s.from; i < s.to; i++ {
		w := r.words[i]
		if s.asking && strings.EqualFold(r.token(i), "did") { // "What did I book?"
			return
		}
		confirms = confirms || w.role&roleInforming != 0 && w.form&lexicon.Base != 0
		if confirms && w.form&lexicon.Participle != 0 && w.role&(roleLight|roleSaying) == 0 && w.act&actRead == 0 {
			j.asked |= w.act & changing &^ actGeneric
		}
		if (w.form&lexicon.Base != 0 || w.form&lexicon.Gerund != 0 && s.cues&cueThanks == 0) && w.act&changing != 0 && w.role&roleSaying == 0 {
			if w.role&roleLight == 0 && w.act&actRead == 0 && !r.isNoun(i, s) {
				j.asked |= w.act
			}
		}
		if w.noun&^actGeneric != 0 {
			j.asked |= w.noun &^ actGeneric
		}
	}
}

// isNoun: "the test", "my last order", "a speed test" ask for nothing.
func (r *reading) isNoun(i int, s *sentence) bool {
	if !r.tokens[i].Form().Has(lexicon.Noun) {
		return false
	}
	for k := i - 1; k >= max(s.first, i-3); k-- {
		if r.tokens[k].Class().Has(lexicon.Determiner | lexicon.Possessive) {
			return true
		}
		if r.words[k].role&(roleFirst|roleSecond|roleTo|roleAnd|roleWill|roleModal) != 0 || !r.tokens[k].Form().Has(lexicon.Noun|lexicon.Adjective) {
			return false
		}
	}
	return false
}

// agrees reports whether a sentence begins by agreeing: "Yes", "okay, go ahead".
func (r *reading) agrees(s *sentence) bool {
	for i := s.first; i < min(s.first+4, s.to); i++ {
		switch w := r.words[i]; {
		case w.role&roleDecline != 0:
			return false
		case w.role&roleAffirm != 0 && (i == s.first || w.form&lexicon.Base == 0):
			return true
		}
		if class, _ := r.vocabulary.language.Expression(r.tokens[i:s.to]); class.Has(lexicon.Affirmation) {
			return true
		}
	}
	return false
}

// userDid reports whether the user's message reports the same act as done.
func (j *judge) userDid(verb *lexicon.Entry) bool {
	if verb == nil {
		return false
	}
	j.hear(j.turn.User)
	r := &j.talk
	for i := range r.tokens {
		if entry := r.tokens[i].Entry; entry != nil && entry.ID == verb.ID && entry.Form.Has(lexicon.Past) {
			return true
		}
	}
	return false
}

// asksForWords reports whether the user asks for a text: what the answer then
// puts in quotation marks is that text.
func (j *judge) asksForWords() bool {
	if t := j.turn.Text; t[0] != '"' && t[0] != '\'' && t[0] < utf8.RuneSelf { // only a text in quotation marks is in question
		return false
	}
	j.hear(j.turn.User)
	for i := range j.talk.tokens {
		if families := j.talk.tokens[i].Families(); families.Has(lexicon.Translate) || families.Has(lexicon.Write) {
			return true
		}
	}
	return false
}

// fiction reports whether the user asks for a poem or a story: nobody in it
// reports work.
func (j *judge) fiction() bool {
	j.hear(j.turn.User)
	writes := false
	for i := range j.talk.tokens {
		writes = writes || j.talk.tokens[i].Families().Has(lexicon.Write) || j.talk.words[i].role&roleInforming != 0
		if writes && j.talk.words[i].cue&cueFiction != 0 {
			return true
		}
	}
	return false
}

// translates reports whether the user asks for a translation, which says what
// the original says.
func (j *judge) translates() bool {
	j.hear(j.turn.User)
	for i := range j.talk.tokens {
		if j.talk.tokens[i].Families().Has(lexicon.Translate) {
			return true
		}
	}
	return false
}

// correspondence names texts for somebody else that a user may ask for.
var correspondence = []string{"email", "mail", "letter", "reply", "response", "answer", "message", "note", "memo", "post", "announcement", "apology", "text"}

// inLetter reports whether an event stands in a letter that the user asked for:
// behind a salutation, where no tool was due and nothing was changed.
func (j *judge) inLetter(e *event) bool {
	if len(j.turn.Expected) > 0 || j.succeededChange() || !j.saluted(e) {
		return false
	}
	j.hear(j.turn.User)
	writes := false
	for i := range j.talk.tokens {
		t := &j.talk.tokens[i]
		writes = writes || t.Families().Has(lexicon.Write)
		if writes && t.Entry != nil && slices.Contains(correspondence, t.Entry.Lemma) {
			return true
		}
	}
	return false
}

// saluted reports whether a letter has begun before the event.
func (j *judge) saluted(e *event) bool {
	for i := 0; i <= e.in; i++ {
		switch strings.ToLower(j.text.token(j.text.sentences[i].first)) {
		case "dear", "hi", "hello", "hey", "subject":
			return true
		}
	}
	return false
}
