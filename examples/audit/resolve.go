package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/bonafide-go/bonafide/resolver"
)

// resolveCase is a line of "audit resolve": a reference to one of the titles,
// or a list of titles that later lines name.
type resolveCase struct {
	ID        string   `json:"id"`
	Set       string   `json:"set"`
	Titles    []string `json:"titles"`
	TitlesSet string   `json:"titles_set"`
	Reference string   `json:"reference"`
}

// resolveAnswer says which title is meant.
type resolveAnswer struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Index *int   `json:"index,omitempty"`
	Among []int  `json:"among,omitempty"`
}

func startResolve() (answerer, error) {
	sets := make(map[string]*resolver.Index)
	return func(line []byte) (any, error) { return answerResolve(sets, line) }, nil
}

// answerResolve resolves in the index of a set, which many lines share, or among the titles of the line itself.
func answerResolve(sets map[string]*resolver.Index, line []byte) (any, error) {
	c, err := decode[resolveCase](line)
	if err != nil {
		return nil, err
	}
	if c.Set != "" {
		sets[c.Set] = resolver.New(entriesOf(c.Titles), nil)
		return nil, nil
	}
	if c.TitlesSet == "" {
		match, err := resolver.Resolve(c.Reference, entriesOf(c.Titles), nil)
		return resolveSaid(c.ID, match, err)
	}
	index, ok := sets[c.TitlesSet]
	if !ok {
		return nil, fmt.Errorf("titles_set %q was not defined by an earlier line", c.TitlesSet)
	}
	match, err := index.Resolve(c.Reference)
	return resolveSaid(c.ID, match, err)
}

// entriesOf gives each title its position as an id, in a form that no reference has.
func entriesOf(titles []string) []resolver.Entry {
	entries := make([]resolver.Entry, len(titles))
	for i, title := range titles {
		entries[i] = resolver.Entry{ID: "\x00" + strconv.Itoa(i), Title: title}
	}
	return entries
}

func positionOf(e resolver.Entry) int {
	position, err := strconv.Atoi(e.ID[1:])
	if err != nil {
		panic(err) // entriesOf made the id
	}
	return position
}

func resolveSaid(id string, match resolver.Match, err error) (any, error) {
	var ambiguous *resolver.AmbiguousError
	switch {
	case err == nil:
		position := positionOf(match.Entry)
		return resolveAnswer{ID: id, Kind: "one", Index: &position}, nil
	case errors.As(err, &ambiguous):
		answer := resolveAnswer{ID: id, Kind: "ambiguous"}
		for _, candidate := range ambiguous.Candidates {
			answer.Among = append(answer.Among, positionOf(candidate.Entry))
		}
		return answer, nil
	case errors.Is(err, resolver.ErrNotFound), errors.Is(err, resolver.ErrReferenceTooLong):
		return resolveAnswer{ID: id, Kind: "none"}, nil
	}
	return nil, err
}
