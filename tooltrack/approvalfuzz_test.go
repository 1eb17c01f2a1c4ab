package tooltrack

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzApproval reads approvals as a damaged store may hand them out. What was read is
// written and read again as the same, byte for byte where it counts.
func FuzzApproval(f *testing.F) {
	f.Add([]byte(`{"id":"ap_1","state":"approved","exact_arguments":"e30="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := readApprovals([]Document{{ID: "x", Data: data}}, time.Unix(0, 0))
		if err != nil {
			return
		}
		approval := read[0]
		approval.Refusal()
		desk := &memoryDesk{NewMemory(nil), "ann"}
		if err := approval.put(desk, true); err != nil {
			t.Skip() // a time beyond year 9999 cannot be written, and says so
		}
		read, err = readApprovals(desk.store.documents["ann"], time.Unix(0, 0))
		if again := read[0]; err != nil || again.State != approval.State || string(again.Call.Args) != string(approval.Call.Args) ||
			string(again.Original) != string(approval.Original) {
			t.Errorf("%s was read as %+v and again as %+v (%v)", data, approval, again, err)
		}
		var state ApprovalState
		if json.Unmarshal(data, &state) == nil && int(state) >= len(approvalStateNames) {
			t.Errorf("%s is a state: %d", data, state)
		}
	})
}
