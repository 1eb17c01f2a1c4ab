package simmodel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

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
	for i, part := range strings.Split("\n"+strings.ReplaceAll(text, "\n        ", "\v"), "\n== ") {
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
