package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Approval is a rule by which a person decides about a call: [NeedsApproval] makes
// it. It is judged last, on the arguments as they are to run, so what is shown to the
// person is what runs.
type Approval struct {
	tool    string
	when    Condition
	within  time.Duration
	summary func(CheckInput) string
}

// NeedsApproval holds the calls of a tool for which the condition is true until a
// person has approved them. The zero condition is [Always].
func NeedsApproval(tool string, when Condition) Approval { return Approval{tool: tool, when: when} }

// Within is how long the approval can be given and used. Default: without limit.
func (a Approval) Within(limit time.Duration) Approval {
	a.within = limit
	return a
}

// Summary says to people what the call would do. Default: the name of the tool and
// its subject, or its arguments.
func (a Approval) Summary(write func(CheckInput) string) Approval {
	a.summary = write
	return a
}

// Condition says which calls need approval. [Always], [Above], [Outside] and [When]
// make one.
type Condition struct {
	name  string
	holds func(context.Context, CheckInput) (bool, error)
	arg   string
	err   error
}

// Always is true of every call.
func Always() Condition { return Condition{} }

// Above is true if a number is greater than the limit. It is also true if the argument is
// missing or is no number, since it may be.
func Above(arg string, limit float64) Condition {
	return Condition{
		name: fmt.Sprintf("%s above %g", arg, limit), arg: arg,
		holds: func(_ context.Context, in CheckInput) (bool, error) {
			amount, known := in.Value.Float()
			return !known || amount > limit, nil
		},
	}
}

// Outside is true where a text is none of those listed, or is missing.
func Outside(arg string, listed ...string) Condition {
	return Condition{
		name: arg + " outside the list", arg: arg,
		holds: func(_ context.Context, in CheckInput) (bool, error) {
			return in.Value.Kind() != String || !slices.Contains(listed, in.Value.Text()), nil
		},
	}
}

// When is a condition of the host's own. The name appears in decisions. An error means
// that it could not decide: the review fails with it, and the call does not run.
func When(name string, holds func(context.Context, CheckInput) (bool, error)) Condition {
	condition := Condition{name: name, holds: holds}
	if name == "" || holds == nil {
		condition.err = errors.New("a condition needs a name and a function")
	}
	return condition
}

// rule is the name under which decisions tell that a person has to decide.
func (a *Approval) rule() string {
	if a.when.name == "" {
		return "approval"
	}
	return "approval: " + a.when.name
}

// ask reports whether the call needs this approval, and what to say of it to people.
func (a *Approval) ask(ctx context.Context, in CheckInput) (needed bool, summary string, err error) {
	defer survive("panic", &err)
	in.Arg = a.when.arg
	if in.Arg != "" {
		in.Value = in.Args.Value(in.Arg)
	}
	needed = true
	if a.when.holds != nil {
		needed, err = a.when.holds(ctx, in)
	}
	if needed && err == nil && a.summary != nil {
		summary = a.summary(in)
	}
	return needed, summary, err
}

// addApprovals files the approvals by their tools.
func (s *Set) addApprovals(approvals []Approval) error {
	var wrong faults
	for _, approval := range approvals {
		rules := s.tools[approval.tool]
		switch {
		case rules == nil:
			wrong.add("approval of %q: there is no such tool; the tools are %s", approval.tool, list(s.order))
		case approval.when.err != nil:
			wrong.add("approval of %s: %w", approval.tool, approval.when.err)
		case approval.within < 0:
			wrong.add("approval of %s: Within is %s; use a time, or 0 for no limit", approval.tool, approval.within)
		default:
			rules.approvals = append(rules.approvals, approval)
		}
	}
	return errors.Join(wrong...)
}

// hold asks the approvals of a tool about a call that may run. The first that needs a
// person, and has none yet, makes the decision a Hold.
func (s *Set) hold(r *review, rules *toolRules, request *Proposal, out *Decision) error {
	args, err := Decode(out.Args)
	if err != nil {
		return err
	}
	for i := range rules.approvals {
		approval := &rules.approvals[i]
		rule := approval.rule()
		if slices.Contains(request.Approved, rule) {
			continue
		}
		in := CheckInput{Owner: r.owner, Now: r.now(), Tool: r.tool, Args: args}
		needed, summary, err := approval.ask(r.ctx, in)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", rule, r.tool, err)
		}
		if needed {
			out.Kind, out.Rule, out.Summary, out.Within = Hold, rule, summary, approval.within
			out.Reason = "a person has to approve this call of " + r.tool + " before it runs"
			return nil
		}
	}
	return nil
}
