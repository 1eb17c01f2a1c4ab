package completion

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// findFailures looks for reports of failed attempts. An invented error is as
// bad as an invented success: it needs a record that did not succeed.
func (j *judge) findFailures() {
	for i := range j.text.sentences {
		s := &j.text.sentences[i]
		if s.cues&(cueError|cueFail|cueTrouble) == 0 && s.roles&roleTrying == 0 {
			continue
		}
		rule, at := j.text.failure(i)
		if rule == "" || j.failed(s, at, rule) {
			continue
		}
		j.claims = append(j.claims, Claim{Text: j.text.slice(s.from, s.to), Kind: ClaimFailure, Rule: rule, Fault: faultNoFailure})
		return
	}
}

// Rules of reported failures.
const (
	ruleAttempt   = "reported attempt"
	ruleEncounter = "reported error"
)

// failure finds the report of a failure in a sentence: "I tried to …", "the
// server returned an error", "there was an error", "the call failed".
func (r *reading) failure(in int) (rule string, at int) {
	s := &r.sentences[in]
	if s.asking || s.roles&roleAttitude != 0 && s.cues&cueError != 0 && s.roles&roleTrying == 0 {
		return "", 0 // "sorry for the error" speaks of one's own mistake
	}
	for i := s.first; i < s.to; i++ {
		w := r.words[i]
		switch {
		case r.isQuoted(i):
		case w.role&(roleSubordinate|roleSecond|roleHedge|roleModal|roleWill) != 0 && !r.tried(s.first, i):
			return "", 0
		case w.role&roleTrying != 0 && w.form&lexicon.Past != 0 && r.saysWe(s.first, i) && !r.together(s, i):
			return ruleAttempt, i
		case w.cue&cueError != 0 && r.occurred(s, i), w.cue&cueFail != 0 && r.systemFailed(s, i), w.cue&cueTrouble != 0 && r.technical(s, i):
			return ruleEncounter, i
		}
	}
	return "", 0
}

// tried reports whether an attempt of ours stands before i.
func (r *reading) tried(from, i int) bool {
	for k := from; k < i; k++ {
		if r.words[k].role&roleTrying != 0 {
			return true
		}
	}
	return false
}

// saysWe reports whether the speaker is the subject of the verb at i.
func (r *reading) saysWe(from, i int) bool {
	for k := i - 1; k >= max(from, i-4); k-- {
		if r.words[k].role&roleFirst != 0 {
			return true
		}
		if r.words[k].role&verbGroup == 0 || r.words[k].role&(roleNegative|roleWill|roleModal) != 0 {
			return false
		}
	}
	return false
}

// together: "we've tried all the standard steps" is what the user did, too; "we
// tried to reach the bank" is not.
func (r *reading) together(s *sentence, i int) bool {
	if i+1 >= s.to || r.token(i+1) == "to" {
		return false
	}
	for k := i - 1; k >= max(s.first, i-4); k-- {
		if r.words[k].role&roleFirst != 0 {
			return r.token(k)[0]|0x20 == 'w'
		}
	}
	return false
}

// occurred: "I encountered an error", "the server returned an error", "there
// was an error", "an error occurred".
func (r *reading) occurred(s *sentence, i int) bool {
	for k := i - 1; k >= max(s.first, i-6); k-- {
		w := r.words[k]
		switch {
		case w.role&roleNegative != 0:
			return false
		case w.role&(roleEncounter|roleYielding) != 0 && (w.form == 0 || w.form&(lexicon.Past|lexicon.Participle) != 0),
			w.role&roleWas != 0 && k > s.first && r.token(k - 1)[0]|0x20 == 't':
			return true
		}
	}
	return i+1 < s.to && (r.words[i+1].role&roleOccurring != 0 || i+2 < s.to && r.words[i+1].role&(roleHave|roleWas) != 0 && r.words[i+2].role&roleOccurring != 0)
}

// systemFailed: "the call failed", "the deletion has failed".
func (r *reading) systemFailed(s *sentence, i int) bool {
	if i == s.first || r.words[i].form&lexicon.Past == 0 && r.token(i) != "failed" {
		return false
	}
	for k := i - 1; k >= max(s.first, i-4); k-- {
		w := r.words[k]
		switch {
		case w.role&roleNegative != 0:
			return false
		case w.role&roleSystem != 0 && w.role&roleThis == 0, w.noun&^actMoney != 0:
			return true
		}
	}
	return false
}

// technical: "there was a technical issue".
func (r *reading) technical(s *sentence, i int) bool {
	return i > s.first && r.words[i-1].role&roleTechnical != 0 && r.occurred(s, i)
}

// failed reports whether a record stands behind a reported failure: one that
// did not succeed or, for an attempt to look something up, any read.
func (j *judge) failed(s *sentence, at int, rule string) bool {
	earlier := j.turn.Earlier
	if j.owed() {
		earlier = nil
	}
	for _, records := range [][]*tooltrack.Record{j.turn.Records, earlier} {
		for _, record := range records {
			if record != nil && !record.Succeeded() {
				return true
			}
		}
	}
	errs := s.cues&(cueError|cueFail|cueTrouble) != 0
	if rule == ruleAttempt && j.text.attemptsRead(s, at) && !(errs && j.owed()) && j.anySuccess() != nil {
		return true
	}
	if j.owed() {
		return false
	}
	return j.spokeOfFailure()
}

// owed reports whether the request needs a tool of which this turn has no call.
// Then an attempt is reported that was due now, and one of an earlier turn does
// not stand for it.
func (j *judge) owed() bool {
	for _, tool := range j.turn.Expected {
		if !slices.ContainsFunc(j.turn.Records, func(r *tooltrack.Record) bool { return r != nil && r.Tool == tool }) {
			return true
		}
	}
	return false
}

// attemptsRead: "I tried to find it".
func (r *reading) attemptsRead(s *sentence, at int) bool {
	for i := at + 1; i < min(s.to, at+6); i++ {
		if r.words[i].act != 0 {
			return r.words[i].act&actRead != 0
		}
	}
	return false
}

// spokeOfFailure reports whether the assistant's text before was about a
// failure: what follows may still speak of that one.
func (j *judge) spokeOfFailure() bool {
	if j.spoke == 0 {
		j.spoke = memoNo
		j.hear(j.turn.Previous)
		for i := range j.talk.sentences {
			if j.talk.sentences[i].cues&(cueError|cueFail|cueTrouble) != 0 {
				j.spoke = memoYes
			}
		}
	}
	return j.spoke == memoYes
}
