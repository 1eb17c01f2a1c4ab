package tooltrack_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// nilError panics when it is printed, as a typed nil does.
type nilError struct{ text *string }

func (e *nilError) Error() string { return *e.text }

func TestResultOf(t *testing.T) {
	cases := []struct {
		name   string
		body   string
		err    error
		status tooltrack.Status
		reason string
	}{
		{"no body", "", nil, tooltrack.Succeeded, ""},
		{"plain text is not inspected", "Error handling guide", nil, tooltrack.Succeeded, ""},
		{"an object", `{"id":1}`, nil, tooltrack.Succeeded, ""},
		{"success true", `{"success":true,"data":{"error":"inside"}}`, nil, tooltrack.Succeeded, ""},
		{"success false with a reason", `{"success":false,"error":"Task not found"}`, nil, tooltrack.Failed, "Task not found"},
		{"success false without one", `{"success": false}`, nil, tooltrack.Failed, "the tool gave no reason"},
		{"success false with a message", `{"success":false,"message":"no such task"}`, nil, tooltrack.Failed, "no such task"},
		{"ok false", ` {"ok" : false } `, nil, tooltrack.Failed, "the tool gave no reason"},
		{"an error alone", `{"error":"quota exceeded"}`, nil, tooltrack.Failed, "quota exceeded"},
		{"an error object", `{"error":{"code":7,"message":"quota exceeded"}}`, nil, tooltrack.Failed, "quota exceeded"},
		{"a null error", `{"error":null,"id":1}`, nil, tooltrack.Succeeded, ""},
		{"an empty error beside success", `{"success":true,"error":""}`, nil, tooltrack.Succeeded, ""},
		{"an error beside success", `{"success":true,"error":"but not really"}`, nil, tooltrack.Failed, "but not really"},
		{"a second key does not undo the first", `{"success":false,"success":true}`, nil, tooltrack.Failed, "the tool gave no reason"},
		{"a failure inside of what wraps the answer", `{"data":{"success":false}}`, nil, tooltrack.Failed, "the tool gave no reason"},
		{"a failure of something else", `{"customer":{"success":false}}`, nil, tooltrack.Succeeded, ""},
		{"a key in a string is text", `{"note":"\"success\":false"}`, nil, tooltrack.Succeeded, ""},
		{"MCP error", `{"isError":true,"content":[{"type":"text","text":"disk full"}]}`, nil, tooltrack.Failed, "disk full"},
		{"MCP success", `{"isError":false,"content":[]}`, nil, tooltrack.Succeeded, ""},
		{"pending", `{"pending":true}`, nil, tooltrack.Pending, "the tool gave no reason"},
		{"a pending job", `{"status":"pending","job_id":"j1"}`, nil, tooltrack.Pending, "the tool gave no reason"},
		{"a pending order is an order", `{"order_id":"W1","status":"pending","items":[]}`, nil, tooltrack.Succeeded, ""},
		{"a list", `[{"success":false}]`, nil, tooltrack.Succeeded, ""},
		{"an error from the executor", "half an answer", errors.New("connection reset"), tooltrack.Failed, "connection reset"},
		{"an error that cannot be printed", "", (*nilError)(nil), tooltrack.Failed, "the tool returned an error that cannot be printed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := tooltrack.ResultOf([]byte(c.body), c.err)
			if result.Status != c.status || result.Error != c.reason {
				t.Errorf("got %v %q, want %v %q", result.Status, result.Error, c.status, c.reason)
			}
			if result.Grade != tooltrack.Executed {
				t.Error("a result of our own is not graded Executed")
			}
			if c.reason != "" && result.Metadata["error"] != c.reason {
				t.Errorf("metadata holds %v, want the reason there, too", result.Metadata["error"])
			}
		})
	}
}

func TestParseResult(t *testing.T) {
	host := &tooltrack.ParseOptions{Rule: func(content string) (tooltrack.Status, bool) {
		return tooltrack.Denied, strings.HasPrefix(content, "NOPE")
	}}
	cases := []struct {
		name    string
		content string
		options *tooltrack.ParseOptions
		status  tooltrack.Status
	}{
		{"text", "3 tasks", nil, tooltrack.Succeeded},
		{"leading Error", "Error: no such task", nil, tooltrack.Failed},
		{"leading error, other case", "  error 404", nil, tooltrack.Failed},
		{"leading Failed", "Failed to connect", nil, tooltrack.Failed},
		{"a longer word", "Errors found: 0", nil, tooltrack.Succeeded},
		{"the word inside", "No error.", nil, tooltrack.Succeeded},
		{"inside a JSON string", `"Error: no such task"`, nil, tooltrack.Failed},
		{"an object that failed", `{"ok":false}`, nil, tooltrack.Failed},
		{"the host's rule", "NOPE", host, tooltrack.Denied},
		{"the host's rule does not know", "Error", host, tooltrack.Failed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := tooltrack.ParseResult(c.content, c.options)
			if result.Status != c.status {
				t.Errorf("got %v, want %v", result.Status, c.status)
			}
			if result.Grade != tooltrack.Reported {
				t.Error("a result from a message is not graded Reported")
			}
		})
	}
}

func TestResultText(t *testing.T) {
	for body, want := range map[string]string{"3 tasks": "3 tasks", `"quoted"`: "quoted", `{"id": 1}`: `{"id": 1}`, "": ""} {
		if got := tooltrack.ResultOf([]byte(body), nil).Text(); got != want {
			t.Errorf("the text of %q is %q, want %q", body, got, want)
		}
	}
	if got := tooltrack.DeniedResult("at most 2 calls").Text(); got != "at most 2 calls" {
		t.Errorf("a denial reads %q", got)
	}
}

func FuzzParseResult(f *testing.F) {
	for _, seed := range []string{`{"success":false}`, `{"a":{"b":[1,"}"]},"error":"x"}`, "Error: x", `{"status":"pending"}`, "\xff", `{"a":"\ud800"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		for _, result := range []tooltrack.Result{tooltrack.ParseResult(content, nil), tooltrack.ResultOf([]byte(content), nil)} {
			if result.Status != tooltrack.Succeeded && result.Error == "" {
				t.Errorf("%v without a reason", result.Status)
			}
			encoded, err := json.Marshal(result)
			if err != nil || !utf8.Valid(encoded) {
				t.Fatalf("the result cannot be written: %q, %v", encoded, err)
			}
			var again tooltrack.Result
			if err := json.Unmarshal(encoded, &again); err != nil || again.Status != result.Status || again.Error != result.Error {
				t.Fatalf("it reads back as %+v (%v), want %+v", again, err, result)
			}
		}
	})
}
