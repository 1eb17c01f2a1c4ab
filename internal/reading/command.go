package reading

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

//go:embed data/commands.txt
var commandsFile string

// commands are programs by what they do.
var commands = sync.OnceValue(func() map[string][]string {
	kinds := map[string][]string{}
	for line := range strings.Lines(commandsFile) {
		kind, names, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			if !strings.HasPrefix(kind, "#") {
				kinds[name] = append(kinds[name], kind)
			}
		}
	}
	return kinds
})

// Run is what a call ran, as far as its command tells.
type Run uint8

const (
	// RunsOther is a command that may have changed something, or none.
	RunsOther Run = iota
	// RunsLooks is a command that looks, prints or commits: what was checked stays as it was.
	RunsLooks
	// RunsChecks is a command that runs tests, a build or a linter, and changes nothing after it.
	RunsChecks
)

// step is one of the simple commands of a command line.
type step struct {
	words  []string
	piped  bool // it reads what the step before it prints
	writes bool // into a file
}

// runOf reads what a command line does. Each of its steps counts, in order: what is
// changed after a check was not checked.
func (r *Reader) runOf(line string, depth int) Run {
	run, checked := RunsLooks, false
	steps := stepsOf(line)
	for _, s := range steps {
		switch kind := r.stepRun(s, depth); {
		case kind == RunsChecks:
			run, checked = RunsChecks, true
		case kind == RunsLooks, checked && s.piped: // "| tee log"
		default:
			run, checked = RunsOther, false
		}
	}
	if len(steps) == 0 {
		return RunsOther
	}
	return run
}

// stepRun reads what one step does.
func (r *Reader) stepRun(s step, depth int) Run {
	is := func(word, kind string) bool { return slices.Contains(commands()[word], kind) }
	words := s.words
	for len(words) > 0 && (strings.IndexAny(words[0], "0123456789") == 0 || is(words[0], "wrap") ||
		strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return RunsLooks // "FOO=1"
	}
	program, rest := path.Base(words[0]), words[1:]
	named := slices.DeleteFunc(slices.Clone(rest), func(word string) bool { return strings.HasPrefix(word, "-") })
	looks := is(program, "look") && (len(rest) > 0 || !r.namesCheck(program)) // "test -f x"
	writes := s.writes || slices.ContainsFunc(rest, func(word string) bool {
		inPlace := program == "sed" && strings.HasPrefix(word, "-i")
		return inPlace || word == "-delete" || word == "-exec" || strings.HasPrefix(word, "--in-place")
	})
	switch {
	case strings.HasSuffix(program, "sh") && len(rest) > 1 && strings.HasPrefix(rest[0], "-") && depth > 0:
		return r.runOf(rest[1], depth-1) // bash -lc "…"
	case program == "git" && len(named) > 0 && is(named[0], "git"), looks && !writes:
		return RunsLooks
	case looks, is(program, "change"), program == "git":
		return RunsOther
	case r.namesCheck(program), is(program, "task") && slices.ContainsFunc(named, r.namesCheck),
		len(rest) > 0 && strings.HasPrefix(rest[0], "--") && r.namesCheck(rest[0][2:]): // "black --check"
		return RunsChecks
	}
	for _, word := range named { // "go test", "npm run test", "python -m pytest"
		if r.namesCheck(word) {
			return RunsChecks
		}
		if !is(word, "wrap") {
			break
		}
	}
	return RunsOther
}

// namesCheck reports whether a program, a subcommand or a task checks something. A part of a
// path does not: parser_test.go.
func (r *Reader) namesCheck(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".:/"))
	if i := strings.LastIndexByte(word, ':'); i > 0 { // ":app:check", "test:unit"
		return r.namesCheck(word[:i]) || r.namesCheck(word[i+1:])
	}
	return slices.Contains(commands()[word], "check") || r.rolesOf(word)&RoleCheck != 0 ||
		strings.HasSuffix(word, "test") && !strings.ContainsAny(word, "/._") ||
		strings.HasSuffix(word, "lint") && !strings.ContainsAny(word, "/.")
}

// stepsOf cuts a command line at ; & | and line ends, and its steps into words; what stands
// in quotes is one word, and a comment or the text of a here-document none.
func stepsOf(line string) []step {
	var c cutter
	for i := 0; i < len(line); i++ {
		switch b := line[i]; b {
		case ' ', '\t', '\r':
			c.endWord()
		case '\'', '"':
			end := i + 1
			for end < len(line) && line[end] != b {
				end++
			}
			c.word, c.inWord = append(c.word, line[i+1:end]...), true
			i = end
		case '\\':
			i++ // what comes after it means nothing
		case ';', '\n', '(', ')', '`':
			if c.endStep(false); b == '\n' && c.mark != "" {
				i += hereDocument(line[i+1:], c.mark)
				c.mark = ""
			}
		case '&', '|':
			double := i+1 < len(line) && line[i+1] == b
			c.endStep(b == '|' && !double)
			if double {
				i++
			}
		case '>':
			rest := strings.TrimLeft(line[i+1:], "> ")
			duplicates := strings.HasPrefix(rest, "&") // 2>&1
			c.writes = c.writes || !duplicates && !strings.HasPrefix(rest, "/dev/null")
			if i += len(line[i+1:]) - len(rest); duplicates {
				i++
			}
		case '<':
			if rest, here := strings.CutPrefix(line[i:], "<<"); here {
				mark := rest[:markEnd(rest)]
				c.mark, i = strings.Trim(mark, `-'" `), i+1+len(mark)
			}
		case '#':
			if !c.inWord {
				i += lineEnd(line[i:]) - 1
			}
		default:
			c.word, c.inWord = append(c.word, b), true
		}
	}
	c.endStep(false)
	return c.steps
}

// cutter is a command line that is being cut.
type cutter struct {
	steps []step
	step
	word   []byte
	inWord bool
	mark   string // of a here-document that begins with the next line
}

func (c *cutter) endWord() {
	if c.inWord {
		c.words = append(c.words, string(c.word))
	}
	c.word, c.inWord = c.word[:0], false
}

func (c *cutter) endStep(piped bool) {
	if c.endWord(); len(c.words) > 0 {
		c.steps = append(c.steps, c.step)
	}
	c.step = step{piped: piped}
}

// markEnd is where the mark of a here-document ends.
func markEnd(text string) int {
	begin := len(text) - len(strings.TrimLeft(text, "- "))
	if i := strings.IndexAny(text[begin:], " \t\n;&|>)"); i >= 0 {
		return begin + i
	}
	return len(text)
}

// hereDocument is how long a here-document is, with its mark at the end.
func hereDocument(text, mark string) int {
	from := 0
	for line := range strings.Lines(text) {
		if from += len(line); strings.TrimSpace(line) == mark {
			return from
		}
	}
	return len(text)
}

// RunBy reads what a call ran: by its command or, where nobody said what the tool does, by
// its name or its output. What only prints "3 passed" has checked nothing.
func (r *Reader) RunBy(tool string, args []byte, unknown bool, says Passing) Run {
	run, given := RunsOther, false
	for key, value := range jsonspan.Members(args) {
		name := string(key)
		command := name == "command" || name == "cmd" || unknown && r.facts.Find(lexicon.Hash(name)).traits&traitShell != 0
		if !command && !unknown {
			continue
		}
		switch by := r.runOf(commandIn(value), 2); {
		case by == RunsChecks:
			return by
		case command:
			run, given = by, true
		}
	}
	if unknown && (r.Checks(tool) || says == Passed) && !(given && run == RunsLooks) {
		return RunsChecks
	}
	return run
}

// commandIn is the command line of an argument: a text, or a list of words.
func commandIn(value []byte) string {
	if text, isText := jsonspan.Text(value); isText {
		return text
	}
	var words []string
	for element := range jsonspan.Elements(value) {
		text, _ := jsonspan.Text(element)
		words = append(words, `"`+strings.ReplaceAll(text, `"`, "'")+`"`)
	}
	return strings.Join(words, " ")
}
