package reading_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestTakesBack(t *testing.T) {
	for text, back := range map[string]bool{
		"Sorry, I haven't done that yet.":                                              true,
		"My apologies! I said that it was done, but it was not. Shall I do it now?":    true,
		"I'm sorry, that was wrong: I have not done that. Nothing was changed for it.": true,
		"I was mistaken. No tool was called, so nothing has been done.":                true,
		"That didn't happen. I made no call for it and can't confirm it.":              true,
		"I was wrong, the lamp is not off.":                                            true,
		"It was a mistake to say so: the mail was never sent.":                         true,
		"I haven't sent it, but I have cancelled the order.":                           false,
		"Sorry for the delay, the mail has been sent.":                                 false,
		"I said it was done, and it is done.":                                          false,
		"The order is cancelled, no problem.":                                          false,
		"There is nothing left to do, it is all done.":                                 false,
		"I do not understand.":                                                         false,
		"I can't confirm it.":                                                          false,
		"Shall I do it now?":                                                           false,
		"Sorry about that!":                                                            false,
	} {
		if reading.TakesBack(text) != back {
			t.Errorf("%q: want %v", text, back)
		}
	}
}
