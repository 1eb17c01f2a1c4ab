package simmodel

import (
	"context"
	"encoding/json"
	"time"
)

// Behaviour says what the model answers. It must be a function of the request
// alone, so that a run can be repeated, and safe for concurrent use.
type Behaviour func(ctx context.Context, request Request) Answer

// Answer is what the model says.
type Answer struct {
	// Text is what it says, and Calls the tools it calls. Ids are given by the
	// server where they are missing.
	Text  string
	Calls []Call
	// Delay is how long it thinks.
	Delay time.Duration
	// Status is an HTTP status to fail with instead of answering.
	Status int
}

// Say is an answer of text alone.
func Say(text string) Answer { return Answer{Text: text} }

// CallTool is an answer that calls one tool.
func CallTool(name, arguments string) Answer {
	return Answer{Calls: []Call{{Name: name, Arguments: arguments}}}
}

// CallWith is CallTool with arguments that are written as JSON. It panics for
// those that cannot be: scripts are part of their program.
func CallWith(name string, args any) Answer {
	text, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return CallTool(name, string(text))
}

// Script is a behaviour that gives these answers in turn, by the number of
// answers that the turn holds already, and the last one from then on.
func Script(answers ...Answer) Behaviour {
	return func(_ context.Context, request Request) Answer {
		given := 0
		for _, message := range request.Since() {
			if message.Role == "assistant" {
				given++
			}
		}
		if len(answers) == 0 {
			return Answer{}
		}
		return answers[min(given, len(answers)-1)]
	}
}
