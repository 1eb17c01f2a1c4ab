package reading

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryWayToGoOnIsOne: each row has an example that it takes, and that the words
// of the others leave to it.
func TestEveryWayToGoOnIsOne(t *testing.T) {
	known := sayings()
	require.Len(t, known.GoesOn, 6)
	require.Len(t, known.AddsTo, 2)
	for _, table := range [][]saying{known.GoesOn, known.AddsTo} {
		for _, row := range table {
			require.Equal(t, row.Name, sayingIn(spoken(row.Example), table))
			for _, phrase := range append(row.Starts, row.Holds...) {
				require.Equal(t, strings.ToLower(phrase), phrase)
				require.NotEmpty(t, sayingIn(" "+phrase+" ", table))
			}
		}
	}
	for _, text := range []string{"delete the user Bob", "order the tool for Ann", "finish the task Read book", "file a bug", "the systematic review", "a tool calling"} {
		require.Empty(t, sayingIn(spoken(text), known.GoesOn), text)
	}
}

// TestOwnWords: what is handed on in a message is no request.
func TestOwnWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"now delete b.go":              "now delete b.go",
		"<a>x</a> now go":              "now go",
		"<a-b c=\"d\">x\ny</a-b>\nnow": "now",
		"<a>open now":                  "open now",
		"if a < b then":                "if a < b then",
		"a <":                          "a <",
		"<br/>yes":                     "yes",
		"look:\n```go\nx\n```\nand go": "look:\nand go",
		"look:\n```go\nx":              "look:",
		"[Image] what is it":           "what is it",
		"> quoted\nmine\n  > quoted":   "mine",
		"<a>1</a>b<a>2</a>c":           "b\nc",
		"one\n\n\ntwo":                 "one\ntwo",
		"</a> stray":                   "</a> stray",
		"<é>x</é> y":                   "y",
	} {
		require.Equal(t, want, ownWords(text), "%q", text)
	}
}
