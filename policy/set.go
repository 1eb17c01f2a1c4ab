package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Options configure a [Set]. Nil is a set that decodes strictly and judges by
// the tools' own schemas.
type Options struct {
	// Rules are judged besides the tools' schemas. Default: none.
	Rules Rules
	// Strict refuses tools that [Set.Uncovered] lists. Default: they may run.
	Strict bool
	// Identity are the arguments that say on whose behalf a tool acts, which a model
	// may not choose. Nothing is rewritten that is not declared here. Default:
	// user_id is refused for tools whose schema does not declare it, and names such
	// as owner_id, tenant_id and on_behalf_of where a schema declares others only;
	// what a schema declares runs as sent. An empty, non-nil slice turns it off.
	Identity []Identity
	// Modes limit the calls of a turn, by name. Default: none.
	Modes []Mode
	// DefaultMode is used by requests that name none. Default: no limit.
	DefaultMode string
	// Checklist gates resolving tools for requests that bring none. Default: none.
	Checklist *Checklist
	// Approvals are the calls that a person decides about. They are asked last. Default:
	// none.
	Approvals []Approval
	// Rates limit calls in time, by tool. A review does not look at them: [Set.Spend]
	// does, for a call that is about to run. Default: none.
	Rates map[string]Rate
	// Limiter keeps the rates. Default: [NewLimiter], for this process alone.
	Limiter Limiter
	// LimiterDown says what may run while the limiter cannot be asked. Default:
	// [ReadsOnly].
	LimiterDown LimiterDown
	// Logger hears of every denial (warn) and rewrite (info), with secrets and
	// long values redacted. Default: silent.
	Logger *slog.Logger
}

// Proposal is one call to be judged.
type Proposal struct {
	// Owner is the user on whose behalf the call would run.
	Owner string
	// Unnamed says that Owner only stands for a user whom nobody named: limits count
	// by it, but no argument is set from it.
	Unnamed bool
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
	// Args are the arguments of the call, if they were decoded before: then its
	// bytes are not read again. Nil lets the review decode them.
	Args *Args
	// Approved are the rules of approvals that a person has given for this call.
	Approved []string
	// Now is the time of the call in the user's time zone. Zero is the time of
	// this machine.
	Now time.Time
}

// Set judges calls. It is immutable but for what its limiter counts, and safe for
// concurrent use.
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

// New compiles rules for tools. Its error names the tool, the argument and the
// rule that is wrong.
func New(tools []tooltrack.Tool, options *Options) (*Set, error) {
	options = cmp.Or(options, &Options{})
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, err
	}
	s := &Set{tools: map[string]*toolRules{}, strict: options.Strict, defaultMode: options.DefaultMode,
		checklist: options.Checklist, logger: options.Logger}
	var wrong faults
	for _, tool := range tools {
		rules, err := compileTool(tool, options)
		if err != nil {
			wrong.add("tool %s: %w", tool.Name, err)
			continue
		}
		s.tools[tool.Name] = rules
		s.order = append(s.order, tool.Name)
	}
	if err := errors.Join(append(wrong, s.configure(options)...)...); err != nil {
		return nil, err
	}
	return s, nil
}

// configure takes over what is not about single arguments, and tells all that is wrong with it.
func (s *Set) configure(options *Options) (wrong faults) {
	s.modes, wrong = indexModes(options.Modes)
	wrong.when(s.defaultMode != "" && s.modes[s.defaultMode] == nil,
		"default mode %q is not among the modes; use one of %s", s.defaultMode, s.modeNames())
	if s.checklist != nil {
		for _, fault := range append(s.checklist.faults(), s.checklist.idle()...) {
			wrong.add("checklist: %w", fault)
		}
	}
	var err error
	s.rates, err = newRates(options)
	return append(wrong, s.addApprovals(options.Approvals), err)
}

// Unreadable are the tools whose schema cannot be applied, and why: a pattern
// that this program's regular expressions do not have, a reference to nowhere.
// Their calls are refused; the other tools are not concerned.
func (s *Set) Unreadable() map[string]error {
	tools := map[string]error{}
	for name, rules := range s.tools {
		if rules.unreadable != nil {
			tools[name] = rules.unreadable
		}
	}
	return tools
}

// Uncovered lists the tools for which there is no rule: no entry and no schema
// that declares arguments. [Rules.Named] covers nothing, since it is not known
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
// prompt. Rules by name are told where the tool declares the argument. It is
// empty for a tool without rules and for unknown tools.
func (s *Set) Describe(tool string) string {
	text := ""
	if rules := s.tools[tool]; rules != nil {
		for _, argument := range rules.arguments {
			if len(argument.checks) > 0 && !argument.named {
				text += "- " + argument.Describe() + "\n"
			}
		}
	}
	return text
}

// Review judges one call. A denial is a [Decision], not an error; an error
// means that no decision could be made, and the call must not run.
func (s *Set) Review(ctx context.Context, request Proposal) (decision Decision, err error) {
	r := newReview(ctx, &request)
	if request.Args != nil {
		r.args, request.Call.Args = request.Args, request.Args.raw
	}
	err = s.judge(r, &request, &decision)
	r.release()
	if s.logger != nil && decision.Kind != Approve {
		s.log(ctx, &request, decision, err)
	}
	return decision, err
}

// judge writes its decision into out, which is large enough for copies to
// matter. After an error it is the zero decision.
func (s *Set) judge(r *review, request *Proposal, out *Decision) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	rules := s.tools[r.tool]
	if rules == nil {
		*out = deny("unknown_tool", "there is no tool %s; the tools are %s", jsonspan.Quote([]byte(r.tool)), list(s.order))
		return nil
	}
	switch {
	case rules.unreadable != nil:
		*out = deny("schema", "the tool %s cannot be called, because its own description is broken; use another tool, or "+
			"say so", r.tool)
		return nil
	case s.strict && !rules.covered:
		*out = deny("uncovered", "the tool %s has no rules and may not run; use another tool", r.tool)
		return nil
	}
	if err := s.gate(r, request); err != nil {
		return err
	}
	unwrapped := r.decode(rules, request.Call.Args)
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

// gate adds the faults of the checklist and of the mode.
func (s *Set) gate(r *review, request *Proposal) error {
	if checklist := cmp.Or(request.Checklist, s.checklist); checklist != nil {
		if err := checklist.gate(r, request); err != nil {
			return err
		}
	}
	mode, err := s.mode(request.Mode)
	if mode != nil {
		mode.limit(r, request)
	}
	return err
}

// decode reads the arguments, unless they were given, or adds a fault. Blank ones are {} where
// none are required. It reports whether a layer of string encoding was undone.
func (r *review) decode(rules *toolRules, data []byte) (unwrapped bool) {
	if r.args != nil {
		return false
	}
	isRequired := func(a Argument) bool { return a.required }
	if isBlankJSON(data) && !slices.ContainsFunc(rules.arguments, isRequired) {
		data = []byte("{}")
	}
	err := r.own.read(data)
	if err != nil {
		if data, unwrapped = unwrap(data); unwrapped {
			err = r.own.read(data)
		}
	}
	if err != nil {
		r.add(err.Rule, "", "%s", err.Reason)
		return false
	}
	r.args = &r.own
	return unwrapped
}

// allow approves a call without faults, or with arguments that were rewritten.
func (s *Set) allow(r *review, rules *toolRules, request *Proposal, unwrapped bool, out *Decision) error {
	if unwrapped {
		r.notes = append(r.notes,
			Fault{Rule: "json", Reason: "the arguments were a string with JSON in it and were unwrapped"})
	}
	if len(r.notes) > 0 {
		notes, args := r.notes, r.rewritten()
		if refusal, err := s.recheck(r, rules, args); err != nil || refusal.Rule != "" {
			*out = refusal
			return err
		}
		*out = decide(Rewrite, notes)
		out.Args, out.Original = args, request.Call.Args
	} else {
		out.Kind, out.Args = Approve, r.args.raw
	}
	if len(rules.approvals) > 0 {
		if err := s.hold(r, rules, request, out); err != nil {
			*out = Decision{}
			return err
		}
	}
	return nil
}

// recheck judges rewritten arguments, from their bytes, as if they had been sent. They must
// pass as they are: a rewrite of a rewrite would mean that two rules fight.
func (s *Set) recheck(r *review, rules *toolRules, args []byte) (Decision, error) {
	first := r.notes[0].Rule
	r.notes, r.replaced = nil, r.replaced[:0]
	if err := r.own.read(args); err != nil {
		return deny(err.Rule, "%s", err.Reason), nil
	}
	r.args = &r.own
	r.arguments(rules)
	switch {
	case len(r.faults) > 0 && r.err == nil:
		return decide(Deny, r.faults), nil
	case len(r.notes) > 0 && r.err == nil:
		return Decision{}, fmt.Errorf("tool %s: the rules %s and %s rewrite each other's work", rules.tool.Name, first,
			r.notes[0].Rule)
	}
	return Decision{}, r.err
}
