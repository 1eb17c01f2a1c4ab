package guard

import (
	"fmt"
	"reflect"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
)

// HostError is code of the host's own that panicked, failed, or broke the
// contract of its interface where a turn cannot go on without it. Failures that
// a turn survives (of a classifier, a directory, a rule, a requirement, a
// logger) are counted in [Counters.HostFaults] and logged.
type HostError struct {
	// Callback names it: "Model.Generate", "Ledger.Begin", "Options.Key".
	Callback string
	// Err is the error that it returned, or one that says what it panicked with.
	Err error
}

// Error names the callback. What looks like a secret in the text is left out.
func (e *HostError) Error() string { return e.Callback + ": " + shown(e.Err) }

// Is makes errors.Is(err, ErrHost) true.
func (e *HostError) Is(target error) bool { return target == ErrHost }

// Unwrap is the callback's own error.
func (e *HostError) Unwrap() error { return e.Err }

// survive makes an error of a panic in the host's code: defer it around the call.
func survive(callback string, err *error) {
	if fault := recover(); fault != nil {
		*err = &HostError{callback, panicOf(fault)}
	}
}

// callHost calls code of the host's own that a turn cannot go on without: its error, and a
// panic in it, is a [*HostError].
func callHost[T any](callback string, call func() (T, error)) (result T, err error) {
	defer survive(callback, &err)
	if result, err = call(); err != nil {
		err = &HostError{callback, err}
	}
	return result, err
}

// absent reports whether the host gave nothing to call: nil, or an interface that
// holds a nil pointer or function, which would panic when it is called.
func absent(part any) bool {
	if part == nil {
		return true
	}
	switch value := reflect.ValueOf(part); value.Kind() {
	case reflect.Pointer, reflect.Func:
		return value.IsNil()
	}
	return false
}

// panicOf keeps an error that somebody panicked with, for errors.Is.
func panicOf(fault any) error {
	if err, ok := fault.(error); ok {
		return fmt.Errorf("panicked: %w", err)
	}
	return fmt.Errorf("panicked: %v", fault)
}

// shown is the text of an error as it may stand in another error's message:
// what looks like a secret is replaced. It survives an error whose own method
// panics, as that of a typed nil does.
func shown(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "an error that cannot be printed"
		}
	}()
	return policy.HideSecrets(err.Error())
}

const (
	maxLogged = 300 // bytes of an error's text in the log
	maxName   = 60  // bytes of a name that a model made up
)

// printable makes one line of a text that others wrote, and cuts it.
func printable(text string, limit int) string { return policy.Printable(clip.Text(text, limit)) }

// clipped keeps a name short in a message, whoever made it up.
func clipped(name string) string { return clip.Text(name, maxName) }
