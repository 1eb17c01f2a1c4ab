package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Options configure a [Set]. Nil is a set that decodes strictly and judges by
// the tools' own schemas.
type Options struct {
	// Rules are judged besides the tools' schemas. Default: none; most hosts
	// begin with [Standard].
	Rules Rules
	// Strict refuses tools that [Set.Uncovered] lists. Default: they may run.
	Strict bool
	// Identity are the arguments that a model may not choose. Default: user_id is
	// set from the owner for tools whose schema declares it, and refused for all
	// others. An empty, non-nil slice turns it off.
	Identity []Identity
	// Modes limit the calls of a turn, by name. Default: none.
	Modes []Mode
	// DefaultMode is used by requests that name none. Default: no limit.
	DefaultMode string
	// Checklist gates resolving tools for requests that bring none. Default: none.
	Checklist *Checklist
	// Rates limit calls in time, by tool. Default: none.
	Rates map[string]Rate
	// Logger hears of every denial (warn) and rewrite (info), with secrets and
	// long values redacted. Default: silent.
	Logger *slog.Logger
}

// Request is one call to be judged.
type Request struct {
	// Owner is the user on whose behalf the call would run.
	Owner string
	// Call is the call as the model proposed it.
	Call tooltrack.Call
	// History are the records of this task, including calls approved earlier in
	// the same batch, as Pending. Limits and checklists are judged by it.
	History []*tooltrack.Record
	// Turn, when given, says which records of the history belong to the current
	// turn and count against the mode's limits. When empty, all do.
	Turn string
	// Mode names one of the set's modes; empty is the default mode.
	Mode string
	// Checklist gates resolving tools, instead of the set's own. Hosts with
	// several kinds of problems choose it by kind.
	Checklist *Checklist
	// Stage is the resolution attempt that the host counts, from 1.
	Stage int
	// Now is the time of the call in the user's time zone. Zero is the time of
	// this machine.
	Now time.Time
}

// Set judges calls. It is immutable but for the state of its rate limits, and
// safe for concurrent use.
type Set struct {
	tools       map[string]*toolRules
	order       []string // as given
	strict      bool
	modes       map[string]*Mode
	defaultMode string
	checklist   *Checklist
	rates       *rates
	logger      *slog.Logger
}

// toolRules is everything that is known about the arguments of one tool.
type toolRules struct {
	tool       tooltrack.Tool
	arguments  []Argument
	names      []string // declared, in order
	required   []string // present and not null
	sent       []string // present, but null will do
	closed     bool     // no undeclared arguments
	covered    bool
	library    *jsonschema.Schema // for schemas with uncommon keywords
	whole      bool               // a rule may look at several arguments
	identities []identityRule
}

// New compiles rules for tools. Its error names the tool, the argument and the
// rule that is wrong.
func New(tools []tooltrack.Tool, options *Options) (*Set, error) {
	if options == nil {
		options = new(Options)
	}
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, err
	}
	s := &Set{tools: make(map[string]*toolRules, len(tools)), strict: options.Strict,
		defaultMode: options.DefaultMode, checklist: options.Checklist, logger: options.Logger}
	for _, tool := range tools {
		rules, err := compileTool(tool, options)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", tool.Name, err)
		}
		s.tools[tool.Name] = rules
		s.order = append(s.order, tool.Name)
	}
	if err := s.configure(options); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Set) configure(options *Options) (err error) {
	if s.modes, err = indexModes(options.Modes); err != nil {
		return err
	}
	if _, known := s.modes[s.defaultMode]; s.defaultMode != "" && !known {
		return fmt.Errorf("default mode %q is not among the modes; use one of %s", s.defaultMode, list(modeNames(s.modes)))
	}
	if s.checklist != nil {
		if err := s.checklist.Validate(); err != nil {
			return fmt.Errorf("checklist: %w", err)
		}
	}
	s.rates, err = newRates(options.Rates)
	return err
}

func compileTool(tool tooltrack.Tool, options *Options) (*toolRules, error) {
	rules, given := &toolRules{tool: tool}, options.Rules
	own, considered := given.Tools[tool.Name]
	rules.covered = considered
	rules.arguments = slices.Clone(own)
	if !considered {
		rules.addNamed(given.Named)
	}
	for _, argument := range rules.arguments {
		if err := argument.validate(); err != nil {
			return nil, err
		}
	}
	if len(tool.Parameters) > 0 {
		if err := rules.addSchema(tool.Parameters); err != nil {
			return nil, fmt.Errorf("parameters: %w", err)
		}
	}
	rules.whole = rules.library != nil
	for _, argument := range rules.arguments {
		rules.names = append(rules.names, argument.name)
		rules.whole = rules.whole || slices.ContainsFunc(argument.checks, func(c Check) bool { return c.custom })
		switch {
		case argument.required:
			rules.required = append(rules.required, argument.name)
		case argument.sent:
			rules.sent = append(rules.sent, argument.name)
		}
	}
	return rules, rules.addIdentity(options.Identity)
}

// addNamed applies rules by the name of an argument. A value that the tool's
// own schema lists is the schema's business; the status that a reading tool
// takes is a filter, and its values are its own.
func (t *toolRules) addNamed(named []Argument) {
	for _, argument := range named {
		if t.tool.Effect == tooltrack.Reads && argument.name == "status" || schemaLists(t.tool.Parameters, argument.name) {
			continue
		}
		argument.named = true
		t.arguments = append(t.arguments, argument)
	}
}

// schemaLists reports whether a schema enumerates the values of an argument.
func schemaLists(parameters []byte, arg string) bool {
	args, err := Decode(parameters)
	if err != nil {
		return false
	}
	properties := args.Value("properties")
	if properties.kind != Object {
		return false
	}
	declared := memberOf(properties.body, arg)
	return declared.kind == Object && (memberOf(declared.body, "enum").kind != Missing || memberOf(declared.body, "const").kind != Missing)
}

func (t *toolRules) addSchema(parameters []byte) error {
	common, err := compileSchema(parameters, 0)
	if errors.Is(err, errUncommon) {
		return t.addLibrary(parameters)
	}
	if err != nil {
		return err
	}
	if common.never || !common.kinds.holds(Value{kind: Object}) {
		return errors.New("the schema accepts no object; arguments always are one")
	}
	if common.enum != nil {
		return t.addLibrary(parameters)
	}
	t.covered = t.covered || common.declaresProperties
	t.closed = common.closed
	for _, p := range common.properties {
		t.declare(Argument{name: p.name, required: p.required, schema: p.schema})
	}
	for _, name := range common.required {
		t.declare(Argument{name: name, required: true})
	}
	if t.closed { // a rule by name must not open the schema for that name
		t.arguments = slices.DeleteFunc(t.arguments, func(a Argument) bool { return a.named })
	}
	return nil
}

// declare merges what the schema says into the rules of the same argument.
func (t *toolRules) declare(declared Argument) {
	// A schema may ask for an argument and allow it to be null on purpose.
	if declared.required && declared.schema.acceptsNull() {
		declared.required, declared.sent = false, true
	}
	for i := range t.arguments {
		if have := &t.arguments[i]; have.name == declared.name {
			have.required = have.required || declared.required
			have.sent = have.sent || declared.sent
			have.schema = declared.schema
			have.named = false
			return
		}
	}
	t.arguments = append(t.arguments, declared)
}

func (t *toolRules) addLibrary(parameters []byte) error {
	full, err := compileLibrary(parameters)
	if err != nil {
		return err
	}
	t.library = full
	t.covered = true
	names := slices.Sorted(maps.Keys(full.Properties))
	for _, name := range names {
		t.declare(Argument{name: name})
	}
	null := nullable(full)
	for _, name := range full.Required {
		isNull := slices.Contains(null, name)
		t.declare(Argument{name: name, required: !isNull, sent: isNull})
	}
	return nil
}

// nullable lists the properties whose type names null.
func nullable(full *jsonschema.Schema) (names []string) {
	for name, property := range full.Properties {
		if property.Types != nil && slices.Contains(property.Types.ToStrings(), "null") {
			names = append(names, name)
		}
	}
	return names
}

// index finds a declared argument, or returns -1.
func (t *toolRules) index(name []byte) int {
	for i := range t.names {
		if string(name) == t.names[i] {
			return i
		}
	}
	return -1
}

// twin is the declared argument that a lenient decoder would take name for.
func (t *toolRules) twin(name []byte) string {
	folded := ""
	for _, declared := range t.names {
		if len(declared) == len(name) && equalFoldASCII(name, []byte(declared)) {
			return declared
		}
		if isASCII(name) {
			continue
		}
		if folded == "" {
			folded = foldKey(name)
		}
		if folded == strings.ToLower(declared) {
			return declared
		}
	}
	return ""
}

// Uncovered lists the tools for which there is no rule: no entry and no schema
// that declares arguments. [Rules.Named] covers nothing, since nobody knows
// which arguments such a tool takes.
func (s *Set) Uncovered() []string {
	var names []string
	for _, name := range s.order {
		if !s.tools[name].covered {
			names = append(names, name)
		}
	}
	return names
}

// Describe is what the rules ask of a tool's arguments, a line for each, for a
// prompt. It is empty for a tool without rules and for unknown tools.
func (s *Set) Describe(tool string) string {
	rules := s.tools[tool]
	if rules == nil {
		return ""
	}
	var text strings.Builder
	for _, argument := range rules.arguments {
		if len(argument.checks) > 0 {
			fmt.Fprintf(&text, "- %s\n", argument.Describe())
		}
	}
	return text.String()
}

// Review judges one call. A denial is a [Decision], not an error; an error
// means that no decision could be made, and the call must not run.
func (s *Set) Review(ctx context.Context, request Request) (Decision, error) {
	return s.review(ctx, &request, nil)
}

// ReviewArgs is [Set.Review] for arguments that were decoded before. The bytes
// of the request's call are not looked at.
func (s *Set) ReviewArgs(ctx context.Context, request Request, args *Args) (Decision, error) {
	if args == nil {
		return Decision{}, errors.New("there are no decoded arguments")
	}
	request.Call.Args = args.raw
	return s.review(ctx, &request, args)
}

func (s *Set) review(ctx context.Context, request *Request, decoded *Args) (decision Decision, err error) {
	r := newReview(ctx, request)
	err = s.judge(r, request, decoded, &decision)
	r.release()
	if s.logger != nil && decision.Ruling != Approve {
		s.log(ctx, request, decision, err)
	}
	return decision, err
}

// judge writes its decision into out, which is large enough for copies to
// matter. After an error it is the zero decision.
func (s *Set) judge(r *review, request *Request, decoded *Args, out *Decision) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	rules := s.tools[r.tool]
	if rules == nil {
		*out = deny("unknown_tool", "there is no tool %s; the tools are %s", quote([]byte(r.tool)), list(s.order))
		return nil
	}
	if s.strict && !rules.covered {
		*out = deny("uncovered", "the tool %s has no rules and may not run; use another tool", r.tool)
		return nil
	}
	if err := s.gate(r, request); err != nil {
		return err
	}
	unwrapped := false
	if r.args = decoded; decoded == nil {
		unwrapped = r.decode(rules, request.Call.Args)
	}
	if r.args != nil {
		r.arguments(rules)
	}
	switch {
	case r.err != nil:
		return r.err
	case len(r.faults) > 0:
		*out = decide(Deny, r.faults)
		return nil
	}
	return s.allow(r, rules, request, unwrapped, out)
}

// decode reads the arguments into r.args, or adds a fault. It reports whether
// a layer of string encoding was undone.
func (r *review) decode(rules *toolRules, data []byte) (unwrapped bool) {
	if blankJSON(data) && len(rules.required) == 0 {
		data = []byte("{}")
	}
	err := r.own.read(data, &r.scan)
	if err != nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte{'"'}) {
		if inner, ok := unwrap(data); ok {
			unwrapped = true
			err = r.own.read(inner, &r.scan)
		}
	}
	if err != nil {
		r.add(err.Rule, "", "%s", err.Reason)
		return false
	}
	r.args = &r.own
	return unwrapped
}

// allow approves a call without faults. Rewritten arguments were judged again
// one by one; where a rule may look at several, the whole call is. The rate
// limits come last, so that only calls that may run spend anything.
func (s *Set) allow(r *review, rules *toolRules, request *Request, unwrapped bool, out *Decision) error {
	if unwrapped {
		r.notes = append(r.notes, Fault{Rule: "json", Reason: "the arguments were a string with JSON in it and were unwrapped"})
	}
	if len(r.notes) > 0 {
		notes, args := r.notes, r.rewritten()
		if rules.whole {
			if refusal, err := s.recheck(r, rules, args); err != nil || refusal.Rule != "" {
				*out = refusal
				return err
			}
		}
		*out = decide(Rewrite, notes)
		out.Args, out.Original = args, request.Call.Args
	} else {
		out.Ruling, out.Args = Approve, r.args.raw
	}
	if s.rates != nil {
		if refusal, err := s.rates.take(request, r.now()); err != nil || refusal.Rule != "" {
			*out = refusal
			return err
		}
	}
	return nil
}

// recheck judges rewritten arguments, from their bytes, as if they had been
// sent. They must pass as they are.
func (s *Set) recheck(r *review, rules *toolRules, args []byte) (Decision, error) {
	first := r.notes[0].Rule
	r.notes, r.replaced = nil, r.replaced[:0]
	if err := r.own.read(args, &r.scan); err != nil {
		return deny(err.Rule, "%s", err.Reason), nil
	}
	r.args = &r.own
	r.arguments(rules)
	switch {
	case r.err != nil:
		return Decision{}, r.err
	case len(r.faults) > 0:
		return decide(Deny, r.faults), nil
	case len(r.notes) > 0:
		return Decision{}, fmt.Errorf("tool %s: the rules %s and %s rewrite each other's work", rules.tool.Name, first, r.notes[0].Rule)
	}
	return Decision{}, nil
}

// ReviewBatch judges the calls of one message in order. Each call sees those
// approved before it as Pending in its history, so a batch cannot get past a
// limit that the same calls one by one could not.
func (s *Set) ReviewBatch(ctx context.Context, request Request, calls []tooltrack.Call) ([]Decision, error) {
	decisions := make([]Decision, 0, len(calls))
	request.History = slices.Clip(request.History)
	for _, call := range calls {
		request.Call = call
		decision, err := s.Review(ctx, request)
		if err != nil {
			return nil, err
		}
		decisions = append(decisions, decision)
		if decision.Allowed() {
			call.Args = decision.Args
			request.History = append(request.History, &tooltrack.Record{
				Scope: tooltrack.Scope{Owner: request.Owner, Turn: request.Turn}, Call: call,
				Effect: s.tools[call.Tool].tool.Effect, Result: tooltrack.Result{Status: tooltrack.Pending},
			})
		}
	}
	return decisions, nil
}
