package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func recordOf(tool, args string, status tooltrack.Status) *tooltrack.Record {
	return &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(args)}, Result: tooltrack.Result{Status: status}}
}

func repeated(n int, tool string, status tooltrack.Status) (records []*tooltrack.Record) {
	for range n {
		records = append(records, recordOf(tool, `{}`, status))
	}
	return records
}

func TestModeLimits(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "web_search"}, {Name: "web_access"}}
	set := mustSet(t, tools, &Options{Modes: []Mode{QuickLookup(), Research(), {Name: "chat"}, {Name: "free", Calls: Unlimited, PerTool: map[string]int{"web_access": 0}}}, DefaultMode: "quick_lookup"})
	other := recordOf("web_search", `{}`, tooltrack.Succeeded)
	other.Turn = "yesterday"
	ruled := recordOf("web_search", `{}`, tooltrack.Unknown)
	ruled.Ruling.Denied = true
	cases := []struct {
		name, mode, turn string
		history          []*tooltrack.Record
		tool             string
		reason           string
	}{
		{"first call", "", "", nil, "web_search", ""},
		{"second call", "", "", repeated(1, "web_search", tooltrack.Succeeded), "web_search", ""},
		{"third call", "", "", repeated(2, "web_search", tooltrack.Succeeded), "web_access", "quick_lookup mode allows 2 tool calls per turn, and 2 were made; answer with what you have, or use research mode for more"},
		{"failed calls count", "", "", repeated(2, "web_search", tooltrack.Failed), "web_access", "quick_lookup mode allows 2 tool calls per turn, and 2 were made; answer with what you have, or use research mode for more"},
		{"running calls count", "", "", repeated(2, "web_search", tooltrack.Pending), "web_access", "quick_lookup mode allows 2 tool calls per turn, and 2 were made; answer with what you have, or use research mode for more"},
		{"denied calls do not", "", "", append(repeated(5, "web_search", tooltrack.Denied), ruled, nil), "web_access", ""},
		{"another turn does not", "", "today", []*tooltrack.Record{other, other, other}, "web_access", ""},
		{"without a turn all do", "", "", []*tooltrack.Record{other, other}, "web_access", "quick_lookup mode allows 2 tool calls per turn, and 2 were made; answer with what you have, or use research mode for more"},
		{"research goes deeper", "research", "", repeated(4, "web_search", tooltrack.Succeeded), "web_search", ""},
		{"limit of one tool", "research", "", repeated(5, "web_search", tooltrack.Succeeded), "web_search", "research mode allows 5 calls of web_search per turn, and 5 were made; use what they returned"},
		{"which other tools do not share", "research", "", repeated(5, "web_search", tooltrack.Succeeded), "web_access", ""},
		{"both limits at once", "research", "", repeated(12, "web_search", tooltrack.Succeeded), "web_search", "research mode allows 12 tool calls per turn, and 12 were made; answer with what you have; research mode allows 5 calls of web_search per turn, and 12 were made; use what they returned"},
		{"no calls at all", "chat", "", nil, "web_search", "chat mode allows 0 tool calls per turn, and 0 were made; answer with what you have"},
		{"no limit", "free", "", repeated(500, "web_search", tooltrack.Succeeded), "web_search", ""},
		{"one tool forbidden", "free", "", nil, "web_access", "free mode allows 0 calls of web_access per turn, and 0 were made; use what they returned"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, err := set.Review(context.Background(), Proposal{Owner: "ada", Mode: c.mode, Turn: c.turn, History: c.history, Call: tooltrack.Call{Tool: c.tool, Args: json.RawMessage(`{}`)}})
			if err != nil || d.Reason != c.reason || d.Allowed() != (c.reason == "") {
				t.Errorf("%s %q, %v, want %q", d.Kind, d.Reason, err, c.reason)
			}
		})
	}
	if d, err := set.Review(context.Background(), Proposal{Mode: "typo", Call: tooltrack.Call{Tool: "web_search"}}); err == nil || d.Allowed() {
		t.Errorf("an unknown mode: %s, %v", d.Kind, err)
	}
}

// reviewInTurn judges calls one after the other, as the guard does with those of
// one message: what was approved before counts as pending in the history.
func reviewInTurn(t *testing.T, set *Set, request Proposal, calls ...tooltrack.Call) (decisions []Decision) {
	t.Helper()
	for _, call := range calls {
		request.Call = call
		decision, err := set.Review(context.Background(), request)
		if err != nil {
			t.Fatal(err)
		}
		decisions = append(decisions, decision)
		if decision.Allowed() {
			request.History = append(request.History, &tooltrack.Record{
				Scope: tooltrack.Scope{Owner: request.Owner, Turn: request.Turn}, Call: call, Result: tooltrack.Result{Status: tooltrack.Pending},
			})
		}
	}
	return decisions
}

func TestBatchIsSplit(t *testing.T) {
	set := mustSet(t, []tooltrack.Tool{{Name: "web_search"}, {Name: "web_access"}}, &Options{Modes: []Mode{{Name: "m", Calls: 2}}})
	call := func(tool, raw string) tooltrack.Call { return tooltrack.Call{Tool: tool, Args: json.RawMessage(raw)} }
	decisions := reviewInTurn(t, set, Proposal{Owner: "ada", Mode: "m", Turn: "t"},
		call("web_search", `{`), call("web_search", `{}`), call("nobody", `{}`), call("web_access", `{}`), call("web_search", `{}`))
	var rules []string
	for _, d := range decisions {
		rules = append(rules, d.Kind.String()+" "+d.Rule)
	}
	if got, want := fmt.Sprint(rules), "[deny json approve  deny unknown_tool approve  deny mode]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The prompt and the limiter cannot disagree: the numbers in the text are read
// back and tried.
func TestGuidelinesSayWhatTheLimiterDoes(t *testing.T) {
	inAll := regexp.MustCompile(`Maximum: (\d+) tool calls? per turn`)
	perTool := regexp.MustCompile(`- (\w+): at most (\d+) calls? per turn`)
	for calls := range 6 {
		for most := range 4 {
			mode := Mode{Name: "m", Calls: calls, PerTool: map[string]int{"web_search": most}}
			set := mustSet(t, []tooltrack.Tool{{Name: "web_search"}, {Name: "web_access"}}, &Options{Modes: []Mode{mode}, DefaultMode: "m"})
			text, err := set.Guidelines("")
			if err != nil {
				t.Fatal(err)
			}
			allowed := func(tool string) int {
				calls := make([]tooltrack.Call, 10)
				for i := range calls {
					calls[i] = tooltrack.Call{Tool: tool, Args: json.RawMessage(`{}`)}
				}
				n := 0
				for _, d := range reviewInTurn(t, set, Proposal{Owner: "ada"}, calls...) {
					if d.Allowed() {
						n++
					}
				}
				return n
			}
			said, _ := strconv.Atoi(inAll.FindStringSubmatch(text)[1])
			if got := allowed("web_access"); got != said {
				t.Errorf("the text says %d calls, %d are allowed", said, got)
			}
			match := perTool.FindStringSubmatch(text)
			saidOfTool, _ := strconv.Atoi(match[2])
			if got := allowed(match[1]); got != min(said, saidOfTool) {
				t.Errorf("the text says %d of %s, %d are allowed", saidOfTool, match[1], got)
			}
		}
	}
}

func TestGuidelinesGolden(t *testing.T) {
	set := mustSet(t, nil, &Options{Modes: []Mode{QuickLookup(), Research(), {Name: "chat"}, {Name: "free", Calls: Unlimited}}})
	text := ""
	for _, mode := range []string{"quick_lookup", "research", "chat", "free"} {
		guidelines, err := set.Guidelines(mode)
		if err != nil {
			t.Fatal(err)
		}
		text += "## " + mode + "\n" + guidelines + "\n"
	}
	golden.Check(t, "guidelines.txt", text)
	if text, err := set.Guidelines(""); text != "" || err != nil {
		t.Errorf("without a mode: %q, %v", text, err)
	}
	if _, err := set.Guidelines("typo"); err == nil {
		t.Error("an unknown mode has guidelines")
	}
}
