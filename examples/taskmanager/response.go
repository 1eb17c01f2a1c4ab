package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ChatResponse is the answer to one message; see response.schema.json.
type ChatResponse struct {
	ConversationID    string            `json:"conversation_id"`
	AssistantMessage  string            `json:"assistant_message"`
	ToolCalls         []ToolCall        `json:"tool_calls"`
	Messages          []Message         `json:"messages"`
	ActionMetadata    *ActionMetadata   `json:"action_metadata"`
	Actions           []ActionMetadata  `json:"actions"`
	ExecutionMetadata ExecutionMetadata `json:"execution_metadata"`
	Error             *ReliabilityError `json:"error,omitempty"`
	Guard             GuardMetadata     `json:"guard"`
	// Records are the calls of the turn as the ledger has them, and Proof what the
	// message rests on.
	Records []LedgerEntry `json:"records"`
	Proof   []ProofItem   `json:"proof"`
	// Approvals are what the turn waits for.
	Approvals []Approval `json:"approvals,omitempty"`
}

// ToolCall is a call that was executed, with the arguments that ran.
type ToolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// ActionMetadata is what was done or tried, for a user interface.
type ActionMetadata struct {
	Action    string `json:"action"`
	Success   bool   `json:"success"`
	TaskID    string `json:"task_id,omitempty"`
	TaskTitle string `json:"task_title,omitempty"`
	Message   string `json:"message"`
}

// ExecutionMetadata is what the turn took.
type ExecutionMetadata struct {
	Executed   int   `json:"tool_calls_executed"`
	Retried    int   `json:"tool_calls_retried"`
	Corrected  int   `json:"corrections"`
	ModelCalls int   `json:"model_calls"`
	TotalMS    int64 `json:"total_latency_ms"`
	ModelMS    int64 `json:"model_latency_ms"`
}

// ReliabilityError says why the model's own answer is not shown.
type ReliabilityError struct {
	Code     string   `json:"code"`
	Expected []string `json:"expected_tools"`
}

// GuardMetadata is how the guard judged, and what it saw and did.
type GuardMetadata struct {
	Enabled bool   `json:"enabled"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	// Unproven is set when the shown text did not pass: with the guard switched
	// off it is shown all the same.
	Unproven bool            `json:"unproven"`
	Timeline []TimelineEntry `json:"timeline"`
}

// executedCalls are the calls that ran, whatever came of them.
func executedCalls(records []*tooltrack.Record) []ToolCall {
	calls := []ToolCall{}
	for _, record := range records {
		if !record.Ruling.Denied && !record.Held() {
			calls = append(calls, ToolCall{Name: record.Tool, Arguments: orObject(record.Args)})
		}
	}
	return calls
}

func orObject(args json.RawMessage) json.RawMessage {
	if !json.Valid(args) {
		return json.RawMessage("{}")
	}
	return args
}

// actionsOf puts the guard's actions into the form of the API.
func actionsOf(reply *guard.Reply) []ActionMetadata {
	actions := []ActionMetadata{}
	for _, a := range reply.Summaries() {
		action := ActionMetadata{Action: a.Tool, Success: a.Success, TaskTitle: a.Subject.Title, Message: a.Message}
		if uuid.Validate(a.Subject.ID) == nil { // the record of an unresolved call holds the user's words
			action.TaskID = a.Subject.ID
		}
		actions = append(actions, action)
	}
	return actions
}

// mainAction is the one that a toast shows: the last change, or else the last
// read, or else a call of something that does not exist; nil if there is none.
func mainAction(actions []ActionMetadata) *ActionMetadata {
	var main *ActionMetadata
	for i := range actions {
		if main == nil || weight(actions[i].Action) >= weight(main.Action) {
			main = &actions[i]
		}
	}
	return main
}

// weight is how much an action matters: 2 for a change, 1 for a read, 0 for what does not exist.
func weight(tool string) int {
	for _, known := range tools() {
		if known.Name == tool {
			return map[bool]int{true: 2, false: 1}[known.Effect.MayChange()]
		}
	}
	return 0
}

// reliabilityError names the fault of a turn that did not pass.
func reliabilityError(reply *guard.Reply) *ReliabilityError {
	if reply.Err == nil || errors.Is(reply.Err, guard.ErrHeld) {
		return nil
	}
	failure := &ReliabilityError{Code: "turn_failed", Expected: []string{}}
	for _, expected := range reply.Intent.Expect {
		failure.Expected = append(failure.Expected, expected.Tool)
	}
	var missing *guard.TurnError
	if errors.As(reply.Err, &missing) && errors.Is(reply.Err, guard.ErrToolNotTriggered) {
		failure.Code, failure.Expected = "tool_not_triggered", missing.Tools
		return failure
	}
	for _, known := range failures {
		if errors.Is(reply.Err, known.err) {
			failure.Code = known.code
			break
		}
	}
	return failure
}

// failures are the codes of errors; the first that fits counts.
var failures = []struct {
	err  error
	code string
}{
	{guard.ErrInsufficientProgress, "insufficient_progress"}, {guard.ErrDenied, "denied"},
	{guard.ErrStopped, "answer_incomplete"}, {guard.ErrProvider, "model_unavailable"},
	{context.DeadlineExceeded, "timeout"},
}

// passing reports whether asking again may help, so that the answer is not kept
// for the turn's Idempotency-Key.
func (e *ReliabilityError) passing() bool {
	return e != nil && (e.Code == "model_unavailable" || e.Code == "timeout" || e.Code == "turn_failed")
}
