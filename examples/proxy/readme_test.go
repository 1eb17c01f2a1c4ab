package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// snippets are the pieces of a document that are marked as such.
func snippets(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	found := map[string]string{}
	for _, piece := range regexp.MustCompile("(?s)<!-- snippet: (\\w+) -->\n```\\w+\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		found[piece[1]] = piece[2]
	}
	return found
}

// TestSnippets runs what the documents show, against the simulated model: the lie
// comes through who watches, and the call in its place through who acts.
func TestSnippets(t *testing.T) {
	programs := map[string][]string{
		"curl": {"sh", "-c"}, "python": {"python3", "-c"}, "node": {"node", "--input-type=module", "-e"},
	}
	for _, file := range []string{"README.md", "../../.github/docs/guide.md"} {
		found := snippets(t, file)
		require.NotEmpty(t, found, file)
		for name, code := range found {
			t.Run(file+" "+name, func(t *testing.T) {
				command := programs[name]
				require.NotEmpty(t, command, name)
				if _, err := exec.LookPath(command[0]); err != nil {
					t.Skip(command[0] + " is not installed")
				}
				if name == "curl" {
					if _, err := exec.LookPath("curl"); err != nil {
						t.Skip("curl is not installed")
					}
				}
				for _, c := range []struct {
					flags        []string
					shows, hides string
				}{{nil, lie, "tool_calls"}, {[]string{"-enforce"}, "delete_task", "I've deleted"}} {
					w := newWorld(t, model(t, simulated), c.flags...)
					require.Contains(t, code, "http://127.0.0.1:8400/")
					there := strings.ReplaceAll(code, "http://127.0.0.1:8400", w.url)
					said, err := exec.CommandContext(t.Context(), command[0], append(command[1:], there)...).
						CombinedOutput()
						// #nosec G204 -- a test of ours
					require.NoError(t, err, string(said))
					require.Contains(t, strings.ReplaceAll(string(said), `\'`, `'`), c.shows)
					require.NotContains(t, string(said), c.hides)
				}
			})
		}
	}
}

// TestTheREADMENamesEveryFlag: and none that is not there.
func TestTheREADMENamesEveryFlag(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	help := &transcript{}
	_, err = parseSettings([]string{"-help"}, help)
	require.Error(t, err)
	for _, flag := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(help.String(), -1) {
		require.Contains(t, string(text), "`-"+flag[1], "the README does not name it")
	}
	var lock struct {
		Packages map[string]struct {
			Resolved string `json:"resolved"`
		} `json:"packages"`
	}
	data, err := os.ReadFile("testdata/clients/package-lock.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &lock))
	for name, found := range lock.Packages {
		require.Empty(t, found.Resolved, "%s: which registry serves it is nobody's business", name)
	}
}
