package tooltrack_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/tooltracktest"
)

func newMemory(testing.TB) tooltrack.Store { return tooltrack.NewMemory(nil) }

func TestMemoryConforms(t *testing.T) { tooltracktest.TestStore(t, newMemory) }

func TestMemoryEqualsModel(t *testing.T) { tooltracktest.TestModel(t, newMemory, 100, 200) }
