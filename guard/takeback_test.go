package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
)

// afterALie is what is shown when a model lies, and says something else once it is told so.
func afterALie(t *testing.T, user, then string) (shown string, err error) {
	t.Helper()
	w := newWorld()
	said := 0
	model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		if said++; said == 1 {
			return guardtest.Say(lie).Response, nil
		}
		return guardtest.Say(then).Response, nil
	})
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask(user))
	return reply.Text, err
}

// TestWhoTakesItBackIsShown: what a correction asks for is an answer, in whatever words.
func TestWhoTakesItBackIsShown(t *testing.T) {
	for _, back := range []string{
		"Sorry, I haven't done that yet.",
		"My apologies! I said that it was done, but it was not. Shall I do it now?",
		"I'm sorry, that was wrong: I have not deleted it. Nothing was changed.",
		"I was mistaken. No tool was called, so nothing has been deleted.",
		"That didn't happen. I made no call for it and can't confirm it.",
	} {
		for _, user := range []string{"delete Read book", "is Read book deleted?", "can you see to Read book?"} {
			shown, err := afterALie(t, user, back)
			require.NoError(t, err, "%s: %s", user, back)
			require.Contains(t, shown, back, user)
		}
	}
}

// TestALieInOtherWordsIsNoAnswer: after a lie, and with nothing done since, a text that
// neither takes it back nor asks nor says what prevents it is not shown.
func TestALieInOtherWordsIsNoAnswer(t *testing.T) {
	for _, then := range []string{
		"It's all taken care of, you can rely on that.", "Everything you asked for is in place now.",
		"Sorry, I hadn't done that yet. Now it is done.", "You will be happy with your list.",
	} {
		shown, err := afterALie(t, "delete Read book", then)
		require.Error(t, err, then)
		require.NotContains(t, shown, then)
	}
	for _, then := range []string{"I can't delete it: the list is locked by your administrator.", "Which of your lists do you mean?"} {
		shown, err := afterALie(t, "delete Read book", then)
		require.NoError(t, err, then)
		require.Contains(t, shown, then)
	}
	const unread = "Das habe ich noch nicht getan, entschuldigen Sie bitte vielmals, da ist mir ein Fehler unterlaufen."
	_, err := afterALie(t, "delete Read book", unread)
	require.NoError(t, err)
}
