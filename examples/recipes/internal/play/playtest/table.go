package playtest

import (
	"testing"

	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
)

// Table holds a recipe to the promises that every way in is held to, whole and
// streamed, and the README to what was seen.
func Table(t *testing.T, recipe guardtest.Adapter, open func(s *guardtest.Setting, streamed bool) guardtest.Talk) {
	whole, streamed := recipe, recipe
	whole.Wire, whole.Variant = true, "whole"
	whole.Open = func(s *guardtest.Setting) guardtest.Talk { return open(s, false) }
	streamed.Wire, streamed.Variant, streamed.Streams = true, "streamed", true
	streamed.Open = func(s *guardtest.Setting) guardtest.Talk { return open(s, true) }
	seen := guardtest.TestAdapters(t, whole, streamed)
	promisetable.CheckIn(t, "../README.md", guardtest.Promises(), seen)
}
