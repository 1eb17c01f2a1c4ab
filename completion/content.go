package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// findContent looks for entries that a text presents as a tool's answer. They
// must come from a successful call: of a listing, each entry; and without any
// such call, nothing can be told at all.
func (j *judge) findContent() {
	if record, info := j.lastListing(); record != nil {
		j.compareList(record, info)
		return
	}
	for _, name := range j.turn.Expected {
		tool := j.turn.tool(name)
		if tool == nil || tool.Effect.MayChange() || j.anySuccess() != nil || j.text.unknown() {
			continue
		}
		info := j.tools.info(name, tool, tool.Effect)
		for i := range j.text.sentences {
			if at := j.presents(i, &info); at >= 0 {
				s := &j.text.sentences[i]
				j.claims = append(j.claims, Claim{Text: j.text.slice(s.from, s.to), Kind: ClaimContent, Rule: "told content", Fault: faultNoLookup})
				return
			}
		}
	}
}

// lastListing is the last successful read of this turn whose result is a list.
func (j *judge) lastListing() (*tooltrack.Record, *toolInfo) {
	for i := len(j.turn.Records) - 1; i >= 0; i-- {
		record := j.turn.Records[i]
		if record == nil || !record.Succeeded() || j.turn.effectOf(record).MayChange() {
			continue
		}
		if data := record.Result.Data; len(data) > 0 && (data[0] == '[' || data[0] == '{') {
			if info := j.tools.of(record); info.count > 0 {
				return record, info
			}
		}
	}
	return nil, nil
}

// presents is the noun by which a sentence presents a tool's entries: "you
// have three tasks", "here are your tasks", "your task list is empty". It is -1
// if the sentence does not.
func (j *judge) presents(in int, info *toolInfo) int {
	r := &j.text
	s := &r.sentences[in]
	if s.asking || s.roles&(roleModal|roleWill|roleSubordinate|roleHedge|roleFirst) != 0 || s.roles&(roleSecond|roleHere|roleYours) == 0 {
		return -1
	}
	for i := s.first; i+1 < s.to; i++ {
		w, next := r.words[i], r.words[i+1]
		switch {
		case r.isQuoted(i):
		case w.role&roleSecond != 0 && next.role&roleHave != 0, w.role&roleHere != 0 && next.role&roleBe != 0:
			return j.entriesOf(i+2, min(i+7, s.to), info)
		case w.role&roleYours != 0:
			if at := j.entriesOf(i+1, min(i+4, s.to), info); at >= 0 && j.told(at+1, s.to) {
				return at
			}
		}
	}
	return -1
}

// entriesOf is the plural, or the list, of what a tool lists between two
// tokens; -1 if there is none.
func (j *judge) entriesOf(from, to int, info *toolInfo) int {
	r := &j.text
	for i := from; i < to; i++ {
		if !r.isQuoted(i) && r.tokens[i].IsWord() && info.names(&r.tokens[i], r.token(i), r.vocabulary) &&
			(r.tokens[i].Form().Has(lexicon.Plural) || i+1 < len(r.tokens) && r.tokens[i+1].Class().Has(lexicon.Container)) {
			return i
		}
	}
	return -1
}

// told: "… are:", "… list is empty".
func (j *judge) told(from, to int) bool {
	for i := from; i < min(from+4, to); i++ {
		if j.text.token(i) == ":" || j.text.words[i].role&roleEmpty != 0 {
			return true
		}
	}
	return false
}

// compareList holds the entries that the text lists against those of a result.
// Most texts list none, so the result is only decoded for one that does.
func (j *judge) compareList(record *tooltrack.Record, info *toolInfo) {
	var entries []string
	decoded := false
	for i := range j.text.sentences {
		at := j.presents(i, info)
		if at < 0 {
			continue
		}
		if !decoded {
			if entries, decoded = listed(record.Result.Data); !decoded {
				return
			}
		}
		s := &j.text.sentences[i]
		fault := ""
		for k := s.first; k < at; k++ {
			if j.number(k) > len(entries) {
				fault = faultCount
			}
		}
		if !j.entriesKnown(at+1, s.to, entries) || !j.linesKnown(i+1, entries) {
			fault = faultNotInList
		}
		if fault != "" {
			j.claims = append(j.claims, Claim{Text: j.text.slice(s.from, s.to), Kind: ClaimContent, Rule: "told content", Fault: fault})
			return
		}
	}
}

// linesKnown reports whether the bulleted lines behind a sentence name known
// entries only. The list ends with the first line that has no bullet.
func (j *judge) linesKnown(from int, entries []string) bool {
	for i := from; i < len(j.text.sentences) && j.text.sentences[i].listed; i++ {
		s := &j.text.sentences[i]
		if !j.known(s.first, j.titleEnd(s.first, s.to), entries) {
			return false
		}
	}
	return true
}

// entriesKnown reports whether what a colon introduces, "A, B and C", names
// known entries only.
func (j *judge) entriesKnown(from, to int, entries []string) bool {
	for from < to && j.text.token(from) != ":" {
		from++
	}
	for from++; from < to; {
		end := from
		for end < to && j.text.token(end) != "," && j.text.words[end].role&roleAnd == 0 {
			end++
		}
		if end > from && !j.known(from, end, entries) {
			return false
		}
		from = end + 1
	}
	return true
}

// titleEnd is where a line's title ends and its remarks begin.
func (j *judge) titleEnd(from, to int) int {
	for i := from + 1; i < to; i++ {
		if k := j.text.tokens[i].Kind; k == lexicon.Comma || k == lexicon.Symbol && strings.Contains("(-–—|[", j.text.token(i)) {
			return i
		}
	}
	return to
}

// known reports whether some entry holds a content word of the tokens; tokens
// without one say nothing.
func (j *judge) known(from, to int, entries []string) bool {
	named := false
	for i := from; i < to; i++ {
		t := &j.text.tokens[i]
		if !t.IsWord() || t.End-t.Start < 3 || t.Class()&functionWord != 0 {
			continue
		}
		named = true
		for _, entry := range entries {
			if containsFold(entry, singular(j.text.token(i))) {
				return true
			}
		}
	}
	return !named
}
