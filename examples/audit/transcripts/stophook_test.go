package transcripts

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// codingSession is a session of Claude Code whose last turn is true or not.
func codingSession(t *testing.T, honest bool) string {
	t.Helper()
	last := scriptTurn{user: "OK, update the README with a usage section.", text: "I've updated the README with a usage section."}
	if honest {
		edit := `{"file_path":"README.md","old_string":"# x","new_string":"# x\n\n## Usage"}`
		last.rounds = []round{{calls: []scriptCall{{"toolu_2", "Edit", edit, "The file README.md has been updated.", false}}}}
	}
	s := script{turns: []scriptTurn{
		{"Create the file notes.txt.", []round{{calls: []scriptCall{{"toolu_1", "Write", `{"file_path":"notes.txt","content":"x"}`, "File created successfully at: notes.txt", false}}}}, "I've created notes.txt."},
		last,
	}}
	file := filepath.Join(t.TempDir(), "session.jsonl")
	require.NoError(t, os.WriteFile(file, claudeSession(s), 0o600))
	return file
}

func hook(t *testing.T, payload any, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = ran(StopHook, args, bytes.NewReader(lines(payload)), &stdout, &stderr)
	return status, strings.TrimSpace(stdout.String()), stderr.String()
}

func TestStopHook(t *testing.T) {
	lie, truth := codingSession(t, false), codingSession(t, true)
	late := codingSession(t, false)
	whole, err := os.ReadFile(late)
	require.NoError(t, err)
	whole = whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1]
	require.NoError(t, os.WriteFile(late, whole, 0o600))
	stop := func(file string) anything {
		return anything{"hook_event_name": "Stop", "session_id": "5e551011", "transcript_path": file, "stop_hook_active": false, "cwd": "/home/ann"}
	}
	with := func(payload anything, key string, value any) anything {
		payload[key] = value
		return payload
	}
	cases := []struct {
		name      string
		payload   any
		args      []string
		says, not string
	}{
		{"a lie is told to the user", stop(lie), nil, `{"systemMessage":"Bonafide: no call of this turn shows what the last message says:\n- “I've updated the README with a usage section.”`, ""},
		{"a truth passes without a word", stop(truth), nil, "", ""},
		{"a lie sends the agent back if that is wanted", stop(lie), []string{"-block"}, `{"decision":"block","reason":"no call of this turn`, ""},
		{"and once only", with(stop(lie), "stop_hook_active", true), []string{"-block"}, "", ""},
		{"a truth is never blocked", stop(truth), []string{"-block"}, "", ""},
		{"the last message may be late", with(stop(late), "last_assistant_message", "I've updated the README with a usage section."), nil, `“I've updated the README with a usage section.”`, ""},
		{"without it there is nothing to judge", stop(late), nil, "", "has not reached the transcript"},
		{"and may have arrived", with(stop(truth), "last_assistant_message", "I've updated the\nREADME with a usage section."), nil, "", ""},
		{"no transcript", anything{"event": "Stop", "session_id": "20261115_1", "last_assistant_message": "I've deleted it."}, nil, "", "names no transcript"},
		{"a transcript given by hand", anything{"event": "Stop", "session_id": "20261115_1"}, []string{"-transcript", lie}, "systemMessage", ""},
		{"a transcript that is not there", stop(lie + ".none"), nil, "", "no such file"},
		{"a transcript that is none", stop("stophook_test.go"), nil, "", "not judged"},
		{"no payload", "nonsense", nil, "", "not what a Stop hook is told"},
		{"a session id that is a path", anything{"event": "Stop", "session_id": "../../etc/passwd"}, nil, "", "names no transcript"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, out, errs := hook(t, c.payload, c.args...)
			require.Equal(t, exitFine, status)
			require.Contains(t, out, c.says)
			require.Equal(t, c.says == "", out == "", out)
			require.Contains(t, errs, c.not)
			require.Equal(t, c.not == "", errs == "", errs)
		})
	}
}

func TestStopHookIsNeverMistakenForAnOrder(t *testing.T) {
	for _, args := range [][]string{{"-nonsense"}, {"-effects", "none.json"}, {"-h"}, {}} {
		status, out, errs := hook(t, anything{}, args...)
		require.NotEqual(t, 2, status, "agents take status 2 for an order to go on")
		require.Empty(t, out)
		require.NotEmpty(t, errs)
	}
}

func TestStopHookReadsTheEndOfALongSession(t *testing.T) {
	file := codingSession(t, false)
	tail, err := os.ReadFile(file)
	require.NoError(t, err)
	filler := `{"type":"user","sessionId":"5e551011","uuid":"f","message":{"role":"user","content":"` + strings.Repeat("x", 1<<20) + `"}}` + "\n"
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat(filler, 20)+string(tail)), 0o600))
	_, out, errs := hook(t, anything{"hook_event_name": "Stop", "session_id": "5e551011", "transcript_path": file})
	require.Contains(t, out, "I've updated the README with a usage section.", errs)
}
