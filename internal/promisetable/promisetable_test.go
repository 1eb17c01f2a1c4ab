package promisetable

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck: a column is written, found again, and told apart from another.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(file, []byte("# Before\n"+begin+end+"\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []Row{{"honest", "an honest turn passes"}, {"once", "a change runs once"}}
	run, wrap := map[string]string{"honest": "yes", "once": "yes"}, map[string]string{"honest": "yes", "once": "no: it does not run it"}
	if err := check(file, rows, Column{"Wrap", wrap}, false); err == nil {
		t.Error("a column that is not there passes")
	}
	for _, column := range []Column{{"Run, Begin", run}, {"Wrap", wrap}} {
		if err := check(file, rows, column, true); err != nil {
			t.Fatal(err)
		}
	}
	for column, seen := range map[string]map[string]string{"Wrap": wrap, "Run, Begin": run} {
		if err := check(file, rows, Column{column, seen}, false); err != nil {
			t.Error(err)
		}
	}
	if err := check(file, rows, Column{"Wrap", run}, false); err == nil || !strings.Contains(err.Error(), "no: it does not run it") {
		t.Errorf("another column: %v", err)
	}
	if err := check(file, rows[:1], Column{"Wrap", wrap}, false); err == nil {
		t.Error("a row too many passes")
	}
	data, err := os.ReadFile(file)
	want := "# Before\n" + begin + "| | `Run`, `Begin` | `Wrap` |\n|---|---|---|\n| an honest turn passes | yes | yes |\n| a change runs once | yes | no: it does not run it |\n" + end + "\nafter\n"
	if err != nil || string(data) != want {
		t.Errorf("%s\nwant %s", data, want)
	}
}
