package byset

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func named(n int) []tooltrack.Tool { return []tooltrack.Tool{{Name: fmt.Sprint("tool_", n)}} }

// TestCache: what is asked for at the same moment is made once, what was asked for longest ago gives
// way, and a fault is remembered.
func TestCache(t *testing.T) {
	var made, gone []string
	var mu sync.Mutex
	cache := Cache[string]{Most: 3, Gone: func(name string) { gone = append(gone, name) }}
	cache.Make = func(_ Key, tools []tooltrack.Tool) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if made = append(made, tools[0].Name); tools[0].Name == "tool_9" {
			return "", errors.New("no")
		}
		return tools[0].Name, nil
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = cache.Of(named(0)) })
	}
	all.Wait()
	for _, n := range []int{1, 2, 0, 9, 9} {
		_, err := cache.Of(named(n))
		require.Equal(t, n == 9, err != nil)
	}
	require.Equal(t, []string{"tool_0", "tool_1", "tool_2", "tool_9"}, made)
	require.Equal(t, []string{"tool_1"}, gone)
	require.ElementsMatch(t, []string{"tool_0", "tool_2"}, cache.All())
}

// TestKeys: whatever is said of a tool makes another set, in whichever member it stands.
func TestKeys(t *testing.T) {
	keys := map[Key]bool{}
	for _, tools := range [][]tooltrack.Tool{
		nil, {{Name: "a"}}, {{Name: "a", Description: "b"}}, {{Name: "ab"}}, {{Name: "a"}, {Name: "b"}}, {{Name: "a", Effect: tooltrack.Reads}},
		{{Name: "a", Parameters: []byte(`{}`)}}, {{Name: "a", Parameters: []byte(`{`)}}, {{Name: "a", Words: tooltrack.Words{Verbs: []string{"b"}}}},
	} {
		require.False(t, keys[KeyOf(tools)], "%+v", tools)
		keys[KeyOf(tools)] = true
	}
}
