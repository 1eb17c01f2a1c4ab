package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// findCalls looks for claims that name a tool: "I called delete_task",
// "delete_task returned success".
func (j *judge) findCalls() {
	if strings.IndexByte(j.text.text, '_') < 0 {
		return
	}
	for in := range j.text.sentences {
		s := &j.text.sentences[in]
		for i := s.first; i < s.to; i++ {
			t := &j.text.tokens[i]
			if t.Kind > lexicon.Name || t.Entry != nil || !j.text.called(s, i) {
				continue
			}
			name := j.text.token(i)
			if j.turn.tool(name) == nil {
				continue
			}
			e := event{verb: i, chain: i, from: j.text.clauseStart(s.from, i), to: s.to, in: in, subj: i - 1, shape: called}
			if j.text.voids(&e) == 0 {
				j.claims = append(j.claims, j.callClaim(&e, name))
			}
		}
	}
}

// called reports whether the word at i is said to have been called: by a verb
// before it, or by what it is said to have done.
func (r *reading) called(s *sentence, i int) bool {
	if strings.IndexByte(r.token(i), '_') < 0 || s.cues&(cueError|cueFail) != 0 {
		return false
	}
	for k := i - 1; k >= max(s.first, i-4); k-- {
		if w := r.words[k]; w.role&roleCalling != 0 && w.form&(lexicon.Past|lexicon.Participle) != 0 && (w.form&lexicon.Base == 0 || r.saysWe(s.first, k)) {
			return r.saysWe(s.first, k) || r.roleWithin(max(s.first, k-3)-1, k, roleHave|roleWas, 3)
		}
	}
	k := i + 1
	if k < s.to && r.token(k) == "(" {
		for k < s.to && r.token(k) != ")" {
			k++
		}
		k++
	}
	for ; k < min(s.to, i+40); k++ {
		w := r.words[k]
		switch {
		case w.role&(roleSucceed|roleYielding|roleComplete|roleCalling) != 0 && (w.form == 0 || w.form&(lexicon.Past|lexicon.Participle) != 0):
			return true
		case r.tokens[k].IsWord() && w.role&(roleHave|roleBeen|roleWas|roleNow|roleAdverb) == 0 && !strings.EqualFold(r.token(k), "call"):
			return false
		}
	}
	return false
}

// callClaim looks for a success of the named tool.
func (j *judge) callClaim(e *event, name string) Claim {
	c := Claim{Text: j.text.slice(e.from, e.to), Kind: ClaimCall, Rule: ruleNames[called], Earlier: j.looksBack(e), Fault: faultNoRecord}
	lists := [][]*tooltrack.Record{j.turn.Records, j.turn.Earlier}
	if !c.Earlier {
		lists = lists[:1]
	}
	for _, records := range lists {
		for _, record := range records {
			if record != nil && record.Tool == name && record.Succeeded() {
				c.By, c.Fault = record, ""
				return c
			}
		}
	}
	return c
}
