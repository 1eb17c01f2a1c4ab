package lexicon

import "testing"

func TestNameWord(t *testing.T) {
	for word, want := range map[string]NameWord{
		"status": {Answer: true}, // what is handed out, not the act of answering
		"rm":     {Families: FamiliesOf(Delete)},
		"zebra":  {},
	} {
		if got := English().NameWord(word); got != want {
			t.Errorf("%q is %+v, want %+v", word, got, want)
		}
	}
}
