package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestDrops(t *testing.T) {
	for _, text := range []string{"Okay, I've stopped", "No problem, I've dropped it.", "I stopped", "Alright, I have dropped that"} {
		_, dropped := reading.English().ReadClauses(nil, text).Drops()
		require.True(t, dropped, text)
	}
	for _, text := range []string{
		"I've stopped the music", "I've dropped the table", "It was dropped", "I've cancelled it", "I've dropped it and paid the bill",
		"I haven't stopped", "Stopped", "I'll stop", "I've dropped it from the list",
	} {
		_, dropped := reading.English().ReadClauses(nil, text).Drops()
		require.False(t, dropped, text)
	}
	act, _ := reading.English().ReadClauses(nil, "I've stopped").Drops()
	require.True(t, act.Has(lexicon.Stop))
}

func TestNothingDone(t *testing.T) {
	for _, text := range []string{"Nothing was done.", "Nothing has been changed", "Nothing was changed now"} {
		require.True(t, reading.English().ReadClauses(nil, text).NothingDone(), text)
	}
	for _, text := range []string{"Nothing was found", "Nothing was sent to Ann", "Nothing is open", "It was done", "Nothing was done, and the door was locked", "Nothing was done wrong"} {
		require.False(t, reading.English().ReadClauses(nil, text).NothingDone(), text)
	}
}
