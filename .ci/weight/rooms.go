package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// slack is how far below its ceiling a room may be before the ceiling has to follow.
const slack = 150

// room is a row of rooms.txt.
type room struct {
	name          string
	goal, ceiling int
	extra         bool     // not part of the sum: a later feature, examples, evaluation
	paths         []string // folders, and patterns of files
	lines         int
}

// allowed is what a room may weigh now: its goal, or its ceiling while it is above it.
func (r *room) allowed() int { return max(r.goal, r.ceiling) }

// house is all rooms, in the order of the file.
type house []*room

func readHouse(name string) (house, error) {
	table, err := rows(name, 4)
	if err != nil {
		return nil, err
	}
	var all house
	for _, cells := range table {
		title, extra := strings.CutPrefix(cells[0], "+")
		r := &room{name: strings.TrimSpace(title), extra: extra, paths: strings.Fields(cells[3])}
		for i, number := range []*int{&r.goal, &r.ceiling} {
			if *number, err = strconv.Atoi(cells[i+1]); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, r.name, err)
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// weigh counts the lines of each file for its room.
func (h house) weigh(top string, files []string) error {
	for _, file := range files {
		owner := h.roomOf(file)
		if owner == nil {
			return fmt.Errorf("%s: no room of %s has it", file, roomsFile)
		}
		data, err := os.ReadFile(filepath.Join(top, file))
		if err != nil {
			return err
		}
		owner.lines += bytes.Count(data, []byte{'\n'})
	}
	return nil
}

// roomOf is the room with the longest path that holds a file; a pattern of files comes
// before a folder.
func (h house) roomOf(file string) *room {
	var best *room
	longest := -1
	for _, r := range h {
		for _, pattern := range r.paths {
			length := -1
			if matched, _ := path.Match(pattern, file); matched {
				length = len(file)
			} else if strings.HasPrefix(file, pattern+"/") {
				length = len(pattern)
			}
			if length > longest {
				best, longest = r, length
			}
		}
	}
	return best
}

func (h house) print(out io.Writer) {
	fmt.Fprintf(out, "%-36s %8s %8s %8s\n", "non-test lines", "now", "ceiling", "goal")
	var sum, ceiling, goal int
	for i, r := range h {
		if r.extra && i > 0 && !h[i-1].extra {
			fmt.Fprintf(out, "%-36s %8d %8d %8d\n", "  all of these", sum, ceiling, goal)
		}
		fmt.Fprintf(out, "%-36s %8d %8d %8d\n", r.name, r.lines, r.allowed(), r.goal)
		sum, ceiling, goal = sum+r.lines, ceiling+r.allowed(), goal+r.goal
	}
}

func (h house) faults() []string {
	var all []string
	for _, r := range h {
		switch {
		case r.lines > r.allowed():
			all = append(all, fmt.Sprintf("%s: %d lines, %d allowed; delete as much as you add", r.name, r.lines, r.allowed()))
		case r.ceiling > r.goal && r.ceiling > max(r.lines, r.goal)+slack:
			all = append(all, fmt.Sprintf("the ceiling of %s: %d for %d lines; lower it: go run -C .ci/weight . -lower", r.name, r.ceiling, r.lines))
		}
	}
	return all
}

// lower writes the ceilings anew: what each room weighs, its goal at least, and never more
// than before.
func (h house) lower(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var out strings.Builder
	i := 0
	for line := range strings.Lines(string(data)) {
		if text := strings.TrimSpace(line); text == "" || strings.HasPrefix(text, "#") {
			out.WriteString(line)
			continue
		}
		r := h[i]
		i++
		r.ceiling = min(r.ceiling, max(r.lines, r.goal))
		cells := strings.Split(line, "|")
		cells[2] = fmt.Sprintf(" %7d ", r.ceiling)
		out.WriteString(strings.Join(cells, "|"))
	}
	return os.WriteFile(name, []byte(out.String()), 0o644)
}
