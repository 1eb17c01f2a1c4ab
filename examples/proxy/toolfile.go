package main

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
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
	Effect     *tooltrack.Effect    `toml:"effect"`
	Idempotent bool                 `toml:"idempotent"`
	Repeatable bool                 `toml:"repeatable"`
	Subject    tooltrack.SubjectArg `toml:"subject"`
	Answer     string               `toml:"answer"`
	Words      tooltrack.Words      `toml:"words"`
	Rules      map[string]ruleEntry `toml:"rules"`
	Rate       *struct {
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

// parseToolFile reads what a file says. Its errors begin with the line, then the field, then what to do.
func parseToolFile(text string) (*toolFile, error) {
	file, table := &toolFile{}, map[string]any{}
	_, err := toml.Decode(text, &table)
	var broken toml.ParseError
	if errors.As(err, &broken) {
		return nil, fmt.Errorf("line %d: %s", max(broken.Position.Line, 1), clip.Text(broken.Message, 300))
	}
	if key, what := misfit(table, reflect.TypeOf(*file), nil); key != nil {
		return nil, fmt.Errorf("line %d: %s: %s", lineOf(text, key), clip.Text(key.String(), 100), clip.Text(what, 300))
	}
	if _, err = toml.Decode(text, file); err != nil {
		return nil, fmt.Errorf("line 1: %s", clip.Text(err.Error(), 300))
	}
	return file, file.check(text)
}

// misfit finds a value that its place in the file has no room for: its key, and what is wrong with it.
func misfit(value any, place reflect.Type, key toml.Key) (toml.Key, string) {
	for place.Kind() == reflect.Pointer {
		place = place.Elem()
	}
	text, own := reflect.New(place).Interface().(encoding.TextUnmarshaler)
	if own && reflect.TypeOf(value).Kind() == reflect.String {
		if err := text.UnmarshalText([]byte(value.(string))); err != nil {
			return key, err.Error()
		}
		return nil, ""
	}
	has := reflect.TypeOf(value).Kind()
	switch table, _ := value.(map[string]any); {
	case has == reflect.Struct:
		return key, "it is a date, and should be " + kinds[place.Kind()]
	case kinds[has] != kinds[place.Kind()] && (has != reflect.Int64 || place.Kind() != reflect.Float64):
		return key, fmt.Sprintf("it is %s, and should be %s", kinds[has], kinds[place.Kind()])
	case has == reflect.Slice:
		for i := range reflect.ValueOf(value).Len() {
			if at, what := misfit(reflect.ValueOf(value).Index(i).Interface(), place.Elem(), key); at != nil {
				return at, what
			}
		}
	case has == reflect.Map:
		for _, name := range slices.Sorted(maps.Keys(table)) {
			inner := append(slices.Clip(key), name)
			next, known := member(place, name)
			if next == nil {
				return inner, "there is no such key here; use one of " + strings.Join(known, ", ")
			}
			if at, what := misfit(table[name], next, inner); at != nil {
				return at, what
			}
		}
	}
	return nil, ""
}

// member is what stands under a key of a table, and the keys that it may have.
func member(table reflect.Type, key string) (found reflect.Type, known []string) {
	if table.Kind() == reflect.Map {
		return table.Elem(), nil
	}
	for i := range table.NumField() {
		field := table.Field(i)
		name := cmp.Or(field.Tag.Get("toml"), strings.ToLower(field.Name))
		if !field.IsExported() {
			continue
		}
		if known = append(known, name); name == key {
			found = field.Type
		}
	}
	return found, known
}

// kinds are the kinds of values, for whoever writes the file.
var kinds = map[reflect.Kind]string{
	reflect.Slice: `a list, such as ["a", "b"]`, reflect.Map: "a table", reflect.Struct: "a table",
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	reflect.Bool: "true or false", reflect.String: "a text in quotes",
}

// lineOf finds the line of a key, which the library does not tell: the first that sets it after its table's header.
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
