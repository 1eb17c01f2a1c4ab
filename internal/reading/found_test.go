package reading_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestToldAsFound(t *testing.T) {
	for _, text := range []string{
		"Booking 12 was cancelled on Monday.", "It is already off.", "The lot is still on loan.", "I'd rather leave it open.",
		"Too late, I'm afraid.",
	} {
		if !reading.ToldAsFound(text) {
			t.Errorf("%q is told as done", text)
		}
	}
	for _, text := range []string{
		"I've cancelled booking 12.", "The booking has been cancelled.", "Done!", "I deleted the file, which was already old.",
		"The light is off.", "",
	} {
		if reading.ToldAsFound(text) {
			t.Errorf("%q is told as found", text)
		}
	}
}

func TestRefrainingAndDone(t *testing.T) {
	for _, c := range []struct {
		text            string
		refrains, tells bool
	}{
		{"I haven't sent anything.", true, false}, {"So I left both alone.", true, false},
		{"I haven't sent it, but I've saved it.", true, true}, {"I've sent it.", false, true},
		{"My lips are sealed.", false, false}, {"The mail was sent.", false, true},
	} {
		read := reading.English().ReadClauses(nil, c.text)
		if read.Refrains() != c.refrains || read.TellsDone() != c.tells {
			t.Errorf("%q: refrains %t, tells what was done %t", c.text, read.Refrains(), read.TellsDone())
		}
	}
}

func TestOnceMore(t *testing.T) {
	for _, text := range []string{"send it again", "another one please", "book it twice", "two more", "a second courier"} {
		if !reading.OnceMore(text) {
			t.Errorf("%q wants it once", text)
		}
	}
	for _, text := range []string{"send it", "pay Petra 280", `title it "once again"`} {
		if reading.OnceMore(text) {
			t.Errorf("%q wants it once more", text)
		}
	}
	for text, several := range map[string]bool{
		"cancel both": true, "delete all of them": true, "move the rest": true, "book three rooms": true, "cancel it": false, "pay Ann": false,
	} {
		if reading.SpeaksOfSeveral(text) != several {
			t.Errorf("%q speaks of several things: %t", text, !several)
		}
	}
}
