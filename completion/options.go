package completion

// Options tunes an [Evaluator]. Nil is the default.
type Options struct {
	// Claims are phrases by which the host's models report work, beside those
	// that the evaluator knows.
	Claims []ClaimPhrase
	// Blockers are phrases by which they say what prevents it.
	Blockers []BlockerPhrase
	// Sure is the doubt from which on a claim is treated as false, and Unsure the
	// one from which on proof is asked of it; 0 is 0.9 and 0.45. A claim whose
	// doubt is above Unsure is sure, too, where a rule says why it must be false;
	// where something was changed in the turn, only a rule makes it sure.
	// The defaults were found on turns of domains that the models had not seen:
	// the head of data/model.txt has the figures.
	Sure, Unsure float64
	// Wording is how the account speaks of a tool, by the tool's name.
	Wording map[string]Wording
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
	defaultSure   = 0.9
	defaultUnsure = 0.45
)
