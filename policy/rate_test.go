package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestRates(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "send"}, {Name: "read"}}, &Options{
		Rates: map[string]Rate{"send": {Calls: 2, Per: time.Minute}},
		Rules: ruleFor("send", Arg("n", Range(1, 5))),
	})
	now := clockAt("2026-03-01")
	call := func(owner, tool, raw string) Decision {
		t.Helper()
		d, err := set.Review(context.Background(), Proposal{Owner: owner, Now: now, Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(raw)}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for range 10 { // denied calls cost nothing
		if d := call("ada", "send", `{"n":9}`); d.Rule != "range" {
			t.Fatalf("rule %s", d.Rule)
		}
	}
	for i := range 2 {
		if d := call("ada", "send", `{"n":1}`); d.Kind != Approve {
			t.Fatalf("call %d: %s", i, d.Reason)
		}
	}
	if d := call("ada", "send", `{"n":1}`); d.Rule != "rate" || d.Reason != "send may be called 2 times per 1 minute; wait 30 seconds before the next call" {
		t.Errorf("third call: %s: %s", d.Rule, d.Reason)
	}
	if d := call("eve", "send", `{}`); d.Kind != Approve {
		t.Errorf("another owner: %s", d.Reason)
	}
	if d := call("ada", "read", `{}`); d.Kind != Approve {
		t.Errorf("another tool: %s", d.Reason)
	}
	now = now.Add(29 * time.Second)
	if d := call("ada", "send", `{"n":1}`); d.Reason != "send may be called 2 times per 1 minute; wait 1 second before the next call" {
		t.Errorf("a second early: %s", d.Reason)
	}
	now = now.Add(time.Second)
	if d := call("ada", "send", `{"n":1}`); d.Kind != Approve {
		t.Errorf("after the wait: %s", d.Reason)
	}
	if d, err := set.Review(context.Background(), Proposal{Now: now, Call: tooltrack.Call{Tool: "send"}}); err == nil || d.Allowed() {
		t.Errorf("without an owner: %s, %v", d.Kind, err)
	}
}

func TestRatesAreBounded(t *testing.T) {
	r, err := newRates(map[string]Rate{"send": {Calls: 1, Per: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	now := clockAt("2026-03-01")
	take := func(owner string) bool {
		d, err := r.take(&Proposal{Owner: owner, Call: tooltrack.Call{Tool: "send"}}, now)
		if err != nil {
			t.Fatal(err)
		}
		return d.Rule == ""
	}
	for i := range maxLimiters {
		if !take(fmt.Sprint(i)) {
			t.Fatalf("owner %d is refused", i)
		}
	}
	if take("one too many") {
		t.Error("the memory of rate limits grows without bound")
	}
	now = now.Add(2 * time.Hour) // all allowances are full again
	if !take("one more") || len(r.limiters) > 1 {
		t.Errorf("after a sweep %d limiters are left", len(r.limiters))
	}
}
