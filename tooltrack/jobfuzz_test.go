package tooltrack_test

import (
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzSettled: whatever two calls answer, their own records stay as they are, and what is
// settled once is settled.
func FuzzSettled(f *testing.F) {
	f.Add("render_video", `{"name":"x"}`, `{"job":"j7","state":"queued"}`, `{"job":"j7"}`, `{"state":"done"}`)
	f.Fuzz(func(t *testing.T, tool, args, begun, asked, told string) {
		launch := ran(tool, tooltrack.Changes, args, begun)
		poll := ran("get_job", tooltrack.Reads, asked, told)
		launch.Result.Data, poll.Result.Data = []byte(begun), []byte(told) // as a host may hand it in: no JSON at all
		was, asks := *launch, *poll
		before, now := tooltrack.Settled([]*tooltrack.Record{launch}, []*tooltrack.Record{poll})
		if !reflect.DeepEqual(was, *launch) || !reflect.DeepEqual(asks, *poll) || len(before) != 1 || len(now) != 1 {
			t.Fatal("records were changed, or lost")
		}
		if launch.Result.Status == tooltrack.Failed && before[0] != launch && before[0].Succeeded() {
			t.Fatalf("%q made a success of %q", told, begun)
		}
		again, _ := tooltrack.Settled(before, now)
		if again[0].Result.Status != before[0].Result.Status {
			t.Fatalf("%s, and %s the second time", before[0].Result.Status, again[0].Result.Status)
		}
	})
}
