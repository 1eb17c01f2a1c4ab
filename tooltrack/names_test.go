package tooltrack_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestToolNames(t *testing.T) {
	for name, valid := range map[string]bool{
		"azAZ09_-.:": true, strings.Repeat("x", tooltrack.MaxToolName): true, strings.Repeat("x", tooltrack.MaxToolName+1): false,
		"a@": false, "a[": false, "a`": false, "a{": false, "a/": false, "a;": false, "a,": false, "a b": false, "löschen": false,
	} {
		if err := (tooltrack.Tool{Name: name}).Validate(); (err == nil) != valid {
			t.Errorf("%q: %v, want it valid: %v", name, err, valid)
		}
	}
}

func TestEffectsThatAreNotDeclared(t *testing.T) {
	if err := (tooltrack.Tool{Name: "x", Effect: tooltrack.Verifies}).Validate(); err != nil {
		t.Error(err)
	}
	if err := (tooltrack.Tool{Name: "x", Effect: tooltrack.Verifies + 1}).Validate(); err == nil {
		t.Error("an effect beyond the last one is valid")
	}
}

// A value that has no name yet prints as its number rather than panicking.
func TestNamelessValuesPrintTheirNumber(t *testing.T) {
	for got, want := range map[string]string{
		tooltrack.Effect(4).String(): "effect(4)", tooltrack.Status(6).String(): "status(6)", tooltrack.Grade(3).String(): "grade(3)",
		tooltrack.Effect(255).String(): "effect(255)", tooltrack.Status(255).String(): "status(255)", tooltrack.Grade(255).String(): "grade(255)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An error quotes what it is about, but never more than a line of it, and
// never half a character.
func TestErrorsQuoteAShortPieceOfTheValue(t *testing.T) {
	for _, c := range []struct{ name, value, quoted string }{
		{"short", "writes", "writes"},
		{"as long as may be", strings.Repeat("x", 60), strings.Repeat("x", 60)},
		{"longer", strings.Repeat("x", 61), strings.Repeat("x", 60) + "…"},
		{"a character across the limit", strings.Repeat("x", 59) + "éé", strings.Repeat("x", 59) + "…"},
		{"no text at all", strings.Repeat("\x80", 100), "…"},
	} {
		err := new(tooltrack.Effect).UnmarshalText([]byte(c.value))
		if err == nil || !strings.Contains(err.Error(), `"`+c.quoted+`"`) || !utf8.ValidString(err.Error()) {
			t.Errorf("%s: %v, want it to quote %q", c.name, err, c.quoted)
		}
	}
}

func TestNamesOfAScopeMayHave512Bytes(t *testing.T) {
	ledger := tooltrack.NewLedger(nil, nil)
	longest := strings.Repeat("x", 512)
	if _, err := ledger.Open(tooltrack.Scope{Owner: longest, Conversation: longest, Task: longest, Turn: longest}); err != nil {
		t.Error(err)
	}
	for field, scope := range map[string]tooltrack.Scope{
		"owner":        {Owner: longest + "x", Turn: "t"},
		"conversation": {Owner: "ann", Conversation: longest + "x", Turn: "t"},
		"task":         {Owner: "ann", Task: longest + "x", Turn: "t"},
		"turn":         {Owner: "ann", Turn: longest + "x"},
	} {
		if _, err := ledger.Open(scope); err == nil || !strings.HasPrefix(err.Error(), field+" has 513 bytes") {
			t.Errorf("a longer %s: %v", field, err)
		}
	}
}
