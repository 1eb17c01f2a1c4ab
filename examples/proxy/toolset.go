package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolset is one set of tools that clients offer, and its guard.
type toolset struct {
	name    string // the beginning of its digest
	guard   *guard.Guard
	assumed []assumed
}

// assumed is what the proxy takes a tool to do, and why.
type assumed struct {
	Tool   string           `json:"tool"`
	Effect tooltrack.Effect `json:"effect"`
	From   string           `json:"from"`
	Note   string           `json:"note,omitempty"`
}

// describe is a tool as a client offers it, with what the file says of it, or else its name.
func (f *toolFile) describe(offered tooltrack.Tool) (tooltrack.Tool, assumed) {
	tool := tooltrack.Tool{ // copies: a guard lives longer than the request that it was made for
		Name: strings.Clone(offered.Name), Description: strings.Clone(offered.Description),
		Parameters: bytes.Clone(offered.Parameters),
	}
	said := f.Tools[tool.Name]
	tool.Idempotent, tool.Repeatable = said.Idempotent, said.Repeatable
	tool.Subject, tool.Answer, tool.Words = said.Subject, tooltrack.AnswerArg{Arg: said.Answer}, said.Words
	taken := assumed{Tool: tool.Name}
	if said.Effect != nil {
		tool.Effect, taken.From = *said.Effect, "the file"
	} else {
		tool.Effect, taken.From = guessed(offered)
	}
	taken.Effect = tool.Effect
	if why := unreadable(tool); why != nil {
		tool.Parameters = nil
		taken.Note = "its schema cannot be applied, so its arguments are not checked: " +
			clip.Text(policy.Printable(why.Error()), 120)
	}
	return tool, taken
}

// guessed reads the effect from the tool's own words.
func guessed(offered tooltrack.Tool) (tooltrack.Effect, string) {
	read := toolname.Read(lexicon.English(), toolname.Tool{
		Name: offered.Name, Description: offered.Description, Parameters: offered.Parameters,
	})
	effect := tooltrack.Effect(read.Effect)
	switch {
	case effect == tooltrack.UnknownEffect:
		return effect, "nothing: it counts as a change"
	case read.Verb.Text != "":
		return effect, fmt.Sprintf("%q in its name", read.Verb.Text)
	}
	return effect, "its words"
}

// unreadable says why a tool's schema cannot be applied. The policy would refuse
// every call of such a tool; a proxy that its clients did not ask for must not.
func unreadable(tool tooltrack.Tool) error {
	set, err := policy.New([]tooltrack.Tool{tool}, nil)
	if err != nil {
		return err
	}
	return set.Unreadable()[tool.Name]
}

// toolsets hold a guard for each set of tools; the one that was used longest ago gives way.
type toolsets struct {
	file *toolFile
	make func(tools []tooltrack.Tool) (*guard.Guard, error)
	tell func(*toolset) // of a set that is new

	byset.Cache[*toolset]
	mu      sync.Mutex
	retired guard.Counters
}

func newToolsets(
	file *toolFile, most int, make func(tools []tooltrack.Tool) (*guard.Guard, error), tell func(*toolset),
) *toolsets {
	s := &toolsets{file: file, make: make, tell: tell}
	s.Most, s.Make = most, s.build
	s.Gone = func(set *toolset) {
		s.mu.Lock()
		defer s.mu.Unlock()
		addCounters(&s.retired, set.guard.Counters())
	}
	return s
}

func (s *toolsets) build(key byset.Key, offered []tooltrack.Tool) (*toolset, error) {
	set := &toolset{name: hex.EncodeToString(key[:4])}
	tools := make([]tooltrack.Tool, len(offered))
	for i := range offered {
		var taken assumed
		tools[i], taken = s.file.describe(offered[i])
		set.assumed = append(set.assumed, taken)
	}
	s.addConfirm(set, tools)
	var err error
	if set.guard, err = s.make(tools); err != nil {
		return nil, fmt.Errorf("there is no guard for the tools of this request: %w", err)
	}
	s.tell(set)
	return set, nil
}

// addConfirm adds what the file says of read-backs. The proxy runs no tool: what the client reads later is
// used. What the tools of this request cannot show is told, and the client is served without.
func (s *toolsets) addConfirm(set *toolset, tools []tooltrack.Tool) {
	for i := range tools {
		if said := s.file.Tools[tools[i].Name]; said.Confirm != nil {
			tools[i].Confirm = said.confirm()
			if _, err := s.make(tools); err != nil {
				tools[i].Confirm = nil
				set.assumed[i].Note += "it is not confirmed: " + clip.Text(policy.Printable(err.Error()), 240)
			}
		}
	}
}

// counters are those of all guards that there were.
func (s *toolsets) counters() guard.Counters {
	sum := guard.Counters{}
	s.mu.Lock()
	addCounters(&sum, s.retired)
	s.mu.Unlock()
	for _, set := range s.All() {
		addCounters(&sum, set.guard.Counters())
	}
	return sum
}

// maxNames bounds the names that counts are kept by: those of tools are the clients' own.
const maxNames = 1000

// addCounters adds every field, those of later versions included.
func addCounters(sum *guard.Counters, other guard.Counters) {
	into, from := reflect.ValueOf(sum).Elem(), reflect.ValueOf(other)
	for i := range into.NumField() {
		switch field := into.Field(i); field.Kind() {
		case reflect.Uint64:
			field.SetUint(field.Uint() + from.Field(i).Uint())
		case reflect.Map:
			if field.IsNil() {
				field.Set(reflect.ValueOf(map[string]uint64{}))
			}
			counts := field.Interface().(map[string]uint64)
			for name, n := range from.Field(i).Interface().(map[string]uint64) {
				if _, known := counts[name]; !known && len(counts) >= maxNames {
					name = "other"
				}
				counts[name] += n
			}
		}
	}
}

// print is the list that the proxy assumed, for people.
func (s *toolset) print() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Tools %s, taken to be:\n", s.name)
	for _, tool := range s.assumed {
		fmt.Fprintf(&out, "  %-9s %s (by %s)\n", tool.Effect, clip.Text(policy.Printable(tool.Tool), 60), tool.From)
		if tool.Note != "" {
			fmt.Fprintf(&out, "            %s\n", tool.Note)
		}
	}
	return out.String()
}
