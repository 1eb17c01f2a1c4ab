package reading

import (
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func TestSaysComparesInAnyLetterCase(t *testing.T) {
	read := English().ReadClauses(nil, "We paid TWICE, you've paid twice; 3 Times, timeſ and tImEs. Re-check: thrice’s.")
	words := []string{"twice", "times", "Times", "we", "'ve", "paid", "3", "you", "re", "check", "thrice", ".", ""}
	for i := range read.Tokens {
		for _, word := range words {
			if said := strings.EqualFold(read.Word(i), word); read.Says(i, word) != said {
				t.Errorf("%q says %q: %v", read.Word(i), word, !said)
			}
		}
	}
	if read.Says(-1, "we") || read.Says(len(read.Tokens), "we") {
		t.Error("what is outside of a text says something")
	}
	if plain := read.Tokens[0]; !plain.Has(lexicon.Plain) {
		t.Error("the first word is not plain, so the test shows little")
	}
}

func TestContrastedAtItsEdges(t *testing.T) {
	for before, contrasted := range map[string]bool{
		"Loaded crate 551, not ": true, "Loaded crate 551, NOT #": true, "K-21 rather than ": true, "K-21 rather  than\n": false,
		"instead of the ": true, "unlike the old ": true, "everything except ": true, "not": true, "": false, " \n#": false,
		"not 551, but ": false, "It is not. The ": false, "the heap of ": false, "more than ": false, "better\tnot ": false,
		"not the very old big ": false, "not crate7 ": false,
	} {
		if Contrasted(before) != contrasted {
			t.Errorf("%q contrasts: %v", before, !contrasted)
		}
	}
}

func TestPairs(t *testing.T) {
	for between, pairs := range map[string]bool{
		" and ": true, ", ": true, ", and the ": true, ",": true, " ": false, "": false, " the ": false, " or ": false,
		" then ": false, " and your ": true, ",and,": true,
	} {
		read := English().ReadClauses(nil, "tulips"+between+"roses")
		if read.Pairs(len("tulips"), len("tulips")+len(between)) != pairs {
			t.Errorf("%q pairs: %v", between, !pairs)
		}
	}
}
