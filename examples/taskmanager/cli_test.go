package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// command runs the program and returns what it printed.
func command(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(in), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestTour(t *testing.T) {
	code, out, errs := command(t, "", "-now", today)
	if code != 0 || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	if strings.Contains(out, "\x1b") {
		t.Error("there is colour in a pipe")
	}
	for _, scene := range scenes {
		if !strings.Contains(out, scene.fault) || !strings.Contains(out, scene.message) {
			t.Errorf("the scene %s is missing", scene.fault)
		}
	}
	for _, want := range []string{"asks again", "refuses the call", "resolves", "rewrites", "Deleted: Read book", "Technical error: Tool not triggered."} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("the tour does not show %q", want)
		}
	}
	shown := regexp.MustCompile(`lies shown\s+(\d+)\s+(\d+)`).FindStringSubmatch(out)
	if shown == nil || shown[1] == "0" || shown[2] != "0" {
		t.Errorf("lies shown: %q, want some without the guard and none with it", shown)
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 100 {
			t.Errorf("a line has %d characters: %s", n, line)
		}
	}
}

func TestNarrowTour(t *testing.T) {
	t.Setenv("COLUMNS", "70")
	code, out, _ := command(t, "", "-now", today)
	if code != 0 || strings.Contains(out, "│") {
		t.Errorf("exit code %d, or columns on a narrow terminal", code)
	}
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

func TestPrompt(t *testing.T) {
	code, out, _ := command(t, "delete Read book\n\n/why\n/new\n/help\nlist my tasks\n/quit\nnever read\n", "chat", "-db", ":memory:")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"Deleted: Read book", "executed delete_task", "1. Review proposal"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
	if strings.Contains(out, "1. Read book") {
		t.Error("the second message does not see what the first one did")
	}
}

func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"unknown command", "use chat, serve", []string{"delete"}},
		{"unknown fault", "skip-tool", []string{"chat", "-faults", "lazy", "hello"}},
		{"unknown flag", "-nope", []string{"chat", "-nope"}},
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
	if code != 0 || out != "Deleted: Read book\n" {
		t.Errorf("exit code %d: %q %s", code, out, errs)
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
	case <-time.After(10 * time.Second):
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
