package main

import "cmp"

// requestWords are the kinds of requests.
var requestWords = map[string]string{
	"chat":     "Small talk",
	"question": "A question",
	"analysis": "A request to look into something",
	"action":   "A request to do something",
}

// understood is what the guard makes of a message.
func understood(kind, expected string) string {
	kind = cmp.Or(requestWords[kind], kind)
	if expected == "" {
		return kind + "; no tool is needed."
	}
	return kind + "; it needs " + expected + "."
}
