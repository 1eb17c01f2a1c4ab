package resolver

// Options tune a resolver. The zero value, and a nil pointer, mean the
// defaults.
type Options struct {
	// Noun is what messages call an entry, in the singular; "task" if empty.
	// A reference may hold it besides the title: "the X task".
	Noun string
	// Skip switches tiers off. ByID cannot be skipped.
	Skip []Tier
	// MaxErrors is the largest number of typing errors in a title of any
	// length; 0 means no other limit than LettersPerError, a negative number
	// that none are forgiven.
	MaxErrors int
	// LettersPerError is the length of title that permits one typing error; 5
	// if zero or less. A larger number is stricter.
	LettersPerError int
}

// maxErrors is more than any title that people type can have.
const maxErrors = 200

// DefaultNoun is what an entry is called if the host does not say.
const DefaultNoun = "task"

// rules are Options made ready for use.
type rules struct {
	label    string // the noun as messages print it
	noun     string // its stem, for references
	nounY    bool
	skip     uint16 // one bit for each tier
	most     int    // typing errors
	per      int    // letters for each of them
	shortest int    // length of a title that may be guessed
}

// defaultRules are those of nil Options.
var defaultRules = newRules(nil)

func newRules(o *Options) rules {
	if o == nil {
		o = &Options{}
	}
	r := rules{label: o.Noun, most: o.MaxErrors, per: o.LettersPerError, shortest: 5}
	if r.label == "" {
		r.label = DefaultNoun
	}
	if r.per <= 0 {
		r.per = 5
	}
	switch {
	case r.most == 0:
		r.most = maxErrors
	case r.most < 0:
		r.most = 0
	}
	for _, tier := range o.Skip {
		r.skip |= 1 << tier
	}
	var noun phrase
	noun.analyse(r.label)
	if len(noun.tokens) > 0 {
		last := &noun.tokens[len(noun.tokens)-1]
		r.noun, r.nounY = string(noun.stem(last)), last.narrowY
	}
	return r
}

// isOn reports whether a tier is in use.
func (r *rules) isOn(tier Tier) bool { return r.skip&(1<<tier) == 0 }

// budget is the number of typing errors that a title of n code points may
// have. Short titles are never guessed.
func (r *rules) budget(n int) int {
	if n < r.shortest {
		return 0
	}
	return min(r.most, max(1, n/r.per))
}
