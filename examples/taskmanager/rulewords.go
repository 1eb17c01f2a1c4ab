package main

// ruleWords are the names that guard and proof have for what they find, in words
// for somebody who sees them for the first time.
var ruleWords = map[string]string{
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
	"read for a change":     "that call only looked",
	"another act":           "that call did something else",
	"nothing accounted for": "it says nothing of what you asked for",
	"too many":              "there were fewer calls than it says",
	"opposite act":          "that call did the opposite",
	"unknown number":        "there is no such call",
	"no record":             "no call is cited",
	"not succeeded":         "that call did not succeed",
	"earlier record":        "that call is from an earlier message",
	"contradicted":          "the call says something else",
	"one record for two":    "one call cannot show two things",
	"missing item":          "something that was asked for is left out",
	"unanswered":            "the question about a sentence is not answered",
	"unproven claim":        "it says more than the calls show",
	"failure not told":      "a call failed, and nothing says so",
	"vague":                 "it does not say what was done to what",
	"not pending":           "that call was not accepted",
	"not failed":            "that call succeeded",
	"not told":              "the answer says something else",
	"nothing asked":         "the answer asks for nothing",
	"not withdrawn":         "nothing was taken back",
	"unshown value":         "no call says so",
	"another one":           "that call was about something else",
	"nothing read":          "nothing was looked at",
	"no such act":           "no call does that",
	"kept quiet":            "something did not work, and the answer does not say so",
	"status":                "that is no status",
	"what":                  "it does not say what was done",
}

func inWords(rule string) string {
	if words, known := ruleWords[rule]; known {
		return words
	}
	return rule
}

// requestWords are the kinds of requests.
var requestWords = map[string]string{
	"chat":     "Small talk",
	"question": "A question",
	"analysis": "A request to look into something",
	"action":   "A request to do something",
}

// understood is what the guard makes of a message.
func understood(kind, expected string) string {
	if words, known := requestWords[kind]; known {
		kind = words
	}
	if expected == "" {
		return kind + "; no tool is needed."
	}
	return kind + "; it needs " + expected + "."
}
