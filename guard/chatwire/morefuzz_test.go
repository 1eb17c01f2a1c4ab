package chatwire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// FuzzMessagesMore: whatever a host adds to a request, the request is refused or
// says what the guard said, and can be read again.
func FuzzMessagesMore(f *testing.F) {
	f.Add([]byte(`{"thinking":{"type":"enabled","budget_tokens":1024},"system":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}`))
	f.Fuzz(func(t *testing.T, more []byte) {
		request := guard.Request{Tools: tools(), Messages: []guard.Message{{Role: guard.RoleSystem, Text: "Be kind."}, {Role: guard.RoleUser, Text: "hello"}}}
		body, err := chatwire.Messages.EncodeRequest(request, chatwire.EncodeOptions{Model: "m", More: more})
		if err != nil {
			return
		}
		if !json.Valid(body) {
			t.Fatalf("%s", body)
		}
		read, err := chatwire.Messages.ParseRequest(body)
		if err != nil { // members that no server could read either
			return
		}
		last := read.Messages[len(read.Messages)-1]
		if last.Role != guard.RoleUser || last.Text != "hello" || len(read.Tools) != len(tools()) || read.Stream || len(read.Foreign) > 0 {
			t.Errorf("%s is read as %+v", body, read)
		}
		if !bytes.Contains(body, []byte(`"model":"m"`)) {
			t.Errorf("%s names another model", body)
		}
	})
}
