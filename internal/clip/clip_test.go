package clip

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aé", 2, "a…"}, {"aé", 3, "aé"}, {"日本", 4, "日…"},
		{"日本", 0, "…"}, {"\x80\x80\x80", 2, "…"}, {"\x80\x80\x80", 1, "…"}, {"aé!", 3, "aé…"}, {"é", 1, "…"},
	} {
		require.Equal(t, c.want, Text(c.text, c.most), "%q to %d", c.text, c.most)
	}
}
