package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestAcknowledges(t *testing.T) {
	for text, only := range map[string]bool{
		"Noted.": true, "Okay, understood!": true, "I understand.": true, "Sure.": true, "Absolutely!": true, "Alright, noted, thank you.": true,
		"Done.": false, "Okay, done.": false, "All set!": false, "Will do.": false, "Noted, it is cancelled.": false,
		"Sure, the kettle is gone.": false, "Sent.": false, "✅": false, "": false, "I noted it in the file.": false, "I know nothing of it.": false,
	} {
		require.Equal(t, only, reading.Acknowledges(text), text)
	}
}

func TestLetsBe(t *testing.T) {
	for text, lets := range map[string]bool{
		"Okay, I am leaving it as it is.": true, "I left the order alone.": true, "All right, I'll keep it.": true,
		"I left a note for the driver.": false, "I've left an instruction, and it is booked.": false, "I haven't left it.": false,
		"It is cancelled.": false, "Okay.": false, "I left it and cancelled the other one.": false,
	} {
		if reading.LetsBe(text) != lets {
			t.Errorf("%q: want %v", text, lets)
		}
	}
}

func TestSupposes(t *testing.T) {
	for text, supposes := range map[string]bool{
		"Yes, in theory I could.": true, "I could freeze it.": true, "That might take a week.": true,
		"I could, and I have frozen it.": false, "It is frozen.": false, "Yes.": false,
	} {
		if reading.Supposes(text) != supposes {
			t.Errorf("%q: want %v", text, supposes)
		}
	}
}
