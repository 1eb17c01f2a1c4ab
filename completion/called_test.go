package completion

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestCalled(t *testing.T) {
	both := Called("send_mail", With{"to": "anna@example.com"}, With{"to": "bo@example.com"})
	turn := Case{Records: recordsOf(`send_mail succeeded {"to":["anna@example.com"]}; send_mail failed {"to":["bo@example.com"]}`, nil)}
	require.Equal(t, "a call of send_mail with to bo@example.com", both.Unmet(turn, Blocker{}))
	turn.Records = append(turn.Records, record(`send_mail succeeded {"to":["bo@example.com"]}`, nil))
	require.Empty(t, both.Unmet(turn, Blocker{}))
	require.Equal(t, "a call of save", Called("save").Unmet(turn, Blocker{}))
	require.Empty(t, Called("send_mail").Unmet(turn, Blocker{}))
}

// TestCalledForEach: for which arguments of which calls "for person 1 and 2" is met.
func TestCalledForEach(t *testing.T) {
	persons := []With{{"person": 1}, {"person": 2}}
	for _, row := range []struct {
		name, calls string
		each        []With
		missing     string
	}{
		{"both", `pay succeeded {"person":1}; pay succeeded {"person":2}`, persons, ""},
		{"in one list", `pay succeeded {"person":[1,2]}`, persons, ""},
		{"another argument has the value", `pay succeeded {"person":1,"times":2}`, persons, "a call of pay with person 2"},
		{"twice the same", `pay succeeded {"person":1}; pay succeeded {"person":1}`, persons, "a call of pay with person 2"},
		{"one of them pending", `pay succeeded {"person":1}; pay pending {"person":2}`, persons, "a call of pay with person 2"},
		{"by another tool", `pay succeeded {"person":1}; bill succeeded {"person":2}`, persons, "a call of pay with person 2"},
		{"none", "", persons, "a call of pay with person 1, a call of pay with person 2"},
		{"payer for payee", `pay succeeded {"to":"Ann","from":"Bob"}`, []With{{"to": "Bob"}}, "a call of pay with to Bob"},
		{"in a note", `pay succeeded {"to":"Ann","note":"not Bob"}`, []With{{"to": "Ann"}, {"to": "Bob"}}, "a call of pay with to Bob"},
		{"two of one call", `water succeeded {"bed":"east","litres":20}`, []With{{"bed": "east", "litres": 20}}, ""},
		{"two of two calls", `water succeeded {"bed":"east","litres":5}; water succeeded {"bed":"west","litres":20}`,
			[]With{{"bed": "east", "litres": 20}}, "a call of water with bed east and litres 20"},
	} {
		tool := map[bool]string{true: "water", false: "pay"}[row.calls != "" && row.calls[0] == 'w']
		turn := Case{Records: recordsOf(row.calls, nil)}
		require.Equal(t, row.missing, Called(tool, row.each...).Unmet(turn, Blocker{}), row.name)
		turn = Case{Earlier: turn.Records}
		require.NotEmpty(t, Called(tool, row.each...).Unmet(turn, Blocker{}), row.name+", in an earlier turn")
	}
}

func TestCovers(t *testing.T) {
	files := Covers("read_file", "a.go", "b.go")
	whole, part := record(`read_file succeeded {"path":"a.go"}`, nil), record(`read_file succeeded {"path":"b.go"}`, nil)
	part.Result = tooltrack.ResultOf([]byte(`{"text":"package b","truncated":true}`), nil)
	turn := Case{Earlier: []*tooltrack.Record{whole}, Records: []*tooltrack.Record{part}}
	require.Equal(t, "a whole read of b.go", files.Unmet(turn, Blocker{}))
	part.Result = tooltrack.ResultOf([]byte(`{"text":"package b"}`), nil)
	require.Empty(t, files.Unmet(turn, Blocker{}))
}

// TestCalledWith: when an argument is a value.
func TestCalledWith(t *testing.T) {
	for _, row := range []struct {
		args string
		with With
		met  bool
	}{
		{`{"to":"Anna <anna@example.com>"}`, With{"to": "anna@example.com"}, true},
		{`{"to":"bo@example.com,anna@example.com"}`, With{"to": "anna@example.com"}, true},
		{`{"to":"bo@example.com; Anna"}`, With{"to": "anna"}, true}, {`{"to":"Joanna, Bo"}`, With{"to": "anna"}, false},
		{`{"to":"ANNA@example.com"}`, With{"to": "anna@example.com"}, true}, {`{"cc":"anna@example.com"}`, With{"to": "anna@example.com"}, false},
		{`{"person":12}`, With{"person": 1}, false}, {`{"person":1}`, With{"person": 1}, true}, {`{"person":1.0}`, With{"person": "1"}, true},
		{`{"person":"1"}`, With{"person": 1}, true}, {`{"person":"12"}`, With{"person": 1}, false}, {`{"person":null}`, With{"person": 0}, false},
		{`{"amount":50}`, With{"amount": 50.00}, true}, {`{"amount":"1,290"}`, With{"amount": 1}, false}, {`{"amount":"1,290"}`, With{"amount": "1,290"}, true},
		{`{"guests":[{"name":"Ann Poole"},{"name":"Raj"}]}`, With{"guests.name": "raj"}, true}, {`{"guests":[{"name":"Rajiv"}]}`, With{"guests.name": "raj"}, false},
		{`{"guests":[{"name":"Raj"}]}`, With{"name": "Raj"}, false}, {`{"host":{"name":"Raj"},"guests":[]}`, With{"guests.name": "Raj"}, false},
		{`{"guests.name":"Raj"}`, With{"guests.name": "Raj"}, true},
		{`{"to":["a","b"]}`, With{"to": []string{"a", "b"}}, true}, {`{"to":["a"]}`, With{"to": []string{"a", "b"}}, false},
		{`{"path":"src/a.go"}`, With{"path": "a.go"}, false}, {`{"note":"not for Bob"}`, With{"note": "Bob"}, false},
		{`{"done":true}`, With{"done": true}, true}, {`{"done":false}`, With{"done": true}, false}, {`{}`, With{"to": ""}, false}, {`{}`, With{}, true},
		{`{"at":{"x":1,"y":2}}`, With{"at": map[string]int{"y": 2, "x": 1}}, true}, {`{"f":1}`, With{"f": func() {}}, false},
	} {
		turn := Case{Records: []*tooltrack.Record{record("act succeeded "+row.args, nil)}}
		require.Equal(t, row.met, Called("act", row.with).Unmet(turn, Blocker{}) == "", row.args+" with "+row.with.String())
	}
}

// TestCoversWhole: in how many ways a result says that it is a part.
func TestCoversWhole(t *testing.T) {
	for result, whole := range map[string]bool{
		`{"text":"package b"}`: true, `{"hasMore":true}`: false, `{"has_more":false}`: true, `{"is_truncated":true}`: false,
		`{"nextCursor":"abc"}`: false, `{"nextCursor":null}`: true, `{"next_page_token":""}`: true, `{"next_page_token":"x"}`: false,
		`{"pagination":{"has_more":true}}`: false, "package b\n[output truncated]": false, "a\nb\n... (120 more lines)": false,
		"func truncated() bool": true, "five more lines of code": true, "x\n<truncated: 4 KB left>": false, `{"truncated":false}`: true,
		`{"content":"x","partial":true}`: false, `{"content":"x","partial":false}`: true, `{"refund":"R-1","partial":true}`: true,
		`{"content":"x","complete":false}`: false, `{"rows":[1],"is_complete":false}`: false, `{"task":"t1","complete":false}`: true,
		`{"content":"x","lines":"1-200 of 900"}`: false, `{"content":"x","lines":"1-900 of 900"}`: true, `{"content":"x","lines":"700-900 of 900"}`: false,
		`{"content":"x","page":"page 1 of 3"}`: false, `{"content":"x","page":"page 1 of 1"}`: true,
		`{"text":"x","returned_lines":2,"total_lines":900}`: false, `{"text":"x","returned_lines":9,"total_lines":9}`: true,
		`{"items":[{"id":1}],"shown":1,"totalCount":40}`: false, `{"order":"551","items":[1,2],"total":40}`: true,
		"a\n(showing first 200 lines)": false, "Showing lines 1–200 of 900\na": false, "Lines 1-200 of 1,900\na": false, "a\n[page 1 of 3]": false,
		"Showing first signs of frost\nin the orchard": true, "a\nPage 1 of 3": true, "one of 900 bees": true, "2-3 of 4 children\nmore": true,
		"a\n...<content cut, 30 KB omitted>": false, "a\n[120 rows omitted]\nb": false, "// ctx (may be omitted)\nfunc f()": true, "a\n(end of file)": true,
	} {
		made := record(`read_file succeeded {"path":"b.go"}`, nil)
		made.Result = tooltrack.ResultOf([]byte(result), nil)
		turn := Case{Records: []*tooltrack.Record{made}}
		require.Equal(t, whole, Covers("read_file", "b.go").Unmet(turn, Blocker{}) == "", result)
	}
}

// TestCoversByArguments: a read that asks for a part is one, unless all there is fits in;
// parts without a gap, up to one that has room left, are the whole.
func TestCoversByArguments(t *testing.T) {
	const three = `"one\ntwo\nthree"`
	for _, row := range []struct {
		whole bool
		reads []string // arguments beside the path => result
	}{
		{false, []string{`"limit":3 => ` + three}}, {true, []string{`"limit":4 => ` + three}}, {false, []string{`"offset":40 => ` + three}},
		{true, []string{`"offset":0 => ` + three}}, {true, []string{`"offset":1 => ` + three}}, {false, []string{`"offset":2 => ` + three}},
		{false, []string{`"view_range":[1,3] => ` + three}}, {true, []string{`"view_range":[1,100] => ` + three}}, {false, []string{`"view_range":[50,90] => ` + three}},
		{true, []string{`"view_range":[1,-1] => ` + three}}, {false, []string{`"lines":"2-9" => ` + three}}, {true, []string{`"lines":"1-9" => ` + three}},
		{false, []string{`"start_line":1,"end_line":3 => ` + three}}, {true, []string{`"startLine":1,"endLine":30 => ` + three}}, {false, []string{`"start_line":2 => ` + three}},
		{false, []string{`"head":3 => ` + three}}, {true, []string{`"head":20 => ` + three}}, {false, []string{`"tail":2 => "two\nthree"`}}, {true, []string{`"tail":9 => ` + three}},
		{false, []string{`"max_bytes":13 => ` + three}}, {true, []string{`"max_bytes":4096 => ` + three}}, {false, []string{`"maxLines":3 => {"content":` + three + `}`}},
		{false, []string{`"page":2 => ["a"]`}}, {true, []string{`"page":1 => ["a"]`}}, {false, []string{`"page":1,"per_page":2 => ["a","b"]`}},
		{false, []string{`"cursor":"x9" => ["a"]`}}, {true, []string{`"cursor":"" => ["a"]`}},
		// what is no part of anything
		{true, []string{`"api_token":"x9" => ` + three}}, {true, []string{`"max_retries":2 => ` + three}}, {true, []string{`"start_date":20260101 => ` + three}},
		{true, []string{`"season":"2025-2026" => ` + three}}, {true, []string{`"from":4711 => ` + three}}, {true, []string{`"time_limit":1 => ` + three}}, {true, []string{`"":1 => ` + three}},
		// parts
		{true, []string{`"offset":0,"limit":2 => "one\ntwo"`, `"offset":2,"limit":2 => "three"`}},
		{true, []string{`"offset":2,"limit":2 => "three"`, `"offset":0,"limit":2 => "one\ntwo"`}},
		{true, []string{`"offset":1,"limit":2 => "one\ntwo"`, `"offset":3,"limit":2 => "three"`}},
		{false, []string{`"offset":0,"limit":2 => "one\ntwo"`, `"offset":3,"limit":2 => "four"`}},
		{false, []string{`"offset":0,"limit":2 => "one\ntwo"`, `"offset":2,"limit":2 => "three\nfour"`}},
		{false, []string{`"offset":0,"limit":2 => "one\ntwo"`, `"offset":0,"limit":2 => "one\ntwo"`}},
		{true, []string{`"view_range":[1,2] => "one\ntwo"`, `"view_range":[3,9] => "three"`}}, {false, []string{`"view_range":[1,2] => "one\ntwo"`, `"view_range":[4,9] => "four"`}},
		{true, []string{`"page":1,"per_page":2 => ["a","b"]`, `"page":2,"per_page":2 => ["c"]`}}, {false, []string{`"page":1,"per_page":2 => ["a","b"]`, `"page":3,"per_page":2 => ["e"]`}},
		{true, []string{`"page":0,"per_page":2 => ["a","b"]`, `"page":1,"per_page":2 => ["c"]`}},
		{true, []string{` => {"rows":["a"],"has_more":true}`, `"page":2 => {"rows":["b"],"has_more":false}`}},
		{true, []string{` => {"rows":["a"],"next_cursor":"x9"}`, `"cursor":"x9" => {"rows":["b"],"next_cursor":"x10"}`, `"cursor":"x10" => {"rows":["c"]}`}},
		{false, []string{` => {"rows":["a"],"next_cursor":"x9"}`, `"cursor":"x10" => {"rows":["c"]}`}},
		{false, []string{` => "one\ntwo\n[output truncated]"`, `"offset":3 => "four"`}},
		{true, []string{`"page":1 => "one\n[page 1 of 2]"`, `"page":2 => "two\n[page 2 of 2]"`}}, {false, []string{`"page":2 => "two\n[page 2 of 2]"`}},
	} {
		var turn Case
		for i, read := range row.reads {
			args, result, _ := strings.Cut(read, " => ")
			made := record(strings.Replace(`read_file succeeded {"path":"b.go",`+args+`}`, ",}", "}", 1), nil)
			made.Result = tooltrack.ResultOf([]byte(result), nil)
			if i == 0 && len(row.reads) > 1 {
				turn.Earlier = append(turn.Earlier, made)
				continue
			}
			turn.Records = append(turn.Records, made)
		}
		require.Equal(t, row.whole, Covers("read_file", "b.go").Unmet(turn, Blocker{}) == "", strings.Join(row.reads, " | "))
	}
}

// TestVerifiedByItsResult: a check counts by what it ran and by what it said.
func TestVerifiedByItsResult(t *testing.T) {
	tools := toolsOf("reads read_file; changes edit_file; verifies run_tests")
	tools = append(tools, tooltrack.Tool{Name: "shell"})
	for _, row := range []struct {
		call, result string
		verified     bool
	}{
		{"run_tests succeeded {}", "3 passed", true}, {"run_tests succeeded {}", "1 failed, 3 passed", false},
		{"run_tests succeeded {}", "3 passed, 0 failed", true}, {"run_tests succeeded {}", `{"passed":3,"failed":0}`, true},
		{"run_tests succeeded {}", `{"passed":3,"failed":2}`, false}, {"run_tests succeeded {}", "testing: warning: no tests to run", false},
		{"run_tests succeeded {}", "Ran 0 tests in 0.1s", false}, {"run_tests succeeded {}", "3 passed, 1 skipped", true},
		{"run_tests succeeded {}", "ok", true}, {"run_tests succeeded {}", "--- FAIL: TestRead", false},
		{`shell succeeded {"command":["bash","-lc","go test ./..."]}`, "ok  \tx\t0.2s", true},
		{`shell succeeded {"command":"bash -lc 'go test ./...'"}`, "ok  \tx\t0.2s", true},
		{`shell succeeded {"command":"cd x && npm test"}`, "exit code: 1", false}, {`shell succeeded {"command":"pytest -q"}`, "exit code: 0", true},
		{`shell succeeded {"command":"./run.sh"}`, "12 passed in 3 s", true}, {`shell succeeded {"command":"cat parser_test.go"}`, "package x", false},
		{`shell succeeded {"command":"ls"}`, "a.go", false}, {`edit_file succeeded {"path":"parser_test.go"}`, "ok", false},
		{`edit_file succeeded {"path":"a.go","new":"test it"}`, "ok", false}, {`read_file succeeded {"path":"log.txt"}`, "3 passed", false},
		{`shell succeeded {"command":"grep -r test ."}`, "x_test.go", false}, {`shell succeeded {"command":"echo 3 passed"}`, "3 passed", false},
		{`shell succeeded {"command":"cat result.log"}`, "12 passed", false}, {`shell succeeded {"command":"go test ./... && sed -i s/a/b/ x.go"}`, "ok", false},
		{`shell succeeded {"command":"sed -i s/a/b/ x.go && go test ./..."}`, "ok", true}, {`shell succeeded {"cmd":"bundle exec rspec"}`, "14 examples, 0 failures", true},
		{`shell succeeded {"cmd":"bundle exec rspec"}`, "14 examples, 2 failures", false}, {`shell succeeded {"cmd":"./gradlew check"}`, "BUILD SUCCESSFUL in 3s", true},
		{`shell succeeded {"cmd":"./gradlew check"}`, "BUILD FAILED in 3s", false}, {`shell succeeded {"cmd":"pip install pytest"}`, "ok", false},
	} {
		checked := record(row.call, tools)
		checked.Result = tooltrack.ResultOf([]byte(row.result), nil)
		turn := Case{Tools: tools, Records: []*tooltrack.Record{record(`edit_file succeeded {"path":"p.go"}`, tools), checked}}
		require.Equal(t, row.verified, Verified().Unmet(turn, Blocker{}) == "", row.call+" => "+row.result)
	}
}

// TestVerifiedStays: what comes after a check makes it stale only if it may have changed
// something, and a claim of the check agrees with the requirement.
func TestVerifiedStays(t *testing.T) {
	tools := append(toolsOf("reads read_file; changes edit_file; verifies run_tests"), tooltrack.Tool{Name: "shell"})
	for after, stays := range map[string]bool{
		`{"command":"ls"}`: true, `{"command":"git commit -am fix"}`: true, `{"command":"git diff | head"}`: true, `{"command":"echo fixed"}`: true,
		`{"command":"sed -i s/a/b/ x.go"}`: false, `{"command":"git checkout main"}`: false, `{"command":"./release.sh"}`: false, `{"command":"echo x > a.go"}`: false,
	} {
		for _, check := range []string{"run_tests succeeded {}", `shell succeeded {"command":"go test ./..."}`} {
			turn := Case{
				User: "Fix the crash in parser.go.", Text: "Fixed the crash. All tests pass.", Tools: tools,
				Records: []*tooltrack.Record{record(`edit_file succeeded {"path":"parser.go"}`, tools), record(check, tools), record("shell succeeded "+after, tools)},
			}
			require.Equal(t, stays, Verified().Unmet(turn, Blocker{}) == "", after)
			verdict := New(nil).Evaluate(turn)
			checkNotMade := func(claim Claim) bool { return claim.Rule == "check not made" }
			require.Equal(t, stays, !slices.ContainsFunc(verdict.Claims, checkNotMade), after)
		}
	}
	looked := Case{Tools: tools, Records: []*tooltrack.Record{record(`shell succeeded {"command":"ls"}`, tools)}}
	require.Empty(t, Verified().Unmet(looked, Blocker{}), "who only looked has nothing to verify")
}
