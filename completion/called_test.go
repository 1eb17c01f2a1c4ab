package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestCalled(t *testing.T) {
	both := Called("send_mail", "anna@example.com", "bo@example.com")
	turn := Case{Records: recordsOf(`send_mail succeeded {"to":["anna@example.com"]}; send_mail failed {"to":["bo@example.com"]}`, nil)}
	require.Equal(t, "a call of send_mail for bo@example.com", both.Unmet(turn, Blocker{}))
	turn.Records = append(turn.Records, record(`send_mail succeeded {"to":["bo@example.com"]}`, nil))
	require.Empty(t, both.Unmet(turn, Blocker{}))
	require.Equal(t, "a call of save", Called("save").Unmet(turn, Blocker{}))
	require.Empty(t, Called("send_mail").Unmet(turn, Blocker{}))
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

// TestCalledWith: what a value is found in.
func TestCalledWith(t *testing.T) {
	for _, row := range []struct {
		args, value string
		met         bool
	}{
		{`{"to":"Anna <anna@example.com>"}`, "anna@example.com", true},
		{`{"to":"ANNA@example.com"}`, "anna@example.com", true},
		{`{"person":12}`, "1", false}, {`{"person":1}`, "1", true}, {`{"person":1.0}`, "1", true}, {`{"person":"1"}`, "1", true},
		{`{"person":"12"}`, "1", false}, {`{"amount":50}`, "50.00", true},
		{`{"guests":[{"name":"Ann Poole"},{"name":"Raj"}]}`, "raj", true}, {`{"name":"Rajiv"}`, "raj", false},
		{`{"path":"src/a.go"}`, "a.go", true}, {`{"path":"data.go"}`, "a.go", false}, {`{"path":"data.go a.go"}`, "a.go", true},
		{`{"done":true}`, "true", true}, {`{}`, "", false},
	} {
		turn := Case{Records: []*tooltrack.Record{record("act succeeded "+row.args, nil)}}
		require.Equal(t, row.met, Called("act", row.value).Unmet(turn, Blocker{}) == "", row.args+" for "+row.value)
	}
}

// TestCoversWhole: in how many ways a result says that it is a part.
func TestCoversWhole(t *testing.T) {
	for result, whole := range map[string]bool{
		`{"text":"package b"}`: true, `{"hasMore":true}`: false, `{"has_more":false}`: true, `{"is_truncated":true}`: false,
		`{"nextCursor":"abc"}`: false, `{"nextCursor":null}`: true, `{"next_page_token":""}`: true, `{"next_page_token":"x"}`: false,
		`{"pagination":{"has_more":true}}`: false, "package b\n[output truncated]": false, "a\nb\n... (120 more lines)": false,
		"func truncated() bool": true, "five more lines of code": true, "x\n<truncated: 4 KB left>": false, `{"truncated":false}`: true,
	} {
		made := record(`read_file succeeded {"path":"b.go"}`, nil)
		made.Result = tooltrack.ResultOf([]byte(result), nil)
		turn := Case{Records: []*tooltrack.Record{made}}
		require.Equal(t, whole, Covers("read_file", "b.go").Unmet(turn, Blocker{}) == "", result)
	}
	for args, whole := range map[string]bool{
		`{"path":"b.go","limit":3}`: false, `{"path":"b.go","limit":4}`: true, `{"path":"b.go","offset":40}`: false, `{"path":"b.go","offset":0}`: true,
	} {
		made := record("read_file succeeded "+args, nil)
		made.Result = tooltrack.ResultOf([]byte("one\ntwo\nthree"), nil)
		turn := Case{Records: []*tooltrack.Record{made}}
		require.Equal(t, whole, Covers("read_file", "b.go").Unmet(turn, Blocker{}) == "", args)
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
	} {
		checked := record(row.call, tools)
		checked.Result = tooltrack.ResultOf([]byte(row.result), nil)
		turn := Case{Tools: tools, Records: []*tooltrack.Record{record(`edit_file succeeded {"path":"p.go"}`, tools), checked}}
		require.Equal(t, row.verified, Verified().Unmet(turn, Blocker{}) == "", row.call+" => "+row.result)
	}
}
