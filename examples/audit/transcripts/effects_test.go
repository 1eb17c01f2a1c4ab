package transcripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestGuessedEffects(t *testing.T) {
	known, err := loadEffects("")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name   string
		effect tooltrack.Effect
		word   string
	}{
		{"list_invoices", tooltrack.Reads, "list"},
		{"getWeather", tooltrack.Reads, "get"},
		{"files.read", tooltrack.Reads, "read"},
		{"mcp__tracker__search_issues", tooltrack.Reads, "search"},
		{"check_stock", tooltrack.Reads, "check"},
		{"delete_invoice", tooltrack.Changes, "delete"},
		{"sendEmail", tooltrack.Changes, "send"},
		{"memory-write", tooltrack.Changes, "write"},
		{"book_table", tooltrack.Changes, "book"},
		{"upsert_row", tooltrack.Changes, "upsert"},
		{"run_tests", tooltrack.Verifies, "tests"},
		{"run_thing", tooltrack.UnknownEffect, ""},
		{"tests", tooltrack.Verifies, "tests"},
		{"lint", tooltrack.Verifies, "lint"},
		{"run_linter", tooltrack.Verifies, "linter"},
		{"git_diff", tooltrack.Verifies, "diff"},
		{"weather", tooltrack.Reads, "weather"},
		{"think", tooltrack.Reads, "think"},
		{"Bash", tooltrack.Changes, "bash"},
		{"run_shell_command", tooltrack.Changes, "run"},
		{"order_cancel", tooltrack.Changes, "cancel"},
		{"order_status", tooltrack.Reads, "status"},
		{"frobnicate", tooltrack.UnknownEffect, ""},
		{"___", tooltrack.UnknownEffect, ""},
	}
	for _, c := range cases {
		if got := known.of(c.name); got.Effect != c.effect || got.word != c.word || got.declared {
			t.Errorf("%s is taken for %s because of %q; want %s because of %q", c.name, got, got.word, c.effect, c.word)
		}
	}
}

func TestDeclaredEffects(t *testing.T) {
	file := filepath.Join(t.TempDir(), "effects.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"list_invoices":"changes","frobnicate":"reads","run_tests":"verifies"}`)
	known, err := loadEffects(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]tooltrack.Effect{"list_invoices": tooltrack.Changes, "frobnicate": tooltrack.Reads, "run_tests": tooltrack.Verifies} {
		if got := known.of(name); got.Effect != want || !got.declared {
			t.Errorf("%s is %s, declared %v", name, got, got.declared)
		}
	}
	for _, broken := range []string{`{"a":"destroys"}`, `["a"]`, `{"a":1}`, `{} {}`, ``} {
		write(broken)
		if _, err := loadEffects(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v, which should name the file", broken, err)
		}
	}
	if _, err := loadEffects(file + ".none"); err == nil {
		t.Error("a file that does not exist was read")
	}
}
