package lexicon

import (
	"fmt"
	"strings"
)

// stemming is no form: its rules take the endings away.
const stemming Form = 0

// rule replaces an ending. In from, C is any consonant and V any vowel; those that
// it begins with are kept.
type rule struct {
	from, to string // to without what is kept
	kept     int
	double   bool
}

func (b *builder) listEndings(i *item) error { return b.listRules(1<<i.number, i.words) }

func (b *builder) listStems(i *item) error { return b.listRules(stemming, i.words) }

func (b *builder) listRules(form Form, fields []string) error {
	for _, field := range fields {
		from, to, found := strings.Cut(field, ">")
		if !found {
			return fmt.Errorf("%q is not of the kind FROM>TO", field)
		}
		kept := len(from) - len(strings.TrimLeft(from, "CV"))
		double := strings.Contains(to, "*")
		to = strings.TrimLeft(strings.ReplaceAll(to, "*", ""), "CV")
		b.endings[form] = append(b.endings[form], rule{from, to, kept, double})
	}
	return nil
}

// keeps is the word without the part that the rule replaces; "" if it does not end
// as the rule says.
func (r rule) keeps(word string) string {
	if len(word) <= len(r.from) {
		return ""
	}
	tail := word[len(word)-len(r.from):]
	for i := range r.from {
		switch c := r.from[i]; {
		case c == 'C' && (isVowel(tail[i]) || ascii[tail[i]]&letter == 0),
			c == 'V' && !isVowel(tail[i]),
			c != 'C' && c != 'V' && c != tail[i]:
			return ""
		}
	}
	return word[:len(word)-len(r.from)+r.kept]
}

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// inflect makes the regular form of a word; "" if the language has none.
func (l *Language) inflect(word string, form Form, doubled bool) string {
	for _, rule := range l.endings[form] {
		if kept := rule.keeps(word); kept != "" {
			if rule.double && doubled {
				kept += word[len(word)-1:]
			}
			return kept + rule.to
		}
	}
	return ""
}

// Inflect appends the forms of a word to dst, itself first: those listed for
// its lemma or, for a word that is not listed, the regular ones with and
// without a doubled last letter. Use it to prepare tables, not per message.
func (l *Language) Inflect(dst []string, word string) []string {
	word = Fold(word)
	dst = append(dst, word)
	if entry := l.Lookup(word); entry != nil && entry.Form != 0 {
		for _, other := range l.entries {
			if other.ID == entry.ID && other != entry {
				dst = append(dst, other.Word)
			}
		}
		return dst
	}
	for _, form := range []Form{Third, Past, Gerund, Plural} {
		for _, doubled := range []bool{false, true} {
			if doubled && !isShortEnding(word) {
				continue
			}
			if made := l.inflect(word, form, doubled); made != "" && dst[len(dst)-1] != made {
				dst = append(dst, made)
			}
		}
	}
	return dst
}

// isShortEnding reports whether a word ends in one vowel and one consonant, as
// those do that double it.
func isShortEnding(word string) bool {
	n := len(word)
	return n >= 3 && !isVowel(word[n-1]) && isVowel(word[n-2]) && !isVowel(word[n-3])
}

// minStem keeps short words whole: "bus", "ring", "red".
const minStem = 3

// Stem is the lemma of a listed word, and of any other what its regular ending leaves. The word
// must be folded; see [Fold]. Stems are for comparing: not each is a word.
func (l *Language) Stem(word string) string {
	if entry := l.Lookup(word); entry != nil {
		return entry.Lemma
	}
	for _, rule := range l.endings[stemming] {
		kept := rule.keeps(word)
		if len(kept) < minStem {
			continue
		}
		return undouble(kept + rule.to)
	}
	return undouble(word)
}

// undouble drops a last letter that only the ending doubled, and a silent e,
// so that "planned" and "plan", "making" and "make" meet.
func undouble(word string) string {
	n := len(word)
	if n <= minStem {
		return word
	}
	last := word[n-1]
	if last == 'e' || last == word[n-2] && !isVowel(last) && strings.IndexByte("sflz", last) < 0 {
		return word[:n-1]
	}
	return word
}
