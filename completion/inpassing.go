package completion

import "github.com/bonafide-go/bonafide/tooltrack"

// stretches reports whether a claim leans on a record that another claim of
// the text has used up, for a thing that neither the call nor anybody in the
// conversation has named: "I've also archived your notes", mentioned in passing
// behind a deletion.
func (j *judge) stretches(e *event, by *tooltrack.Record) bool {
	if by == nil || !e.active() || e.act&actGeneric != 0 || e.act&actMoney != 0 && !j.pays(e) || !j.used(by) || j.spare(e) || anything(by, j.tools.of(by)) {
		return false
	}
	named := false
	for i := e.verb + 1; i < e.to; i++ {
		if !j.content(i) {
			continue
		}
		const ours = roleMoney | roleEffect | roleStatus | roleSetting | roleTalk
		if w := j.text.words[i]; w.role&ours != 0 || w.noun != 0 || j.spokenOf(i) {
			return false
		}
		named = named || j.text.words[i].role&roleArtefact == 0
	}
	return named
}

// pays: "I paid your bill" is an act of its own, where a refund or a charge
// follows from another.
func (j *judge) pays(e *event) bool {
	entry := j.text.tokens[e.verb].Entry
	return entry != nil && entry.Lemma == "pay" && !j.aboutMoney(e)
}

// used reports whether a claim before this one is backed by the record.
func (j *judge) used(record *tooltrack.Record) bool {
	for i := range j.claims {
		if j.claims[i].By == record && j.claims[i].Kind == ClaimChange {
			return true
		}
	}
	return false
}

// spare reports whether a fitting record is left that no claim has used.
func (j *judge) spare(e *event) bool {
	found := false
	j.fitting(e, j.turn.Records, func(record *tooltrack.Record, _ *toolInfo) bool {
		found = !j.used(record)
		return !found
	})
	return found
}

// anything reports whether a call may have done more than its arguments can be
// read for: a tool whose verb nobody knows, a shell, an edit of a file, a change
// of items.
func anything(record *tooltrack.Record, info *toolInfo) bool {
	return info.act == 0 || info.act&actRun != 0 || info.handlesFiles() || info.holdsItems() || subjectUnknown(record) || longText(record.Args) ||
		hasKey(record.Args, "path") || hasKey(record.Args, "file")
}

// spokenOf reports whether a word is known to a recorded change, or was said
// by the user or before.
func (j *judge) spokenOf(i int) bool {
	word := singular(j.text.token(i))
	return j.knownTo(i, j.turn.Records) || j.knownTo(i, j.turn.Earlier) || containsFold(j.turn.User, word) || containsFold(j.turn.Previous, word)
}
