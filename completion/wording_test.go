package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// phrasesOf are the phrases of the first clause of a text that states something.
func phrasesOf(t *testing.T, turn Case) []uint16 {
	t.Helper()
	c := newConversation()
	c.read(&turn)
	require.NotEmpty(t, c.assertions, turn.Text)
	return c.phrases(nil, &c.assertions[0])
}

// The phrases of a clause know a value by where it stands, whatever it is; they know the words
// around it and what became of the calls.
func TestPhrases(t *testing.T) {
	made := func(title string) Case {
		calls := recordsOf(`create_task succeeded {"title":"`+title+`"} => {"ok":true}`, assistant)
		return Case{User: "Add " + title, Text: "I've added " + title + ".", Tools: assistant, Records: calls}
	}
	first := made("Zorblax")
	require.Equal(t, phrasesOf(t, first), phrasesOf(t, made("Quuxify")))
	other := first
	other.Text = "I've noted Zorblax."
	require.NotEqual(t, phrasesOf(t, first), phrasesOf(t, other), "another word")
	other = first
	other.Records = nil
	require.NotEqual(t, phrasesOf(t, first), phrasesOf(t, other), "nothing was called")
	other = first
	other.Text = "I've added Quuxify."
	require.NotEqual(t, phrasesOf(t, first), phrasesOf(t, other), "a value of no record")
}

// A report of the work after it was done sounds true, and after nothing was done false.
func TestWording(t *testing.T) {
	weights, turn := shippedModels().wording, Case{
		User: "Cancel the order", Text: "The order has been cancelled.", Tools: assistant,
		Records: recordsOf(`delete_task succeeded {"id":"7"} => {"ok":true}`, assistant),
	}
	done := weights.sum(phrasesOf(t, turn))
	turn.Records = nil
	require.Greater(t, weights.sum(phrasesOf(t, turn)), done)
}

func TestNoPhrasesOfAnUnreadLanguage(t *testing.T) {
	c := newConversation()
	c.read(&Case{User: "Löschen", Text: "Die Aufgabe wurde soeben gelöscht und der Kalender aktualisiert.", Tools: assistant})
	require.True(t, c.unread)
	for i := range c.assertions {
		require.Empty(t, c.phrases(nil, &c.assertions[i]))
	}
}

func TestWordingOfAnotherSize(t *testing.T) {
	_, err := parseWording(fittedWording[1:])
	require.ErrorContains(t, err, "65535 bytes")
	_, err = parseModels(fittedModel, nil)
	require.Error(t, err)
}
