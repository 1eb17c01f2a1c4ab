package simmodel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// Faults are names of misbehaviour that is wanted.
type Faults []string

// ParseFaults reads a list separated by commas. A name that is not known is an
// error that lists those that are.
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

// WireFaults are the faults that belong to the format and fit any tools: slow
// and http-500 are played by the server, the others by [Distort].
var WireFaults = [...]string{"leaked-call", "bad-json", "unknown-tool", "double-call", "slow", "http-500"}

// Distort plays the wire faults on a healthy answer. A model that was told what
// is wrong, by a tool message or by a correction, does better the next time;
// only double-call is a habit.
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
