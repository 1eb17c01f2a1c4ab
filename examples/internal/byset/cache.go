// Package byset makes a thing once for each set of tools: a guard, mostly, that many conversations or requests share.
package byset

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Key identifies a set of tools by all that is said of them.
type Key [sha256.Size]byte

// KeyOf is the key of some tools.
func KeyOf(tools []tooltrack.Tool) Key {
	hash := sha256.New()
	write := json.NewEncoder(hash)
	for _, tool := range tools {
		schema := string(tool.Parameters) // as a text: it need not be JSON
		tool.Parameters = nil
		_ = write.Encode(schema) // a hash takes everything, and a text and the rest of a tool can be written
		_ = write.Encode(tool)
	}
	return Key(hash.Sum(nil))
}

// Cache keeps what was made for sets of tools; the one that was asked for longest ago gives way.
// It is safe for concurrent use.
type Cache[V any] struct {
	// Most bounds the sets that are kept.
	Most int
	// Make makes the thing. That it could not be made is remembered, too.
	Make func(key Key, tools []tooltrack.Tool) (V, error)
	// Gone hears of what gives way. Default: nobody does.
	Gone func(V)

	mu    sync.Mutex
	asked uint64
	known map[Key]*entry[V]
}

type entry[V any] struct {
	value func() (V, error)
	last  uint64 // when it was asked for
}

// Of is the thing for a set of tools.
func (c *Cache[V]) Of(tools []tooltrack.Tool) (V, error) {
	return c.entry(KeyOf(tools), tools).value() // others with the same tools wait for it, and nobody else
}

func (c *Cache[V]) entry(key Key, tools []tooltrack.Tool) *entry[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	found := c.known[key]
	if found == nil {
		if len(c.known) >= c.Most {
			c.dropOldest()
		}
		if c.known == nil {
			c.known = map[Key]*entry[V]{}
		}
		found = &entry[V]{value: sync.OnceValues(func() (V, error) { return c.Make(key, tools) })}
		c.known[key] = found
	}
	found.last = c.asked
	return found
}

func (c *Cache[V]) dropOldest() {
	oldest := slices.MinFunc(slices.Collect(maps.Keys(c.known)),
		func(a, b Key) int { return cmp.Compare(c.known[a].last, c.known[b].last) })
	if value, err := c.known[oldest].value(); err == nil && c.Gone != nil {
		c.Gone(value)
	}
	delete(c.known, oldest)
}

// All is what was made and is kept.
func (c *Cache[V]) All() []V {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []V
	for _, known := range c.known {
		if value, err := known.value(); err == nil {
			all = append(all, value)
		}
	}
	return all
}
