package completion

// Options tunes an [Evaluator]. Nil is the default.
type Options struct {
	// Claims are phrases by which the host's models report work, beside those
	// that the evaluator knows.
	Claims []ClaimPhrase
	// Blockers are phrases by which they say what prevents it.
	Blockers []BlockerPhrase
	// Unsure is the doubt from which on proof is asked for a claim; 0 means 0.48. Sure is
	// the doubt from which on the most doubtful claim of a turn is treated as false; 0
	// means 0.63. It is that of a second model, which accuses more reluctantly. If a change
	// of the turn may be what the claim tells in other words, this doubt alone does not
	// make it false. A claim is also treated as false if a rule says why. The defaults were
	// found on turns of domains that the models had not seen; the head of data/model.txt
	// has the figures.
	Sure, Unsure float64
	// Wording is how the account speaks of a tool, by the tool's name, and
	// DefaultWording of all others: a host that translates sets it.
	Wording        map[string]Wording
	DefaultWording Wording
}

// ClaimPhrase is a phrase that claims work wherever it is stated: not negated,
// planned, asked or quoted.
type ClaimPhrase struct {
	// Text is the phrase, in any letter case: "synced to the cloud".
	Text string
	// Tool is the tool whose success backs it; empty for any change.
	Tool string
}

// BlockerPhrase is a phrase that names a blocker.
type BlockerPhrase struct {
	// Text is the phrase, in any letter case: "parental controls are on".
	Text string
	// Kind is what kind of blocker it is.
	Kind BlockerKind
}

// The default thresholds of doubt; see [Options].
const (
	defaultSure   = 0.63
	defaultUnsure = 0.48
)
