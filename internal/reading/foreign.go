package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Of a text in a language without a word list nobody can tell what it says, only
// that it is one, how much it says, and whether it asks. All three are told by
// letters alone, so that they hold for languages that nobody here has thought of.

// tongue is what the words of a text tell of its language.
type tongue struct {
	words, known int  // how many there are, and how many are listed
	own          int  // how many of these are long enough to be words of no other language
	ours, others int  // letters of words that are listed, and of those that are not
	small        bool // one of the latter is no name
	alien        bool // has a letter that English does not have
	brief        bool // is as short as the words that every sentence has, and no unit
	figure       bool // a number stands before
}

// hear adds a word. The shortest say little: "is", "in" and "de" are words of many
// languages. A capital inside a sentence may be that of a name, which has none.
func (t *tongue) hear(word string, token *lexicon.Token, listed bool) {
	const little = 2
	unit := t.figure
	t.figure = token.Kind == lexicon.Number
	if token.Kind != lexicon.Word || token.Has(lexicon.Quoted) {
		return
	}
	t.words++
	switch capital := token.Has(lexicon.Capital); {
	case listed:
		t.known++
		t.own += min(max(len(word)-little, 0), 1)
		t.ours += max(len(word)-little, 0)
	case token.Has(lexicon.Plain):
		if !capital || token.Has(lexicon.SentenceStart) {
			t.others += max(len(word)-little, 0)
			t.small = t.small || !capital
			t.brief = t.brief || !capital && len(word) > 1 && len(word) <= little+1 && !unit && !token.Has(lexicon.Glued)
		}
	case hasAlien(word, capital):
		t.others += max(Size(word), 1)
		t.small, t.alien = true, true
	case hasAlien(word, false) && token.Has(lexicon.SentenceStart):
		t.others += max(utf8.RuneCountInString(word)-little, 0)
		t.small, t.alien = true, true
	}
}

// foreign reports whether three letters of five that tell a language, or more, are of words that are not listed.
func (t *tongue) foreign() bool { return t.small && 5*t.others >= 3*(t.ours+t.others) }

// tells reports whether that holds although the letters are ours: no word is.
func (t *tongue) tells() bool {
	const least = 9 // letters that tell a language
	return t.own == 0 && t.others >= least && t.foreign()
}

// cries reports whether a text is two unlisted words and an exclamation mark: "Guten
// Morgen!" Nobody gives a name so.
func (t *tongue) cries(text string) bool { return t.words == 2 && t.known == 0 && exclaims(text) }

// tongue hears all words of the sentences.
func (t *Text) tongue() (heard tongue) {
	for k := range t.Sentences {
		for i := t.Sentences[k].From; i < t.Sentences[k].To; i++ {
			token := &t.Tokens[i]
			heard.hear(t.Word(i), token, token.Entry != nil || t.Roles[i] != 0)
		}
	}
	return heard
}

// Foreign reports whether a text is in a language without a word list: most of what tells its language is not
// listed. Rare words of ours are not listed either, so one without other letters must have two such words, and
// hardly any of ours or short ones that are not.
func (t *Text) Foreign() bool {
	heard := t.tongue()
	ours := !heard.brief && 4*heard.own >= heard.words
	plain := !heard.alien && (ours || heard.words-heard.known < 2)
	return heard.cries(t.Source) || !plain && 2*heard.known <= heard.words && heard.foreign()
}

// CriesOut reports whether a text is one word that is not listed, or two, and an
// exclamation mark: "Fatto!" Somebody may be glad of something, in whatever language.
func (t *Text) CriesOut() bool {
	heard := t.tongue()
	return heard.words > 0 && heard.words <= 2 && heard.known == 0 && exclaims(t.Source)
}

// Unlisted reports whether more than so many tenths of the words of a text are in no list.
func (t *Text) Unlisted(tenths int) bool {
	unknown, words := 0, 0
	for i := range t.Sentences {
		unknown += t.Sentences[i].Unknown
		words += t.Sentences[i].Words
	}
	return words > 2 && unknown*10 > words*tenths
}

// Asks reports whether a sentence of a message ends in a question mark.
func (m *Message) Asks() bool {
	return slices.ContainsFunc(m.Tokens, func(t lexicon.Token) bool { return asksAt(m.Text, &t) })
}

// asksAt reports whether a token is a question mark.
func asksAt(text string, token *lexicon.Token) bool {
	return token.Has(lexicon.Asking) || token.Kind > lexicon.Name && EndsAsking(text[:token.End])
}

// EndsAsking reports whether a text ends in a question mark, in any script. That of Greek looks like a semicolon.
func EndsAsking(text string) bool {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	last, size := utf8.DecodeLastRuneInString(text)
	switch last {
	case '?', '？', '؟':
		return true
	case ';', '\u037e':
		before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
		return unicode.Is(unicode.Greek, before)
	}
	return false
}

// Said is what stands between the beginning of the first sentence and the end of the
// last: the text without a frame.
func (t *Text) Said() string {
	if len(t.Sentences) == 0 {
		return ""
	}
	return t.Source[t.Sentences[0].Start:t.Sentences[len(t.Sentences)-1].End]
}

// OnlyAsks reports whether each sentence of a text is a question.
func (t *Text) OnlyAsks() bool {
	states := func(s Sentence) bool { return !s.Asking }
	return len(t.Sentences) > 0 && !slices.ContainsFunc(t.Sentences, states)
}

// hasAlien reports whether a letter that English does not have is in a word; names may have any Latin one.
func hasAlien(word string, name bool) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return r >= utf8.RuneSelf && (r > unicode.MaxLatin1 || !name)
	})
}

// Size is how much a text says, in Latin letters: a letter of another script may stand for a syllable or for a
// word. What the tables of our tests say in many languages takes about as many letters of each by these figures.
func Size(text string) int {
	tenths := 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' {
				tenths += 10
			}
		case unicode.Is(unicode.Han, r):
			tenths += 45
		case unicode.Is(unicode.Hangul, r):
			tenths += 25
		case unicode.Is(unicode.Katakana, r), r == 'ー':
			tenths += 20
		case unicode.In(r, unicode.Hiragana, unicode.Arabic, unicode.Hebrew):
			tenths += 13 // Arabic and Hebrew leave vowels out; Hiragana is for what stands around the words
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
			tenths += 10
		}
	}
	return tenths / 10
}

// What is said every day is short in any language: thanks, greetings and a yes have up to talk letters in one or
// two words. Beyond maxTalk, a message asks for something, or tells something. Between them it may do either; who
// ends it with "!" up to maxCry mostly greets or thanks.
const talk, maxTalk, maxCry = 11, 14, 17

// Short reports whether a text is not longer than thanks and greetings may be.
func Short(text string) bool {
	return Size(text) <= maxTalk && len(strings.Fields(text)) <= 3 || SmallTalk(text)
}

// SmallTalk reports whether a text is as short as thanks, greetings and a yes mostly are.
func SmallTalk(text string) bool {
	size := Size(text)
	return size <= talk && len(strings.Fields(text)) <= 2 || size <= maxCry && exclaims(text)
}

// exclaims reports whether a text ends in an exclamation mark.
func exclaims(text string) bool {
	end := strings.LastIndexFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".?!！", r)
	})
	return end >= 0 && (text[end] == '!' || strings.HasPrefix(text[end:], "！"))
}
