package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Nesting is what lies inside each other, not what lies side by side.
func TestSiblingsAddNoDepth(t *testing.T) {
	for name, element := range map[string]string{"lists": `[]`, "full lists": `[1]`, "objects": `{}`, "full objects": `{"b":1}`, "both": `[{"b":[{}]}]`} {
		raw := `{"a":[` + strings.Repeat(element+",", 3*MaxDepth) + element + `]}`
		if _, err := Decode([]byte(raw)); err != nil {
			t.Errorf("many %s side by side: %v", name, err)
		}
	}
}

func TestSizeOfArguments(t *testing.T) {
	frame := len(`{"a":""}`)
	for extra, fits := range map[int]bool{0: true, 1: false} {
		text := strings.Repeat("x", MaxArgsBytes-frame+extra)
		if _, err := Decode([]byte(`{"a":"` + text + `"}`)); (err == nil) != fits {
			t.Errorf("%d bytes beyond the limit: %v", extra, err)
		}
	}
}

func TestTimesOfADay(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", Date(DateWindow{YearsBack: 100, YearsAhead: 100})))})
	for text, valid := range map[string]bool{
		"2026-03-15T00:00:00Z": true, "2026-03-15t23:59:59z": true, "2026-03-15T24:00:00Z": false, "2026-03-15T23:60:00Z": false, "2026-03-15T23:59:60Z": false,
		"2026-03-15T10:00:00+00:00": true, "2026-03-15T10:00:00-23:59": true, "2026-03-15T10:00:00+24:00": false, "2026-03-15T10:00:00+23:60": false,
		"2026-03-15T10:00:00*01:00": false, "2026-03-15T10:00:00+01.00": false, "2026-03-15T10:00:00+0100": false, "2026-03-15T10:00:00": false,
		"2026-03-15T10:00:00.9Z": true, "2026-03-15T10:00:00.099Z": true, "2026-03-15T10:00:00.Z": false, "2026-03-15T10:00:00.9": false, "2026-03-15T10:00:00.:Z": false,
	} {
		if d := reviewOf(t, set, "t", obj("a", text)); (d.Kind == Approve) != valid {
			t.Errorf("%s: %s %s", text, d.Kind, d.Reason)
		}
	}
}

func TestDatesFarAway(t *testing.T) {
	for years, valid := range map[int]bool{-1: false, 0: true, 1000: true, 1001: false} {
		for _, window := range []DateWindow{{YearsBack: years}, {YearsAhead: years}} {
			if err := window.Validate(); (err == nil) != valid {
				t.Errorf("%+v: %v", window, err)
			}
		}
	}
	now := clockAt("2026-02-08")
	for text, want := range map[string]string{
		"in 0 days": "2026-02-08", "in 1000 days": "2028-11-04", "in 1001 days": "", "in two years": "2028-02-08", "on on Monday": "",
		"tomorrow" + strings.Repeat(".", 32): "2026-02-09", "tomorrow" + strings.Repeat(".", 33): "",
	} {
		date, ok := relativeDate(text, now)
		if got := date.Format(time.DateOnly); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v, want %q", text, got, ok, want)
		}
	}
	for window, want := range map[DateWindow]string{{}: " in the current year", {YearsBack: 1, YearsAhead: 2}: ", from 1 year back to 2 years ahead"} {
		if got := strings.TrimPrefix(Date(window).text, "a date as YYYY-MM-DD"); got != want {
			t.Errorf("%+v is described as %q", window, got)
		}
	}
}

func TestLengthsOfURLs(t *testing.T) {
	web := new(Web)
	label := strings.Repeat("a", 61)
	host := strings.Join([]string{label, label, label, label, "a.com"}, ".") // 4*61 + 4 + 5
	if len(host) != 253 {
		t.Fatalf("the host has %d characters", len(host))
	}
	const page = "https://example.com/"
	for url, valid := range map[string]bool{
		"https://" + host + "/": true, "https://b" + host + "/": false, "https://" + host + "./": true,
		page + strings.Repeat("x", maxURL-len(page)): true, page + strings.Repeat("x", maxURL-len(page)+1): false,
	} {
		if _, fault := web.checkURL(url); (fault == nil) != valid {
			t.Errorf("a URL of %d bytes: %v", len(url), fault)
		}
	}
}

func TestRatesMustBePositive(t *testing.T) {
	for rate, valid := range map[Rate]bool{
		{Calls: 1, Per: 1}: true, {Calls: 0, Per: time.Second}: false, {Calls: -1, Per: time.Second}: false,
		{Calls: 1}: false, {Calls: 1, Per: -1}: false, {Calls: 1, Per: time.Second, Burst: 1}: true, {Calls: 1, Per: time.Second, Burst: -1}: false,
	} {
		if _, err := New([]tooltrack.Tool{{Name: "send"}}, &Options{Rates: map[string]Rate{"send": rate}}); (err == nil) != valid {
			t.Errorf("%+v: %v", rate, err)
		}
	}
}

// The advice is never too early and never precise beyond need.
func TestTimeToWait(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		1: "10ms", 10 * time.Millisecond: "10ms", 11 * time.Millisecond: "20ms", 995 * time.Millisecond: "1s",
		time.Second: "1s", time.Second + 1: "2s", 90 * time.Second: "1m30s",
	} {
		if got := roundUp(wait).String(); got != want {
			t.Errorf("%s is told as %s, want %s", wait, got, want)
		}
	}
}

// A check that allows exactly one value is narrow, not empty.
func TestNarrowChecks(t *testing.T) {
	for name, c := range map[string]struct {
		check Check
		valid bool
	}{
		"length": {Length(3, 3), true}, "bytes": {Bytes(3, 3), true}, "range": {Range(3, 3), true}, "between": {Between(3, 3), true}, "truncate": {Truncate(1), true}, "charset": {Charset("a-a"), true},
		"no length": {Length(4, 3), false}, "no bytes": {Bytes(4, 3), false}, "no range": {Range(4, 3), false}, "nothing between": {Between(4, 3), false},
		"nothing left": {Truncate(0), false}, "charset backwards": {Charset("b-a"), false}, "charset beyond ASCII": {Charset("a-\x80"), false}, "charset up to the end": {Charset("a-\x7f"), true},
	} {
		if _, err := New([]tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", c.check))}); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for least, want := range map[int]string{0: "at most 3 characters", 1: "1 to 3 characters"} {
		if got := Length(least, 3).text; got != want {
			t.Errorf("%d to 3 is told as %q", least, got)
		}
	}
}

// A text counts by what can be seen of it, at both of its ends.
func TestAtLeastCountsWhatCanBeSeen(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", AtLeast(2)))})
	for text, valid := range map[string]bool{
		"": false, "x": false, "xy": true, " x ": false, "x       ": false, "       x": false, "        ": false, "!~": true, "x      y": true,
		"日": false, "日本": true, "\u200b\u200b\u200b": false, " 日 ": false,
	} {
		if d := reviewOf(t, set, "t", obj("a", text)); (d.Kind == Approve) != valid {
			t.Errorf("%q: %s %s", text, d.Kind, d.Reason)
		}
	}
}

func TestLongNumbersAreNotQuotedWhole(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "t"}}, &Options{Rules: ruleFor("t", Arg("a", Cap(20)), Arg("pin", Cap(20)))})
	for digits, whole := range map[int]bool{2: true, 40: true, 41: false, 300: false} {
		number := strings.Repeat("9", digits)
		d := reviewOf(t, set, "t", `{"a":`+number+`}`)
		if d.Kind != Rewrite || strings.Contains(d.Reason, "was "+number+" and") != whole || len(d.Reason) > 100 {
			t.Errorf("%d digits: %s %s", digits, d.Kind, d.Reason)
		}
	}
	if d := reviewOf(t, set, "t", `{"pin":1234}`); d.Kind != Rewrite || strings.Contains(d.Reason, "1234") {
		t.Errorf("a secret: %s %s", d.Kind, d.Reason)
	}
}

// A value that has no name prints as its number rather than panicking.
func TestNamelessValues(t *testing.T) {
	if got := fmt.Sprint(DecisionKind(len(decisionNames)), DecisionKind(255), Kind(len(kindNames)), Kind(255)); strings.Contains(got, "PANIC") || strings.Count(got, "255") != 2 {
		t.Errorf("they print as %s", got)
	}
}
