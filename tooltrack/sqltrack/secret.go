package sqltrack

import "github.com/bonafide-go/bonafide/policy"

// discreetError is an error of the driver without the password in its text: drivers like to
// quote their data source when they cannot connect.
type discreetError struct {
	text string
	err  error
}

func (e *discreetError) Error() string { return e.text }
func (e *discreetError) Unwrap() error { return e.err }

// discreet hides passwords in the text of an error. Errors without one stay themselves.
func discreet(err error) error {
	if err == nil {
		return nil
	}
	if hidden := policy.HideSecrets(err.Error()); hidden != err.Error() {
		return &discreetError{hidden, err}
	}
	return err
}
