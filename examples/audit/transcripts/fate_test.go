package transcripts

import (
	"testing"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestOnlySuccessIsSuccess: what a log says beside a result makes a success of
// it only if it says so, and never of one that calls itself a failure.
func TestOnlySuccessIsSuccess(t *testing.T) {
	for _, c := range []struct {
		name string
		text string
		fate tooltrack.Status
		want tooltrack.Status
	}{
		{"both say success", `{"id":7}`, tooltrack.Succeeded, tooltrack.Succeeded},
		{"the text says failure", `{"success":false}`, tooltrack.Succeeded, tooltrack.Failed},
		{"the log says failure", `{"id":7}`, tooltrack.Failed, tooltrack.Failed},
		{"the log says denied", `{"id":7}`, tooltrack.Denied, tooltrack.Denied},
		{"the log says pending", `{"id":7}`, tooltrack.Pending, tooltrack.Pending},
		{"the log says that nobody knows", `{"id":7}`, tooltrack.Unknown, tooltrack.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := withFate(tooltrack.ParseResult(c.text, nil), c.fate); got.Status != c.want {
				t.Errorf("it is %v, want %v", got.Status, c.want)
			}
		})
	}
	if got := withFate(tooltrack.Result{}, tooltrack.Succeeded); got.Status != tooltrack.Succeeded {
		t.Errorf("without a result of its own it is what the log says, not %v", got.Status)
	}
	var count report.Calls
	for _, status := range []tooltrack.Status{tooltrack.Succeeded, tooltrack.Failed, tooltrack.Denied, tooltrack.Pending, tooltrack.Unknown} {
		count.Add(&tooltrack.Record{Result: tooltrack.Result{Status: status}})
	}
	if count.Succeeded != 1 || count.Failed != 1 || count.Denied != 1 || count.Pending != 1 || count.Unknown != 1 {
		t.Errorf("each fate has its own count: %+v", count)
	}
}
