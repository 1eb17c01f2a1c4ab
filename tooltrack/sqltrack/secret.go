package sqltrack

import "regexp"

// secrets are passwords in data source names, which drivers like to quote when
// they cannot connect: in URLs, in name=value pairs, and before an address.
var secrets = regexp.MustCompile(`(?i)(://[^/\s?#@:]*:)[^/\s?#@]*` +
	`|\b((?:\w*password|passwd|pwd|passfile)\s*=\s*)(?:'[^']*'|[^\s&;'"]+)` +
	`|\b([\w.-]+:)[^\s@/:]+(?:@(?:tcp|unix)\()`)

// discreetError is an error of the driver without the password in its text.
type discreetError struct {
	text string
	err  error
}

func (e *discreetError) Error() string { return e.text }
func (e *discreetError) Unwrap() error { return e.err }

// discreet hides passwords in the text of an error. Errors without one stay
// themselves.
func discreet(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if hidden := secrets.ReplaceAllString(text, "${1}${2}${3}[redacted]"); hidden != text {
		return &discreetError{hidden, err}
	}
	return err
}
