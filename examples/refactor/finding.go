package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/policy"
)

// kind is the sort of a finding. It decides which analysis is due.
type kind string

const (
	duplicate   kind = "duplicate implementation"
	integration kind = "integration conflict"
	complexity  kind = "complexity"
)

// finding is something about the tree that has to be resolved.
type finding struct {
	id      string
	kind    kind
	targets []string
	about   string
}

const (
	architecture = "ARCHITECTURE.md"
	maxAttempts  = 5
)

// resolving are the tools that end a finding. They wait for the checklist.
var resolving = []string{"merge_file_implementations", "create_issue_report", "request_developer_review"}

// analyses are what each kind needs beside the reading.
var analyses = map[kind]policy.Step{
	duplicate: {
		Name: "compare the target files", Tool: "compare_file_implementations", PathArg: "paths", EachTarget: true,
	},
	integration: {
		Name: "analyze the import impact of the target files", Tool: "analyze_import_impact", PathArg: "path",
		EachTarget: true,
	},
	complexity: {
		Name: "analyze the complexity of the target files", Tool: "analyze_complexity", PathArg: "path", EachTarget: true,
	},
}

// checklist is what must be done before the finding may be resolved: the one
// definition behind the gate and the text in the prompt.
func (f finding) checklist() *policy.Checklist {
	list := policy.Checklist{
		Steps: []policy.Step{
			{Name: "read the target files", Tool: "read_file", PathArg: "path", EachTarget: true},
			{Name: "read " + architecture, Tool: "read_file", PathArg: "path", Path: architecture},
			analyses[f.kind],
		},
		Resolving:   resolving,
		MaxAttempts: maxAttempts,
	}
	return list.For(f.targets...)
}

// message is what the agent is asked. It is the same in every attempt.
func (f finding) message() string {
	return fmt.Sprintf("Resolve finding %s (%s) in %s: %s", f.id, f.kind, strings.Join(f.targets, " and "), f.about)
}

func (f finding) concerns(path string) bool { return slices.Contains(f.targets, path) }
