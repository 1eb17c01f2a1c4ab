package chatwire_test

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// FuzzParseChoice reads one choice. What it says is what a whole body with that
// choice says, and the message that is replayed is valid JSON.
func FuzzParseChoice(f *testing.F) {
	f.Add([]byte(`{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}`))
	f.Add([]byte(`{"message":{"content":[{"type":"text","text":"a"},{"type":"refusal","refusal":"b"}],"tool_calls":[]}}`))
	f.Add([]byte(`{"message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}},{"function":{"name":"y","arguments":{"a":1}}}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := chatwire.ParseChoice(body)
		if err != nil {
			return
		}
		if !json.Valid(response.Message.Raw) {
			t.Errorf("%q would be replayed", response.Message.Raw)
		}
		seen := map[string]bool{}
		for i, call := range response.Message.Calls {
			if call.ID == "" || seen[call.ID] && !faulty(response, i) {
				t.Errorf("call %d has the id %q", i, call.ID)
			}
			seen[call.ID] = true
		}
		whole, err := chatwire.ParseResponse([]byte(`{"choices":[` + string(body) + `]}`))
		if err != nil || whole.Message.Text != response.Message.Text || len(whole.Message.Calls) != len(response.Message.Calls) || whole.Stop != response.Stop {
			t.Errorf("alone %+v, in a body %+v: %v", response, whole, err)
		}
	})
}

func faulty(response guard.Response, call int) bool {
	for _, fault := range response.Faults {
		if fault.Call == call {
			return true
		}
	}
	return false
}
