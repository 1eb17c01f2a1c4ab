package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// signals are what the sentences of a text say beside claims: that something
// is asked for, prevented, or about to be done. They are numbers of sentences;
// -1 is none.
type signals struct {
	asks     int // the last sentence that asks the user
	confirms int // the first that asks whether to go on
	prevents int // the first that says what cannot be done
	promises int // the last that announces work
	failures int // the first that speaks of an error
	hosted   int // the first that holds a blocker phrase of the host's own
	host     *phrase
	drafts   bool // the text shows a draft
}

// signals reads them off the sentences. Where something was read, the entries
// of a list are what was found.
func (r *reading) signals(read bool) signals {
	found := signals{asks: -1, confirms: -1, prevents: -1, promises: -1, failures: -1, hosted: -1}
	asksBelow := false // "please tell me:" makes wishes of the lines behind it
	for i := range r.sentences {
		s := &r.sentences[i]
		if !s.listed {
			asksBelow = s.roles&roleSubordinate != 0 || s.cues&(cuePlease|cueWant|cueAsk|cueLet) != 0
		}
		if r.isCited(s) || read && !asksBelow && r.isEntry(s) {
			continue
		}
		switch {
		case r.offers(s) && !r.demands(s):
		case r.asksUser(s):
			found.asks = i
			if found.confirms < 0 && s.cues&cueWhether != 0 {
				found.confirms = i
			}
		case r.promisesWork(s):
			found.promises = i
		}
		if found.prevents < 0 && r.preventsWork(s) {
			found.prevents = i
		}
		if found.failures < 0 && s.cues&(cueError|cueTrouble|cueFail) != 0 {
			found.failures = i
		}
		if r.vocabulary.hostBlockers && found.host == nil && s.roles&rolePhrase != 0 {
			if found.host = r.hasPhrase(s, phraseBlocker); found.host != nil {
				found.hosted = i
			}
		}
		found.drafts = found.drafts || s.cues&cueDraft != 0
	}
	return found
}

// isEntry: "- Send the report to Anna" is an entry of a list. One that speaks to
// the user, or of the speaker, is not.
func (r *reading) isEntry(s *sentence) bool {
	if !s.listed || s.asking || s.cues&(cuePlease|cueUnable) != 0 || s.roles&(roleSecond|roleYours|roleWill) != 0 {
		return false
	}
	for i := s.first; i < s.to; i++ {
		if r.tokens[i].Class().Has(lexicon.FirstPerson) {
			return false
		}
	}
	const verbs = roleBe | roleWas | roleHave | roleDo | roleNegative
	return r.words[s.first].form&lexicon.Base != 0 || s.roles&verbs == 0
}

// hasPhrase is the first expression of a kind in a sentence.
func (r *reading) hasPhrase(s *sentence, kind phraseKind) *phrase {
	for i := s.first; i < s.to; i++ {
		if r.words[i].role&rolePhrase == 0 {
			continue
		}
		if p, _ := r.phraseAt(i, s.to); p != nil && p.kind == kind {
			return p
		}
	}
	return nil
}

// offers: "Is there anything else I can help you with?" ends a text politely.
func (r *reading) offers(s *sentence) bool {
	return s.roles&rolePhrase != 0 && r.hasPhrase(s, phraseOffer) != nil
}

// demands: "please reply yes" asks, whatever the sentence offers beside it.
func (r *reading) demands(s *sentence) bool {
	for i := s.first; i < s.to; i++ {
		if r.words[i].cue&cuePlease != 0 && r.cueWithin(i, s.to, cueAsk, 3) && !r.cueWithin(i, s.to, cueLet, 2) {
			return true
		}
	}
	return false
}

// asksUser: a question, or a request for something the user has to give.
func (r *reading) asksUser(s *sentence) bool {
	if s.asking {
		return true
	}
	if s.cues&(cuePlease|cueLet|cueWant|cueAsk|cueWhether) == 0 || s.cues&cueHold != 0 && s.cues&cuePlease == 0 && s.to-s.first <= 8 {
		return false
	}
	for i := s.first; i < s.to; i++ {
		w := r.words[i]
		switch {
		case r.isQuoted(i):
		case w.cue&cuePlease != 0 && (r.cueWithin(i, s.to, cueAsk|cueLet, 3) || i+1 < s.to && r.words[i+1].form&lexicon.Base != 0 && r.words[i+1].cue&cueHold == 0),
			w.cue&cueLet != 0 && i+2 < s.to && r.token(i+1) == "me" && r.token(i+2) == "know",
			w.role&roleSubordinate != 0 && i+2 < s.to && r.words[i+1].role&roleSecond != 0 && r.cueWithin(i+1, s.to, cueWhether|cueAsk, 3),
			w.cue&cueAsk != 0 && i == s.first && w.form&lexicon.Base != 0,
			w.cue&cueWant != 0 && r.needsYours(i, s):
			return true
		}
	}
	return false
}

// needsYours: "I need your email", "I'll need the order id".
func (r *reading) needsYours(i int, s *sentence) bool {
	if i+2 < s.to && r.words[i+1].role&roleTo != 0 && r.words[i+2].act != 0 { // "I need to check your order"
		return false
	}
	return i > s.first && r.words[i].form&lexicon.Base != 0 && r.words[i-1].role&(roleFirst|roleWill|roleModal) != 0 &&
		(r.cueWithin(i, s.to, cueDetail, 9) || r.roleWithin(i, s.to, roleYours|roleSecond, 9))
}

// cueWithin reports whether a word with the cue stands at most n tokens behind i.
func (r *reading) cueWithin(i, to int, cues cue, n int) bool {
	for k := i + 1; k < min(to, i+1+n); k++ {
		if r.words[k].cue&cues != 0 {
			return true
		}
	}
	return false
}

// roleWithin reports whether a word of the role stands at most n tokens behind i.
func (r *reading) roleWithin(i, to int, roles role, n int) bool {
	for k := i + 1; k < min(to, i+1+n); k++ {
		if r.words[k].role&roles != 0 {
			return true
		}
	}
	return false
}

// preventsWork: "I cannot …", "it is not possible", "our policy does not allow".
func (r *reading) preventsWork(s *sentence) bool {
	if s.asking || s.cues&(cueUnable|cuePrevented|cueFail|cueError|cueTrouble) == 0 && s.roles&roleNegative == 0 {
		return false
	}
	if r.words[s.first].role&roleSubordinate != 0 && s.cues&cuePrevented == 0 {
		return false // "if it does not work, …"
	}
	for i := s.first; i < s.to; i++ {
		w := r.words[i]
		switch {
		case r.isQuoted(i):
		case w.cue&(cuePrevented|cueUnable) != 0,
			w.role&roleNegative != 0 && (r.cueWithin(i, s.to, cueEnabling|cueUnable, 4) || i > s.first && r.words[i-1].role&roleBe != 0 && w.role&roleBe == 0 && r.thereIs(i, s)),
			w.role&roleTo != 0 && i+1 < s.to && i > s.first && s.roles&roleSecond != 0 && r.refers(i),
			w.cue&(cueError|cueTrouble|cueFail) != 0:
			return true
		}
	}
	return false
}

// thereIs: "there are no flights".
func (r *reading) thereIs(i int, s *sentence) bool {
	return i-2 >= s.first && strings.EqualFold(r.token(i-2), "there")
}

// refers: "you have to contact the airport".
func (r *reading) refers(i int) bool {
	entry := r.tokens[i+1].Entry
	return entry != nil && entry.Lemma == "contact" && (r.words[i-1].role&roleHave != 0 || r.words[i-1].cue&cueWant != 0)
}

// promisesWork: "I will now check", "Let me look", "Please hold on".
func (r *reading) promisesWork(s *sentence) bool {
	_, promises := r.promise(s)
	return promises
}

// promise reports whether a sentence announces work, and the verb that says
// what; -1 if none does.
func (r *reading) promise(s *sentence) (verb int, promises bool) {
	if s.roles&(roleWill|roleBe) == 0 && s.cues&(cueLet|cueHold) == 0 && r.words[s.first].form&lexicon.Gerund == 0 && r.words[s.first].role&roleNow == 0 {
		return -1, false
	}
	for i := s.first; i < s.to; i++ {
		w := r.words[i]
		verb = -1
		switch {
		case r.isQuoted(i):
			continue
		case w.role&roleSubordinate != 0 && i == s.first:
			return -1, false
		case w.cue&cueHold != 0 && r.holdsOn(i, s):
			return -1, true
		case w.form&lexicon.Gerund != 0 && r.begins(i, s) && w.act&changing != 0 && s.roles&roleBe == 0 && s.to-s.first <= 8: // "Deleting it now…"
			return i, !r.finished(i, s) // "Refactoring complete."
		case w.role&roleBe != 0 && i > s.first && r.words[i-1].role&roleFirst != 0:
			if verb = r.working(i, s.to); verb >= 0 {
				return verb, true
			}
		case w.role&roleWill != 0 && i > s.first && r.words[i-1].role&roleFirst != 0:
			if r.refrains(i, s) || r.onRequest(i-1, s) {
				return -1, false
			}
			verb = r.works(i, s.to)
		case w.cue&cueLet != 0 && i+1 < s.to && r.token(i+1) == "me":
			verb = r.works(i+1, s.to)
		}
		if verb >= 0 {
			return verb, !r.depends(i, s.to)
		}
	}
	return -1, false
}

// refrains: "I won't book anything", "I will not touch it".
func (r *reading) refrains(i int, s *sentence) bool {
	return r.words[i].role&roleNegative != 0 || i+1 < s.to && r.words[i+1].role&roleNegative != 0
}

// onRequest: "say the word and I'll do it" leaves it to the user. The subject
// of the promise stands at i.
func (r *reading) onRequest(i int, s *sentence) bool {
	if i-2 < s.first || !strings.EqualFold(r.token(i-1), "and") {
		return false
	}
	first := i - 2
	for first > s.first && r.tokens[first-1].IsWord() {
		first--
	}
	return r.words[first].form&lexicon.Base != 0 && r.words[first].role&roleFirst == 0
}

// finished reports whether a sentence ends by saying that what begins at i is
// over.
func (r *reading) finished(i int, s *sentence) bool {
	for k := s.to - 1; k > i; k-- {
		if r.tokens[k].IsWord() {
			return r.words[k].act&(actFinish|actGeneric) != 0 && r.words[k].role&roleNow == 0
		}
	}
	return false
}

// begins reports whether only "now" and adverbs stand before the token.
func (r *reading) begins(i int, s *sentence) bool {
	for k := s.first; k < i; k++ {
		if r.tokens[k].IsWord() && r.words[k].role&(roleNow|roleAdverb) == 0 {
			return false
		}
	}
	return true
}

// depends: "I will proceed once you confirm", not "let me see if it fits".
func (r *reading) depends(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if r.words[i].role&roleSubordinate != 0 && r.words[i-1].role&roleInstruct == 0 && r.words[i-1].act&actRead == 0 {
			return true
		}
	}
	return false
}

// holdsOn: "please hold on", "one moment please", not "thanks for waiting".
func (r *reading) holdsOn(i int, s *sentence) bool {
	if s.cues&cueThanks != 0 {
		return false
	}
	return r.cueWithin(max(s.first, i-4)-1, i, cuePlease, 4) || i-s.first <= 3 && s.to-s.first <= 8
}

// works is the next verb behind i, in its base form, if it is an act; -1 if not.
func (r *reading) works(i, to int) int {
	onward := false
	for k := i + 1; k < min(to, i+7); k++ {
		w := r.words[k]
		onward = onward || w.cue&cueOnward != 0
		switch {
		case onward && w.noun&^(actGeneric|actMoney) != 0: // "I'll proceed with the cancellation"
			return k
		case w.role&(roleNegative|roleBe|roleHave) != 0 || w.cue&cueWant != 0 && w.form&lexicon.Base != 0:
			return -1
		case w.form&lexicon.Base == 0 || w.cue&cueOnward != 0:
		case w.act != 0 && w.role&roleSaying == 0:
			return k
		default:
			return -1
		}
	}
	return -1
}

// working is the next verb behind i if it is an act in progress; -1 if not.
func (r *reading) working(i, to int) int {
	for k := i + 1; k < min(to, i+4); k++ {
		w := r.words[k]
		switch {
		case w.form&lexicon.Gerund != 0 && w.act != 0:
			return k
		case r.token(k) == "going" && k+1 < to && r.words[k+1].role&roleTo != 0:
			return r.works(k+1, to)
		case w.role&(roleAdverb|roleNow) == 0 && w.form != lexicon.Adverb:
			return -1
		}
	}
	return -1
}
