package chatwire_test

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// FuzzParseChoice reads a body with one choice. The message that is replayed is valid JSON,
// and the ids of calls are given and unique.
func FuzzParseChoice(f *testing.F) {
	f.Add([]byte(`{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}`))
	f.Add([]byte(`{"message":{"content":[{"type":"text","text":"a"},{"type":"refusal","refusal":"b"}],"tool_calls":[]}}`))
	f.Add([]byte(`{"message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}},{"function":{"name":"y","arguments":{"a":1}}}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		response, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"choices":[` + string(body) + `]}`))
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
