package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/resolver"
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
	// Records are the calls of the turn as the ledger has them, and Proof what the message rests on.
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
	// Unproven is set when the shown text did not pass: with the guard switched off it is shown all the same.
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

// mainAction is the one that a toast shows: the last change, or else the last read, or else an unknown call, or nil.
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
	for _, known := range described {
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

// passing reports whether asking again may help, so that the answer is not kept for the turn's Idempotency-Key.
func (e *ReliabilityError) passing() bool {
	return e != nil && (e.Code == "model_unavailable" || e.Code == "timeout" || e.Code == "turn_failed")
}

// LedgerEntry is a record of the ledger as people see it: by titles, without ids.
type LedgerEntry struct {
	Number    int64  `json:"number"` // of the user's records
	Tool      string `json:"tool"`
	Subject   string `json:"subject,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Status    string `json:"status"`
	Seen      bool   `json:"seen,omitempty"`   // in the rows, and not only by its receipt
	Reason    string `json:"reason,omitempty"` // why it failed or was not run
	AskedFor  string `json:"asked_for,omitempty"`
	BeganAt   string `json:"began_at"`
	TookMS    int64  `json:"took_ms"`
}

// ProofItem is one thing that an answer tells, what became of it, and the records that show it.
type ProofItem struct {
	What    string  `json:"what"`
	Status  string  `json:"status"`
	Reason  string  `json:"reason,omitempty"`
	Records []int64 `json:"records"`
	// Stated is true where the model itself was asked and said so; otherwise the guard found the records by itself.
	Stated bool `json:"stated"`
}

// line is an entry in one line, for a terminal.
func (e LedgerEntry) line() string {
	text := fmt.Sprintf("#%d %s", e.Number, e.Tool)
	switch {
	case e.Subject != "":
		text += fmt.Sprintf(" %q", e.Subject)
	case e.Arguments != "":
		text += " (" + e.Arguments + ")"
	}
	text += " " + e.Status
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// entryOf puts a record into the form for people. Known are entities whose ids are to be replaced by titles.
func entryOf(record *tooltrack.Record, known []resolver.Entry) LedgerEntry {
	for _, subject := range record.Touched { // it may be gone by now
		known = append(slices.Clip(known), resolver.Entry{ID: subject.ID, Title: subject.Title})
	}
	_, shown := tooltrack.Settled(nil, []*tooltrack.Record{record}) // a change that is not there has failed
	record = shown[0]
	entry := LedgerEntry{
		Number: record.Seq, Tool: record.Tool, Status: record.Result.Status.String(), Seen: record.Sight() == "confirmed",
		Arguments: resolver.Redact(describeArgs(orObject(record.Args)), known),
		Reason:    resolver.Redact(oneLine(record.Result.Error, 300), known),
		BeganAt:   record.Began.UTC().Format(time.RFC3339Nano),
	}
	if len(record.Touched) > 0 {
		entry.Subject = record.Touched[0].Title
	}
	if record.Retried {
		entry.AskedFor = decisions.Rule(record.RetryReason)
	}
	if record.Ruling.Denied {
		entry.Status = tooltrack.Denied.String()
	}
	if !record.Finished.IsZero() {
		entry.TookMS = record.Finished.Sub(record.Began).Milliseconds()
	}
	return entry
}

func entriesOf(records []*tooltrack.Record, known []resolver.Entry) []LedgerEntry {
	list := make([]LedgerEntry, len(records))
	for i, record := range records {
		list[i] = entryOf(record, known)
	}
	return list
}

// ledgerOf lists the calls of a conversation, from the ledger itself.
func (s *service) ledgerOf(ctx context.Context, user, conversation string) ([]LedgerEntry, error) {
	records, err := s.ledger.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: user, Conversation: conversation}})
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	tasks, err := s.tasks.list(ctx, user, "")
	if err != nil {
		return nil, err
	}
	return entriesOf(records, entries(tasks)), nil
}

// proofOf is what an accepted text rests on: what the model cited, or else the records that back it.
func proofOf(reply *guard.Reply, records []LedgerEntry) []ProofItem {
	items := []ProofItem{}
	if reply.Err != nil || !reply.Verdict.Outcome.Completed() {
		return items
	}
	if reply.Proof != nil {
		for _, item := range reply.Proof.Sentences {
			shown := ProofItem{What: item.Sentence, Status: "done", Records: []int64{}, Stated: true}
			if len(item.Records) == 0 {
				shown.Status = "answered"
			}
			for _, call := range item.Calls() {
				if number, found := recordOf(call, records); found {
					shown.Records = append(shown.Records, number)
				}
			}
			items = append(items, shown)
		}
		for _, what := range reply.Proof.NotDone {
			items = append(items, ProofItem{What: what, Status: "not_done", Records: []int64{}, Stated: true})
		}
		return items
	}
	for _, entry := range records {
		if entry.Status != tooltrack.Succeeded.String() {
			continue
		}
		what := entry.Tool
		if entry.Subject != "" {
			what += fmt.Sprintf(" %q", entry.Subject)
		}
		status := "done"
		if weight(entry.Tool) < 2 {
			status = "answered"
		}
		items = append(items, ProofItem{What: what, Status: status, Records: []int64{entry.Number}})
	}
	return items
}

// recordOf finds the newest record of a call that a proof cites.
func recordOf(call guard.CallSummary, records []LedgerEntry) (int64, bool) {
	for i := len(records) - 1; i >= 0; i-- {
		entry := records[i]
		succeeded := entry.Status == tooltrack.Succeeded.String()
		if entry.Tool == call.Tool && succeeded == call.Success &&
			(call.Subject.Title == "" || strings.EqualFold(entry.Subject, call.Subject.Title)) {
			return entry.Number, true
		}
	}
	return 0, false
}
