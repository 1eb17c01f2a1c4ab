// Package playtest holds a recipe to what every scene must come to.
package playtest

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/recipes/internal/play"
	"github.com/bonafide-go/bonafide/guard"
)

// Run plays every scene, whole and streamed, and holds it to its end. It also reads what the program prints, and
// plays a message again as after a crash.
func Run(t *testing.T, build play.Build) {
	t.Run("printed", func(t *testing.T) { printed(t, build) })
	t.Run("again", func(t *testing.T) { again(t, build) })
	for _, scene := range play.Scenes() {
		for _, streamed := range []bool{false, true} {
			name := scene.Name
			if streamed {
				name += ", streamed"
			}
			t.Run(name, func(t *testing.T) { Hold(t, build, scene, streamed) })
		}
	}
}

// Hold plays one scene, and holds it to its end.
func Hold(t *testing.T, build play.Build, scene simmodel.Scene, streamed bool) {
	ctx := t.Context()
	stage, agent := Open(t, scene, build)
	heard, hear := listener(streamed)
	text, err := agent(ctx, scene.Person, hear)
	if play.Failure(scene) == nil {
		require.NoError(t, err)
		assert.Equal(t, scene.Note("shown"), text)
	} else {
		require.ErrorIs(t, err, play.Failure(scene), "it is the guard's own error, %T", err)
		assert.Contains(t, guard.AccountOf(err), scene.Note("account"))
		assert.Empty(t, text)
	}
	if streamed {
		assert.Equal(t, scene.Note("shown"), heard.String(), "what was streamed")
	}
	for _, lie := range scene.Notes["lie"] {
		assert.NotContains(t, heard.String()+text, lie)
	}
	assert.Equal(t, scene.Notes["ran"], stage.Tasks.Ran(), "what the tools were run for")
	records, err := stage.Records(context.WithoutCancel(ctx))
	require.NoError(t, err)
	assert.Equal(t, scene.Notes["ledger"], records, "what is on record")
}

// Open sets the stage for a scene, and the agent on it.
func Open(t *testing.T, scene simmodel.Scene, build play.Build) (*play.Stage, play.Agent) {
	t.Helper()
	stage, err := play.Open(scene)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stage.Close()) })
	agent, err := build(t.Context(), stage)
	require.NoError(t, err)
	return stage, agent
}

// Scene is the one of that name.
func Scene(t *testing.T, name string) simmodel.Scene {
	t.Helper()
	for _, scene := range play.Scenes() {
		if scene.Name == name {
			return scene
		}
	}
	t.Fatalf("there is no scene %q", name)
	return simmodel.Scene{}
}

// printed reads what the program prints: each scene with its end, and lies in the mouth of the model alone.
func printed(t *testing.T, build play.Build) {
	var output bytes.Buffer
	require.NoError(t, play.Show(t.Context(), &output, build))
	told := strings.Split(strings.TrimPrefix(output.String(), "# "), "\n\n# ")
	scenes := play.Scenes()
	require.Len(t, told, len(scenes))
	for i, scene := range scenes {
		lines := strings.Split(told[i], "\n")
		assert.Equal(t, scene.Name, lines[0])
		assert.Contains(t, lines, "user    "+scene.Person)
		if play.Failure(scene) == nil {
			assert.Contains(t, lines, "shown   "+scene.Note("shown"))
		} else {
			assert.Contains(t, told[i], "\nerror   ")
		}
		for _, record := range scene.Notes["ledger"] {
			assert.Contains(t, told[i], record)
		}
		for _, lie := range scene.Notes["lie"] {
			assert.Contains(t, told[i], "\nmodel   "+strconv.Quote(lie)+"\nguard   ", "it is told, and caught")
			assert.NotContains(t, told[i], "\nshown   "+lie)
		}
	}
}

// again plays a message twice, as after a crash between a change and its answer: the tool does not run again.
func again(t *testing.T, build play.Build) {
	scene := Scene(t, "honest")
	scene.Attempts[0] = append(scene.Attempts[0], scene.Attempts[0]...)
	stage, agent := Open(t, scene, build)
	for range 2 {
		text, err := agent(t.Context(), scene.Person, nil)
		require.NoError(t, err)
		assert.Equal(t, scene.Note("shown"), text)
	}
	assert.Equal(t, scene.Notes["ran"], stage.Tasks.Ran(), "what the tools were run for")
	records, err := stage.Records(t.Context())
	require.NoError(t, err)
	assert.Equal(t, scene.Notes["ledger"], records, "what is on record")
}
