package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/toolname"
)

// The rules on references to entities.
const ruleAmbiguous, ruleNotFound, ruleResolve = "ambiguous", "not_found", "resolve"

// reasons are why calls do not work, for people, by rule.
var reasons = map[string]string{
	"rate":         "it was done too often in a short time",
	"limiter":      "it could not be checked how often it was done",
	"mode":         "the limit of calls is reached",
	"unknown_tool": "there is no such tool",
	"checklist":    "a step of the checklist has to come first",
	"budget":       "what it may cost is used up",
	ruleLoop:       "the same was tried again and again",
	"attempts":     "it was tried too often",
	"astray":       "the request does not name it",
	ruleHeld:       "the request seems to hold it back",
	ruleUnasked:    "the request does not clearly ask for it",
	ruleRepeated:   "it was done already",
	"format":       "the call was not in order",
	"undecided":    "it could not be checked whether it is allowed",
	"uncovered":    "no rule allows it",
	"arguments":    "its details were not in order",
	"date":         "the date is not allowed",
	"url":          "the address is not allowed",
	"panic":        "the tool broke down",
	"timeout":      "it took too long",
	"cancelled":    "it was cancelled",
}

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
	if text := cmp.Or(t.Reasons[rule], reasons[rule]); text != "" {
		return text
	}
	if slices.Contains(argumentRules, rule) {
		return cmp.Or(t.Reasons["arguments"], reasons["arguments"])
	}
	return ""
}
