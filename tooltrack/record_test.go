package tooltrack_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestRecordJSON(t *testing.T) {
	cases := []struct {
		name   string
		record tooltrack.Record
		want   string
	}{
		{"a success",
			tooltrack.Record{
				Call:   tooltrack.Call{Tool: "delete_task", Args: json.RawMessage(`{"id":9007199254740993}`)},
				Effect: tooltrack.Changes, Result: tooltrack.ResultOf([]byte(`{"title":"Read book"}`), nil),
			},
			`{"name":"delete_task","arguments":{"id":9007199254740993},"effect":"changes",` +
				`"result":{"success":true,"status":"succeeded","data":{"title":"Read book"},"grade":"executed"},"retried":false,"retry_reason":null}`},
		{"a call made after asking again, that failed",
			tooltrack.Record{
				Seq: 7, Cursor: 3, Scope: tooltrack.Scope{Owner: "ann", Turn: "t1"}, Call: tooltrack.Call{ID: "c1", Tool: "delete_task"},
				Result: tooltrack.FailedResult("Task not found"), Retried: true, RetryReason: "missing tool", Attempt: 1, Occurrence: 1,
			},
			`{"seq":7,"cursor":3,"owner":"ann","turn":"t1","id":"c1","name":"delete_task","arguments":{},"effect":"unknown",` +
				`"result":{"success":false,"status":"failed","error":"Task not found","metadata":{"error":"Task not found"},"grade":"executed"},` +
				`"occurrence":1,"attempt":1,"retried":true,"retry_reason":"missing tool"}`},
		{"a denied call with broken arguments",
			tooltrack.Record{
				Call:   tooltrack.Call{Tool: "delete_task", Args: json.RawMessage(`{"id":`)},
				Ruling: tooltrack.Ruling{Denied: true, Rule: "json", Reason: "not an object"}, Result: tooltrack.DeniedResult("not an object"),
			},
			`{"name":"delete_task","arguments":"{\"id\":","effect":"unknown","ruling":{"denied":true,"rule":"json","reason":"not an object"},` +
				`"result":{"success":false,"status":"denied","error":"not an object","metadata":{"error":"not an object"},"grade":"executed"},` +
				`"retried":false,"retry_reason":null}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(c.record)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestRecordJSONRoundTrip(t *testing.T) {
	record := tooltrack.Record{
		Seq: 1, Cursor: 2, Scope: tooltrack.Scope{Owner: "ann", Conversation: "c", Task: "x", Turn: "t"},
		Call: tooltrack.Call{ID: "i", Tool: "tool", Args: json.RawMessage(`{"a":1}`)}, Effect: tooltrack.Verifies,
		Ruling: tooltrack.Ruling{Rewritten: json.RawMessage(`{"a":2}`), Rule: "cap", Reason: "at most 1"},
		Result: tooltrack.ResultOf([]byte(`{"ok":true}`), nil), Key: "k", Digest: "d", Occurrence: 2, Attempt: 3,
		Retried: true, RetryReason: "why", Began: time.Unix(1, 2).UTC(), Finished: time.Unix(3, 4).UTC(),
		Touched: []tooltrack.Subject{{Kind: "task", ID: "1", Title: "Read book"}},
	}
	encoded, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var again tooltrack.Record
	if err := json.Unmarshal(encoded, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, record) {
		t.Errorf("got  %+v\nwant %+v", again, record)
	}
}

func TestResultThatContradictsItselfIsNoSuccess(t *testing.T) {
	for _, wire := range []string{`{"success":false,"status":"succeeded"}`, `{"success":true}`, `{"success":true,"status":"failed"}`, `{}`} {
		var result tooltrack.Result
		if err := json.Unmarshal([]byte(wire), &result); err != nil {
			t.Fatal(err)
		}
		if result.Success() {
			t.Errorf("%s reads as a success", wire)
		}
	}
}

func TestNamesOfEffectsAndStatuses(t *testing.T) {
	for effect := tooltrack.UnknownEffect; effect <= tooltrack.Verifies; effect++ {
		var again tooltrack.Effect
		if err := again.UnmarshalText([]byte(effect.String())); err != nil || again != effect {
			t.Errorf("%v reads back as %v (%v)", effect, again, err)
		}
	}
	for status := tooltrack.Unknown; status <= tooltrack.Pending; status++ {
		var again tooltrack.Status
		if err := again.UnmarshalText([]byte(status.String())); err != nil || again != status {
			t.Errorf("%v reads back as %v (%v)", status, again, err)
		}
	}
	if err := new(tooltrack.Effect).UnmarshalText([]byte("writes")); err == nil {
		t.Error("an effect of no known name is no error")
	}
	if err := new(tooltrack.Status).UnmarshalText([]byte("done")); err == nil {
		t.Error("a status of no known name is no error")
	}
}

func TestToolValidation(t *testing.T) {
	good := tooltrack.Tool{Name: "tasks.delete-one:v2", Parameters: json.RawMessage(`{"type":"object"}`)}
	if err := good.Validate(); err != nil {
		t.Errorf("%v", err)
	}
	for name, tools := range map[string][]tooltrack.Tool{
		"no name":        {{}},
		"a space":        {{Name: "delete task"}},
		"a line break":   {{Name: "delete\ntask"}},
		"broken schema":  {{Name: "x", Parameters: json.RawMessage(`{`)}},
		"unknown effect": {{Name: "x", Effect: 9}},
		"the same twice": {{Name: "x"}, {Name: "x"}},
		"too long":       {{Name: string(make([]byte, 200))}},
	} {
		if err := tooltrack.ValidateTools(tools); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func TestCallsGetAnID(t *testing.T) {
	a, b := tooltrack.Call{}.WithID(), tooltrack.Call{}.WithID()
	if a.ID == "" || a.ID == b.ID {
		t.Errorf("ids %q and %q", a.ID, b.ID)
	}
	if kept := (tooltrack.Call{ID: "mine"}).WithID(); kept.ID != "mine" {
		t.Errorf("an id of its own became %q", kept.ID)
	}
}
