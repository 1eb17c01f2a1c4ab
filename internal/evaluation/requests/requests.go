// Package requests answers one question: which tools does this message ask for?
//
// It holds messages written for this library, a file for each kind of them. A line is one
// [Set]: tools, and what is asked of them. They teach and test package intent.
package requests

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed *.jsonl
var files embed.FS

// Set are tools and what is asked of them.
type Set struct {
	Tools    []tooltrack.Tool `json:"tools"`
	Held     bool             `json:"held"` // never fitted to
	Requests []Request        `json:"requests"`

	File string `json:"-"`
	Line int    `json:"-"`
}

// Request is a message, and which tools it expects; Maybe are arguable ones.
type Request struct {
	User     string   `json:"user"`
	Previous string   `json:"previous"`
	Expected []string `json:"expected"`
	Maybe    []string `json:"maybe"`
}

// ID names a set.
func (s *Set) ID() string { return fmt.Sprintf("%s-%d", s.File, s.Line) }

// Sets reads all sets, in the order of their files. A slip of the pen, such as a tool that
// the set does not have, is an error, lest it become a label.
func Sets() ([]*Set, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, entry := range entries {
		data, err := files.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			set := &Set{File: strings.TrimSuffix(entry.Name(), ".jsonl"), Line: i + 1}
			decoder := json.NewDecoder(bytes.NewReader(line))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(set); err != nil {
				return nil, fmt.Errorf("%s: %w", set.ID(), err)
			}
			if err := set.check(); err != nil {
				return nil, fmt.Errorf("%s: %w", set.ID(), err)
			}
			sets = append(sets, set)
		}
	}
	return sets, nil
}

func (s *Set) check() error {
	for _, r := range s.Requests {
		for _, name := range slices.Concat(r.Expected, r.Maybe) {
			if !slices.ContainsFunc(s.Tools, func(t tooltrack.Tool) bool { return t.Name == name }) {
				return fmt.Errorf("%q expects the tool %q, which the set does not have", r.User, name)
			}
		}
	}
	return nil
}
