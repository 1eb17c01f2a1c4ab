package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/golden"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// sampleTools are tools that the sample rules know by name, and a few that they
// know by their arguments.
func sampleTools() []tooltrack.Tool {
	return []tooltrack.Tool{
		{Name: "web_search"}, {Name: "web_access"}, {Name: "memory_query"}, {Name: "memory_write"}, {Name: "retrieve_context"},
		{Name: "list_tasks", Effect: tooltrack.Reads, Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		{Name: "create_task", Parameters: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}`)},
		{Name: "anything_else"},
	}
}

// sample is what differs between the rules of these tests.
type sample struct {
	long       Check // of a query
	due        DateWindow
	namespaces []Check
}

// sampleRules are rules such as an agent with a search, a memory and tasks has.
func sampleRules(change func(*sample)) Rules {
	s := sample{Truncate(500), DateWindow{YearsBack: 1, YearsAhead: 10}, []Check{OneOf("default", "personal", "research", "notes_journal")}}
	if change != nil {
		change(&s)
	}
	return Rules{
		Tools: map[string][]Argument{
			"web_access": {Arg("url", Required(), PublicURL(nil))},
			"web_search": {
				Arg("query", Required(), AtLeast(2), s.long), Arg("max_results", Cap(20).Saying(""), Range(1, 20)),
			},
			"memory_query": {
				Arg("query", Required(), NotBlank()), Arg("top_k", Cap(50).Saying(""), Range(1, 50).Saying("1 to 50 (5 if left out)")),
			},
			"memory_write": {
				Arg("content", Required(), NotBlank(), Bytes(1, 50_000)), Arg("namespace", s.namespaces...), Arg("metadata", Type(Object)),
			},
			"retrieve_context": {Arg("chunk_id", Required(), Length(1, 200), Charset("a-zA-Z0-9_-"))},
		},
		Named: []Argument{
			Arg("title", NotBlank(), Length(1, 500)),
			Arg("priority", OneOf("low", "medium", "high")),
			Arg("status", OneOf("pending", "in_progress", "completed", "cancelled")),
			Arg("due_date", Date(s.due)),
		},
		Optional: []string{
			"web_access", "web_search", "memory_query", "memory_write", "retrieve_context",
			"title", "priority", "status", "due_date",
		},
	}
}

func sampleSet(t testing.TB, change func(*sample)) *Set {
	t.Helper()
	set, err := New(sampleTools(), &Options{Rules: sampleRules(change)})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// reviewOf judges a call on Sunday, 1 March 2026.
func reviewOf(t testing.TB, set *Set, tool, raw string) Decision {
	t.Helper()
	decision, err := set.Review(context.Background(), Proposal{Owner: "ada", Now: clockAt("2026-03-01"), Call: tooltrack.Call{Tool: tool, Args: json.RawMessage(raw)}})
	if err != nil {
		t.Fatalf("%s(%.80s): %v", tool, raw, err)
	}
	return decision
}

func obj(name string, value any, more ...any) string {
	fields := map[string]any{name: value}
	for i := 0; i+1 < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestSampleRules(t *testing.T) {
	approve, rewrite, deny := Approve, Rewrite, Deny
	query := func(s string) string { return obj("query", s) }
	task := func(due any) string { return obj("title", "Pay rent", "due_date", due) }
	cases := []struct {
		name, tool, raw string
		want            DecisionKind
	}{
		// A1
		{"blank for a tool without required arguments", "list_tasks", "", approve},
		{"white space for a tool without required arguments", "list_tasks", " \n", approve},
		{"blank for a tool with required arguments", "web_search", "", deny},
		{"blank where the schema requires", "create_task", "", deny},
		{"null is no object", "list_tasks", "null", deny},
		{"white space around", "web_search", " \n {\"query\":\"cats\"}\t", approve},
		{"one layer of string encoding", "web_search", `"{\"query\":\"cats\"}"`, rewrite},
		{"one layer around blank", "list_tasks", `""`, deny},
		{"one layer around an array", "list_tasks", `"[]"`, deny},
		{"two layers", "web_search", `"\"{\\\"query\\\":\\\"cats\\\"}\""`, deny},
		{"one layer around duplicates", "web_search", `"{\"query\":\"cats\",\"query\":\"dogs\"}"`, deny},
		{"one layer and text behind it", "web_search", `"{\"query\":\"cats\"}" x`, deny},
		{"one layer around a lone surrogate", "web_search", `"{\"query\":\"cats\\ud800\"}"`, deny},
		{"glued calls", "web_search", `{"query":"cats"}{"query":"dogs"}`, deny},
		{"lines of JSON", "web_search", "{\"query\":\"cats\"}\n{\"query\":\"dogs\"}", deny},
		{"cut off", "web_search", `{"query":"cats"`, deny},
		{"fenced", "web_search", "```json\n{\"query\":\"cats\"}\n```", deny},
		// A3, A4
		{"duplicate key", "web_search", `{"query":"cats","query":"dogs"}`, deny},
		{"key in other case beside it", "web_search", `{"query":"cats","Query":"dogs"}`, deny},
		{"key in other case alone", "web_search", `{"Query":"cats"}`, deny},
		{"optional key in other case", "web_search", `{"query":"cats","Max_Results":5000}`, deny},
		{"optional key with a Kelvin sign", "memory_query", `{"query":"cats","top_K":5000}`, deny},
		{"key with a dotless i beside it", "retrieve_context", `{"chunk_id":"a","chunk_ıd":"b"}`, deny},
		{"key with a dotted I beside it", "retrieve_context", `{"chunk_id":"a","CHUNK_İD":"b"}`, deny},
		{"user_id with a dotless i", "list_tasks", `{"user_ıd":"eve"}`, deny},
		{"key with another script's letter beside it", "retrieve_context", `{"chunk_id":"a","chunk_іd":"b"}`, approve},
		{"escaped key", "web_search", `{"qu\u0065ry":"cats"}`, approve},
		{"escaped key, rewritten value", "web_search", `{"query":"cats","max_r\u0065sults":99}`, rewrite},
		{"unknown argument", "web_search", `{"query":"cats","lang":"en"}`, approve},
		// A5, A6
		{"null where required", "web_search", `{"query":null}`, deny},
		{"null where optional", "web_search", `{"query":"cats","max_results":null}`, approve},
		{"number for a string", "web_search", `{"query":5}`, deny},
		{"object for a string", "web_search", `{"query":{}}`, deny},
		{"string for a number", "web_search", `{"query":"cats","max_results":"5"}`, deny},
		{"list for a number", "web_search", `{"query":"cats","max_results":[5]}`, deny},
		{"boolean for a number", "web_search", `{"query":"cats","max_results":true}`, deny},
		// A7
		{"NUL", "web_search", `{"query":"cats\u0000"}`, deny},
		{"NUL in an argument without rules", "web_search", `{"query":"cats","x":"\u0000"}`, deny},
		// A10: edge pairs, multi-byte and escaped
		{"one character", "web_search", query("a"), deny},
		{"two characters", "web_search", query("go"), approve},
		{"one multi-byte character", "web_search", query("日"), deny},
		{"two multi-byte characters", "web_search", query("日本"), approve},
		{"one character, escaped pair", "web_search", `{"query":"\ud83d\ude00"}`, deny},
		{"two characters, escaped", "web_search", `{"query":"\u0067\u006f"}`, approve},
		{"one character and white space", "web_search", query(" a "), deny},
		{"two characters and white space", "web_search", query(" go "), approve},
		{"one character and a no-break space", "web_search", query("\u00a0a\u00a0"), deny},
		{"letter and combining mark", "web_search", query("e\u0301"), approve},
		{"one character and a zero-width space", "web_search", query("a\u200b"), deny},
		{"one character between what cannot be seen", "web_search", query("\ufeff \u202ea\u2060 "), deny},
		{"two characters around a zero-width space", "web_search", query("a\u200bb"), approve},
		{"two characters after a mark of direction", "web_search", query("\u200fשם"), approve},
		{"heart and variation selector", "web_search", query("❤️"), approve},
		{"empty", "web_search", query(""), deny},
		{"white space", "web_search", query("     "), deny},
		{"ideographic spaces", "web_search", query("\u3000\u3000\u3000"), deny},
		{"invisible", "web_search", query("\u200b\u200b\u200b"), deny},
		{"soft hyphens", "web_search", query("\u00ad\u00ad"), deny},
		{"byte order marks", "web_search", query("\ufeff\ufeff"), deny},
		{"Hangul fillers", "web_search", query("\u3164\u3164"), deny},
		{"tags", "web_search", query("\U000e0041\U000e0042"), deny},
		{"bidi controls", "web_search", query("\u202e\u2066\u2069"), deny},
		{"empty Braille cells", "web_search", query("\u2800\u2800"), deny},
		{"control characters", "web_search", query("\x01\x02\x1f"), deny},
		{"variation selectors", "web_search", query("\ufe0f\ufe0f"), deny},
		{"500 characters", "web_search", query(strings.Repeat("a", 500)), approve},
		{"501 characters", "web_search", query(strings.Repeat("a", 501)), rewrite},
		{"501 characters, most of them invisible and around", "web_search", query(strings.Repeat("\u200b", 499) + "go"), rewrite},
		{"500 multi-byte characters", "web_search", query(strings.Repeat("日", 500)), approve},
		{"501 multi-byte characters", "web_search", query(strings.Repeat("日", 501)), rewrite},
		{"500 escaped characters", "web_search", `{"query":"` + strings.Repeat(`\u65e5`, 500) + `"}`, approve},
		{"501 escaped characters", "web_search", `{"query":"` + strings.Repeat(`\u65e5`, 501) + `"}`, rewrite},
		{"500 escaped pairs", "web_search", `{"query":"` + strings.Repeat(`\ud83d\ude00`, 500) + `"}`, approve},
		{"hostile text is a query, too", "web_search", query(`"; DROP TABLE tasks;-- <script>${x}`), approve},
		// A11
		{"no results", "web_search", `{"query":"cats","max_results":0}`, deny},
		{"minus zero results", "web_search", `{"query":"cats","max_results":-0}`, deny},
		{"negative results", "web_search", `{"query":"cats","max_results":-1}`, deny},
		{"hugely negative results", "web_search", `{"query":"cats","max_results":-1e400}`, deny},
		{"one result", "web_search", `{"query":"cats","max_results":1}`, approve},
		{"20 results", "web_search", `{"query":"cats","max_results":20}`, approve},
		{"20.0 results", "web_search", `{"query":"cats","max_results":20.0}`, approve},
		{"2e1 results", "web_search", `{"query":"cats","max_results":2e1}`, approve},
		{"20.5 results", "web_search", `{"query":"cats","max_results":20.5}`, deny},
		{"0.5 results", "web_search", `{"query":"cats","max_results":5e-1}`, deny},
		{"21 results", "web_search", `{"query":"cats","max_results":21}`, rewrite},
		{"1e400 results", "web_search", `{"query":"cats","max_results":1e400}`, deny},
		{"2^64 + 5 results", "web_search", `{"query":"cats","max_results":18446744073709551621}`, rewrite},
		// A20
		{"public URL", "web_access", obj("url", "https://example.com/"), approve},
		{"metadata service", "web_access", obj("url", "http://169.254.169.254/"), deny},
		{"escaped URL of the metadata service", "web_access", `{"url":"http:\/\/169.254.169.\u0032\u0035\u0034/"}`, deny},
		{"list of URLs", "web_access", `{"url":["https://example.com/"]}`, deny},
		{"no URL", "web_access", `{}`, deny},
		{"white space before the URL", "web_access", obj("url", " https://example.com/"), deny},
		{"second URL in other case", "web_access", `{"url":"https://example.com/","URL":"http://127.0.0.1/"}`, deny},
		// A30
		{"top_k 1", "memory_query", `{"query":"x y","top_k":1}`, approve},
		{"top_k 10", "memory_query", `{"query":"x y","top_k":10}`, approve},
		{"top_k 50", "memory_query", `{"query":"x y","top_k":50}`, approve},
		{"top_k 51", "memory_query", `{"query":"x y","top_k":51}`, rewrite},
		{"top_k 0", "memory_query", `{"query":"x y","top_k":0}`, deny},
		{"top_k 5.0", "memory_query", `{"query":"x y","top_k":5.0}`, approve},
		{"top_k left out", "memory_query", `{"query":"x y"}`, approve},
		{"one character to remember", "memory_query", `{"query":"x"}`, approve},
		{"user_id", "memory_query", `{"query":"x y","user_id":"eve"}`, deny},
		{"userId", "memory_query", `{"query":"x y","userId":"eve"}`, deny},
		{"USER_ID", "list_tasks", `{"USER_ID":"eve"}`, deny},
		{"null user_id", "list_tasks", `{"user_id":null}`, approve},
		// A40
		{"one byte", "memory_write", obj("content", "x"), approve},
		{"no content", "memory_write", `{}`, deny},
		{"empty content", "memory_write", obj("content", ""), deny},
		{"blank content", "memory_write", obj("content", " \n\t"), deny},
		{"invisible content", "memory_write", obj("content", "\u200b\u2060"), deny},
		{"50,000 bytes", "memory_write", obj("content", strings.Repeat("x", 50_000)), approve},
		{"50,001 bytes", "memory_write", obj("content", strings.Repeat("x", 50_001)), deny},
		{"49,998 bytes of three-byte characters", "memory_write", obj("content", strings.Repeat("日", 16_666)), approve},
		{"50,001 bytes of three-byte characters", "memory_write", obj("content", strings.Repeat("日", 16_667)), deny},
		{"50,000 bytes, escaped", "memory_write", `{"content":"` + strings.Repeat(`\u0041`, 50_000) + `"}`, approve},
		{"50,001 bytes, escaped", "memory_write", `{"content":"` + strings.Repeat(`\u0041`, 50_001) + `"}`, deny},
		{"50,000 bytes of escaped pairs", "memory_write", `{"content":"` + strings.Repeat(`\ud83d\ude00`, 12_500) + `"}`, approve},
		{"50,004 bytes of escaped pairs", "memory_write", `{"content":"` + strings.Repeat(`\ud83d\ude00`, 12_501) + `"}`, deny},
		{"content is an object", "memory_write", `{"content":{"a":1}}`, deny},
		{"known namespace", "memory_write", obj("content", "x", "namespace", "notes_journal"), approve},
		{"unknown namespace", "memory_write", obj("content", "x", "namespace", "other"), deny},
		{"namespace in other case", "memory_write", obj("content", "x", "namespace", "Default"), deny},
		{"namespace with a space", "memory_write", obj("content", "x", "namespace", "default "), deny},
		{"empty namespace", "memory_write", obj("content", "x", "namespace", ""), deny},
		{"path as namespace", "memory_write", obj("content", "x", "namespace", "default/../admin"), deny},
		{"look-alike namespace", "memory_write", obj("content", "x", "namespace", "dеfault"), deny},
		{"namespace null", "memory_write", `{"content":"x","namespace":null}`, approve},
		{"list of namespaces", "memory_write", `{"content":"x","namespace":["default"]}`, deny},
		{"metadata object", "memory_write", `{"content":"x","metadata":{"tags":["a"],"n":{"m":1}}}`, approve},
		{"metadata null", "memory_write", `{"content":"x","metadata":null}`, approve},
		{"metadata list", "memory_write", `{"content":"x","metadata":[]}`, deny},
		{"metadata string", "memory_write", `{"content":"x","metadata":"{}"}`, deny},
		{"metadata with a duplicate", "memory_write", `{"content":"x","metadata":{"a":1,"a":2}}`, deny},
		// A50
		{"chunk id", "retrieve_context", obj("chunk_id", "chunk-1_A"), approve},
		{"200 characters", "retrieve_context", obj("chunk_id", strings.Repeat("a", 200)), approve},
		{"201 characters", "retrieve_context", obj("chunk_id", strings.Repeat("a", 201)), deny},
		{"empty chunk id", "retrieve_context", obj("chunk_id", ""), deny},
		{"no chunk id", "retrieve_context", `{}`, deny},
		{"space", "retrieve_context", obj("chunk_id", "a b"), deny},
		{"line feed at the end", "retrieve_context", `{"chunk_id":"abc\n"}`, deny},
		{"dots and slashes", "retrieve_context", obj("chunk_id", "../a"), deny},
		{"Arabic digit", "retrieve_context", obj("chunk_id", "chunk١"), deny},
		{"full-width letter", "retrieve_context", obj("chunk_id", "ａ"), deny},
		{"zero-width space", "retrieve_context", obj("chunk_id", "a\u200bb"), deny},
		{"number", "retrieve_context", `{"chunk_id":5}`, deny},
		{"escaped chunk id", "retrieve_context", `{"chunk_id":"\u0061\u0062"}`, approve},
		// A60
		{"date", "create_task", task("2026-03-15"), approve},
		{"date and time", "create_task", task("2026-03-15T10:00:00Z"), approve},
		{"date, time and zone", "create_task", task("2026-03-15T10:00:00.5+05:30"), approve},
		{"last day of the next two years", "create_task", task("2028-03-01"), approve},
		{"leap day", "create_task", task("2028-02-29"), approve},
		{"leap day of a common year", "create_task", task("2027-02-29"), deny},
		{"30 February", "create_task", task("2026-02-30"), deny},
		{"31 April", "create_task", task("2026-04-31"), deny},
		{"month 13", "create_task", task("2026-13-01"), deny},
		{"month 0", "create_task", task("2026-00-10"), deny},
		{"day 0", "create_task", task("2026-03-00"), deny},
		{"last year of the window", "create_task", task("2036-12-31"), approve},
		{"year after the window", "create_task", task("2037-01-01"), deny},
		{"year 9999", "create_task", task("9999-12-31"), deny},
		{"first day of the window", "create_task", task("2025-01-01"), approve},
		{"day before the window", "create_task", task("2024-12-31"), deny},
		{"year 1999", "create_task", task("1999-12-31"), deny},
		{"year 0", "create_task", task("0000-01-01"), deny},
		{"one-digit month", "create_task", task("2026-3-15"), deny},
		{"day first", "create_task", task("15.03.2026"), deny},
		{"slashes", "create_task", task("2026/03/15"), deny},
		{"no separators", "create_task", task("20260315"), deny},
		{"time without zone", "create_task", task("2026-03-15T10:00:00"), deny},
		{"hour 24", "create_task", task("2026-03-15T24:00:00Z"), deny},
		{"one-digit hour", "create_task", task("2026-03-15T1:00:00Z"), deny},
		{"comma in the seconds", "create_task", task("2026-03-15T10:00:00,5Z"), deny},
		{"zone without colon", "create_task", task("2026-03-15T10:00:00+0530"), deny},
		{"zone out of range", "create_task", task("2026-03-15T10:00:00+24:00"), deny},
		{"text behind the date", "create_task", task("2026-03-15 or later"), deny},
		{"line feed behind the date", "create_task", task("2026-03-15\n"), deny},
		{"Arabic digits", "create_task", task("٢٠٢٦-٠٣-١٥"), deny},
		{"epoch", "create_task", task(1773532800), deny},
		{"object", "create_task", task(map[string]int{"y": 2026}), deny},
		{"empty date", "create_task", task(""), deny},
		{"null date", "create_task", task(nil), approve},
		{"relative date", "create_task", task("tomorrow"), rewrite},
		{"no date at all", "create_task", task("soon"), deny},
		{"blank title", "create_task", obj("title", "  "), deny},
		{"invisible title", "create_task", obj("title", "\u200b"), deny},
		{"missing title", "create_task", `{}`, deny},
		{"priority", "create_task", obj("title", "x", "priority", "high"), approve},
		{"unknown priority", "create_task", obj("title", "x", "priority", "urgent"), deny},
		{"priority in other case", "create_task", obj("title", "x", "priority", "High"), deny},
		{"status", "create_task", obj("title", "x", "status", "pending"), approve},
		{"unknown status", "create_task", obj("title", "x", "status", "doneish"), deny},
		{"a filter of a reading tool", "list_tasks", obj("status", "all"), approve},
		{"task arguments of another tool", "anything_else", obj("due_date", "1999-01-01"), deny},
	}
	set := sampleSet(t, nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			decision := reviewOf(t, set, c.tool, c.raw)
			if decision.Kind != c.want {
				t.Fatalf("%s: %s, want %s", decision.Kind, decision.Reason, c.want)
			}
			checkDecision(t, set, c.tool, c.raw, decision)
		})
	}
}

// checkDecision asserts what holds for every decision.
func checkDecision(t testing.TB, set *Set, tool, raw string, d Decision) {
	t.Helper()
	switch d.Kind {
	case Approve:
		if string(d.Args) != raw && !(isBlankJSON([]byte(raw)) && string(d.Args) == "{}") {
			t.Errorf("approved bytes are %.80q, not those sent", d.Args)
		}
	case Rewrite:
		if canonical, err := canonicalForm(d.Args); err != nil || string(canonical) != string(d.Args) {
			t.Errorf("rewritten bytes %.80s are not canonical (%v)", d.Args, err)
		}
		if string(d.Original) != raw {
			t.Errorf("the original is %.80q, not what was sent", d.Original)
		}
		if again := reviewOf(t, set, tool, string(d.Args)); again.Kind != Approve {
			t.Errorf("rewritten bytes %.80s do not pass: %s", d.Args, again.Reason)
		}
	default:
		if d.Args != nil {
			t.Errorf("a denied call carries arguments: %.80s", d.Args)
		}
	}
	if d.Kind != Approve && (d.Rule == "" || d.Reason == "" || len(d.Faults) == 0) {
		t.Errorf("no rule (%q), reason (%q) or faults", d.Rule, d.Reason)
	}
	if !utf8.ValidString(d.Reason) || len(d.Reason) > 4000 || strings.ContainsAny(d.Reason, "\n\x00") {
		t.Errorf("the reason has %d bytes: %.100q", len(d.Reason), d.Reason)
	}
}

func TestRewrites(t *testing.T) {
	cases := []struct{ name, tool, raw, want, reason string }{
		{"cap", "web_search", `{"query":"cats","max_results":50}`, `{"max_results":20,"query":"cats"}`, "max_results was 50 and was lowered to 20"},
		{"several at once", "web_search", `{"query":"` + strings.Repeat("é", 510) + `","max_results":1e9}`, `{"max_results":20,"query":"` + strings.Repeat("é", 500) + `"}`,
			"query had 510 characters and was cut to 500; max_results was 1e9 and was lowered to 20"},
		{"white space is cut first", "web_search", obj("query", strings.Repeat(" ", 600)+"cats"), `{"query":"cats"}`, "query had 604 characters and was cut to 4"},
		{"string encoding", "web_search", `"{ \"query\" : \"cats\" }"`, `{"query":"cats"}`, "the arguments were a string with JSON in it and were unwrapped"},
		{"other arguments survive exactly", "memory_query", `{"top_k":99,"query":"x","big":12345678901234567890,"f":0.10,"s":"\u0041"}`,
			`{"big":12345678901234567890,"f":0.1,"query":"x","s":"A","top_k":50}`, "top_k was 99 and was lowered to 50"},
		{"relative date", "create_task", obj("title", "x", "due_date", "next Monday"), `{"due_date":"2026-03-02","title":"x"}`, `due_date was "next Monday" and means Monday, 2026-03-02`},
	}
	set := sampleSet(t, nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			decision := reviewOf(t, set, c.tool, c.raw)
			if string(decision.Args) != c.want || decision.Reason != c.reason {
				t.Errorf("got  %s (%s)\nwant %s (%s)", decision.Args, decision.Reason, c.want, c.reason)
			}
		})
	}
}

// What a model is told about the rules.
func TestDescriptions(t *testing.T) {
	set := sampleSet(t, nil)
	text := ""
	for _, tool := range sampleTools() {
		text += tool.Name + ":\n" + set.Describe(tool.Name)
	}
	golden.Check(t, "descriptions.txt", text)
	if set.Describe("nobody") != "" {
		t.Error("an unknown tool is described")
	}
}

func TestSampleOptions(t *testing.T) {
	t.Run("long queries refused", func(t *testing.T) {
		set := sampleSet(t, func(s *sample) { s.long = Length(0, 500) })
		if d := reviewOf(t, set, "web_search", obj("query", strings.Repeat("a", 501))); d.Reason != "query has 501 characters; at most 500 are allowed" {
			t.Errorf("%s: %s", d.Kind, d.Reason)
		}
		if d := reviewOf(t, set, "web_search", obj("query", strings.Repeat("a", 500))); d.Kind != Approve {
			t.Errorf("500 characters: %s", d.Reason)
		}
	})
	t.Run("current year only", func(t *testing.T) {
		set := sampleSet(t, func(s *sample) { s.due = DateWindow{} })
		for day, want := range map[string]DecisionKind{"2025-12-31": Deny, "2026-01-01": Approve, "2026-12-31": Approve, "2027-01-01": Deny} {
			d := reviewOf(t, set, "create_task", obj("title", "x", "due_date", day))
			if d.Kind != want {
				t.Errorf("%s: %s", day, d.Kind)
			}
			if want == Deny && d.Reason != fmt.Sprintf("due_date is %q, in the year %s; allowed are 2026-01-01 to 2026-12-31", day, day[:4]) {
				t.Errorf("%s: %s", day, d.Reason)
			}
		}
	})
	t.Run("namespaces by function", func(t *testing.T) {
		own := Func("namespace", func(_ context.Context, in CheckInput) (CheckResult, error) {
			switch in.Value.Text() {
			case "broken":
				return Pass(), errors.New("database is down")
			case "of_" + in.Owner:
				return Pass(), nil
			}
			return Refuse(in.Arg + " is not one you may write to"), nil
		})
		set := sampleSet(t, func(s *sample) { s.namespaces = []Check{Type(String), own} })
		if d := reviewOf(t, set, "memory_write", obj("content", "x", "namespace", "of_ada")); d.Kind != Approve {
			t.Errorf("own namespace: %s", d.Reason)
		}
		if d := reviewOf(t, set, "memory_write", obj("content", "x", "namespace", "of_eve")); d.Kind != Deny || d.Rule != "namespace" {
			t.Errorf("other namespace: %s %s", d.Kind, d.Rule)
		}
		if d := reviewOf(t, set, "memory_write", `{"content":"x","namespace":7}`); d.Rule != "type" {
			t.Errorf("number as namespace: %s %s", d.Kind, d.Rule)
		}
		d, err := set.Review(context.Background(), Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "memory_write", Args: json.RawMessage(obj("content", "x", "namespace", "broken"))}})
		if err == nil || d.Allowed() {
			t.Errorf("a function that could not decide: %s, %v", d.Kind, err)
		}
	})
}

// FuzzReview holds what must hold for every text whatsoever.
func FuzzReview(f *testing.F) {
	for _, raw := range []string{"", "{}", `{"query":"cats","max_results":50}`, `"{\"query\":\"cats\"}"`, `{"query":"\ud83d\ude00\u0000"}`, `{"a":[{"b":{}}],"A":1}`, `{"due_date":"in 3 weeks"}`, `{"url":"http://[::1]/","title":""}`, "{\"\xff\":1e999}"} {
		for _, tool := range []string{"web_search", "web_access", "anything_else"} {
			f.Add(tool, []byte(raw))
		}
	}
	set := sampleSet(f, nil)
	f.Fuzz(func(t *testing.T, tool string, raw []byte) {
		decision := reviewOf(t, set, tool, string(raw))
		checkDecision(t, set, tool, string(raw), decision)
		if decision.Allowed() && !(json.Valid(decision.Args) && utf8.Valid(decision.Args)) {
			t.Errorf("%q is allowed, but is no JSON", decision.Args)
		}
		_ = LoggableArgs(raw)
	})
}

// FuzzDecode compares in the other direction: an object that encoding/json
// accepts is refused only for what we are strict about, never as no JSON.
func FuzzDecode(f *testing.F) {
	for _, raw := range []string{` {"a":[1,-2.5e-3,"x\n",true,null,{}]}`, `{"a":"\ud83d"}`, `{"a":1,"A":2}`, `{"a":"12345678\"12345678"}`, `[1]`, `{"a":01}`} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, err := Decode(raw)
		var fault *DecodeError
		object := strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "{")
		if errors.As(err, &fault) && fault.Rule == "json" && object && json.Valid(raw) {
			t.Errorf("%q is valid JSON and refused as none: %v", raw, err)
		}
	})
}

// FuzzCanonical compares the hand-written reader with encoding/json: what it
// accepts, the standard library reads to the same values, before and after.
func FuzzCanonical(f *testing.F) {
	for _, raw := range []string{`{"b":[1,2.50,{"c":"\u00e9\n"}],"a":null}`, `{"a":1e2,"\u0062":"\ud83d\ude00"}`, ` { } `, `{"a":-0.0,"b":12345678901234567890}`} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, err := canonicalForm(raw)
		if err != nil {
			return
		}
		again, err := canonicalForm(canonical)
		if err != nil || string(again) != string(canonical) {
			t.Fatalf("%q becomes %q, %v: no fixed point", canonical, again, err)
		}
		if !sameJSON(t, raw, canonical) {
			t.Fatalf("%q and %q do not mean the same", raw, canonical)
		}
	})
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var left, right any
	if err := json.Unmarshal(a, &left); err != nil {
		if strings.Contains(err.Error(), "cannot unmarshal number") { // beyond float64
			return true
		}
		t.Fatalf("encoding/json refuses %q: %v", a, err)
	}
	if err := json.Unmarshal(b, &right); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", b, err)
	}
	return equalValues(left, right)
}

// equalValues compares decoded values; minus zero equals zero.
func equalValues(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key := range a {
			if !equalValues(a[key], b[key]) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equalValues(a[i], b[i]) {
				return false
			}
		}
		return true
	default:
		return a == b
	}
}
