package reading_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestOnlyTells(t *testing.T) {
	for _, message := range []string{
		"that was wrong!", "that is too bright", "you booked the wrong room", "it was the other one",
		"the tiles were cracked", "they were late again",
	} {
		if !reading.OnlyTells(message) {
			t.Errorf("%q asks for something", message)
		}
	}
	for _, message := range []string{
		"go", "close W46", "screen them", "yes, that works for me", "sure, that is right", "a ticket for my granddaughter",
		"bin that whole thread", "could you call me?", "who was that?", "locker 19", "the second one", "", "lösch das",
	} {
		if reading.OnlyTells(message) {
			t.Errorf("%q only tells something", message)
		}
	}
}

func TestCommands(t *testing.T) {
	for _, message := range []string{"undo it", "close W46", "ship it", "could you call me?"} {
		if !reading.Commands(message) {
			t.Errorf("%q is no command", message)
		}
	}
	for _, message := range []string{"that was wrong!", "no", "who was that?", "the second one", "", "you booked the wrong room"} {
		if reading.Commands(message) {
			t.Errorf("%q is a command", message)
		}
	}
}

// TestInGeneral: what is so after something was done, in case of it or for each thing that
// it was done to tells of nothing that was done.
func TestInGeneral(t *testing.T) {
	done := func(text string) bool {
		read := reading.English().ReadClauses(nil, text)
		for _, c := range read.Clauses {
			told := c.Shape == reading.PassivePerfect || c.Shape == reading.PassivePresent || c.Shape == reading.PassivePast
			if told && (c.Mood == reading.Stated || c.Mood == reading.Presupposed) {
				return true
			}
		}
		return false
	}
	for text, told := range map[string]bool{
		"It usually takes about 3 days after the order has been cancelled.": false,
		"After the order has been cancelled, you get a receipt.":            false,
		"You get a notification as soon as the order is cancelled.":         false,
		"It is free, provided that the order was cancelled online.":         false,
		"It is for the case that the order has been cancelled by mistake.":  false,
		"After a quick check, the order has been cancelled.":                true,
		"After the order was cancelled, I sent the mail.":                   true,
		"Now that the order has been cancelled, you get a receipt.":         true,
		"The order that you sent has been cancelled.":                       true,
	} {
		if done(text) != told {
			t.Errorf("%q: want %v", text, told)
		}
	}
}

func TestTellsOwnDeed(t *testing.T) {
	for text, told := range map[string]bool{
		"I looked up the dates.": true, "I've checked with the team.": true, "First I read the code, then I change it.": false,
		"It is looked up each time.": false, "I can look it up.": false,
	} {
		if reading.TellsOwnDeed(text) != told {
			t.Errorf("%q: want %v", text, told)
		}
	}
}
