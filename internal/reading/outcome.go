package reading

import (
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Checks reports whether a name or arguments speak of tests or a build.
func (r *Reader) Checks(text string) bool { return r.anyRole(text, RoleCheck) }

// anyRole reports whether a word of a role stands in a text, without a value
// after it that counts none, or a count of none before it.
func (r *Reader) anyRole(text string, role Role) bool {
	for i, k := range letterRuns(text) {
		if k-i > 1 && r.rolesOf(text[i:k])&role != 0 && !isNone(text[k:]) && (i < 2 || text[i-2:i] != "0 ") {
			return true
		}
	}
	return false
}

// isNone reports whether a member's value counts nothing.
func isNone(rest string) bool {
	rest = strings.TrimLeft(rest, "\": _=")
	for _, none := range [...]string{"0", "[]", "null", "false", "{}", "none"} {
		if strings.HasPrefix(rest, none) {
			return true
		}
	}
	return false
}

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

// Passing reads the output of a command or a check: "3 passed", "1 failed, 3 passed", "error: …", "[rejected]", "no
// tests to run", an exit code. What is counted as none ("0 failed") did not fail.
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

// countBeside says whether the number just before a word, or that which follows it as its value, is zero:
// then it is 0; -1 is none.
func countBeside(text string, from, to int) int {
	before := strings.TrimRight(text[:from], " ")
	if n := len(strings.TrimRight(before, "0123456789")); n < len(before) && len(before) < from {
		return largestDigit(before[n:])
	}
	after := strings.TrimLeft(text[to:], "\"' ")
	if value := strings.TrimLeft(after, ":= "); len(value) < len(after) && value != "" && digits[value[0]] {
		return largestDigit(value)
	}
	return -1
}

// largestDigit is that of the number which a text begins with: it says whether that is zero, and not how much it is.
func largestDigit(text string) int {
	n := 0
	for i := 0; i < len(text) && digits[text[i]]; i++ {
		n = max(n, int(text[i]-'0'))
	}
	return n
}

// Opposite reports whether two states exclude each other: on and off, locked and unlocked.
func (r *Reader) Opposite(one, other string) bool {
	return denies(one, other) || denies(other, one) || slices.ContainsFunc(r.opposites, func(pair string) bool {
		return len(pair) == len(one)+len("=")+len(other) && (pair == one+"="+other || pair == other+"="+one)
	})
}

// denies reports whether a word is another one with a prefix that denies it.
func denies(word, state string) bool {
	rest, found := strings.CutSuffix(word, state)
	return found && slices.Contains([]string{"un", "in", "dis", "not ", "not_"}, rest)
}

// ContainsFold reports whether a word stands in a text, in any letter case.
func ContainsFold(text []byte, word string) bool {
	for i := 0; word != "" && i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0]|0x20 && jsonspan.EqualFoldASCII(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// trait is a set of what a word says beside its roles: that something is needed first, or that it broke.
type trait uint32

const (
	traitNeed trait = 1 << iota
	traitMust
	traitBroken // of an output, before a colon or in brackets
	traitFlaw   // the same, counted
	traitShell
	traitRelease // what somebody has to give before a thing is done: an approval
)

// traitNames are their names in the data file, in the same order.
var traitNames = []string{"need", "must", "broken", "flaw", "shell", "release"}

// RunsCommand reports whether a tool, by its name, runs a command or a program, or checks
// something: its output tells how it went.
func (r *Reader) RunsCommand(tool string) bool { return r.anyTrait(traitShell, tool) || r.Checks(tool) }

// TakesCommand reports the same by the names of the arguments of a call.
func (r *Reader) TakesCommand(args []byte) bool {
	for key := range jsonspan.Members(args) {
		if r.facts.Find(lexicon.Hash(string(key))).traits&traitShell != 0 {
			return true
		}
	}
	return false
}

// anyTrait reports whether a word of a name has one of the traits.
func (r *Reader) anyTrait(traits trait, name string) bool {
	for word := range runs(name) {
		if r.facts.Find(lexicon.Hash(word)).traits&traits != 0 {
			return true
		}
	}
	return false
}

// runs are the words of a name: they end at what is no letter, and before a capital that follows a small one.
func runs(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i <= len(name); i++ {
			inner := i < len(name) && letters[name[i]] && name[i] != '_'
			turns := inner && i > from && name[i] <= 'Z' && name[i-1] >= 'a'
			if inner && !turns {
				continue
			}
			if i > from && !yield(name[from:i]) {
				return
			}
			if from = i + 1; turns {
				from = i
			}
		}
	}
}

// traitAt is the traits of a token.
func (t *Text) traitAt(i int) trait {
	switch token := &t.Tokens[i]; {
	case token.Entry != nil:
		return t.reader.words[token.Entry.Number].traits
	case token.IsWord():
		return t.reader.facts.Find(token.Hash).traits
	}
	return 0
}
