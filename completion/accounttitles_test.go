package completion

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestTheAccountNamesWhatACallWasAbout: by what the ledger recorded, by the
// arguments, by the result, or by the argument that names the subject, in this
// order, and never by an id.
func TestTheAccountNamesWhatACallWasAbout(t *testing.T) {
	remove := tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "task", Kind: "task"}}
	plain := tooltrack.Tool{Name: "delete_task", Effect: tooltrack.Changes}
	long := strings.Repeat("long ", 50)
	cases := []struct {
		name               string
		tool               tooltrack.Tool
		touched            string
		args, result, want string
	}{
		{"the ledger", remove, "Read book", `{"title":"Buy milk"}`, `{"title":"Pay rent"}`, "Deleted: Read book"},
		{"the arguments", remove, "", `{"title":"Buy milk"}`, `{"title":"Pay rent"}`, "Deleted: Buy milk"},
		{"the result's data", remove, "", `{"id":"t1"}`, `{"title":"Pay rent","data":{"title":"Call Anna"}}`, "Deleted: Call Anna"},
		{"the result", remove, "", `{"id":"t1"}`, `{"title":"Pay rent","data":[1]}`, "Deleted: Pay rent"},
		{"the subject", remove, "", `{"task":"Water plants"}`, ``, "Deleted: Water plants"},
		{"a subject of several words with a number", remove, "", `{"task":"Call 3 people"}`, ``, "Deleted: Call 3 people"},
		{"a subject that looks like an id", remove, "", `{"task":"task_7"}`, ``, "Deleted: task"},
		{"an argument that is no subject", plain, "", `{"task":"Water plants"}`, ``, "Deleted: task"},
		{"a UUID for a title", remove, "", `{"title":"0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"}`, ``, "Deleted: task"},
		{"a long number for a title", remove, "", `{"title":"20261115"}`, ``, "Deleted: task"},
		{"a short number in a title", remove, "", `{"title":"Buy 12345 nails"}`, ``, "Deleted: Buy 12345 nails"},
		{"a long code", remove, "", `{"title":"ABCDEFGH12345678"}`, ``, "Deleted: task"},
		{"a short code", remove, "", `{"title":"ABCDEFGH1234567"}`, ``, "Deleted: ABCDEFGH1234567"},
		{"36 characters that are no UUID", remove, "", `{"title":"the-quick-brown-fox-jumps-over-a-dog"}`, ``, "Deleted: the-quick-brown-fox-jumps-over-a-dog"},
		{"a title of many lines", remove, "", `{"title":"one\ntwo"}`, ``, "Deleted: task"},
		{"a title without end", remove, "", `{"title":"` + long + `"}`, ``, "Deleted: task"},
		{"an id that the ledger took for a title", remove, "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01", `{"title":"Buy milk"}`, ``, "Deleted: Buy milk"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			made := record("delete_task succeeded "+c.args, []tooltrack.Tool{c.tool})
			made.Result = tooltrack.ResultOf([]byte(c.result), nil)
			if c.touched != "" {
				made.Touched = []tooltrack.Subject{{ID: "t1", Title: c.touched}}
			}
			if got := New(nil).Account(Case{Tools: []tooltrack.Tool{c.tool}, Records: []*tooltrack.Record{made}}); got != c.want {
				t.Errorf("told as %q, want %q", got, c.want)
			}
		})
	}
}

// TestTheAccountOfAList names what was found, where it is clear what that is.
func TestTheAccountOfAList(t *testing.T) {
	for result, want := range map[string]string{
		`["Buy milk","Call Anna"]`:                        "Buy milk",
		`[{"title":"Buy milk"},{"name":"Call Anna"}]`:     "Call Anna",
		`{"tasks":[{"title":"Buy milk"}],"total":1}`:      "Buy milk",
		`{"success":true,"data":["Buy milk"]}`:            "Buy milk",
		`{"open":["Buy milk"],"closed":["Call Anna"]}`:    "",
		`{"title":"Buy milk"}`:                            "",
		`[{"id":"0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"}]`: "",
	} {
		made := record("list_tasks", assistant)
		made.Result = tooltrack.ResultOf([]byte(result), nil)
		got := New(nil).Account(Case{Tools: assistant, Records: []*tooltrack.Record{made}})
		if want != "" && !strings.Contains(got, want) || want == "" && (strings.Contains(got, "Buy milk") || strings.Contains(got, "Anna") || strings.Contains(got, "0b8a")) {
			t.Errorf("%s is told as %q", result, got)
		}
	}
}

// TestTheAccountCutsALongReason, and not in the middle of a character.
func TestTheAccountCutsALongReason(t *testing.T) {
	for _, letters := range []string{"x", "é", "€", "😀"} {
		made := record(`delete_task failed {"title":"Buy milk"}`, assistant)
		made.Result.Error = strings.Repeat(letters, 2000)
		got := New(nil).Account(Case{Tools: assistant, Records: []*tooltrack.Record{made}})
		if len(got) > 1000 || !utf8.ValidString(got) || !strings.Contains(got, letters+"…") {
			t.Errorf("2000 of %q are told as %d bytes: %.60q", letters, len(got), got)
		}
	}
}
