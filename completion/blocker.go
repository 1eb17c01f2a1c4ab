package completion

import "fmt"

// BlockerKind is what prevents the work.
type BlockerKind uint8

const (
	// NoBlocker is a text that names none.
	NoBlocker BlockerKind = iota
	// NeedsInput is a question for something that only the user knows.
	NeedsInput
	// NeedsConfirmation is a question whether to go on.
	NeedsConfirmation
	// NotFound is a thing that does not exist, or exists more than once.
	NotFound
	// ToolError is a call that failed.
	ToolError
	// Policy is a rule that forbids the work.
	Policy
	// Permission is a lack of rights.
	Permission
	// Environment is a lack of something around the agent: network, files.
	Environment
	// Refusal is a plain "I cannot do that" with what it is about.
	Refusal
)

var blockerNames = [...]string{
	"none", "needs input", "needs confirmation", "not found", "tool error", "policy", "permission", "environment", "refusal",
}

// String is the kind in words.
func (k BlockerKind) String() string {
	if int(k) < len(blockerNames) {
		return blockerNames[k]
	}
	return fmt.Sprintf("blocker(%d)", uint8(k))
}

// MarshalText writes the kind in words.
func (k BlockerKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Blocker is what the text says prevents the work.
type Blocker struct {
	// Kind is what kind of thing it is.
	Kind BlockerKind
	// Cause is the sentence that says what prevents the work.
	Cause string
	// Next is the sentence that says what can be done about it; empty if the
	// cause says that, too.
	Next string
	// Rule names the pattern that found it.
	Rule string
}

// blocker is what the text says prevents the work.
func (j *judge) blocker() Blocker {
	f := &j.signals
	switch {
	case f.host != nil:
		return Blocker{Kind: f.host.stop, Cause: j.sentence(f.hosted), Next: j.sentence(f.asks), Rule: f.host.rule}
	case f.prevents >= 0 && j.cause() >= 0:
		cause := j.cause()
		return Blocker{Kind: j.preventedBy(cause), Cause: j.sentence(cause), Next: j.sentence(f.asks), Rule: "prevented"}
	case f.confirms >= 0:
		return Blocker{Kind: NeedsConfirmation, Cause: j.sentence(f.confirms), Rule: "asks whether"}
	case f.asks >= 0:
		return Blocker{Kind: NeedsInput, Cause: j.sentence(f.asks), Rule: "asks"}
	}
	return Blocker{}
}

// cause is the first sentence that says what prevents the work, and what work:
// the one that says it first, or a reason in the list behind it.
func (j *judge) cause() int {
	first := j.signals.prevents
	if j.concrete(first) {
		return first
	}
	for i := first + 1; i < len(j.text.sentences) && j.text.sentences[i].listed; i++ {
		if j.text.preventsWork(&j.text.sentences[i]) && j.concrete(i) {
			return i
		}
	}
	return -1
}

// sentence is the text of a sentence; empty for none.
func (j *judge) sentence(i int) string {
	if i < 0 {
		return ""
	}
	return j.text.slice(j.text.sentences[i].from, j.text.sentences[i].to)
}

// concrete reports whether a sentence says what cannot be done: "I can't do
// that right now" does not.
func (j *judge) concrete(in int) bool {
	s := &j.text.sentences[in]
	things := 0
	for i := s.first; i < s.to; i++ {
		t := &j.text.tokens[i]
		if t.IsWord() && t.Class()&functionWord == 0 && t.End-t.Start > 2 && j.text.words[i].role&(roleNow|roleAdverb|roleAttitude) == 0 && j.text.words[i].cue&cuePrevented == 0 {
			things++
		}
	}
	return things >= 2
}

// preventedBy is the kind of a blocker by its words.
func (j *judge) preventedBy(in int) BlockerKind {
	s := &j.text.sentences[in]
	switch {
	case s.cues&(cueError|cueTrouble|cueFail) != 0:
		return ToolError
	case s.cues&cuePolicy != 0:
		return Policy
	case s.cues&cuePermission != 0:
		return Permission
	case s.cues&cueMissing != 0:
		return NotFound
	case s.cues&cueEnvironment != 0:
		return Environment
	}
	return Refusal
}
