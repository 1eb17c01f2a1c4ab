package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolFile is what the host says about tools; tools.example.toml shows all of it.
type toolFile struct {
	// Mode is the mode of requests that name none.
	Mode  string                       `toml:"mode"`
	Tools map[string]toolEntry         `toml:"tools"`
	Modes map[string]modeEntry         `toml:"modes"`
	rules map[string][]policy.Argument // by tool, compiled
}

type toolEntry struct {
	Effect     *tooltrack.Effect `toml:"effect"`
	Idempotent bool              `toml:"idempotent"`
	Repeatable bool              `toml:"repeatable"`
	Subject    struct {
		Arg  string `toml:"arg"`
		Kind string `toml:"kind"`
	} `toml:"subject"`
	Answer string `toml:"answer"`
	Words  struct {
		Verbs []string `toml:"verbs"`
		Nouns []string `toml:"nouns"`
	} `toml:"words"`
	Rules map[string]ruleEntry `toml:"rules"`
	Rate  *struct {
		Calls int      `toml:"calls"`
		Per   duration `toml:"per"`
		Burst int      `toml:"burst"`
	} `toml:"rate"`
	Confirm *struct { // which later read shows a change, and what it must show
		Read   string `toml:"read"`
		Expect string `toml:"expect"`
	} `toml:"confirm"`
}

func (e *toolEntry) confirm() *tooltrack.Confirm {
	return &tooltrack.Confirm{Read: e.Confirm.Read, Expect: e.Confirm.Expect}
}

// ruleEntry is what one argument must look like.
type ruleEntry struct {
	Required  bool     `toml:"required"`
	MinLength *int     `toml:"min_length"`
	MaxLength *int     `toml:"max_length"`
	Min       *float64 `toml:"min"`
	Max       *float64 `toml:"max"`
	OneOf     []string `toml:"one_of"`
	Pattern   string   `toml:"pattern"`
	PublicURL bool     `toml:"public_url"`
	Date      *struct {
		YearsBack  int `toml:"years_back"`
		YearsAhead int `toml:"years_ahead"`
	} `toml:"date"`
}

type modeEntry struct {
	Calls   *int           `toml:"calls"`
	PerTool map[string]int `toml:"per_tool"`
}

// duration reads "90s" and "1m".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	if err != nil || read <= 0 {
		return fmt.Errorf(`%q is no time; write one such as "30s", "1m" or "1h"`, clip.Text(string(text), 40))
	}
	*d = duration(read)
	return nil
}

// readToolFile reads the file. An empty name is an empty file.
func readToolFile(name string) (*toolFile, error) {
	if name == "" {
		return &toolFile{}, nil
	}
	data, err := os.ReadFile(name) // #nosec G304 -- the user names the file to read
	if err != nil {
		return nil, err
	}
	file, err := parseToolFile(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s, %w", name, err)
	}
	return file, nil
}

// parseToolFile reads what a file says. Its errors begin with the line, then the
// field, then what to do.
func parseToolFile(text string) (*toolFile, error) {
	file := &toolFile{}
	read, err := toml.Decode(text, file)
	var broken toml.ParseError
	switch {
	case errors.As(err, &broken):
		return nil, fmt.Errorf("line %d: %s%s", max(broken.Position.Line, 1), field(broken.LastKey), plain(broken.Message))
	case err != nil:
		return nil, wrongKind(err)
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		return nil, unknownKey(text, unknown[0])
	}
	return file, file.check(text)
}

// lastKey is how the library says where a value of the wrong kind stands.
var lastKey = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): (.*)$`)

func wrongKind(err error) error {
	if at := lastKey.FindStringSubmatch(err.Error()); at != nil {
		return fmt.Errorf("line %s: %s%s", at[1], field(at[2]), plain(at[3]))
	}
	return fmt.Errorf("line 1: %s", plain(err.Error()))
}

func field(key string) string {
	if key == "" {
		return ""
	}
	return clip.Text(key, 100) + ": "
}

// plain is an error of the library without the names of Go types, which say
// nothing to whoever writes the file.
func plain(said string) string {
	said = strings.TrimPrefix(said, "toml: ")
	if kind, ok := strings.CutPrefix(said, "incompatible types: TOML value has type "); ok {
		has, wants, _ := strings.Cut(kind, "; destination has type ")
		return fmt.Sprintf("it is %s, and should be %s", kindName(has), kindName(wants))
	}
	return clip.Text(said, 300)
}

// kindName is a type of Go or TOML in words.
func kindName(kind string) string {
	switch kind = strings.TrimLeft(kind, "*"); {
	case strings.HasPrefix(kind, "[]"), kind == "slice", kind == "array":
		return `a list, such as ["a", "b"]`
	case strings.HasPrefix(kind, "map["), strings.HasPrefix(kind, "main."), strings.HasPrefix(kind, "struct"),
		kind == "table":
		return "a table"
	case strings.HasPrefix(kind, "int"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case kind == "bool", kind == "boolean":
		return "true or false"
	case kind == "string":
		return "a text in quotes"
	}
	return kind
}

// known are the keys at each place of the file, for those who misspelt one.
var known = map[string][]string{
	"":              {"mode", "tools", "modes"},
	"tools.*":       {"effect", "idempotent", "repeatable", "subject", "answer", "words", "rules", "rate", "confirm"},
	"subject":       {"arg", "kind"},
	"words":         {"verbs", "nouns"},
	"rate":          {"calls", "per", "burst"},
	"confirm":       {"read", "expect"},
	"date":          {"years_back", "years_ahead"},
	"tools.*.rules": {"required", "min_length", "max_length", "min", "max", "one_of", "pattern", "public_url", "date"},
	"modes.*":       {"calls", "per_tool"},
}

func unknownKey(text string, key toml.Key) error {
	if !slices.Contains(known[""], key[0]) {
		key = key[:1] // the outermost is the one that was misspelt
	}
	place := ""
	switch {
	case len(key) == 3 && key[0] == "tools":
		place = "tools.*"
	case len(key) == 5 && key[0] == "tools" && key[2] == "rules":
		place = "tools.*.rules"
	case len(key) == 3:
		place = "modes.*"
	case len(key) > 3:
		place = key[len(key)-2]
	}
	return fmt.Errorf("line %d: %s: there is no such key here; use one of %s",
		lineOf(text, key), clip.Text(key.String(), 100), strings.Join(known[place], ", "))
}

// lineOf finds the line of a key: the library does not tell. It is the first that
// sets a key of that name after the header of its table.
func lineOf(text string, key toml.Key) int {
	name := regexp.QuoteMeta(key[len(key)-1])
	sets := regexp.MustCompile(`(^|[\s.{,\["'])` + name + `["']?\s*[.=\]]`)
	header := ""
	if len(key) > 1 {
		header = strings.ToLower(key[1])
	}
	line, within, first := 0, len(key) == 1, 1
	for read := range strings.Lines(text) {
		line++
		if trimmed := strings.TrimSpace(read); strings.HasPrefix(trimmed, "[") && len(key) > 1 {
			within = strings.Contains(strings.ToLower(trimmed), header)
		}
		if !sets.MatchString(read) {
			continue
		}
		if within {
			return line
		}
		if first == 1 {
			first = line
		}
	}
	return first
}

// check compiles the rules and refuses what makes no sense.
func (f *toolFile) check(text string) error {
	fault := func(key toml.Key, what string, args ...any) error {
		return fmt.Errorf("line %d: %s: %s", lineOf(text, key), key, fmt.Sprintf(what, args...))
	}
	f.rules = map[string][]policy.Argument{}
	for _, name := range slices.Sorted(maps.Keys(f.Tools)) {
		tool := f.Tools[name]
		if len(name) > tooltrack.MaxToolName {
			return fault(toml.Key{"tools", name}, "a tool's name has at most %d bytes", tooltrack.MaxToolName)
		}
		if tool.Subject.Kind != "" && tool.Subject.Arg == "" {
			return fault(toml.Key{"tools", name, "subject"},
				`name the argument, too: { arg = "title", kind = %q }`, tool.Subject.Kind)
		}
		if r := tool.Rate; r != nil && (r.Calls < 1 || r.Per == 0 || r.Burst < 0) {
			return fault(toml.Key{"tools", name, "rate"}, `write how many calls in which time: { calls = 10, per = "1m" }`)
		}
		if err := f.checkConfirm(&tool); err != nil {
			return fault(toml.Key{"tools", name, "confirm"}, "%v", err)
		}
		for _, arg := range slices.Sorted(maps.Keys(tool.Rules)) {
			checks := tool.Rules[arg].checks()
			if len(checks) == 0 {
				return fault(toml.Key{"tools", name, "rules", arg},
					"it asks for nothing; write one such as required = true, or leave it out")
			}
			f.rules[name] = append(f.rules[name], policy.Arg(arg, checks...))
			rules := policy.Rules{Tools: map[string][]policy.Argument{name: f.rules[name]}}
			if _, err := policy.New([]tooltrack.Tool{{Name: name}}, &policy.Options{Rules: rules}); err != nil {
				return fault(toml.Key{"tools", name, "rules", arg}, "%v", err) // the policy knows what it can apply
			}
		}
	}
	return f.checkModes(fault)
}

// checkConfirm refuses a read-back that no request could make good. Arguments, and tools that the file
// does not name, are looked at when a client offers them.
func (f *toolFile) checkConfirm(tool *toolEntry) error {
	const form = `write { read = "get_task(id = $args.id)", expect = "status = done" }`
	if tool.Confirm == nil {
		return nil
	}
	plan, err := confirm.New(tool.confirm())
	switch {
	case tool.Confirm.Read == "" || tool.Confirm.Expect == "":
		return errors.New("it needs both read and expect; " + form)
	case err != nil:
		return fmt.Errorf("%w; %s", err, form)
	case tool.Effect != nil && !tool.Effect.MayChange():
		return fmt.Errorf("the tool's effect is %q, so there is nothing to confirm; leave it out", tool.Effect)
	}
	if by := f.Tools[plan.Tool].Effect; by != nil && by.MayChange() {
		return fmt.Errorf("%s has the effect %q; read by a tool that changes nothing", plan.Tool, by)
	}
	return nil
}

func (f *toolFile) checkModes(fault func(toml.Key, string, ...any) error) error {
	for _, name := range slices.Sorted(maps.Keys(f.Modes)) {
		mode := f.Modes[name]
		if mode.Calls != nil && *mode.Calls < policy.Unlimited {
			return fault(toml.Key{"modes", name, "calls"}, "it is at least 0; leave it out for no limit")
		}
		for tool, calls := range mode.PerTool {
			if calls < 0 {
				return fault(toml.Key{"modes", name, "per_tool", tool}, "it is at least 0; leave it out for no limit")
			}
		}
	}
	if _, there := f.Modes[f.Mode]; f.Mode != "" && !there {
		return fault(toml.Key{"mode"}, "there is no mode %q; add a table [modes.%s]", clip.Text(f.Mode, 40),
			clip.Text(f.Mode, 40))
	}
	return nil
}

func (r ruleEntry) checks() (checks []policy.Check) {
	if r.Required {
		checks = append(checks, policy.Required())
	}
	if r.MinLength != nil || r.MaxLength != nil {
		checks = append(checks, policy.Length(valueOf(r.MinLength, 0), valueOf(r.MaxLength, 1<<20)))
	}
	if r.Min != nil || r.Max != nil {
		checks = append(checks, policy.Between(valueOf(r.Min, -1e300), valueOf(r.Max, 1e300)))
	}
	if r.OneOf != nil {
		checks = append(checks, policy.OneOf(r.OneOf...))
	}
	if r.Pattern != "" {
		checks = append(checks, policy.Pattern(r.Pattern))
	}
	if r.PublicURL {
		checks = append(checks, policy.PublicURL(nil))
	}
	if r.Date != nil {
		checks = append(checks, policy.Date(policy.DateWindow{YearsBack: r.Date.YearsBack, YearsAhead: r.Date.YearsAhead}))
	}
	return checks
}

// valueOf is what the file says, or what holds where it says nothing.
func valueOf[T any](said *T, otherwise T) T {
	if said == nil {
		return otherwise
	}
	return *said
}

// policyFor are the rules and rates of those tools that a request offers.
func (f *toolFile) policyFor(tools []tooltrack.Tool) *policy.Options {
	options := &policy.Options{Rules: policy.Rules{Tools: map[string][]policy.Argument{}}, Rates: map[string]policy.Rate{}}
	for i := range tools {
		name := tools[i].Name
		if rules := f.rules[name]; rules != nil {
			options.Rules.Tools[name] = rules
		}
		if rate := f.Tools[name].Rate; rate != nil {
			options.Rates[name] = policy.Rate{Calls: rate.Calls, Per: time.Duration(rate.Per), Burst: rate.Burst}
		}
	}
	return options
}

// modesFor are the modes, as far as they speak of tools that a request offers.
func (f *toolFile) modesFor(tools []tooltrack.Tool) []guard.Mode {
	var modes []guard.Mode
	for _, name := range slices.Sorted(maps.Keys(f.Modes)) {
		calls := valueOf(f.Modes[name].Calls, policy.Unlimited)
		mode := guard.Mode{Mode: policy.Mode{Name: name, Calls: calls, PerTool: map[string]int{}}}
		for i := range tools {
			if calls, limited := f.Modes[name].PerTool[tools[i].Name]; limited {
				mode.PerTool[tools[i].Name] = calls
			}
		}
		modes = append(modes, mode)
	}
	return modes
}
