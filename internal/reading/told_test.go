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
