package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMetricsAreReadable: each line is a comment or a sample, and each metric has
// its type before its samples, once.
func TestMetricsAreReadable(t *testing.T) {
	w := newWorld(t, model(t, liar))
	send(t, w.url+formats[0].path, formats[0].request(false, false))
	w.settled(1)
	var out strings.Builder
	expose(&out, "counter", "a", "Of a.", "by", map[string]uint64{"x\"y\\z\n": 1})
	require.Contains(t, out.String(), `a{by="x\"y\\z\n"} 1`)
	types := map[string]bool{}
	for line := range strings.Lines(get(t, w.url+"/metrics").body) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			metric, _, _ := strings.Cut(rest, " ")
			require.False(t, types[metric], metric)
			types[metric] = true
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		require.Regexp(t, `^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\.)*",?)+\})? [0-9.e+-]+$`, line)
		metric, _, _ := strings.Cut(strings.Fields(line)[0], "{")
		require.True(t, types[metric], line)
	}
	require.Greater(t, len(types), 10)
}
