// Package plainwords says what guard and proof find in words for people.
package plainwords

import "cmp"

// rules are the names that guard and proof have for what they find, in words for
// somebody who sees them for the first time.
var rules = map[string]string{
	// why an answer is not shown
	"missing tool":            "the tool was never called",
	"unbacked claim":          "no call did that",
	"leaked call":             "that is a call printed as text",
	"no work":                 "nothing was done",
	"read-only loop":          "it only looked, again and again",
	"promise":                 "it only promises",
	"fabricated failure":      "nothing was tried, so nothing failed",
	"unreported failure":      "a call failed, and the answer does not say so",
	"no closure":              "the answer stops before its end",
	"empty text":              "there is no answer",
	"missing requirement":     "something that is due is missing",
	"insufficient progress":   "nothing came of it",
	"in doubt":                "nothing shows it yet",
	"proof":                   "it was asked what the answer rests on",
	"provider fault":          "the model could not be asked",
	"stopped by the provider": "the model was cut off",
	// why a proof is not accepted
	"no such call":   "there is no such call",
	"only looked":    "that call only looked",
	"another act":    "that call did something else",
	"another amount": "the call has another amount",
	"another count":  "there were fewer calls than it says",
	"another date":   "the call has another date",
	"another time":   "the call has another time",
	"another id":     "that call was about something else",
	"another name":   "that call was about something else",
	"outcome":        "that call did not succeed",
	"state":          "the call says that it stands otherwise",
	"says nothing":   "that call says nothing of it",
	"needs a call":   "only a call can show that",
	"unshown value":  "no call says so",
	"unanswered":     "the question about a sentence is not answered",
	"unproven claim": "it says more than the calls show",
	"was done":       "a call did it, and the answer denies that",
	"still said":     "it is not so, and the answer still says it",
}

// Rule is what a rule found. A name without words stays as it is.
func Rule(name string) string { return cmp.Or(rules[name], name) }
