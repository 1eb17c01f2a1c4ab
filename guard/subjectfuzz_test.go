package guard_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzRecordsOf reads arguments and results as messages hold them. The entities
// that are found by skipping through the bytes are those that a decoder of the
// standard library finds.
func FuzzRecordsOf(f *testing.F) {
	f.Add(`{"task_id":"7"}`, `{"success":true,"data":{"id":"7","title":"Read book"}}`)
	f.Add(`{"task_id":{"a":[1]}}`, `{"name":"x","id":12e3}`)
	f.Add(`{`, `Error: no`)
	g, err := guard.New(taskTools(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, args, result string) {
		call := guardtest.Tool("delete_task", args)
		records := g.RecordsOf([]guard.Message{
			{Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}},
			{Role: guard.RoleTool, CallID: call.ID, Text: result},
		}, nil)
		if len(records) != 1 {
			t.Fatalf("%d records", len(records))
		}
		var plain map[string]json.RawMessage
		if !utf8.ValidString(args) || json.Unmarshal([]byte(args), &plain) != nil {
			return
		}
		var id string
		if json.Unmarshal(plain["task_id"], &id) != nil || id == "" || string(plain["task_id"]) == "null" {
			return
		}
		if touched := records[0].Touched; (len(touched) != 1 || touched[0].ID != id) && !spelledTwice(args, "task_id") {
			t.Errorf("%s is about %q, found %+v", args, id, touched)
		}
	})
}

// spelledTwice reports a key that is there twice, or in another spelling: then
// readers may differ, and the policy refuses it.
func spelledTwice(object, key string) bool {
	decoder := json.NewDecoder(strings.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return true
	}
	seen := 0
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return true
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return true
		}
		if name == key {
			seen++
		}
	}
	quoted, err := json.Marshal(key)
	return seen != 1 || err != nil || !strings.Contains(object, string(quoted))
}
