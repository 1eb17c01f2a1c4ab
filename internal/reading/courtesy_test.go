package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func bare(text string) string {
	m := englishListener().Read(text)
	if m.Courteous {
		return ""
	}
	return m.Text
}

// TestCourtesyRows: each row of the list takes its example from a request.
func TestCourtesyRows(t *testing.T) {
	const request = "Cancel the roast for Friday."
	rows := 0
	for line := range strings.Lines(courtesyFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		rows++
		if fields[0] == "answer" {
			if got, _ := English().Ungreet(fields[2]+" "+request, nil); !English().Greets(lexicon.English().Tokenize(nil, fields[2])) {
				t.Errorf("%q greets nobody: %q", fields[2], got)
			}
			continue
		}
		text := fields[2] + " " + request
		if fields[0] == "closing" {
			text = request + " " + fields[2]
		}
		if got := bare(text); got != request {
			t.Errorf("%q is %q", text, got)
		}
	}
	if rows < 30 {
		t.Errorf("only %d rows have an example", rows)
	}
}

func TestUnframed(t *testing.T) {
	for text, want := range map[string]string{
		"hi can you refund it":                         "can you refund it",
		"Could you please refund it?":                  "refund it?",
		"Hi, would you just give 12 to Eva":            "give 12 to Eva",
		"why don't you refund it":                      "refund it",
		"could you be more precise":                    "could you be more precise",
		"why didn't you refund it":                     "why didn't you refund it",
		"Hi Ines, I hope you're well. Refund 12.":      "Refund 12.",
		"hey Robo add jam":                             "add jam",
		"refund 12 thanks":                             "refund 12",
		"refund 12, thx!":                              "refund 12",
		"Refund 12?\n\nKind regards,\nDr Eva Nowak":    "Refund 12?",
		"Refund 12. Thanks, eva":                       "Refund 12.",
		"REFUND 12. THANKS, EVA":                       "REFUND 12.",
		"Sorry to bother you, but where is my parcel?": "where is my parcel?",
		// There may be nothing else.
		"Hello there":                  "",
		"Hi! How are you? Thanks, Eva": "",
		// What belongs to the request stays.
		"Hi there, Berlin":                 "Berlin",
		"Sorry to bother you, with what?":  "with what?",
		"hello kitty tickets for Friday":   "hello kitty tickets for Friday",
		"no thanks":                        "no thanks",
		"send Eva my thanks":               "send Eva my thanks",
		"tell her to have a nice day":      "tell her to have a nice day",
		"I hope you can cancel my booking": "I hope you can cancel my booking",
		"how are things in bay 3?":         "how are things in bay 3?",
		"sorry for the delay of order 12":  "sorry for the delay of order 12",
		"Thanks! Delete Eva":               "Thanks! Delete Eva",
		`add "say hi. Thanks"`:             `add "say hi. Thanks"`,
		"which one is the best":            "which one is the best",
		"Delete the best, Tom":             "Delete the best, Tom",
		"":                                 "",
	} {
		if got := bare(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What is left of a message is read as if it had been written so.
func FuzzUnframed(f *testing.F) {
	for _, text := range []string{
		"Hi there, delete it. Thanks, Maria", "\xffhi, \x00 thanks", "could you please take the milk off my list, it is bad",
		"Hi, J. Farrow is here. Thanks!", "hello, from J. J.  Thanks", "hello, 'tis \"a\" b. Thanks", "Could you e-mail Ann - thanks", "hi, /tmp/x - thank you",
		"please, I've 3.5 of it: main.go. Cheers", "why don't you re-do p.m. it, $5 - \nThanks,\nTom", "Hi! Ärger – thanks", "Hi. -x",
		"can you \u200bdelete it? Best, A.", "hi can you see-saw Anna's, thanks", "sorry to bother you, but don't. Thanks",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := bare(text)
		if !strings.Contains(text, got) {
			t.Errorf("%q is %q", text, got)
		}
		m := englishListener().Read(text)
		if m.Courteous != (got == "" && text != "") {
			t.Errorf("%q is courteous: %v", text, m.Courteous)
		}
		if want := englishListener().listen(); !m.Courteous {
			want.tokenize(got)
			if want.glance(); !slices.Equal(m.words, want.words) {
				t.Errorf("%q is read as %+v, want %+v", text, m.words, want.words)
			}
		}
	})
}
