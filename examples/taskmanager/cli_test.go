package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// command runs the program and returns what it printed.
func command(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(in), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestChatCommand(t *testing.T) {
	database := filepath.Join(t.TempDir(), "folder", "tasks.db")
	for _, test := range []struct {
		name string
		args []string
		code int
		out  string
	}{
		{"one turn", []string{"delete Read book"}, 0, "Deleted: Read book\n"},
		{"the file remembers", []string{"delete", "Read", "book"}, 0, "No task matching \"Read book\" found"},
		{"another user has their own", []string{"-user", "bob", "delete Read book"}, 0, "Deleted: Read book\n"},
		{"a lie is caught", []string{"-faults", "ghost-success", "delete Review proposal"}, 0, "Deleted: Review proposal\n"},
		{"a lie is shown", []string{"-guard=false", "-faults", "ghost-success", "delete Water the plants"}, 0, "nothing proves this"},
		{"an honest error", []string{"-faults", "skip-tool-twice", "list my tasks"}, 1, "Technical error: Tool not triggered."},
		{"the date", []string{"add a task to buy milk due tomorrow"}, 0, "Added: buy milk (due 2026-02-09)\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, errs := command(t, "", append([]string{"chat", "-db", database, "-now", today}, test.args...)...)
			if code != test.code || !strings.Contains(out, test.out) {
				t.Errorf("exit code %d, want %d; printed %q, want %q in it; %s", code, test.code, out, test.out, errs)
			}
		})
	}
}

func TestChatJSON(t *testing.T) {
	code, out, _ := command(t, "", "chat", "-db", ":memory:", "-json", "list my tasks")
	var response ChatResponse
	if err := json.Unmarshal([]byte(out), &response); code != 0 || err != nil || len(response.ToolCalls) != 1 {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
}

// TestPrompt has a conversation in a pipe, with every command.
func TestPrompt(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
		never    string
	}{
		{"a turn and its proof", "delete Read book\n\n/why\n/quit\nnever read\n",
			[]string{"Deleted: Read book", `✓ #1 delete_task "Read book" succeeded`, "executed delete_task", "of which the guard asked for 0"}, "never read"},
		{"a lie", "/fault ghost-success\ndelete Read book\n/why\n",
			[]string{"the model claims success and does nothing", "[ghost-success] >", "Deleted: Read book", "not shown, as nothing proved it: “Done! I've deleted", "asked again delete_task", "withheld:"}, ""},
		{"a lie without the guard", "/fault ghost-success\n/guard off\ndelete Read book\n/ledger\n/guard on\n/fault off\nlist my tasks\n",
			[]string{"[ghost-success guard off] >", "✗ nothing proves this", "No call is on record", "The model is healthy now.", "1. Read book"}, "Deleted:"},
		{"the ledger", "delete Read book\nadd a task to buy milk\ndelete Paint the fence\n/ledger\n",
			[]string{`#1 delete_task "Read book" succeeded`, `#2 add_task "buy milk" succeeded`, "#3 delete_task (task_id: Paint the fence) denied: No task matching"}, ""},
		{"reset", "delete Read book\n/reset\nlist my tasks\n", []string{"first 7 tasks again", "1. Read book"}, ""},
		{"proof", "/proof always\ndelete Read book\n/why\n/proof unsure\n", []string{`✓ Deleted: Read book: done ← #1 delete_task`, "asked for proof: Check your answer before", "Only answers in doubt"}, ""},
		{"a false proof", "/proof always\n/fault wrong-proof\nget Read book off my plate\n/why\n", []string{"This proves nothing: that call only looked", "Deleted: Read book"}, ""},
		{"help", "/help\n/fault\n/new\n", []string{"/ledger", "skip-tool-twice", "A new conversation."}, ""},
		{"mistakes", "/nope\n/fault lazy\n/guard maybe\n/proof maybe\n/why\n", []string{"There is no command /nope", `there is no fault "lazy"`, "/guard on or /guard off", "/proof always or /proof unsure", "Nothing was said yet."}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("COLUMNS", "200")
			code, out, errs := command(t, test.in, "chat", "-db", ":memory:", "-now", today)
			require.Zero(t, code, errs)
			for _, want := range test.want {
				require.Contains(t, out, want)
			}
			if test.never != "" {
				require.NotContains(t, out, test.never)
			}
			require.NotRegexp(t, uuidForm, out)
		})
	}
}

// TestReset: the first sentence of the README works as often as one likes.
func TestReset(t *testing.T) {
	database := sqliteFile(t)
	for range 2 {
		code, out, _ := command(t, "", "chat", "-db", database, "-reset", "delete Read book")
		require.Zero(t, code)
		require.Contains(t, out, "Deleted: Read book\n")
	}
}

func TestHelpListsEverything(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"help"}, {"--help"}} {
		code, out, _ := command(t, "", args...)
		require.Zero(t, code)
		for _, want := range []string{"tour", "chat", "serve -dev", "help", "-db", "-model", "-faults", "-now", "-guard", "-proof"} {
			require.Contains(t, out, want)
		}
		for _, fault := range simFaults {
			require.Contains(t, out, "  "+fault)
		}
		for _, command := range commands() {
			require.Contains(t, out, "  "+command.name)
		}
	}
	code, _, errs := command(t, "", "chat", "-h")
	require.Zero(t, code)
	require.Contains(t, errs, "Usage: taskmanager chat [flags] [message]")
	require.Contains(t, errs, "-reset")
}

func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"unknown command", "use tour, chat, serve", []string{"delete"}},
		{"unknown fault", "skip-tool", []string{"chat", "-faults", "lazy", "hello"}},
		{"unknown flag", "-nope", []string{"chat", "-nope"}},
		{"unknown proof", "unsure or always", []string{"chat", "-proof", "sometimes", "hello"}},
		{"no date", "2026-02-08", []string{"chat", "-db", ":memory:", "-now", "today", "hello"}},
		{"faults of a real model", "simulated", []string{"chat", "-model", "gpt-5-mini", "-faults", "slow", "hello"}},
		{"the demo for everybody", "loopback", []string{"serve", "-dev", "-addr", "0.0.0.0:0", "-db", ":memory:"}},
		{"no secret", "TASKMANAGER_JWT_SECRET", []string{"serve", "-addr", "127.0.0.1:0", "-db", ":memory:"}},
		{"faults in production", "-dev", []string{"serve", "-faults", "slow"}},
		{"no address", "-addr", []string{"serve", "-dev", "-addr", "here"}},
		{"arguments of the tour", "no arguments", []string{"tour", "now"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TASKMANAGER_JWT_SECRET", "")
			code, _, errs := command(t, "", test.args...)
			if code != 2 || !strings.Contains(errs, test.want) {
				t.Errorf("exit code %d, said %q; want 2 and %q", code, errs, test.want)
			}
		})
	}
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("OPENAI_BASE_URL", "")
	if code, _, errs := command(t, "", "chat", "-db", ":memory:", "-model", "gpt-5-mini", "hello"); code != 1 || !strings.Contains(errs, "OPENAI_API_KEY") {
		t.Errorf("exit code %d, said %q", code, errs)
	}
}

// TestRealModelClient talks to a server that the environment names, as a real
// model would be.
func TestRealModelClient(t *testing.T) {
	server, stop, err := startServer(simulate)
	check(t, err)
	defer stop()
	t.Setenv("OPENAI_API_KEY", "none")
	t.Setenv("OPENAI_BASE_URL", server)
	code, out, errs := command(t, "", "chat", "-db", ":memory:", "-model", "some-model", "delete Read book")
	if code != 0 || out != "Deleted: Read book\n  ✓ #1 delete_task \"Read book\" succeeded\n" {
		t.Errorf("exit code %d: %q %s", code, out, errs)
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1") // nobody is there
	code, out, _ = command(t, "", "chat", "-db", ":memory:", "-model", "some-model", "delete Read book")
	if code != 1 || !strings.Contains(out, `OPENAI_BASE_URL is "http://127.0.0.1:1/v1"`) {
		t.Errorf("exit code %d: %q", code, out)
	}
}

// TestServeCommand starts the server as a user does and ends it by its context.
func TestServeCommand(t *testing.T) {
	reader, writer := io.Pipe()
	ctx, cancel := cancelable(t)
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "-dev", "-addr", "127.0.0.1:0", "-db", ":memory:", "-now", today}, strings.NewReader(""), writer, io.Discard)
	}()
	var address string
	if _, err := fmt.Fscanf(reader, "The task manager is at %s\n", &address); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	if code, _, errs := command(t, "", "serve", "-dev", "-addr", strings.Trim(strings.TrimPrefix(address, "http://"), "/"), "-db", ":memory:"); code != 1 || !strings.Contains(errs, "-addr 127.0.0.1:0") {
		t.Errorf("a port that is taken: exit code %d, %q", code, errs)
	}
	response, err := http.Get(address + "dev")
	check(t, err)
	var dev devMode
	check(t, json.NewDecoder(response.Body).Decode(&dev))
	response.Body.Close()
	if dev.Token == "" || dev.User != "demo" || !dev.Guard || dev.Today != today || len(dev.Faults) != len(simFaults) {
		t.Errorf("the page is told %+v", dev)
	}
	cancel()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the server does not end")
	}
}

// A title may hold what a terminal would obey; it is shown instead.
func TestTitlesDoNothingToTheTerminal(t *testing.T) {
	const title = "milk\x1b]0;owned\x07\x1b[2J\u009b31m\u202e"
	code, out, errs := command(t, "add "+title+"\nlist my tasks\n", "chat", "-db", filepath.Join(t.TempDir(), "tasks.db"))
	if code != 0 || !strings.Contains(out, "milk") {
		t.Fatalf("exit code %d, %q, %s", code, out, errs)
	}
	if strings.ContainsAny(out+errs, "\x1b\x07\u009b\u202e") {
		t.Errorf("the terminal reads %q", out)
	}
}
