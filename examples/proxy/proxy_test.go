package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// each runs a test in every format, whole and streamed.
func each(t *testing.T, test func(t *testing.T, f format, stream bool)) {
	t.Helper()
	for _, f := range formats {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stream %v", f.name, stream), func(t *testing.T) { test(t, f, stream) })
		}
	}
}

// TestHonestAnswersPassByteForByte: through the proxy comes what the server sent,
// calls and texts, whether it watches or acts.
func TestHonestAnswersPassByteForByte(t *testing.T) {
	server := model(t, honest)
	for _, flags := range [][]string{nil, {"-enforce"}} {
		w := newWorld(t, server, flags...)
		each(t, func(t *testing.T, f format, stream bool) {
			for _, called := range []bool{false, true} {
				body := f.request(stream, called)
				direct, through := send(t, server+f.path, body), send(t, w.url+f.path, body)
				require.Equal(t, 200, direct.status, direct.body)
				require.Equal(t, direct.body, through.body)
				require.Equal(t, direct.header.Get("Content-Type"), through.header.Get("Content-Type"))
			}
		})
		for _, turn := range w.settled(2 * len(formats)) {
			require.Equal(t, passed, turn.State)
			require.Equal(t, 2, turn.Requests, "the requests of a tool loop are one turn")
			require.Equal(t, lie, turn.Text)
			require.Equal(t, []callView{{"delete_task", `{"title":"Read book"}`, "changes", "succeeded", ""}}, turn.Calls)
		}
	}
}

// TestALieIsSeen: who watches hands it on and says what would have been done.
func TestALieIsSeen(t *testing.T) {
	server := model(t, liar)
	w := newWorld(t, server)
	n := 0
	each(t, func(t *testing.T, f format, stream bool) {
		body := f.request(stream, false)
		direct, through := send(t, server+f.path, body), send(t, w.url+f.path, body)
		require.Equal(t, direct.body, through.body, "it changes nothing")
		n++
		turns := w.settled(n)
		turn := turns[len(turns)-1]
		require.Equal(t, wouldAct, turn.State)
		require.Equal(t, lie, turn.Text)
		require.Contains(t, strings.Join(turn.Would, "\n"), "I've deleted Read book")
	})
	require.Contains(t, get(t, w.url+"/metrics").body, `bonafide_proxy_turns_total{state="would"} 6`)
}

// TestALieIsRefused: no lie comes through who acts, and the client can read why.
func TestALieIsRefused(t *testing.T) {
	w := newWorld(t, model(t, liar), "-enforce")
	n := 0
	each(t, func(t *testing.T, f format, stream bool) {
		through := send(t, w.url+f.path, f.request(stream, false))
		require.NotContains(t, through.body, lie)
		require.Contains(t, through.body, "Nothing was changed in this turn.")
		require.Equal(t, http.StatusBadRequest, through.status)
		n++
		turns := w.settled(n)
		require.Equal(t, refused, turns[len(turns)-1].State)
		require.Contains(t, turns[len(turns)-1].Text, "Nothing was changed in this turn.")
	})
}

// TestALieIsMended: a model that does better when it is told gets through with
// its call.
func TestALieIsMended(t *testing.T) {
	w := newWorld(t, model(t, simulated), "-enforce")
	each(t, func(t *testing.T, f format, stream bool) {
		through := send(t, w.url+f.path, f.request(stream, false))
		require.Equal(t, 200, through.status, through.body)
		require.NotContains(t, through.body, "I've")
		require.Contains(t, through.body, "delete_task")
		through = send(t, w.url+f.path, f.request(stream, true))
		require.Equal(t, 200, through.status)
	})
	for _, turn := range w.settled(2 * len(formats)) {
		steps := fmt.Sprint(turn.Steps)
		require.Contains(t, steps, "no call did that")
		require.Contains(t, steps, "asked again")
	}
}

// TestProof: with -proof always the model is asked what its text rests on, the
// client sees the draft's own words, and the page the proof.
func TestProof(t *testing.T) {
	w := newWorld(t, model(t, prover), "-enforce", "-proof", "always")
	each(t, func(t *testing.T, f format, stream bool) {
		through := send(t, w.url+f.path, f.request(stream, true))
		require.Equal(t, 200, through.status, through.body)
		require.NotContains(t, through.body, `{"a"`, "the exchange about the proof stays inside")
	})
	for _, turn := range w.settled(2 * len(formats)) {
		require.Equal(t, proved, turn.State)
		require.Equal(t, []proven{{lie, "shown", []int{1}}}, turn.Proof)
		require.Equal(t, lie, turn.Text)
	}
}

// TestTheAssumedListIsPrinted: once for each set of tools.
func TestTheAssumedListIsPrinted(t *testing.T) {
	w := newWorld(t, model(t, honest))
	for range 3 {
		send(t, w.url+formats[0].path, formats[0].request(false, true))
	}
	require.Equal(t, 1, strings.Count(w.out.String(), "delete_task"))
	require.Contains(t, w.out.String(), `changes   delete_task (by "delete" in its name)`)
}

// TestTheLedgerKeepsWhatWasReported, once, whichever request told it, and through
// a restart.
func TestTheLedgerKeepsWhatWasReported(t *testing.T) {
	ledgers := map[string]string{"in memory": "memory", "SQLite": filepath.Join(t.TempDir(), "a folder", "ledger.db")}
	if server := postgres(t); server != "" {
		ledgers["PostgreSQL"] = server
	}
	for name, where := range ledgers {
		t.Run(name, func(t *testing.T) {
			runs := 2
			if where == "memory" {
				runs = 1
			}
			for range runs {
				t.Run("run", func(t *testing.T) {
					w := newWorld(t, model(t, honest), "-ledger", where)
					for _, f := range formats {
						for range 2 {
							send(
								t,
								w.url+f.path,
								f.request(false, true),
								"X-Bonafide-Owner",
								"ann",
								"X-Bonafide-Turn",
								f.name,
								"X-Bonafide-Conversation",
								"c",
							)
						}
					}
					w.reports.close() // it writes what waits
					records, err := w.ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
					require.NoError(t, err)
					require.Len(t, records, len(formats))
					for _, record := range records {
						require.Equal(t, "delete_task", record.Tool)
						require.Equal(t, tooltrack.Reported, record.Result.Grade)
						require.Equal(t, tooltrack.Succeeded, record.Result.Status)
						require.Equal(t, tooltrack.Changes, record.Effect)
						require.Equal(t, "c", record.Conversation)
					}
				})
			}
		})
	}
}

// TestAnAnswerWithoutToolsIsJudgedByItsCalls: a client that leaves them out of the last
// request of a turn is no way around the proxy.
func TestAnAnswerWithoutToolsIsJudgedByItsCalls(t *testing.T) {
	server := serverOf(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"I've deleted Read book."},"finish_reason":"stop"}]}`)
	})
	body := func(tool, result string) string {
		return fmt.Sprintf(`{"messages":[{"role":"user","content":"delete Read book"},{"role":"assistant","tool_calls":[{"id":"a","type":"function",`+
			`"function":{"name":%q,"arguments":"{\"title\":\"Read book\"}"}}]},{"role":"tool","tool_call_id":"a","content":%q}]}`, tool, result)
	}
	w := newWorld(t, server, "-enforce")
	through := send(t, w.url+"/v1/chat/completions", body("delete_task", `{"success":true}`))
	require.Equal(t, 200, through.status, through.body)
	require.Contains(t, through.body, "I've deleted Read book.")
	for _, unbacked := range []string{body("delete_task", `{"error":"the list is locked"}`), body("list_tasks", `{"tasks":[]}`)} {
		through = send(t, w.url+"/v1/chat/completions", unbacked)
		require.NotContains(t, through.body, "I've deleted Read book.")
	}
}

// TestRequestsWithoutToolsPassBy, whatever they are.
func TestRequestsWithoutToolsPassBy(t *testing.T) {
	type seen struct{ method, path, query, body string }
	var got seen
	server := serverOf(t, func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		got = seen{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, body.String()}
		w.Header().Set("X-Own", "1")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "tea")
	})
	w := newWorld(t, server+"/base", "-enforce")
	for path, want := range map[string]string{
		"/v1/models?limit=2": "/base/v1/models", "/base/v1/models?limit=2": "/base/v1/models", "/v1//a%2Fb?limit=2": "/base/v1//a%2Fb",
	} {
		back := get(t, w.url+path)
		require.Equal(t, http.StatusTeapot, back.status)
		require.Equal(t, "tea", back.body)
		require.Equal(t, "1", back.header.Get("X-Own"))
		require.Equal(t, seen{"GET", want, "limit=2", ""}, got)
	}
	send(t, w.url+"/v1/embeddings", `{"input":"x"}`)
	require.Equal(t, seen{"POST", "/base/v1/embeddings", "", `{"input":"x"}`}, got)
	require.Empty(t, w.turnsOf())
}

// TestWhatCannotBeJudged is refused by who acts, and passes who watches.
func TestWhatCannotBeJudged(t *testing.T) {
	server := serverOf(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	strange := `{"prompt":"hi","tools":[{"name":"delete_task","schema":{"type":"object"}}]}`
	require.Equal(t, 200, send(t, newWorld(t, server).url+"/v1/x", strange).status)
	refusal := send(t, newWorld(t, server, "-enforce").url+"/v1/x", strange)
	require.Equal(t, 400, refusal.status)
	require.Contains(t, refusal.body, "unguarded")
	require.Equal(t, 200, send(t, newWorld(t, server, "-enforce", "-allow-unguarded").url+"/v1/x", strange).status)
	twice := strings.Replace(
		formats[0].request(false, false),
		`"tools":[`,
		`"tools":[{"type":"function","function":{"name":"delete_task"}},`,
		1,
	)
	require.Equal(
		t,
		400,
		send(t, newWorld(t, server, "-enforce").url+formats[0].path, twice).status,
		"one name, two tools",
	)
	w := newWorld(t, server)
	require.Equal(t, 200, send(t, w.url+formats[0].path, twice).status)
	require.Contains(t, get(t, w.url+"/metrics").body, "bonafide_proxy_unjudged_total 1")
}

// TestRulesOfTheFile: a call that they refuse is told by who watches, and does not
// come through who acts.
func TestRulesOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.toml")
	rules := "[tools.delete_task]\nrules.title = { max_length = 3 }\n"
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o600))
	server := model(t, honest)
	w := newWorld(t, server, "-tools", file)
	require.Contains(t, send(t, w.url+formats[0].path, formats[0].request(false, false)).body, "delete_task")
	require.Eventually(t, func() bool { return len(w.turnsOf()) == 1 && len(w.turnsOf()[0].Would) == 1 }, 2*time.Minute, time.Millisecond)
	require.Equal(t, "denied: the call of delete_task, by the rule length", w.turnsOf()[0].Would[0])

	acting := newWorld(t, server, "-tools", file, "-enforce")
	back := send(t, acting.url+formats[0].path, formats[0].request(false, false), "X-Bonafide-Owner", "ann")
	require.Equal(t, 400, back.status)
	require.Contains(t, back.body, "call_denied")
	records, err := acting.ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	require.NoError(t, err)
	require.NotEmpty(t, records)
	require.Equal(t, tooltrack.Denied, records[0].Result.Status, "what was denied is on record")
}
