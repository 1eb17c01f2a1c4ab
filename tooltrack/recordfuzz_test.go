package tooltrack_test

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzRecordJSON reads records as a file or another process may send them. What
// was read is written and read again as the same, and nothing but a stated
// success is one.
func FuzzRecordJSON(f *testing.F) {
	f.Add([]byte(`{"name":"x","arguments":{"a":1},"result":{"success":true,"status":"succeeded"}}`))
	f.Add([]byte(`{"result":{"success":false,"status":"succeeded"},"effect":"changes"}`))
	f.Add([]byte(`{"result":{"status":"pending","grade":"executed","metadata":{"error":"x"}},"touched":[{"id":"1"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var record tooltrack.Record
		if json.Unmarshal(data, &record) != nil {
			return
		}
		written, err := json.Marshal(record)
		if err != nil {
			t.Skip() // raw bytes that are no JSON cannot be written, and say so
		}
		var again tooltrack.Record
		if err := json.Unmarshal(written, &again); err != nil {
			t.Fatalf("%s cannot be read again: %v", written, err)
		}
		if again.Succeeded() != record.Succeeded() || again.Result.Status != record.Result.Status || again.Tool != record.Tool || again.Effect != record.Effect {
			t.Errorf("%s was read as %+v and again as %+v", data, record, again)
		}
	})
}
