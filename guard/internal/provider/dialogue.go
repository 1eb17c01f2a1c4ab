package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// dialogue is what a request of any format comes to: the tools that it offers, what it says of the
// next call, and the calls and results in it.
type dialogue struct {
	tools  []string
	choice string   // how free the model is to call, in the format's own word
	chosen []string // the tools that may be called, where only some may
	open   []string // calls that lie with the provider and have no result yet
	steps  []step
	begun  bool // the last word is the model's, and it cannot go on from there
}

// step is a call, a result, or anything else that is said.
type step struct {
	kind stepKind
	id   string
}

type stepKind uint8

const (
	speaks stepKind = iota
	calls
	answers
)

// choose reads a choice: a word, which stands for itself or, in some formats, in an object, or an
// object that names a tool.
func (d *dialogue) choose(choice json.RawMessage, naming string, inObjects bool, words ...string) error {
	var read struct {
		Type, Name string
		Function   struct{ Name string }
	}
	if len(choice) == 0 || string(choice) == "null" {
		return nil
	}
	if json.Unmarshal(choice, &read.Type) != nil && json.Unmarshal(choice, &read) != nil {
		return errors.New("tool_choice: neither a word nor an object")
	}
	d.choice = read.Type
	switch isObject := choice[0] == '{'; {
	case len(d.tools) == 0:
		return errors.New("tool_choice is only allowed while providing tools")
	case read.Type == naming && isObject:
		d.chosen = []string{read.Name + read.Function.Name}
	case isObject != inObjects || !slices.Contains(words, read.Type):
		return fmt.Errorf("tool_choice: unexpected type %q", read.Type)
	}
	return nil
}

// holdTogether holds calls and results together: each result answers an open call, in formats with an
// order the first of them, and where anything else is said no call is open any more.
func (f *wireFormat) holdTogether(d *dialogue) error {
	for _, name := range d.chosen {
		if !slices.Contains(d.tools, name) {
			return fmt.Errorf("tool_choice: tool %q not found in tools", name)
		}
	}
	open := slices.Clone(d.open)
	for _, s := range append(slices.Clip(d.steps), step{}) { // nothing is open at the end
		at := slices.Index(open, s.id)
		switch {
		case s.kind == speaks && len(open) > 0:
			return fmt.Errorf(f.unanswered, open)
		case s.kind == calls && (s.id == "" || at >= 0):
			return fmt.Errorf("the ids of calls must be unique, and not empty: %q", s.id)
		case s.kind == calls:
			open = append(open, s.id)
		case s.kind == answers && (at < 0 || at > 0 && f.ordered):
			return fmt.Errorf(f.stray, s.id)
		case s.kind == answers:
			open = slices.Delete(open, at, at+1)
		}
	}
	if d.begun {
		return errors.New("this model does not support prefill: the request has to end with the user or with a result")
	}
	return nil
}
