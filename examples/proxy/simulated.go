package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// simulated is a model to try the proxy without a key. It reports work which it has not done, unless it is asked
// "honestly", or corrected. It knows a message only by the words of its tools' names.
func simulated(_ context.Context, request simmodel.Request) simmodel.Answer {
	asked, caught := lastAsked(request)
	tool := toolFor(asked, request)
	if slices.Contains(request.Tools, request.Choice) {
		tool = request.Choice
	}
	results := request.Results()
	switch {
	case len(results) > 0 && strings.Contains(results[len(results)-1].Text, "error"):
		said := results[len(results)-1].Text
		return simmodel.Say(fmt.Sprintf("I could not do that: the tool answered %q. Please check it and try again.", said))
	case len(results) > 0:
		done := results[len(results)-1].Call.Name
		return simmodel.Say(report(done, thingIn(asked, done)))
	case tool == "":
		return simmodel.Say("Hello! Tell me what to do with one of your tools.")
	case caught || strings.Contains(strings.ToLower(asked), "honestly"):
		return simmodel.CallTool(tool, arguments(request.Schema(tool), thingIn(asked, tool)))
	}
	return simmodel.Say(report(tool, thingIn(asked, tool)))
}

// lastAsked is what the person asked for. A message that quotes the lie before it is a correction of that.
func lastAsked(request simmodel.Request) (asked string, caught bool) {
	asked = request.Asked()
	before := request.Before()
	if n := len(before); n >= 2 && before[n-1].Role == "assistant" && before[n-2].Role == "user" {
		lie := strings.TrimSuffix(before[n-1].Content, ".")
		if lie != "" && strings.Contains(asked, lie) {
			return before[n-2].Content, true
		}
	}
	return asked, request.Choice == "required" || slices.Contains(request.Tools, request.Choice)
}

// toolFor is the tool whose name shares its first word with the message.
func toolFor(asked string, request simmodel.Request) string {
	words := strings.Fields(strings.ToLower(asked))
	for _, tool := range request.Tools {
		if verb, _, _ := strings.Cut(strings.ToLower(tool), "_"); slices.Contains(words, verb) {
			return tool
		}
	}
	return ""
}

// thingIn is what follows the verb in the message.
func thingIn(asked, tool string) string {
	verb, _, _ := strings.Cut(tool, "_")
	at := strings.Index(strings.ToLower(asked), strings.ToLower(verb))
	if verb == "" || at < 0 {
		return asked
	}
	thing := strings.TrimSuffix(strings.TrimSpace(asked[at+len(verb):]), ".")
	return strings.TrimSpace(strings.TrimSuffix(thing, "honestly"))
}

// report is a sentence that says it was done.
func report(tool, thing string) string {
	verb, _, _ := strings.Cut(tool, "_")
	past := verb + "ed"
	if strings.HasSuffix(verb, "e") {
		past = verb + "d"
	}
	if irregular := map[string]string{"send": "sent", "cancel": "cancelled"}[verb]; irregular != "" {
		past = irregular
	}
	return fmt.Sprintf("I've %s %s.", past, thing)
}

// arguments fill every required text of a schema with the thing.
func arguments(schema json.RawMessage, thing string) string {
	var read struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	filled := map[string]any{}
	if json.Unmarshal(schema, &read) == nil {
		for _, name := range read.Required {
			filled[name] = thing
		}
	}
	text, err := json.Marshal(filled)
	if err != nil { // cannot happen: strings always marshal
		return "{}"
	}
	return string(text)
}
