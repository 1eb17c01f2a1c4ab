package completion

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

// String is the kind in words.
func (k BlockerKind) String() string {
	return nameOf(k, "blocker",
		"none", "needs input", "needs confirmation", "not found", "tool error", "policy", "permission",
		"environment", "refusal")
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
