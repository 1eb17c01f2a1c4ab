package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/toolname"
)

// The rules on references to entities.
const ruleAmbiguous, ruleNotFound, ruleResolve = "ambiguous", "not_found", "resolve"

// argumentRules are the rules about single arguments: what they say names these.
var argumentRules = []string{
	"json", "utf8", "nul", "duplicate_key", "depth", "size", "schema", "required", "unknown_argument", "type", "blank",
	"cap", "charset", "pattern", "truncate", "identity",
}

// valueRules are those about what an argument says. Their own reason is for people, too:
// "amount is 900; at most 500 is allowed".
var valueRules = []string{"range", "length", "one_of"}

// argumentInWords is a reason with the argument, which it begins with, as people read it.
func argumentInWords(reason string) string {
	name, rest, _ := strings.Cut(reason, " ")
	return strings.TrimSpace(toolname.InWords(name) + " " + rest)
}

// reason is why a call did not work, by the name of a rule; empty where the rule is a
// host's own, and tells it itself.
func (t *Texts) reason(rule string) string {
	if slices.Contains(argumentRules, rule) {
		return cmp.Or(t.Reasons[rule], t.Reasons["arguments"])
	}
	return t.Reasons[rule]
}

// The rules on calls that follow a message of the guard.
const ruleHeld, ruleUnasked, ruleRepeated = "held", "unasked", "repeated"

var promptedReasons = map[string]string{
	ruleHeld:     "the user's message seems to hold this back; ask the user before you do it",
	ruleUnasked:  "nothing in the user's message clearly asks for this; ask the user before you do it",
	ruleRepeated: "it ran before, and the user's message asks for it once; cite that call instead",
}

const toldAsDone = "the conversation tells it as done already; ask the user before you do it again"

// ruleUnreviewed is the rule that denies what could not be reviewed.
const ruleUnreviewed, unreviewed = "undecided", "the call could not be reviewed, so it was not run"
