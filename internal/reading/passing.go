package reading

import (
	"strings"
)

// Passing is what the output of a check says of it.
type Passing int8

const (
	// Failing says that something failed, or that nothing was checked at all.
	Failing Passing = iota - 1
	// Unsaid is an output that says neither.
	Unsaid
	// Passed says that something passed, and nothing failed.
	Passed
)

// Passing reads the output of a check: "3 passed", "1 failed, 3 passed", "no tests to
// run", an exit code.
func (r *Reader) Passing(output string) Passing {
	passed, idle := false, false
	for i := 0; i < len(output); {
		if !letters[output[i]] {
			i++
			continue
		}
		from := i
		for i < len(output) && letters[output[i]] {
			i++
		}
		word, count := strings.ToLower(output[from:i]), countBeside(output, from, i)
		switch roles := r.rolesOf(word); {
		case word == "exit" || word == "returncode":
			if code := exitCode(output[i:]); code > 0 {
				return Failing
			}
		case joined(output, from, i): // a part of a name
		case strings.HasPrefix(word, "fail") && count != 0, strings.HasPrefix(word, "error") && count > 0:
			return Failing
		case roles&RolePass != 0:
			passed, idle = passed || count != 0, idle || count == 0
		case roles&RoleCheck != 0:
			idle = idle || count == 0 || strings.HasSuffix(strings.ToLower(output[:from]), "no ")
		}
	}
	switch {
	case passed:
		return Passed
	case idle:
		return Failing
	}
	return Unsaid
}

// joined reports whether a mark makes the word between two places a part of a name.
func joined(text string, from, to int) bool {
	const marks = "_./\\-"
	before := from > 0 && strings.IndexByte(marks, text[from-1]) >= 0
	after := to+1 < len(text) && strings.IndexByte(marks, text[to]) >= 0 && inRun(text[to+1])
	return before || after || from > 0 && digits[text[from-1]]
}

// countBeside is the number just before a word, or that which follows it as its value;
// -1 for none.
func countBeside(text string, from, to int) int {
	before := strings.TrimRight(text[:from], " ")
	if n := len(strings.TrimRight(before, "0123456789")); n < len(before) && len(before) < from {
		return small(before[n:])
	}
	after := strings.TrimLeft(text[to:], "\"' ")
	if value := strings.TrimLeft(after, ":= "); len(value) < len(after) && value != "" && digits[value[0]] {
		return small(value)
	}
	return -1
}

// exitCode is the number that follows "exit", as in "exit status 1"; -1 for none.
func exitCode(rest string) int {
	const near = 12
	for i := 0; i < min(len(rest), near); i++ {
		if digits[rest[i]] {
			return small(rest[i:])
		}
	}
	return -1
}

// small is the number that a text begins with, as far as it is zero or not.
func small(text string) int {
	n := 0
	for i := 0; i < len(text) && digits[text[i]]; i++ {
		n = max(n, int(text[i]-'0'))
	}
	return n
}

// RunsCheck reports whether a command runs tests, a build or a linter: one of its words
// names it, and is no part of a path.
func (r *Reader) RunsCheck(command string) bool {
	words := strings.FieldsFunc(command, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`;&|()[],:=", c) })
	for _, word := range words {
		word = strings.ToLower(strings.Trim(word, "./"))
		if r.rolesOf(word)&RoleCheck != 0 || strings.HasSuffix(word, "test") && !strings.ContainsAny(word, "/._") ||
			strings.HasSuffix(word, "lint") && !strings.ContainsAny(word, "/.") {
			return true
		}
	}
	return false
}
