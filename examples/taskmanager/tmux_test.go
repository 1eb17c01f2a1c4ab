package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// asProgram makes the test binary the program itself, so that a terminal can
// run it.
const asProgram = "BONAFIDE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// tmuxScreen is a terminal of its own with the program in it.
type tmuxScreen struct {
	t      *testing.T
	socket string
}

// newScreen starts the program in a terminal of a size.
func newScreen(t *testing.T, columns, rows int, args ...string) *tmuxScreen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	binary, err := os.Executable()
	check(t, err)
	// The path of a socket may have about a hundred characters, fewer than some
	// temporary folders of tests.
	folder, err := os.MkdirTemp("", "bonafide-tmux-")
	check(t, err)
	s := &tmuxScreen{t: t, socket: filepath.Join(folder, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() // it may have ended with the program
		_ = os.RemoveAll(folder)
	})
	line := asProgram + "=1 exec '" + binary + "'"
	for _, arg := range args {
		line += " '" + arg + "'"
	}
	// What the program printed last stays to be read after it has ended.
	s.tmux("-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), "sh", "-c", line)
	s.tmux("set-option", "-g", "remain-on-exit", "on")
	return s
}

func (s *tmuxScreen) tmux(args ...string) string {
	s.t.Helper()
	command := exec.Command("tmux", append([]string{"-u", "-S", s.socket}, args...)...)
	command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color")
	out, err := command.CombinedOutput()
	require.NoError(s.t, err, "%s: %s", args, out)
	return string(out)
}

// text is what the terminal shows, with what has scrolled away.
func (s *tmuxScreen) text() string {
	s.t.Helper()
	return s.tmux("capture-pane", "-p", "-S", "-")
}

// wait waits until a pattern is on the tmuxScreen, as often as asked for.
func (s *tmuxScreen) wait(pattern string, times int) {
	s.t.Helper()
	form := regexp.MustCompile(pattern)
	require.Eventually(s.t, func() bool { return len(form.FindAllString(s.text(), -1)) >= times }, 2*time.Minute, 50*time.Millisecond, "no %q", pattern)
}

// say types a line.
func (s *tmuxScreen) say(line string) {
	s.t.Helper()
	s.tmux("send-keys", "-l", line)
	s.tmux("send-keys", "Enter")
}

// ended waits until the program has ended.
func (s *tmuxScreen) ended() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		return strings.Contains(s.tmux("list-panes", "-F", "#{pane_dead} #{pane_current_command}"), "1 ")
	}, 2*time.Minute, 50*time.Millisecond, "it does not end")
}

// TestTourInATerminal turns the pages of the tour. The first caught lie is on the first page.
func TestTourInATerminal(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			s := newScreen(t, columns, 50, "-now", today)
			s.wait("does not show it: the tool was never called", 1)
			for page := range opening - 1 {
				s.wait("Enter: next", page+1)
				require.NotContains(t, s.text(), fmt.Sprintf("%d of 3", page+2), "it does not wait for the reader")
				s.tmux("send-keys", "Enter")
				s.wait(fmt.Sprintf("%d of 3", page+2), 1)
			}
			s.wait("What to try next", 1)
			s.ended()
			for line := range strings.Lines(s.text()) {
				require.LessOrEqual(t, screen.Cells(strings.TrimRight(line, "\n")), columns)
			}
		})
	}
}

// TestTheFirstPageFits: on the smallest usual terminal the first page is seen
// whole, from its heading to the question at its end.
func TestTheFirstPageFits(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.wait("Enter: next", 1)
	seen := s.tmux("capture-pane", "-p")
	require.Contains(t, seen, introduction)
	require.Contains(t, seen, "WITHOUT THE GUARD")
	require.Contains(t, seen, "✓ what you see is true")
}

// TestTheTourCanBeLeft at any page.
func TestTheTourCanBeLeft(t *testing.T) {
	for _, keys := range [][]string{{"q", "Enter"}, {"C-c"}} {
		s := newScreen(t, 80, 40, "tour")
		s.wait("q: quit", 1)
		s.tmux(append([]string{"send-keys"}, keys...)...)
		s.ended()
		require.NotContains(t, s.text(), "2 of 3")
	}
}

// TestChatInATerminal has a conversation with faults, proofs and commands.
func TestChatInATerminal(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			s := newScreen(t, columns, 60, "chat", "-db", ":memory:", "-now", today)
			s.wait("Talk about your tasks", 1)
			s.say("/fault ghost-success")
			s.wait(`\[ghost-success\] >`, 1)
			s.say("delete Read book")
			s.wait("not shown, as nothing proved it", 1)
			require.Contains(t, s.text(), `✓ #1 delete_task "Read book" succeeded`)
			s.say("/guard off")
			s.wait(`guard off\] >`, 1)
			s.say("delete Review proposal")
			s.wait("✗ nothing proves this", 1)
			s.say("/guard on")
			s.say("/fault off")
			s.wait("The model is healthy now", 1)
			s.say("/ledger")
			s.wait(`#1 delete_task "Read book" succeeded`, 2)
			s.say("/why")
			s.wait("of which the guard asked for", 1)
			s.say("/reset")
			s.wait("first 7 tasks again", 1)
			s.say("list my tasks")
			s.wait("7. Send the invoice", 1)
			for line := range strings.Lines(s.text()) {
				require.LessOrEqual(t, screen.Cells(strings.TrimRight(line, "\n")), columns)
			}
		})
	}
}

// TestCtrlCEndsTheChat: a prompt must not hold anybody.
func TestCtrlCEndsTheChat(t *testing.T) {
	s := newScreen(t, 80, 20, "chat", "-db", ":memory:")
	s.wait("(?m)^>", 1)
	s.tmux("send-keys", "C-c")
	s.ended()
}
