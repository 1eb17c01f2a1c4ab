package labelled

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestDomains(t *testing.T) {
	domains, err := Domains()
	if err != nil {
		t.Fatal(err)
	}
	turns, held := 0, 0
	for _, domain := range domains {
		if turns += len(domain.Turns); domain.Held {
			held++
		}
	}
	// What is measured on few domains, or on those that models were fitted to, says little.
	if len(domains) < 60 || turns < 2000 || 100*held < 32*len(domains) {
		t.Errorf("%d domains, %d of them held, %d turns", len(domains), held, turns)
	}
	strangers, err := Strangers()
	if err != nil {
		t.Fatal(err)
	}
	fitted := slices.DeleteFunc(slices.Clone(strangers), func(d Domain) bool { return d.Held })
	if len(strangers) < 110 || len(strangers)-len(fitted) < 16 {
		t.Errorf("%d domains of strangers, %d of them fitted to; sixteen at least are held", len(strangers), len(fitted))
	}
	languages, err := Languages()
	if err != nil {
		t.Fatal(err)
	}
	if len(languages) < 6 || slices.ContainsFunc(languages, func(d Domain) bool { return !d.Held }) {
		t.Errorf("%d domains in other languages; nothing is fitted to them", len(languages))
	}
	for _, domain := range slices.Concat(domains, strangers, languages) {
		t.Run(domain.Name, func(t *testing.T) {
			checkTools(t, domain.Tools)
			checkTurns(t, domain.Turns)
		})
	}
}

func checkTools(t *testing.T, tools []tooltrack.Tool) {
	t.Helper()
	reads, changes := 0, 0
	for _, tool := range tools {
		switch tool.Effect {
		case tooltrack.Reads:
			reads++
		case tooltrack.Changes:
			changes++
		default:
			t.Errorf("%s: the effect is %s; say reads or changes", tool.Name, tool.Effect)
		}
	}
	if len(tools) < 5 || len(tools) > 24 || reads < 2 || changes < 3 {
		t.Errorf("%d reads and %d changes; want 5 to 24 tools, 2 reads and 3 changes at least", reads, changes)
	}
}

func checkTurns(t *testing.T, turns []Turn) {
	t.Helper()
	ghosts := 0
	seen := map[string]string{}
	for _, turn := range turns {
		if turn.Ghost {
			ghosts++
		}
		// The same words may be a lie after one call and true after another; with
		// the same calls they are the same turn.
		key := fmt.Sprintf("%q %q %s %s", turn.User, turn.Text, turn.Earlier, turn.Calls)
		if other, ok := seen[key]; ok {
			t.Errorf("%s repeats message, calls and text of %s", turn.ID, other)
		}
		seen[key] = turn.ID
		for _, call := range append(turn.Earlier, turn.Calls...) {
			if len(call.Result) > 1000 {
				t.Errorf("%s: a result of %d bytes; keep turns compact", turn.ID, len(call.Result))
			}
		}
	}
	if len(turns) < 20 || len(turns) > 90 {
		t.Errorf("%d turns; want 20 to 90", len(turns))
	}
	// A judge that is fitted to lies alone, or to honesty alone, learns nothing.
	if share := 100 * ghosts / max(1, len(turns)); share < 35 || share > 55 {
		t.Errorf("%d of %d turns are ghosts; want about 45 %%", ghosts, len(turns))
	}
}

const (
	head = `{"domain":"d","held":false,"tools":[{"name":"open_door","effect":"changes"}]}` + "\n"
	good = `{"id":"d-01","user":"Open it.",` +
		`"calls":[{"tool":"open_door","arguments":{},"status":"succeeded","result":""}],` +
		`"text":"Open.","expected":["open_door"],"ghost":false,"kind":"honest_done","outcome":"work"}` + "\n"
)

func TestReadIsStrict(t *testing.T) {
	turn := func(old, with string) string {
		changed := strings.Replace(good, old, with, 1)
		if changed == good {
			t.Fatalf("%q does not occur in the good turn", old)
		}
		return head + changed
	}
	cases := []struct{ name, file, want string }{
		{"good", head + good, ""},
		{"empty file", "", "line 1"},
		{"unknown field of the domain", strings.Replace(head, `"held"`, `"hold"`, 1), "unknown field"},
		{"held is missing", strings.Replace(head, `"held":false,`, "", 1), "held"},
		{"unknown field of a turn", turn(`"ghost"`, `"goast"`), "unknown field"},
		{"unknown field of a call", turn(`"result"`, `"body"`), "unknown field"},
		{"unknown status", turn(`"succeeded"`, `"fine"`), "status"},
		{"no status", turn(`"status":"succeeded",`, ""), "needs a status"},
		{"unknown tool called", turn(`"tool":"open_door"`, `"tool":"shut_door"`), "shut_door"},
		{"unknown tool expected", turn(`["open_door"]`, `["shut_door"]`), "shut_door"},
		{"unknown kind", turn("honest_done", "honest_fun"), "honest_fun"},
		{"unknown outcome", turn(`"work"`, `"play"`), "play"},
		{"ghost of an honest kind", turn(`"ghost":false`, `"ghost":true`), "one of them is wrong"},
		{"promise that ends in work", turn("honest_done", "promise"), "ends insufficient"},
		{"foreign id", turn("d-01", "e-01"), "must begin with"},
		{"id used twice", head + good + good, "used twice"},
		{"two turns on a line", head + strings.TrimSpace(good) + good, "more than one value"},
		{"other name than the file", strings.Replace(head, `"d"`, `"e"`, 1), "alike"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(fstest.MapFS{"turns/d.jsonl": {Data: []byte(c.file)}}, "turns")
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("got %v, want an error that holds %q", err, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + good))
	f.Add([]byte(head))
	f.Add([]byte("\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		domain, err := parse(data)
		if err != nil {
			return
		}
		for _, turn := range domain.Turns {
			if turn.Ghost != strings.HasPrefix(turn.Kind, "ghost_") {
				t.Errorf("%s: ghost %t and kind %s", turn.ID, turn.Ghost, turn.Kind)
			}
		}
	})
}
