package chatwire

import (
	"errors"
	"fmt"
)

// ErrUnguarded is returned for a request that carries tools in a way this
// package cannot judge. It is an error rather than a silent pass: a guard with
// a way around it guards nothing.
var ErrUnguarded = errors.New("this request cannot be guarded")

// BodyError is an answer that holds no message: the provider failed, or what
// arrived is not in the format. It is never an empty success.
type BodyError struct {
	// Reason says what is wrong.
	Reason string
	// Provider is the provider's own error message, if the body holds one.
	Provider string
}

// Error names the fault, and the provider's words where there are some.
func (e *BodyError) Error() string {
	if e.Provider != "" {
		return fmt.Sprintf("the provider answered with an error: %s", e.Provider)
	}
	return "the provider's answer cannot be used: " + e.Reason
}

func badBody(err error) error { return &BodyError{Reason: err.Error()} }

// providerFault is the error that a body or a choice carries, or nil. Servers
// that always send the member fill it with null, false or "".
func providerFault(fault span) error {
	if fault.absent() || string(fault.bytes()) == "false" || string(fault.bytes()) == `""` {
		return nil
	}
	message := clip(string(fault.bytes()))
	switch fault.kind() {
	case '"':
		text, _ := unquote(fault.bytes())
		message = clip(text)
	case '{':
		if found, err := fault.members("error", "message"); err == nil && found[0].kind() == '"' {
			text, _ := unquote(found[0].bytes())
			message = clip(text)
		}
	}
	return &BodyError{Reason: "it is an error", Provider: message}
}

// clip keeps error messages short, whatever a provider sent.
func clip(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
