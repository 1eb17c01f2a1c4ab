package tooltrack_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// fact is a body as a tool returned it, and what it says about the call; see
// testdata/bodies.txt.
type fact struct {
	tool, executed, reported, body string
}

func facts(t testing.TB) []fact {
	t.Helper()
	text, err := os.ReadFile("testdata/bodies.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []fact
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.SplitN(line, "\t", 4)
		if len(cells) != 4 {
			t.Fatalf("%q has %d cells, want 4", line, len(cells))
		}
		f := fact{cells[0], cells[1], cells[2], cells[3]}
		if quoted, found := strings.CutPrefix(f.body, "go:"); found {
			if f.body, err = strconv.Unquote(quoted); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		if f.reported == "=" {
			f.reported = f.executed
		}
		all = append(all, f)
	}
	return all
}

// both reads a body as an executor's and as that of a message.
func (f *fact) both(t *testing.T, body string) (executed, reported tooltrack.Result) {
	declared, rest, _ := strings.Cut(f.tool, " ")
	name, args, _ := strings.Cut(rest, " ")
	var effect tooltrack.Effect
	_ = effect.UnmarshalText([]byte(declared)) // anything else is an effect that is not declared
	tool, call := named(strings.TrimSuffix(name, "!"), effect), tooltrack.Call{Tool: name, Args: []byte(args)}
	tool.Returns = strings.HasSuffix(name, "!")
	run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), nil }
	return tooltrack.Execute(t.Context(), tool, call, run, nil), tooltrack.ParseCall(tool, call, body, nil)
}

func told(result tooltrack.Result) string {
	switch {
	case result.Sure():
		return "sure"
	case result.Success() && result.Partly:
		return "partly"
	case result.Success():
		return "doubt"
	}
	return result.Status.String()
}

// TestWhatCountsAsAFact: what a body says of its call, and what only of the
// thing that the call is about.
func TestWhatCountsAsAFact(t *testing.T) {
	for _, f := range facts(t) {
		executed, reported := f.both(t, f.body)
		if told(executed) != f.executed || told(reported) != f.reported {
			t.Errorf("%s: %s\n  executed %s, want %s; reported %s, want %s (%s)",
				f.tool, f.body, told(executed), f.executed, told(reported), f.reported, executed.Doubtful+executed.Error)
		}
		if executed.Grade != tooltrack.Executed && executed.Status != tooltrack.Unknown || reported.Grade != tooltrack.Reported {
			t.Errorf("%s: graded %v and %v", f.body, executed.Grade, reported.Grade)
		}
		if executed.Partly && executed.Sure() || reported.Partly && !reported.Success() {
			t.Errorf("%s: partly done, and %v or %v", f.body, executed.Status, reported.Status)
		}
	}
}

// TestEmptyErrorsSayNothing: a service that always sends an error member says nothing by
// an empty one, wherever it stands in an object.
func TestEmptyErrorsSayNothing(t *testing.T) {
	for _, f := range facts(t) {
		inside, isObject := strings.CutPrefix(f.body, "{")
		if !isObject || !strings.HasPrefix(strings.TrimSpace(inside), `"`) || !strings.HasSuffix(f.body, "}") {
			continue
		}
		executed, reported := f.both(t, f.body)
		for _, empty := range []string{`"error":null`, `"errors":[]`, `"error":""`, `"errors":null,"error":{}`, `"Error":null`} {
			for _, body := range []string{"{" + empty + "," + inside, f.body[:len(f.body)-1] + "," + empty + "}"} {
				also, alsoReported := f.both(t, body)
				if told(also) != told(executed) || also.Error != executed.Error || told(alsoReported) != told(reported) {
					t.Errorf("%s: %s is %s and %s, but %s is %s and %s", f.tool, f.body, told(executed), told(reported), body, told(also), told(alsoReported))
				}
			}
		}
	}
}

// FuzzParseCall: whatever a body holds, both readings end, and a failure that the
// executor's way sees is one for those who see messages, too.
func FuzzParseCall(f *testing.F) {
	for i, seed := range facts(f) {
		if i%4 == 0 { // a seed of each kind; all rows are tests already
			f.Add(seed.tool, seed.body)
		}
	}
	f.Fuzz(func(t *testing.T, tool, body string) {
		executed, reported := (&fact{tool: tool}).both(t, body)
		for _, result := range []tooltrack.Result{executed, reported} {
			if !result.Success() && result.Error == "" {
				t.Errorf("%v without a reason", result.Status)
			}
		}
		if !executed.Success() && reported.Sure() {
			t.Errorf("executed it is %v, and reported a success", executed.Status)
		}
	})
}
