package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// What words mean together is found where it begins, or ends, and nowhere else.
func TestIdioms(t *testing.T) {
	m := listen("thank you, how fast is it")
	class, words := m.Expression(0)
	require.True(t, class.Has(lexicon.Politeness))
	require.Equal(t, 2, words)
	require.Equal(t, 2, m.Courtesy(0))
	for i := 1; i < len(m.Tokens); i++ {
		class, _ := m.Expression(i)
		require.False(t, class.Has(lexicon.Politeness), m.Word(i))
	}
	require.Empty(t, m.PhraseKinds(3))
	require.NotEmpty(t, m.PhraseKinds(4), "how fast")
	require.True(t, m.Has(lexicon.Politeness))
	require.False(t, m.Has(lexicon.Refusal))
	require.Equal(t, 1, listen("please delete it").Courtesy(0))
	require.Zero(t, listen("delete it").Courtesy(0))
}
