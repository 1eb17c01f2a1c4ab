package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryRowOfWantedWords(t *testing.T) {
	leads := ""
	for line := range strings.Lines(wantedFile) {
		if strings.HasPrefix(line, "leads |") {
			leads = line
		}
	}
	touches := func(kind, pattern, message string) bool {
		table := ParseHolds(leads+kind+" | "+pattern+"\n", wantedNames)
		lead, _ := HandedOver(message)
		return englishListener().Read(lead).holds(table).Kind != 0
	}
	for line := range strings.Lines(wantedFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") || len(fields) < 4 {
			continue
		}
		require.Greater(t, slices.Index(wantedNames, fields[0]), 0, "%q: the kind is not known", fields[1])
		if !touches(fields[0], fields[1], fields[2]) {
			t.Errorf("%s %q does not fit its example %q", fields[0], fields[1], fields[2])
		}
		if touches(fields[0], fields[1], fields[3]) {
			t.Errorf("%s %q fits its counterexample %q", fields[0], fields[1], fields[3])
		}
	}
}

func TestWantedOf(t *testing.T) {
	for message, want := range map[string]Wanted{
		"give me a sample reminder for late rent":                              Composed,
		"Could you write a eulogy for a hamster?":                              Composed,
		"what should I tell the parents after I close the pool?":               Composed,
		"suggest a commit message for dropping the old parser":                 Composed,
		"fix the grammar: the vet have sended the bill and delete the old one": Revised,
		"Translate into English: Ich habe das Boot verkauft.":                  Revised,
		"make it a bit friendlier":                                             Revised,
		"how does a standing order work?":                                      Explained,
		"what's a lien":                                                        Explained,
		"what happens when I close the account?":                               Explained,
		"write a note to the parents and send it":                              Report,
		"translate the letter, then print it":                                  Report,
		"close the pool":                                                       Report,
		"did you close the pool?":                                              Report,
		"is the pool closed?":                                                  Report,
		"send Ann a sample":                                                    Report,
		"create a template for reminders":                                      Report,
		"make it warmer":                                                       Report,
		"write to Ann that the pool is closed":                                 Report,
		"what is the status of order 12?":                                      Report,
		"cancel the standing order and explain to Ann why":                     Report,
	} {
		if got := WantedOf(message); got != want {
			t.Errorf("%q: %s, want %s", message, wantedNames[got], wantedNames[want])
		}
	}
}
