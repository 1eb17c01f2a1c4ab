package tooltrack_test

import (
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func record(effect tooltrack.Effect, status tooltrack.Status, args string, touched ...tooltrack.Subject) *tooltrack.Record {
	return &tooltrack.Record{
		Call: tooltrack.Call{Tool: "tool", Args: []byte(args)}, Effect: effect, Result: tooltrack.Result{Status: status}, Touched: touched,
		Ruling: tooltrack.Ruling{Denied: status == tooltrack.Denied},
	}
}

func TestEvidence(t *testing.T) {
	book := tooltrack.Subject{Kind: "task", ID: "1", Title: "Read book"}
	milk := tooltrack.Subject{Kind: "task", ID: "2", Title: "Buy milk"}
	read := func(url string) *tooltrack.Record {
		return record(tooltrack.Reads, tooltrack.Succeeded, `{"url":"`+url+`"}`)
	}
	doubtful := func(effect tooltrack.Effect) *tooltrack.Record {
		r := record(effect, tooltrack.Succeeded, `{"url":"https://example.org"}`, book)
		r.Result.Doubtful = "the text reads like an error"
		return r
	}
	cases := []struct {
		name    string
		records []*tooltrack.Record
		want    tooltrack.Evidence
	}{
		{"nothing", nil, tooltrack.Evidence{}},
		{"each fate has its own count", []*tooltrack.Record{
			record(tooltrack.Changes, tooltrack.Succeeded, `{}`, book), record(tooltrack.Changes, tooltrack.Failed, `{}`, milk),
			record(tooltrack.Changes, tooltrack.Denied, `{}`, milk), record(tooltrack.Changes, tooltrack.Pending, `{}`, milk),
			record(tooltrack.Changes, tooltrack.Unknown, `{}`, milk), record(tooltrack.Reads, tooltrack.Succeeded, `{}`), nil,
		}, tooltrack.Evidence{Calls: 6, Changes: 1, Failures: 1, Denials: 1, Pending: 1, Unknown: 1, Reads: 1, Touched: []tooltrack.Subject{book}}},
		{"a success of unknown effect is a change", []*tooltrack.Record{record(tooltrack.UnknownEffect, tooltrack.Succeeded, ``)},
			tooltrack.Evidence{Calls: 1, Changes: 1}},
		{"subjects are told once", []*tooltrack.Record{
			record(tooltrack.Changes, tooltrack.Succeeded, `{}`, book), record(tooltrack.Changes, tooltrack.Succeeded, `{}`, milk, book),
		}, tooltrack.Evidence{Calls: 2, Changes: 2, Touched: []tooltrack.Subject{book, milk}}},
		{"three fetches of one page are one source", []*tooltrack.Record{
			read("https://example.org/a"), read("https://example.org/a/"), read("HTTPS://Example.org/a#part"), read("https://example.org/A"),
		}, tooltrack.Evidence{Calls: 4, Reads: 4, Sources: []string{"https://example.org/a", "https://example.org/A"}}},
		{"a failed fetch is no source", []*tooltrack.Record{record(tooltrack.Reads, tooltrack.Failed, `{"url":"https://example.org"}`)},
			tooltrack.Evidence{Calls: 1, Failures: 1}},
		{"verified after the last change", []*tooltrack.Record{
			record(tooltrack.Changes, tooltrack.Succeeded, ``), record(tooltrack.Verifies, tooltrack.Succeeded, ``),
		}, tooltrack.Evidence{Calls: 2, Changes: 1, Verifications: 1, Verified: true}},
		{"changed after the verification", []*tooltrack.Record{
			record(tooltrack.Verifies, tooltrack.Succeeded, ``), record(tooltrack.Changes, tooltrack.Succeeded, ``),
		}, tooltrack.Evidence{Calls: 2, Changes: 1, Verifications: 1}},
		{"a success in doubt shows nothing", []*tooltrack.Record{
			doubtful(tooltrack.Changes), doubtful(tooltrack.Reads), doubtful(tooltrack.Verifies), doubtful(tooltrack.UnknownEffect),
		}, tooltrack.Evidence{Calls: 4, Unknown: 4}},
		{"a verification in doubt after one that passed", []*tooltrack.Record{
			record(tooltrack.Verifies, tooltrack.Succeeded, ``), doubtful(tooltrack.Verifies),
		}, tooltrack.Evidence{Calls: 2, Verifications: 1, Unknown: 1}},
		{"a change of unknown fate after the verification", []*tooltrack.Record{
			record(tooltrack.Verifies, tooltrack.Succeeded, ``), record(tooltrack.UnknownEffect, tooltrack.Unknown, ``),
		}, tooltrack.Evidence{Calls: 2, Verifications: 1, Unknown: 1}},
		{"a look-up in doubt after the verification", []*tooltrack.Record{
			record(tooltrack.Verifies, tooltrack.Succeeded, ``), doubtful(tooltrack.Reads),
		}, tooltrack.Evidence{Calls: 2, Verifications: 1, Unknown: 1, Verified: true}},
		{"a later verification failed", []*tooltrack.Record{
			record(tooltrack.Verifies, tooltrack.Succeeded, ``), record(tooltrack.Verifies, tooltrack.Failed, ``),
		}, tooltrack.Evidence{Calls: 2, Verifications: 1, Failures: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := tooltrack.EvidenceOf(c.records); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}
