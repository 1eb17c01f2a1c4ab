package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/plainwords"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// LedgerEntry is a record of the ledger as people see it: by titles, without
// ids.
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

// ProofItem is one thing that an answer tells, what became of it, and the
// records that show it.
type ProofItem struct {
	What    string  `json:"what"`
	Status  string  `json:"status"`
	Reason  string  `json:"reason,omitempty"`
	Records []int64 `json:"records"`
	// Stated is true where the model itself was asked and said so; otherwise the
	// guard found the records by itself.
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

// entryOf puts a record into the form for people. Known are entities whose ids
// are to be replaced by titles.
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
		entry.AskedFor = plainwords.Rule(record.RetryReason)
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

// proofOf is what an accepted text rests on: what the model cited and the guard
// checked, or else the records that back it. A text that did not pass has none.
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
