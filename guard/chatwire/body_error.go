package chatwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// ErrUnguarded is returned for a request that carries tools in a way this package cannot judge. It
// is an error rather than a silent pass: a guard with a way around it guards nothing.
var ErrUnguarded = errors.New("this request cannot be guarded")

// ErrBody matches every [*BodyError] with errors.Is.
var ErrBody = errors.New("the provider's answer cannot be used")

// BodyError is an answer that holds no message: the provider failed, or what
// arrived is not in the format. It is never an empty success.
type BodyError struct {
	// Reason says what is wrong.
	Reason string
	// Provider is the provider's own error message, if the body holds one, and
	// Code its code or type.
	Provider, Code string
	// Raw is the provider's error as it was sent, if it sent one.
	Raw json.RawMessage
}

// Error names the fault, and the provider's words where there are some.
func (e *BodyError) Error() string {
	switch {
	case e.Provider != "" && e.Code != "":
		return fmt.Sprintf("the provider answered with an error: %s (%s)", e.Provider, e.Code)
	case e.Provider != "":
		return fmt.Sprintf("the provider answered with an error: %s", e.Provider)
	}
	return "the provider's answer cannot be used: " + e.Reason
}

// Is makes errors.Is(err, ErrBody) true.
func (e *BodyError) Is(target error) bool { return target == ErrBody }

// badBody is an error of an answer as a [*BodyError]; nil is none.
func badBody(err error) error {
	if _, known := err.(*BodyError); known || err == nil {
		return err
	}
	return &BodyError{Reason: err.Error()}
}

// providerFault takes note of the error that a body or a choice carries. Servers
// that always send the member fill it with null, false or "".
func providerFault(s span) {
	if blank(s) || s.is("false") {
		return
	}
	e := &BodyError{Reason: "it is an error", Provider: clipped(string(s.bytes())), Raw: bytes.Clone(s.bytes())}
	if s.kind() == '"' {
		e.Provider = clipped(s.said())
	}
	e.describe(s)
	s.fail(e)
}

// describe reads the members that error objects have in common.
func (e *BodyError) describe(fault span) {
	found, err := fault.look("error", "message", "code", "status", "type")
	if err != nil {
		return
	}
	if found[0].kind() == '"' {
		e.Provider = clipped(found[0].said())
	}
	for _, code := range found[1:] {
		if code.absent() || code.kind() == '{' || code.kind() == '[' {
			continue
		}
		if e.Code = clipped(strings.Trim(string(code.bytes()), `"`)); e.Code != "" {
			return
		}
	}
}

// status is the HTTP status that the provider's error would have had if it had
// been known before the answer began.
func (e *BodyError) status() int {
	if code, err := strconv.Atoi(e.Code); err == nil && code >= 400 && code <= 599 {
		return code
	}
	code := strings.ToLower(e.Code)
	for _, status := range []int{429, 503, 504, 401, 403, 402, 404, 400} {
		if hasOf("status "+strconv.Itoa(status), code) {
			return status
		}
	}
	return http.StatusBadGateway // a fault between us and the model
}

// clipped keeps error messages short, whatever a provider sent.
func clipped(s string) string { return clip.Text(s, 200) }
