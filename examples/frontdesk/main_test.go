package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/intent"
)

// TestMain lets the test be the program, so that staff and manager are two processes.
func TestMain(m *testing.M) {
	if os.Getenv("BONAFIDE_TEST_FRONTDESK") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func cookbook(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.github/docs/cookbook.md")
	require.NoError(t, err)
	return string(text)
}

// until is the time that depends on the day.
var until = regexp.MustCompile(`until [-0-9: ]+ UTC`)

// TestTheCookbookShowsTheDay: each part of what is printed stands in the cookbook.
func TestTheCookbookShowsTheDay(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, play(t.Context(), &out, "", "", ""))
	shown := until.ReplaceAllString(cookbook(t), "until …")
	parts := strings.Split(until.ReplaceAllString(out.String(), "until …"), "\n\n")
	require.Len(t, parts, 4)
	for _, part := range parts {
		require.Contains(t, shown, "```\n"+strings.TrimSpace(part)+"\n```")
	}
}

// TestTheCookbookShowsTheCode: every piece of code in it stands in the program.
func TestTheCookbookShowsTheCode(t *testing.T) {
	var code strings.Builder
	for _, file := range []string{"desk.go", "hotel.go", "main.go", "scene.go"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		code.Write(text)
	}
	flat := regexp.MustCompile(`(?m)^\t+`)
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(cookbook(t), -1)
	require.GreaterOrEqual(t, len(pieces), 6)
	for _, piece := range pieces {
		stands := strings.Contains(flat.ReplaceAllString(code.String(), ""), "\n"+flat.ReplaceAllString(piece[1], ""))
		require.True(t, stands, "the program does not have what the cookbook shows:\n%s", piece[1])
	}
}

// TestTwoProcesses: the staff's process ends while the refund waits, and the manager's goes
// on with it, once.
func TestTwoProcesses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hotel.db")
	process := func(part string) string {
		command := exec.Command(os.Args[0], "-db", file, "-only", part)
		command.Env = append(os.Environ(), "BONAFIDE_TEST_FRONTDESK=1")
		said, err := command.CombinedOutput()
		require.NoError(t, err, string(said))
		return string(said)
	}
	const refunded = "hotel: Ana Sousa 80 euros refunded"
	said := process("staff")
	require.Contains(t, said, "Waiting for approval")
	require.NotContains(t, said, refunded)
	require.Contains(t, process("manager"), refunded+"\nagent: I refunded Ana Sousa 80 euros.")
	require.NotContains(t, process("manager"), refunded, "it was decided about once")
}

// TestTaught: the examples teach what the staff means, and no more.
func TestTaught(t *testing.T) {
	for user, want := range map[string]int{"wrap up Jun Sato's stay": 1, "when do we wrap up a stay?": 0} {
		g, err := guard.New(tools, &guard.Options{Intent: &intent.Options{Examples: examples}})
		require.NoError(t, err)
		asked, err := g.Judge(t.Context(), guard.Recorded{User: user})
		require.NoError(t, err)
		require.Len(t, asked.Intent.Expect, want, user)
	}
	untaught, err := guard.New(tools, nil)
	require.NoError(t, err)
	asked, err := untaught.Judge(t.Context(), guard.Recorded{User: "wrap up Jun Sato's stay"})
	require.NoError(t, err)
	require.Empty(t, asked.Intent.Expect)
}
