package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
)

// TestCodeIsNotRedacted: a command with a title in the place of its id does not work. What
// stands around it is for people.
func TestCodeIsNotRedacted(t *testing.T) {
	for name, c := range map[string]struct{ said, shown string }{
		"no code":               {"See ID.", `See "Read book".`},
		"a block":               {"See ID:\n```sh\nshow ID\n```\nThat shows ID.", "See \"Read book\":\n```sh\nshow ID\n```\nThat shows \"Read book\"."},
		"a block alone":         {"```\nshow ID\n```", "```\nshow ID\n```"},
		"two blocks":            {"```\nID\n```\nor ID\n~~~\nID\n~~~\n", "```\nID\n```\nor \"Read book\"\n~~~\nID\n~~~\n"},
		"one mark in the other": {"~~~\n```\nID\n~~~\nID", "~~~\n```\nID\n~~~\n\"Read book\""},
		"indented, in a list":   {"- see:\n  ```\n  ID\n  ```\n- ID", "- see:\n  ```\n  ID\n  ```\n- \"Read book\""},
		"not closed":            {"See ID:\n```\nshow ID", "See \"Read book\":\n```\nshow ID"},
		"in a line":             {"See `ID`.", "See `\"Read book\"`."},
		"marks in a line":       {"Write ``` before ID.", "Write ``` before \"Read book\"."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Chat, 0) })
			text := func(s string) string { return strings.ReplaceAll(s, "ID", readBook) }
			reply, err := g.Run(context.Background(), guardtest.Script(guardtest.Say(text(c.said))), w, ask("how do I show it?"))
			require.NoError(t, err)
			require.Equal(t, text(c.shown), reply.Text)
		})
	}
}
