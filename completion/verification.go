package completion

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// findVerifications looks for reports of a check that passed: "all tests
// pass", "the build is green", "it compiles". What backs one is a verification
// that succeeded after the last change, nothing else.
func (j *judge) findVerifications() {
	const passed = cueCheck | cuePass
	for in := range j.text.sentences {
		s := &j.text.sentences[in]
		if s.cues&passed != passed || s.asking || s.cues&(cueFail|cueError) != 0 || !j.mayVerify() {
			continue
		}
		for i := s.first; i < s.to; i++ {
			if j.text.words[i].cue&cuePass == 0 {
				continue
			}
			check := j.text.checkBefore(s, i)
			if check < 0 || j.text.checkVoid(in, check, i) {
				continue
			}
			c := Claim{Text: j.text.slice(s.from, s.to), Kind: ClaimVerification, Rule: "passed check"}
			c.By, c.Fault = j.backVerification(check)
			j.claims = append(j.claims, c)
			break
		}
	}
}

// mayVerify reports whether anything here can run a check, so that its tests
// are ours: a customer's speed test is not.
func (j *judge) mayVerify() bool {
	infos := j.tools.all()
	for i := range infos {
		if effect := infos[i].tool.Effect; effect == tooltrack.Verifies || effect == tooltrack.UnknownEffect || infos[i].act&actRun != 0 || infos[i].handlesFiles() {
			return true
		}
	}
	return len(infos) == 0
}

// handlesFiles reports whether a tool's name speaks of files or code.
func (info *toolInfo) handlesFiles() bool {
	for i := range info.count {
		if entry := info.nouns[i].entry; entry != nil && (entry.Lemma == "file" || entry.Lemma == "code") {
			return true
		}
	}
	return false
}

// checkBefore is the check that the word at i says has passed: a noun before
// it with nothing but its own verb group and numbers between, or the word
// itself ("it compiles"); -1 if there is none.
func (r *reading) checkBefore(s *sentence, i int) int {
	if r.words[i].cue&cueCheck != 0 {
		return i
	}
	for k := i - 1; k >= max(s.first, i-6); k-- {
		w := r.words[k]
		switch {
		case r.isQuoted(k):
			return -1
		case w.cue&cueCheck != 0:
			return k
		case w.role&(verbGroup|roleAll) != 0 || w.form == lexicon.Adverb || r.tokens[k].Kind != lexicon.Word && r.tokens[k].Kind != lexicon.Name:
		default:
			return -1
		}
	}
	return -1
}

// checkVoid reports whether it is not said that the check passed: negated,
// planned, asked for, a condition, a purpose.
func (r *reading) checkVoid(in, check, pass int) bool {
	s := &r.sentences[in]
	e := event{verb: pass, chain: check, in: in, subj: check, shape: present}
	for k := check + 1; k < pass; k++ {
		e.aux |= r.words[k].role & verbGroup
	}
	if e.aux&(roleWill|roleModal|roleTo|roleDo|roleBeing) != 0 {
		return true
	}
	e.from = r.clauseStart(s.from, e.chain)
	for k := e.from; k < check; k++ { // "so all tests pass", "to make the tests pass", "I want the tests to pass"
		if r.words[k].role&(rolePurpose|roleTo|roleModal|roleWill|roleSecond) != 0 || r.words[k].cue&(cueWant|cueLet) != 0 {
			return true
		}
	}
	return r.voids(&e) != 0 || r.roleWithin(pass, s.to, roleSubordinate, 2)
}

// backVerification looks for the record behind a passed check: the last one of
// that check, or of any where none names it. It must have succeeded, with no
// change of a file behind it.
func (j *judge) backVerification(check int) (*tooltrack.Record, string) {
	var last, named *tooltrack.Record
	for _, records := range [...][]*tooltrack.Record{j.turn.Earlier, j.turn.Records} {
		for _, record := range records {
			switch {
			case record == nil:
			case j.verifies(record):
				last = record
				if j.concerns(record, check) {
					named = record
				}
			case record.Succeeded() && j.changesChecked(record):
				last, named = nil, nil
			}
		}
	}
	if named != nil {
		last = named
	}
	if last == nil || !last.Succeeded() {
		return nil, faultNotVerified
	}
	return last, ""
}

// verifies reports whether a record is a check. A shell, which may do anything,
// is one if its command names one or is not known.
func (j *judge) verifies(record *tooltrack.Record) bool {
	switch j.turn.effectOf(record) {
	case tooltrack.Verifies:
		return true
	case tooltrack.UnknownEffect:
		return subjectUnknown(record) || j.namesCheck(string(record.Args)) || j.namesCheck(record.Tool)
	}
	return j.tools.of(record).act&actRun != 0 && (subjectUnknown(record) || j.namesCheck(string(record.Args)))
}

// namesCheck reports whether a command or a name speaks of a check.
func (j *judge) namesCheck(command string) bool {
	for _, word := range [...]string{"test", "build", "lint", "check", "compile", "vet", "make", "tsc", "spec"} {
		if containsFold(command, word) {
			return true
		}
	}
	return false
}

// concerns reports whether a check is of the kind that the text names.
func (j *judge) concerns(record *tooltrack.Record, check int) bool {
	word := singular(j.text.token(check))
	return containsFold(record.Tool, word) || containsFold(record.Args, word)
}

// changesChecked reports whether a change may have broken what was checked
// before. Where tools handle files, only a change of one does: a commit or a
// note behind the tests takes nothing back.
func (j *judge) changesChecked(record *tooltrack.Record) bool {
	if j.turn.effectOf(record) != tooltrack.Changes {
		return false
	}
	infos := j.tools.all()
	files := false
	for i := range infos {
		files = files || infos[i].handlesFiles()
	}
	return !files || j.tools.of(record).handlesFiles() || hasKey(record.Args, "path") || hasKey(record.Args, "file")
}
