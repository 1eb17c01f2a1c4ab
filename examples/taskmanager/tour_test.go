package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/internal/golden"
)

// TestTour: the tour as it stands on terminals of three widths, in golden files
// for people to look at.
func TestTour(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Setenv("COLUMNS", fmt.Sprint(columns))
			code, out, errs := command(t, "", "tour", "-all", "-now", today)
			require.Zero(t, code)
			require.Empty(t, errs)
			require.NotContains(t, out, "\x1b", "there is colour in a pipe")
			for line := range strings.Lines(out) {
				require.LessOrEqual(t, screen.Cells(strings.TrimRight(line, "\n")), columns, line)
			}
			shown := regexp.MustCompile(`lies shown\s+(\d+)\s+(\d+)`).FindStringSubmatch(out)
			require.NotNil(t, shown)
			require.NotEqual(t, "0", shown[1], "lies without the guard")
			require.Equal(t, "0", shown[2], "lies with the guard")
			// An id is another one in every run.
			golden.Check(t, fmt.Sprintf("tour-%d.txt", columns), uuidForm.ReplaceAllString(out, "5f0c9a52-8d1e-4c57-9b1a-6d2f60b3a7e1"))
		})
	}
}

// TestTheTourIsShort: three faults are shown where nobody can ask for more, and
// it says how to see the others.
func TestTheTourIsShort(t *testing.T) {
	code, out, errs := command(t, "", "-now", today)
	require.Zero(t, code, errs)
	require.Contains(t, out, "3 of 3: wrong-proof")
	require.NotContains(t, out, "4 of")
	require.Contains(t, out, "tour -all\n      the other 7 faults")
}

// TestHelpFits does the same for the help.
func TestHelpFits(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Setenv("COLUMNS", fmt.Sprint(columns))
		_, out, _ := command(t, "", "help")
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, screen.Cells(strings.TrimRight(line, "\n")), columns, line)
		}
		golden.Check(t, fmt.Sprintf("help-%d.txt", columns), out)
	}
}

var expiry = regexp.MustCompile(`\d{4}-\d\d-\d\d(\s)\d\d:\d\d UTC`)

// TestConversation does the same for a conversation.
func TestConversation(t *testing.T) {
	said := []string{
		"list my tasks", "delete Read book", "/ledger", "rename Review proposal to Read novel and set it high",
		"delete all completed tasks", "/approvals yes 1", "Lösche die Aufgabe Read book", "/fault ghost-success", "delete Read novel", "/guard off", "delete Call the dentist",
		"/guard on", "/fault off", "mark the bill as paid and remove the plants thing", "delete the weekend trip", "what did you do?",
		"add a task to see the doctor due tomorrow", "/proof always", "mark it as done", "/tasks", "/fault", "/help", "/nope", "/reset", "/quit",
	}
	for _, columns := range []int{60, 80, 120} {
		t.Setenv("COLUMNS", fmt.Sprint(columns))
		code, out, errs := command(t, strings.Join(said, "\n")+"\n", "chat", "-db", ":memory:", "-now", today)
		require.Zero(t, code, errs)
		shown := strings.Split(out, "> ") // what was said is not in a pipe's output
		for i, line := range said {
			shown[i] += "> " + line + "\n"
		}
		whole := expiry.ReplaceAllString(strings.Join(shown, ""), "2026-02-09${1}10:00 UTC")
		for line := range strings.Lines(whole) {
			require.LessOrEqual(t, screen.Cells(strings.TrimRight(line, "\n")), columns, line)
		}
		golden.Check(t, fmt.Sprintf("chat-%d.txt", columns), whole)
	}
}
