package transcripts

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
)

// judgeAll judges everything in a file.
func judgeAll(j *judge, data []byte) (found []*judged, faults []error) {
	g := gatherer{file: "f"}
	g.send = func(entry *job) bool {
		if entry.fault != nil {
			faults = append(faults, entry.fault)
			return true
		}
		judged, err := j.entry(entry)
		if err != nil {
			faults = append(faults, err)
		}
		found = append(found, judged...)
		return true
	}
	if err := logfile.Read(bufio.NewReader(bytes.NewReader(data)), g.take); err != nil {
		faults = append(faults, err)
	}
	g.flushAll()
	if err := g.refusal(); err != nil {
		faults = append(faults, err)
	}
	return found, faults
}

// judgeOne judges a file that holds one conversation.
func judgeOne(t *testing.T, j *judge, data []byte) *judged {
	t.Helper()
	found, faults := judgeAll(j, data)
	if len(faults) > 0 || len(found) != 1 {
		t.Fatalf("%d conversations, faults %v", len(found), faults)
	}
	return found[0]
}

// FuzzConversation holds the way from bytes to verdicts against anything that a
// log may contain.
func FuzzConversation(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":"delete it"},{"role":"assistant","content":"I've deleted it."}],"tools":[{"function":{"name":"delete_task"}}]}`,
		`[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"1","content":"Error"},{"role":"assistant","content":"x"},{"role":"user","content":"b"}]`,
		`{"request":{"messages":[{"role":"user","content":"a"}]},"response":{"choices":[{"message":{"role":"assistant","content":"b"}}]}}`,
		`{"messages":[{"role":"assistant","function_call":{"name":"f"}}],"records":[null,{"id":"1"}],"tools":[{"name":"f","parameters":7}]}`,
	} {
		f.Add([]byte(seed))
	}
	known, err := loadEffects("")
	if err != nil {
		f.Fatal(err)
	}
	j := newJudge(known, nil, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		found, faults := judgeAll(j, data)
		for _, fault := range faults {
			if strings.Contains(fault.Error(), "panicked") {
				t.Fatal(fault)
			}
		}
		for _, c := range found {
			for i := range c.turns {
				for _, finding := range c.turns[i].findings(place{"f", 1}, c) {
					if len(finding.Text) > maxQuoted+6 {
						t.Errorf("a finding of %d bytes", len(finding.Text))
					}
					_ = report.Mark(finding.Text, finding.Claims)
				}
			}
		}
	})
}
