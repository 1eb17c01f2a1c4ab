package tooltrack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"unicode/utf8"
)

// Result is what came of a call. It is always valid: an error is a Failed result with a reason,
// never a missing field. The zero value says that nothing is known.
type Result struct {
	// Status is what became of the call.
	Status Status `json:"status"`
	// It has the fate of what the call launched: see Settled.
	settled bool
	// Data is the tool's answer as JSON; plain text is kept as a JSON string.
	Data json.RawMessage `json:"data,omitempty"`
	// Error is the reason of a result that is not a success. It is in Metadata["error"], too.
	Error string `json:"error,omitempty"`
	// Metadata is whatever else the host wants to keep besides the result.
	Metadata map[string]any `json:"metadata,omitempty"`
	// Doubtful says why a success may be none: the body reads like an error, or its status may
	// be that of the call or of an entity. Such a result neither proves nor refutes. Empty where
	// nothing speaks against it, and where Status is not Succeeded.
	Doubtful string `json:"doubtful,omitempty"`
	// Partly says of a success in doubt that a part was done and another was not.
	Partly bool `json:"partly,omitempty"`
	// Grade tells a call that was run by us from one that is only reported.
	Grade Grade `json:"grade"`
	// Confirmation is what a read-back showed; nil where none was made.
	Confirmation *Confirmation `json:"confirmation,omitempty"`
}

// ResultOf reads what an executor returned. An error is a failure; a nil error is a success
// unless the body says otherwise, by the rows of results.txt. A text that reads like an error,
// and a body that may be read either way, is a success in doubt: see [Result.Doubtful].
//
// ResultOf knows no call, so a bare status is taken for the call's: of a payment that was looked
// up and has failed it says Failed. [Execute] and [ParseCall] know better.
func ResultOf(body []byte, err error) Result { return resultOf(body, err, nil, unknownCall) }

func resultOf(body []byte, err error, options *ParseOptions, call *asked) Result {
	result := Result{Status: Succeeded, Data: jsonOf(body), Grade: Executed}
	if err != nil {
		return result.fail(Failed, reasonOf(err))
	}
	return options.read(result, body, call)
}

// NoReason is the error of a result that gives none.
const NoReason = "the tool gave no reason"

// FailedResult is a valid result for a call that did not do its work.
func FailedResult(reason string) Result { return Result{Grade: Executed}.fail(Failed, reason) }

// DeniedResult is a valid result for a call that was not allowed to run.
func DeniedResult(reason string) Result { return Result{Grade: Executed}.fail(Denied, reason) }

// UnknownResult is a valid result for a call whose fate is not known.
func UnknownResult(reason string) Result { return Result{Grade: Executed}.fail(Unknown, reason) }

// Success reports whether the result backs a claim of work done.
func (r Result) Success() bool { return r.Status == Succeeded }

// Sure reports whether it is a success that nothing speaks against.
func (r Result) Sure() bool { return r.Success() && r.Doubtful == "" }

// Text is the result as a model or a person reads it: a JSON string without its quotes, any
// other data as it is, and the reason where there is no data.
func (r Result) Text() string {
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return r.Error
	}
	if r.Data[0] == '"' {
		var text string // on the heap, so only where it is needed
		if json.Unmarshal(r.Data, &text) == nil {
			return text
		}
	}
	return string(r.Data)
}

func (r Result) fail(status Status, reason string) Result {
	r.Status, r.Error = status, cmp.Or(reason, NoReason)
	metadata := map[string]any{}
	maps.Copy(metadata, r.Metadata)
	metadata["error"] = r.Error
	r.Metadata = metadata
	return r
}

// reasonOf survives an error whose Error method panics: a typed nil is the usual one.
func reasonOf(err error) (reason string) {
	defer func() {
		if recover() != nil {
			reason = "the tool returned an error that cannot be printed"
		}
	}()
	return strings.ToValidUTF8(err.Error(), "\uFFFD")
}

// jsonOf keeps a JSON body as it is and makes a JSON string of anything else.
func jsonOf(body []byte) json.RawMessage {
	body = bytes.TrimPrefix(body, []byte("\uFEFF")) // a byte order mark is no part of the text
	if len(body) == 0 {
		return nil
	}
	if json.Valid(body) && utf8.Valid(body) {
		return json.RawMessage(body)
	}
	text, _ := json.Marshal(strings.ToValidUTF8(string(body), "\uFFFD")) // a string always marshals
	return text
}

// resultJSON is the wire form. Success stands beside Status because readers want a bool, and a
// bool alone would lose denied, pending and unknown.
type resultJSON struct {
	Success bool `json:"success"`
	resultFields
}

type resultFields Result // without the methods

// MarshalJSON writes success beside the fields.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(resultJSON{r.Success(), resultFields(r)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Where success and status disagree, or status is
// missing, the result is no success.
func (r *Result) UnmarshalJSON(data []byte) error {
	var wire resultJSON
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	if wire.Status == Succeeded && !wire.Success {
		wire.Status = Unknown
	}
	*r = Result(wire.resultFields)
	return nil
}
