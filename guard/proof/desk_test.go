package proof

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func TestDeskIsLeftWithoutWhatWasRead(t *testing.T) {
	const told = "I've moved the piano to the stage, not the harp."
	for range 3 { // the pool may give the desk of before, or a new one
		k := newReader()
		for _, text := range []string{told, "", "The harp is tuned.", "The harp is tuned.", ""} {
			read, fresh := k.read(text), k.reader.Read(nil, text)
			if read.Source != text || len(read.Clauses) != len(fresh.Clauses) || len(read.Values) != len(fresh.Values) {
				t.Errorf("%q is read with %d clauses and %d values; fresh it has %d and %d", text,
					len(read.Clauses), len(read.Values), len(fresh.Clauses), len(fresh.Values))
			}
			if words := lexicon.English().Tokenize(nil, text); len(k.words(text)) != len(words) {
				t.Errorf("%q is cut into %d words, not %d", text, len(k.words(text)), len(words))
			}
		}
		if k.hedged("The harp is tuned.") || !k.hedged(told) {
			t.Error("what denies is not told from what does not")
		}
		k.leave()
	}
}

func TestDeskThatHasGrownIsNotKept(t *testing.T) {
	k := newReader()
	long := make([]byte, 0, 1<<16)
	for len(long) < 1<<16-8 {
		long = append(long, "harps "...)
	}
	k.values(string(long))
	k.leave()
	if k = newReader(); cap(k.scratch) > 1<<12 {
		t.Errorf("a desk has room for %d values", cap(k.scratch))
	}
}
