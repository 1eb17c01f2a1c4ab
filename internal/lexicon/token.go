package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is one word, number or mark of a text.
type Token struct {
	// Start and End are byte offsets: the token is text[Start:End].
	Start, End int32
	// Kind says what it is; Flags, how it stands in the text.
	Kind  Kind
	Flags Flags
	// Hash is a hash of the folded word, equal for "Delete" and "delete"; see
	// [Hash]. Marks have none.
	Hash uint64
	// Entry is what the language knows of the word; nil if it is not listed.
	Entry *Entry
}

// Kind is the kind of a token.
type Kind uint8

const (
	Word   Kind = iota // letters, with digits, "_", and apostrophes inside; endings ('s, 've) are words of their own
	Number             // begins with a digit: 7, 3:30, 29/03, 2nd, 1,000
	Name               // a word with "@", "." or "/" inside: an address, a path, a file
	End                // ends a sentence: . ! ? … and their wide forms
	Break              // the end of a line
	Comma              // , ; : or a dash that stands alone
	Quote              // opens or closes a quotation (straight and curly quotes, backquotes)
	Symbol             // any other mark
)

// Flags say how a token stands in the text.
type Flags uint8

const (
	SentenceStart Flags = 1 << iota // the first word of a sentence, marks not counted
	Quoted                          // between a quotation's opening and closing mark
	Capital                         // begins with an upper-case letter
	Upper                           // has only such, and two or more
	Glued                           // follows the token before it without a space
	Asking                          // an End that asks: "?"
	Plain                           // small letters a to z, but for the first, which may be Capital
)

// IsWord reports whether the token can carry meaning by itself.
func (t *Token) IsWord() bool { return t.Kind <= Name }

// Has reports whether any of the flags is set.
func (t *Token) Has(any Flags) bool { return t.Flags&any != 0 }

// entry is that of the token, an empty one if the word is not listed.
func (t *Token) entry() *Entry {
	if t.Entry == nil {
		return &unlisted
	}
	return t.Entry
}

var unlisted Entry

// Class, Form and Families are those of the token's entry, none if it has no entry.
func (t *Token) Class() Class       { return t.entry().Class }
func (t *Token) Form() Form         { return t.entry().Form }
func (t *Token) Families() Families { return t.entry().Families }

// EndsPhrase reports whether [Language.PhraseKinds] knows phrases that end in the word.
func (t *Token) EndsPhrase() bool { return len(t.Entry.Related().phrases) > 0 }

// BeginsExpression reports whether [Language.Expression] knows expressions that
// begin with the word.
func (t *Token) BeginsExpression() bool { return len(t.entry().expressions) > 0 }

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

// Hash is the hash of a word as tokens carry it: letter case does not matter,
// nor which apostrophe is used.
func Hash(word string) uint64 { return HashMore(hashSeed, word) }

// Pair is the hash of two words, or signs of words, side by side.
func Pair(a, b uint64) uint64 { return (a<<7 | a>>57) ^ b*0x9E3779B97F4A7C15 }

// HashMore goes on with the hash of a word that another part belongs to.
func HashMore(h uint64, word string) uint64 {
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			h = (h ^ uint64(byte(ascii[c]))) * hashPrime
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(word[i:])
		h = hashRune(h, r)
		i += size
	}
	return h
}

// hashRune adds a rune beyond ASCII.
func hashRune(h uint64, r rune) uint64 {
	for r = fold(r); r > 0; r >>= 8 {
		h = (h ^ uint64(r&0xFF)) * hashPrime
	}
	return h
}

// Fold is the form under which words are listed: lower case, straight apostrophes.
func Fold(word string) string { return strings.Map(fold, word) }

func fold(r rune) rune {
	if r == '’' || r == 'ʼ' {
		return '\''
	}
	return unicode.ToLower(r)
}

// What a byte of ASCII is, above its lower case.
const (
	smallLetter uint16 = 0x100 << iota
	greatLetter
	line // "_"
	digit
	space
	letter = smallLetter | greatLetter | line
	inWord = letter | digit
)

var ascii = func() (ascii [256]uint16) {
	for i := range ascii {
		switch c := uint16(i); {
		case c >= 'A' && c <= 'Z':
			ascii[i] = greatLetter | c + 'a' - 'A'
		case c >= 'a' && c <= 'z':
			ascii[i] = smallLetter | c
		case c == '_':
			ascii[i] = line | c
		case c >= '0' && c <= '9':
			ascii[i] = digit | c
		case c == ' ', c == '\t', c == '\r', c == '\v', c == '\f':
			ascii[i] = space | c
		default:
			ascii[i] = c
		}
	}
	return ascii
}()
