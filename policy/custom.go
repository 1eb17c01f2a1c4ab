package policy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// CheckInput is what a rule of the host's own sees. It must not keep it.
type CheckInput struct {
	// Owner is who asks, and Now when, in their time zone.
	Owner string
	Now   time.Time
	// Tool and Arg name what is judged.
	Tool, Arg string
	// Value is the argument, as earlier rules may have rewritten it.
	Value Value
	// Args are all arguments as sent, for rules that compare two of them.
	Args *Args
}

// CheckResult is the answer of a [Func]. The zero value refuses; [Pass], [Refuse]
// and [Replace] make the three answers.
type CheckResult struct {
	kind   DecisionKind
	reason string
	value  any
}

// Pass lets the argument through.
func Pass() CheckResult { return CheckResult{kind: Approve} }

// Refuse denies the call. The reason is read by the model, and should say what
// to send instead.
func Refuse(reason string) CheckResult { return CheckResult{reason: reason} }

// Replace gives the argument another value; the note says what was changed.
func Replace(value any, note string) CheckResult {
	return CheckResult{kind: Rewrite, reason: note, value: value}
}

// Func is a rule of the host's own. The name appears in decisions. An error
// means that the function could not decide; the review then fails with it, and
// the call does not run. A panic is such an error, too.
func Func(name string, judge func(context.Context, CheckInput) (CheckResult, error)) Check {
	check := Check{name: name, custom: true, judge: func(s *subject, v Value) {
		verdict, raw, err := ask(s, v, judge)
		switch {
		case err != nil:
			s.fail(fmt.Errorf("rule %s on %s: %w", name, s.arg, err))
		case verdict.kind == Rewrite:
			s.replace(raw, cmp.Or(verdict.reason, s.arg+" was changed by "+name))
		case verdict.kind != Approve:
			s.fault("%s", cmp.Or(verdict.reason, s.arg+" is refused by "+name))
		}
	}}
	if name == "" || judge == nil {
		check.err = errors.New("a custom rule needs a name and a function")
	}
	return check
}

// survive makes an error of a panic in the host's code.
func survive(what string, err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("%s: %v", what, fault)
	}
}

// ask returns the verdict, with the value that is to take the place of the argument.
func ask(
	s *subject, v Value, judge func(context.Context, CheckInput) (CheckResult, error),
) (verdict CheckResult, raw []byte, err error) {
	defer survive("panic", &err)
	verdict, err = judge(s.ctx, CheckInput{s.owner, s.now(), s.tool, s.arg, v, s.args})
	if err == nil && verdict.kind == Rewrite {
		if raw, err = json.Marshal(verdict.value); err != nil {
			err = fmt.Errorf("its replacement cannot be written: %w", err)
		}
	}
	return verdict, raw, err
}
