// Command weight counts what the library weighs and fails above what it may weigh:
//
//	go run -C .ci/weight .           prints the tables, and what is too heavy
//	go run -C .ci/weight . -lower    lowers ceilings and exceptions to what is there now
//
// rooms.txt gives each room of the house a goal and a ceiling of non-test lines;
// exceptions.txt names the types that are larger than a reader can hold, and why. Both may
// only shrink: a ceiling that a room no longer needs, and an exception that a type no longer
// needs, fail too.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	roomsFile      = "rooms.txt"
	exceptionsFile = "exceptions.txt"
)

func main() {
	lower := flag.Bool("lower", false, "lower each ceiling and exception to what is there now")
	flag.Parse()
	faults, err := run(*lower)
	if err != nil {
		fmt.Fprintln(os.Stderr, "weight:", err)
		os.Exit(1)
	}
	for _, fault := range faults {
		fmt.Println("TOO HEAVY:", fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// run prints the tables and returns what is wrong with them.
func run(lower bool) ([]string, error) {
	top, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	files, err := sources(top)
	if err != nil {
		return nil, err
	}
	house, err := readHouse(roomsFile)
	if err != nil {
		return nil, err
	}
	if err := house.weigh(top, files); err != nil {
		return nil, err
	}
	types, err := measureTypes(top, files)
	if err != nil {
		return nil, err
	}
	if lower {
		if err := errors.Join(house.lower(roomsFile), lowerExceptions(exceptionsFile, types)); err != nil {
			return nil, err
		}
	}
	known, err := readExceptions(exceptionsFile)
	if err != nil {
		return nil, err
	}
	house.print(os.Stdout)
	fmt.Printf("%d types have more than %d fields or %d methods\n", len(known), maxFields, maxMethods)
	return append(house.faults(), compare(types, known)...), nil
}

// sources are the Go files of all modules that are no tests, tools of this folder left out.
func sources(top string) ([]string, error) {
	command := exec.Command("git", "ls-files", "-z", "--", "*.go", ":!*_test.go", ":!.ci")
	command.Dir = top
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for name := range bytes.SplitSeq(bytes.TrimRight(out, "\x00"), []byte{0}) {
		if _, err := os.Stat(filepath.Join(top, string(name))); err == nil { // not one that is deleted, but not committed yet
			files = append(files, string(name))
		}
	}
	return files, nil
}

// rows are the lines of a table that hold something, cut at their bars.
func rows(name string, columns int) ([][]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all [][]string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != columns {
			return nil, fmt.Errorf("%s: %q has %d columns, want %d", name, line, len(cells), columns)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, cells)
	}
	return all, nil
}
