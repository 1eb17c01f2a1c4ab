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
	words := unwrapped(s.words)
	if len(words) == 0 {
		return RunsLooks // "FOO=1"
	}
	program, rest := path.Base(words[0]), words[1:]
	named := slices.DeleteFunc(slices.Clone(rest), func(word string) bool { return strings.HasPrefix(word, "-") })
	looks := isCommand(program, "look") && (len(rest) > 0 || !r.namesCheck(program)) // "test -f x"
	switch {
	case strings.HasSuffix(program, "sh") && len(rest) > 1 && strings.HasPrefix(rest[0], "-") && depth > 0:
		return r.runOf(rest[1], depth-1) // bash -lc "…"
	case program == "git" && len(named) > 0 && isCommand(named[0], "git"),
		looks && !s.writes && !writesInPlace(program, rest):
		return RunsLooks
	case looks || program == "git" || isCommand(program, "change"):
		return RunsOther
	case r.namesCheck(program), r.namesSubcommand(program, rest, named):
		return RunsChecks
	}
	return RunsOther
}

func isCommand(word, kind string) bool { return slices.Contains(commands()[word], kind) }

// unwrapped are the words of a step from the program on that it is about: without settings,
// and without programs that run another one.
func unwrapped(words []string) []string {
	for len(words) > 0 && (strings.IndexAny(words[0], "0123456789") == 0 || isCommand(words[0], "wrap") ||
		strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	return words
}

// writesInPlace: "sed -i", "find . -delete".
func writesInPlace(program string, rest []string) bool {
	return slices.ContainsFunc(rest, func(word string) bool {
		inPlace := program == "sed" && strings.HasPrefix(word, "-i")
		return inPlace || word == "-delete" || word == "-exec" || strings.HasPrefix(word, "--in-place")
	})
}

// namesSubcommand: "go test", "npm run test", "python -m pytest", "black --check", and any task
// of a program that runs tasks.
func (r *Reader) namesSubcommand(program string, rest, named []string) bool {
	flagged := len(rest) > 0 && strings.HasPrefix(rest[0], "--") && r.namesCheck(rest[0][2:])
	if flagged || isCommand(program, "task") && slices.ContainsFunc(named, r.namesCheck) {
		return true
	}
	for len(named) > 1 && isCommand(named[0], "wrap") {
		named = named[1:]
	}
	return len(named) > 0 && r.namesCheck(named[0])
}

// namesCheck reports whether a program, a subcommand or a task checks something. A part of a
// path does not: parser_test.go.
func (r *Reader) namesCheck(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".:/"))
	if i := strings.LastIndexByte(word, ':'); i > 0 { // ":app:check", "test:unit"
		return r.namesCheck(word[:i]) || r.namesCheck(word[i+1:])
	}
	return isCommand(word, "check") || r.rolesOf(word)&RoleCheck != 0 ||
		strings.HasSuffix(word, "test") && !strings.ContainsAny(word, "/._") ||
		strings.HasSuffix(word, "lint") && !strings.ContainsAny(word, "/.")
}

// stepsOf cuts a command line at ; & | and line ends, and its steps into words; what stands
// in quotes is one word, and a comment or the text of a here-document none.
func stepsOf(line string) []step {
	const single, double = '\'', '"'
	c := cutter{line: line}
	for ; c.at < len(line); c.at++ {
		switch b := line[c.at]; b {
		case ' ', '\t', '\r':
			c.endWord()
		case single, double:
			c.quote(b)
		case '\\':
			c.at++ // what comes after it means nothing
		case '\n':
			c.endLine()
		case ';', '(', ')', '`':
			c.endStep(false)
		case '&', '|':
			twice := c.at+1 < len(line) && line[c.at+1] == b
			if c.endStep(b == '|' && !twice); twice {
				c.at++
			}
		case '>', '<':
			c.redirect(b)
		case '#':
			if !c.inWord {
				rest, _, _ := strings.Cut(line[c.at:], "\n")
				c.at += len(rest) - 1
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
	line  string
	at    int
	steps []step
	step
	word   []byte
	inWord bool
	mark   string // of a here-document that begins with the next line
}

// quote takes what stands in quotes as a part of the word.
func (c *cutter) quote(mark byte) {
	from := c.at + 1
	for c.at++; c.at < len(c.line) && c.line[c.at] != mark; c.at++ {
	}
	c.word, c.inWord = append(c.word, c.line[from:c.at]...), true
}

// redirect takes ">", ">>", "2>&1" and "<<EOF".
func (c *cutter) redirect(to byte) {
	if rest, here := strings.CutPrefix(c.line[c.at:], "<<"); here {
		mark := rest[:markEnd(rest)]
		c.mark, c.at = strings.Trim(mark, `-'" `), c.at+1+len(mark)
	}
	if to == '<' {
		return
	}
	after := c.line[c.at+1:]
	rest := strings.TrimLeft(after, "> ")
	duplicates := strings.HasPrefix(rest, "&") // 2>&1
	c.writes = c.writes || !duplicates && !strings.HasPrefix(rest, "/dev/null")
	if c.at += len(after) - len(rest); duplicates {
		c.at++
	}
}

// endLine ends a step and leaves out a here-document that follows.
func (c *cutter) endLine() {
	if c.endStep(false); c.mark != "" {
		c.at += hereDocument(c.line[c.at+1:], c.mark)
		c.mark = ""
	}
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
	if !given && len(tool) > 4 && (tool[:4] == "git." || tool[:4] == "git_") { // a tool that is called as a command
		return r.runOf("git "+tool[4:], 2)
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
