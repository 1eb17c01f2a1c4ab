package guard_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAClaimIsNotBelievedAgainstItsOwnCall: the call that does what a text tells may have
// been made with another sum, date or id, or for another thing; then it is asked about.
// Cents, and names that only people have for a thing, are no other ones.
func TestAClaimIsNotBelievedAgainstItsOwnCall(t *testing.T) {
	tools := []tooltrack.Tool{
		changing("apply_credit", "Apply a credit to an account.", "customer_id"), changing("book_visit", "Book a visit.", "claim"),
		changing("lock_door", "Lock a door.", "door"), changing("lock_gate", "Lock a gate.", "gate"),
	}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	credit := func(amount string) *tooltrack.Record {
		return tried(tools, "apply_credit", `{"customer_id":"C-51907","amount":`+amount+`}`, `{"credit_id":"CR-3402","amount":`+amount+`,"status":"booked"}`)
	}
	door := tried(tools, "lock_door", `{"door":"cellar door"}`, `{"door":"cellar door","state":"locked"}`)
	gate := tried(tools, "lock_gate", `{"gate":"north-2"}`, `{"gate":"north-2","state":"locked"}`)
	visit := tried(tools, "book_visit", `{"claim":"C-7","date":"2026-11-24"}`, `{"appointment":"AS-4","status":"confirmed"}`)
	for _, row := range []struct {
		name, user, text string
		call             *tooltrack.Record
		asked            bool
	}{
		{"another sum", "I want some compensation", "I have applied a credit of $15.00 to your account.", credit("8.0"), true},
		{"the sum", "I want some compensation", "I have applied a credit of $8.00 to your account.", credit("8.0"), false},
		{"the sum in cents", "I want some compensation", "I have applied a credit of $8.00 to your account.", credit("800"), false},
		{"a sum that only the user names", "I want $15.00 as a credit", "I have applied a credit of $15.00 to your account.", credit("8.0"), true},
		{"another date", "book a visit for C-7 on 20 November", "The visit for C-7 has been booked for 20 November.", visit, true},
		{"the date", "book a visit for C-7", "The visit for C-7 has been booked for 24 November.", visit, false},
		{"another door", "lock the garage door", "The garage door has been locked.", door, true},
		{"the door", "lock the cellar door", "The cellar door has been locked.", door, false},
		{"a name that only people have", "lock the big gate", "The big gate has been locked.", gate, false},
		{"no figure", "book a visit for C-7", "The visit for C-7 has been booked.", visit, false},
	} {
		judged, err := g.Judge(context.Background(), guard.Recorded{User: row.user, Text: row.text, Records: []*tooltrack.Record{row.call}})
		require.NoError(t, err)
		require.Equal(t, row.asked, judged.Tier != completion.Clean, "%s: %v", row.name, judged.Doubts)
	}
}

// tried is a call that was made, with what it returned.
func tried(tools []tooltrack.Tool, name, args, result string) *tooltrack.Record {
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: name, Args: json.RawMessage(args)}}
	for _, tool := range tools {
		if tool.Name == name {
			record.Effect = tool.Effect
		}
	}
	record.Result = tooltrack.ParseCall(&tooltrack.Tool{Effect: record.Effect}, record.Call, result, nil)
	return record
}
