package completion

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// pieces are what texts are made of, and what trips scanners up.
var pieces = []string{
	"I", "have", "deleted", "the", "task", "Task", "TASK", "a", "A", "unbelievablylongwordhere", "snake_case", "it's", "I've", "I’ve", "don't", "tasks'", "'Buy", "milk'", "\"quoted\"", "“so”", "‘x’", "«y»", "`z`",
	"e.g.", "Mr.", "etc.", "p.m.", "U.S.", "approx.", "no.", "v1.2", "x.go", "a/b", "/tmp/x", "~/x", "../y", ".env", "https://a.example/b?c=d", "me@x.example", "co-op", "self-test", "- ", "-", "–", "—", "-5", "7", "3:30", "1,000",
	"2nd", "$5", "**bold**", "_it_", "✅", "🎉", "…", "...", "..", "?", "!", "?!", ".", ",", ";", ":", "(", ")", "[x]", "{", "}", "\n", "\n\n", "\n- ", "\n1. ", "\t", "\r\n", " ", "  ", "löschen", "gelöscht", "已删除", "。", "\u00a0", "\u200b", "\xff", "é", "done", "Done", "done.",
	"mr", "list:", "list,", "list;", "list!", "list?", "list.", "x'", "'", "''", "5'b", "a'b", "a'b'c", "o'clock", "\n/etc", "\n~/x", "e.g", "i.e., ", "vs.", "cannot", "can't,", "I’ll.", "you’re:", "tasks’",
}

// TestScanIsTokenize: reading plain words here changes nothing of what the
// language's tokenizer says of a text.
func TestScanIsTokenize(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	r := reading{vocabulary: standardVocabulary()}
	whole := 0
	for n := range 60_000 {
		text := randomText(random, 1+n%12)
		want := r.vocabulary.language.Tokenize(nil, text)
		if !r.scanPlain(text) {
			whole++
		} else if i := firstDifference(r.tokens, want); i >= 0 {
			t.Fatalf("%q: token %d differs\n got %+v\nwant %+v", text, i, r.tokens[min(i, len(r.tokens)):], want[min(i, len(want)):])
		}
		r.scan(text)
		if !slices.Equal(r.tokens, want) || len(r.words) != len(want) {
			t.Fatalf("%q: got %+v, want %+v", text, r.tokens, want)
		}
		for i := range want {
			w := noWord
			if want[i].IsWord() {
				w = r.vocabulary.find(want[i].Hash)
			}
			if r.words[i] != w {
				t.Fatalf("%q: the word of token %d is %+v, want %+v", text, i, r.words[i], w)
			}
		}
	}
	if whole > 45_000 {
		t.Errorf("%d of 60000 texts were not read here at all", whole)
	}
}

func randomText(random *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		text.WriteString(pieces[random.IntN(len(pieces))])
		if random.IntN(4) > 0 {
			text.WriteByte(' ')
		}
	}
	return text.String()
}

func firstDifference(got, want []lexicon.Token) int {
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			return i
		}
	}
	if len(got) > len(want) {
		return len(want)
	}
	return -1
}

// TestAllKnownWordsAreFound: the table holds every plain word of the lexicon,
// in any letter case, and nothing else.
func TestAllKnownWordsAreFound(t *testing.T) {
	v := standardVocabulary()
	found := 0
	for _, entry := range lexicon.English().Entries() {
		if !plainForm(entry.Word) {
			continue
		}
		found++
		for _, form := range []string{entry.Word, strings.ToUpper(entry.Word)} {
			letters := spell(form)
			if k := v.known.find(letters); k.entry != entry || k.word != v.find(lexicon.Hash(form)) || k.hash != lexicon.Hash(form) {
				t.Errorf("%q is %+v", form, k)
			}
		}
		if len(entry.Word)+3 >= maxKnown {
			continue
		}
		letters := spell(entry.Word + "qxj")
		if k := v.known.find(letters); k.word != nil {
			t.Errorf("%qqxj is found as %+v", entry.Word, k)
		}
	}
	if found < 1000 {
		t.Errorf("only %d plain words", found)
	}
}
