// Package simmodel is a language model that needs no key: an HTTP server on
// loopback that speaks chat completions, Responses and Messages, whole and
// streamed, so that a real client talks to it as it would to any provider.
//
// What it says is decided by a [Behaviour], a function from the conversation to an [Answer]. An example
// writes one for its own tools, healthy to begin with; the faults of real models are then asked for by
// name, and the same request always gets the same answer:
//
//	server, err := simmodel.Start(behaviour, nil)
//	…
//	defer server.Close()
//	request, err := http.NewRequest(http.MethodPost, server.URL+"/chat/completions", body)
//	request.Header = simmodel.Turn(message, simmodel.Faults{"leaked-call"})
//
// [Turn] also tells the server which message the person wrote, so that a behaviour can tell a correction
// by the guard from a new request: see [Request.Asked] and [Request.Corrections]. The faults of
// [WireFaults] belong to the format, not to any tools, and are played by [Distort] and the server
// itself; a behaviour knows its own.
//
// A Server is safe for concurrent use and keeps nothing between requests. It
// understands no language: that is the behaviour's business.
package simmodel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// Behaviour says what the model answers. It must be a function of the request
// alone, so that a run can be repeated, and safe for concurrent use.
type Behaviour func(ctx context.Context, request Request) Answer

// Answer is what the model says.
type Answer struct {
	// Text is what it says, and Calls the tools it calls. Ids are given by the server where they are missing.
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

// Script is a behaviour that gives these answers in turn, by how many the turn holds already, the last one for ever.
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

// Faults are names of misbehaviour that is wanted.
type Faults []string

// ParseFaults reads a list separated by commas. A name that is not known is an error that lists those that are.
func ParseFaults(list string, known []string) (Faults, error) {
	var faults Faults
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "" || slices.Contains(faults, name):
		case !slices.Contains(known, name):
			return nil, fmt.Errorf("there is no fault %q; choose from %s", clip.Text(name, 40), strings.Join(known, ", "))
		default:
			faults = append(faults, name)
		}
	}
	return faults, nil
}

// Has reports whether a fault is wanted.
func (f Faults) Has(name string) bool { return slices.Contains(f, name) }

// String is the list as ParseFaults reads it.
func (f Faults) String() string { return strings.Join(f, ",") }

// WireFaults belong to the format and fit any tools: the server plays slow and http-500, and [Distort] the others.
var WireFaults = [...]string{"leaked-call", "bad-json", "unknown-tool", "double-call", "slow", "http-500"}

// Distort plays the wire faults on a healthy answer. A model that was told what is wrong, by a tool
// message or by a correction, does better the next time; only double-call is a habit.
func Distort(request Request, healthy Answer) Answer {
	if len(healthy.Calls) == 0 {
		return healthy
	}
	if request.Faults.Has("double-call") {
		healthy.Calls = append(slices.Clone(healthy.Calls), healthy.Calls[len(healthy.Calls)-1])
	}
	if request.Corrections() > 0 || len(request.Results()) > 0 {
		return healthy
	}
	switch call := healthy.Calls[0]; {
	case request.Faults.Has("leaked-call"):
		return Say(fmt.Sprintf("```json\n{\"name\": %q, \"arguments\": %s}\n```", call.Name, call.Arguments))
	case request.Faults.Has("bad-json"):
		call.Arguments = strings.TrimSuffix(call.Arguments, "}")
		return Answer{Calls: []Call{call}}
	case request.Faults.Has("unknown-tool"):
		call.Name = "tasks." + call.Name
		return Answer{Calls: []Call{call}}
	}
	return healthy
}

// Scene is one turn of an example: what a person says, how the simulated model plays it, and what
// must come of it. Examples keep theirs in a file:
//
//	== partial
//	title   partial work must be completed
//	person  Implement Multiply in calc.go.
//	call    write_file {"path": "calc.go", "content": "@multiply"}
//	model   I added Multiply to calc.go. Next I will add a test for it.
//	want    corrected 1
//
// Each call, and each thing that the model says, is an answer of its own; "and" adds a call to the
// answer before it, and "again" begins another attempt. An indented line goes on with the one
// above. A text that begins with @ is a piece: one that the program brings along, or that stands
// before the first scene ("piece NAME TEXT"). Any other word begins a note for the program.
type Scene struct {
	Name, Title, Person string
	// Attempts are what the model answers, one after the other.
	Attempts [][]Answer
	// Wants are what must come of it.
	Wants []string
	Notes map[string][]string
}

// Scenes reads a file of scenes. It panics for one that cannot be read: scenes are part of their program.
func Scenes(text string, pieces map[string]string) (scenes []Scene) {
	r := reader{map[string]string{}}
	maps.Copy(r.pieces, pieces)
	text = strings.NewReplacer("\n\n        ", "\v\v", "\n        ", "\v").Replace(text)
	for i, part := range strings.Split("\n"+text, "\n== ") {
		name, lines, _ := strings.Cut(part, "\n")
		scene := Scene{Name: name, Attempts: make([][]Answer, 1), Notes: map[string][]string{}}
		for line := range strings.SplitSeq(lines, "\n") {
			key, value, _ := strings.Cut(line, " ")
			value = strings.ReplaceAll(strings.TrimSpace(value), "\v", "\n")
			if piece, text, _ := strings.Cut(value, " "); key == "piece" {
				r.pieces[piece] = text
			} else if i > 0 && key != "" {
				r.read(&scene, key, r.text(value))
			}
		}
		if i > 0 {
			scenes = append(scenes, scene)
		}
	}
	return scenes
}

// reader reads scenes in which pieces may stand.
type reader struct{ pieces map[string]string }

// text is a text, or the piece that it names.
func (r reader) text(said string) string {
	if name, is := strings.CutPrefix(said, "@"); is {
		return r.pieces[name]
	}
	return said
}

// read takes a line down.
func (r reader) read(s *Scene, key, value string) {
	last := &s.Attempts[len(s.Attempts)-1]
	switch key {
	case "title":
		s.Title = value
	case "person":
		s.Person = value
	case "model":
		*last = append(*last, Say(value))
	case "call":
		*last = append(*last, r.call(value))
	case "and":
		answer := &(*last)[len(*last)-1]
		answer.Calls = append(answer.Calls, r.call(value).Calls...)
	case "again":
		s.Attempts = append(s.Attempts, nil)
	case "want":
		s.Wants = append(s.Wants, value)
	default:
		s.Notes[key] = append(s.Notes[key], value)
	}
}

// call is an answer with the call that a line writes down.
func (r reader) call(line string) Answer {
	tool, written, _ := strings.Cut(line, " ")
	args := map[string]any{}
	if written = r.text(written); written != "" {
		if err := json.Unmarshal([]byte(written), &args); err != nil {
			panic(fmt.Errorf("the scenes: %s: %w", line, err))
		}
	}
	for name, value := range args {
		if text, is := value.(string); is {
			args[name] = r.text(text)
		}
	}
	return CallWith(tool, args)
}

// Note is the first note under a word; empty where there is none.
func (s *Scene) Note(key string) string {
	return strings.Join(s.Notes[key][:min(1, len(s.Notes[key]))], "")
}

// Part is what the model plays in one attempt of a scene.
func (s *Scene) Part(attempt int) string { return fmt.Sprintf("%s/%d", s.Name, attempt) }

// Play is a model that plays the part which a request asks for.
func Play(scenes []Scene) Behaviour {
	return func(ctx context.Context, request Request) Answer {
		for _, scene := range scenes {
			for i, answers := range scene.Attempts {
				if request.Faults.Has(scene.Part(i + 1)) {
					return Script(answers...)(ctx, request)
				}
			}
		}
		return Say("I do not know this part.")
	}
}
