package policy

import (
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Whatever spans calls holds for a set even where a request names nothing and
// the call by itself is beyond reproach.
func TestWhatSpansCallsIsNeverPassedOver(t *testing.T) {
	list := complexity()
	for name, c := range map[string]struct {
		options Options
		rule    string
	}{
		"nothing":   {Options{}, ""},
		"checklist": {Options{Checklist: &list}, "checklist"},
		"mode":      {Options{Modes: []Mode{{Name: "m"}}, DefaultMode: "m"}, "mode"},
	} {
		set := mustSet(t, refactorTools, &c.options)
		reviewOf(t, set, "create_report", `{}`)
		if d := reviewOf(t, set, "create_report", `{}`); d.Rule != c.rule || d.Allowed() != (c.rule == "") {
			t.Errorf("%s: %s by %q: %s", name, d.Kind, d.Rule, d.Reason)
		}
	}
}

// A name that lenient decoders confuse with a declared one is refused, in any
// script; other unknown names are the tool's own affair.
func TestTwinsOfDeclaredNames(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{toolWith("t", `{"properties":{"kind":{"type":"string"},"größe":{"type":"integer"}}}`)}, nil)
	for name, allowed := range map[string]bool{
		"kind": true, "Kind": false, "KIND": false, "\u212aind": false, "ｋｉｎｄ": false, "ki\u200bnd": false, "GRÖSSE": false, "gro\u0308ße": false,
		"kino": true, "kinds": true, "ключ": true, "größen": true, "{ind": true, "kin\u0434": true,
	} {
		if d := reviewOf(t, set, "t", obj(name, "x")); d.Allowed() != allowed {
			t.Errorf("%+q: %s %s", name, d.Kind, d.Reason)
		}
	}
}

// What a schema refuses is not shown to the host's rules.
func TestSchemaRulesStopTheHostsOwn(t *testing.T) {
	schema := Schema(json.RawMessage(`{"type":"array","uniqueItems":true}`))
	for raw, refused := range map[string]bool{`["a","b"]`: false, `["a","a"]`: true} {
		s := &subject{review: new(review), arg: "a"}
		schema.judge(s, valueOf([]byte(raw)))
		if s.bad != refused || (len(s.faults) > 0) != refused {
			t.Errorf("%s: bad %v, %d faults", raw, s.bad, len(s.faults))
		}
	}
}

// Only the ASCII letters have a twin in the other case.
func TestEqualFoldASCII(t *testing.T) {
	for pair, equal := range map[string]bool{"aA": true, "zZ": true, "mM": true, "@`": false, "[{": false, "-\r": false, "aa": true, "aB": false} {
		if got := jsonspan.EqualFoldASCII([]byte(pair[:1]), pair[1:]); got != equal {
			t.Errorf("%q: %v", pair, got)
		}
	}
}
