package resolver

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The random titles of tests and benchmarks: three to six words, drawn like
// those of a language, a few often and many seldom; half of the titles have a
// little word between the others.

// vocabulary makes n different words that can be pronounced.
func vocabulary(r *rand.Rand, n int) []string {
	onsets := strings.Fields("b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t tr v w z")
	vowels := strings.Fields("a e i o u ai ea ee oa ou")
	codas := strings.Fields("- - - b ck d g l ll m n nd ng nt p r rk rt s sh st t x")
	seen := make(map[string]bool, n)
	words := make([]string, 0, n)
	for len(words) < n {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteString(onsets[r.IntN(len(onsets))] + vowels[r.IntN(len(vowels))])
		}
		b.WriteString(strings.Trim(codas[r.IntN(len(codas))], "-"))
		if word := b.String(); !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// corpus makes n different titles.
func corpus(r *rand.Rand, n int) []Entry {
	words := vocabulary(r, max(2000, min(n, 20_000)))
	zipf := rand.NewZipf(r, 1.07, 8, uint64(len(words)-1))
	between := []string{"the", "for", "with", "my", "to"}
	seen := make(map[string]bool, n)
	entries := make([]Entry, 0, n)
	for len(entries) < n {
		var title []string
		for range 3 + r.IntN(4) {
			title = append(title, words[zipf.Uint64()])
		}
		if i := 1 + r.IntN(len(title)-2); r.IntN(2) == 0 {
			title[i] = between[r.IntN(len(between))]
		}
		text := strings.Join(title, " ")
		text = strings.ToUpper(text[:1]) + text[1:]
		if seen[text] {
			continue
		}
		seen[text] = true
		entries = append(entries, Entry{ID: fmt.Sprintf("%08x-0000-4000-8000-%012x", len(entries), r.Uint64()>>16), Title: text})
	}
	return entries
}

// mistype makes n typing errors in a text, none of them at a border of a word.
func mistype(r *rand.Rand, text string, n int) string {
	b := []byte(strings.ToLower(text))
	for tries := 0; n > 0 && tries < 100; tries++ {
		i := 1 + r.IntN(len(b)-1)
		if i+1 >= len(b) || b[i-1] == ' ' || b[i] == ' ' || b[i+1] == ' ' {
			continue
		}
		switch r.IntN(4) {
		case 0:
			b = append(b[:i], b[i+1:]...)
		case 1:
			b = append(b[:i], append([]byte{'a' + byte(r.IntN(26))}, b[i:]...)...)
		case 2:
			b[i] = 'a' + byte(r.IntN(26))
		case 3:
			b[i], b[i+1] = b[i+1], b[i]
		}
		n--
	}
	return string(b)
}
