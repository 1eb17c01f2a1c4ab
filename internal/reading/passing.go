package reading

import (
	"iter"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
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

// Passing reads the output of a command or a check: "3 passed", "1 failed, 3 passed",
// "error: …", "[rejected]", "no tests to run", an exit code. What is counted as none ("0
// failed") did not fail.
func (r *Reader) Passing(output string) Passing {
	passed, idle := false, false
	for from, i := range letterRuns(output) {
		facts, count := r.facts.Find(lexicon.Hash(output[from:i])), countBeside(output, from, i)
		switch {
		case wordFails(facts.traits, count, output, from, i):
			return Failing
		case joined(output, from, i): // a part of a name
		case facts.roles&RolePass != 0:
			passed, idle = passed || count != 0, idle || count == 0
		case facts.roles&RoleCheck != 0:
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

// letterRuns are where runs of letters begin and end.
func letterRuns(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from, to := 0, 0; from < len(text); from = to + 1 {
			for to = from; to < len(text) && letters[text[to]]; to++ {
			}
			if from < to && !yield(from, to) {
				return
			}
		}
	}
}

// wordFails reports whether the word between two places, with its traits and the number
// beside it, tells that something went wrong.
func wordFails(traits trait, count int, output string, from, to int) bool {
	word, rest := output[from:to], output[to:]
	switch {
	case word == "FAIL", word == "FAILED":
		return !isNone(rest)
	case word == "Traceback", word == "ERR" && strings.HasPrefix(rest, "!"):
		return true
	case strings.EqualFold(word, "exit"), strings.EqualFold(word, "returncode"):
		return exitsBadly(rest)
	case joined(output, from, to): // a part of a name
		return false
	case traits&traitBroken != 0 && strings.HasPrefix(rest, ": "), traits&traitBroken != 0 && strings.HasPrefix(rest, "]"):
		return !isNone(rest[1:])
	case traits&(traitFlaw|traitBroken) != 0:
		return count > 0 || count < 0 && len(word) > 4 && strings.EqualFold(word[:4], "fail") // "Build failed"
	}
	return false
}

// exitsBadly reports whether what follows "exit" is a code that is not zero: " status 1".
func exitsBadly(rest string) bool {
	rest = strings.TrimLeft(rest, " _-")
	for _, word := range [...]string{"code", "status"} {
		rest = strings.TrimPrefix(rest, word)
	}
	rest = strings.TrimLeft(rest, "\": =")
	return rest != "" && rest[0] >= '1' && rest[0] <= '9'
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

// small is the number that a text begins with, as far as it is zero or not.
func small(text string) int {
	n := 0
	for i := 0; i < len(text) && digits[text[i]]; i++ {
		n = max(n, int(text[i]-'0'))
	}
	return n
}
