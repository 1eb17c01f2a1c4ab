package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Undress puts spaces for what a text is dressed in as a whole: a fence without the name of a language, signs of a
// quotation before each line, quotation marks, code marks or signs of emphasis around it, and, where it is a single
// line, the sign of an entry or a heading before it. Every word keeps its place. What is code stays code, and a
// text that has more than what is dressed, but for a heading, comes back as it is.
func Undress(text string) string {
	const deepest = 6 // a quotation in italics in a block: who nests deeper plays
	for range deepest {
		from := textStart(text, 0)
		to := len(strings.TrimRight(text, " \t\r\n"))
		if from >= to || !mayDress(text[from]) {
			return text
		}
		if line, _, more := strings.Cut(text[from:to], "\n"); more && (heading().MatchString(line) || emphasized(line)) {
			from = textStart(text, from+len(line))
		}
		body := text[from:to]
		bare := body
		switch {
		case strings.HasPrefix(body, "```"), strings.HasPrefix(body, "~~~"):
			bare = unfence(body)
		case body[0] == '>':
			bare = unquoteLines(body)
		default:
			if bare = unpair(body); bare == body {
				bare = unentry(body)
			}
		}
		if bare == body {
			return text
		}
		text = text[:from] + bare + text[to:]
	}
	return text
}

// textStart is where the first sign stands from a place on.
func textStart(text string, from int) int {
	return len(text) - len(strings.TrimLeft(text[from:], " \t\r\n"))
}

// mayDress reports whether a text that begins with a byte may be dressed.
func mayDress(first byte) bool {
	return first >= '0' && first <= '9' || strings.IndexByte("`~>\"_*-#\xe2", first) >= 0
}

// room is as many spaces as a piece of a text has bytes.
func room(n int) string { return strings.Repeat(" ", n) }

var (
	heading  = pattern(`^#+ `)
	fence    = pattern("(?is)^(```|~~~)[ \\t]*(?:text|txt|plain|plaintext|md|markdown)?\\s*?\n(.*\n *)(```|~~~)$")
	unquoted = pattern(`(?m)^[^>\n].*\S|^[^>\s]`) // a line without the sign of a quotation
	quoting  = pattern(`(?m)^>`)
	signs    = pattern(` = |==|\(\)|=>|->| --|&&|\n    |\n\t|(?m:[;{}\\]\s*$)`) // of code
)

// unfence takes the fence from a text that is a block of prose.
func unfence(body string) string {
	m := fence().FindStringSubmatch(body)
	if m == nil || m[1] != m[3] || strings.Contains(m[2], m[1]) || isCode(m[2]) {
		return body
	}
	head := len(body) - len(m[2]) - len(m[3])
	return room(head-1) + "\n" + m[2] + room(len(m[3]))
}

// isCode reports whether a piece of a text reads like code, data or a command. Prose about code marks it.
func isCode(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || strings.IndexByte("{[<$", text[0]) >= 0 ||
		!strings.Contains(text, "`") && signs().MatchString(text)
}

// unquoteLines takes the signs of a quotation from a text of which every line has one.
func unquoteLines(body string) string {
	if unquoted().MatchString(body) {
		return body
	}
	return quoting().ReplaceAllString(body, " ")
}

// dressing are the signs that stand before and after what they dress. Of two that begin alike the longer is first.
var dressing = strings.Fields("*** ** * __ _ ~~ ~ `` ` \" “")

// unpair takes the signs from a text that stands between two of them as a whole.
func unpair(body string) string {
	for _, sign := range dressing {
		inner, opened := strings.CutPrefix(body, sign)
		if !opened {
			continue
		}
		end := strings.Replace(sign, "“", "”", 1)
		inner, closed := strings.CutSuffix(inner, end)
		if !closed || len(inner) < 2 || inner[0] == ' ' || !isWhole(inner, sign, end) || !isSaid(inner) ||
			sign[0] == '`' && isCode(inner) {
			return body
		}
		return room(len(sign)) + inner + room(len(end))
	}
	return body
}

// isWhole reports whether the pair around a text belongs together: the first sign of that kind in it, if there is
// one, opens a piece and does not close the whole. Inside a word it is none: order_id.
func isWhole(inner, sign, end string) bool {
	for at := 0; ; {
		i := strings.Index(inner[at:], end)
		if opens := strings.Index(inner[at:], sign); i < 0 || opens >= 0 && opens < i {
			return true
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(inner[:at])
		after, _ := utf8.DecodeRuneInString(inner[at+len(end):])
		switch {
		case at == 0, unicode.IsSpace(before), before == '(':
			return true
		case !isLetterOrDigit(before) || !isLetterOrDigit(after):
			return false
		}
		at += len(end)
	}
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isSaid reports whether a piece of a text is more than a name or a title: it ends as a
// sentence does, or has some words.
func isSaid(text string) bool {
	const few = 3
	return endsSentence(text) || len(strings.Fields(text)) > few
}

func endsSentence(text string) bool {
	text = strings.TrimRight(text, " \n_*~`\"”")
	last, _ := utf8.DecodeLastRuneInString(text)
	return last == '.' || last == '!' || last == '?' || last == '…' || last > 0x2190 && !unicode.IsLetter(last)
}

// unentry takes the sign of an entry or a heading from a text of a single line: a list has more than one entry, and
// a heading something after it. An entry that is no sentence is a list of one thing.
func unentry(body string) string {
	if strings.Contains(body, "\n") {
		return body
	}
	sign := strings.TrimLeft(body, "#")
	if sign == body {
		if !beginsItem(body) || !endsSentence(body) {
			return body
		}
		_, sign, _ = strings.Cut(body, " ")
		sign = " " + sign
	}
	if !strings.HasPrefix(sign, " ") {
		return body // #551
	}
	return room(len(body)-len(sign)) + sign
}

// Plain takes signs of emphasis from a text and undoes disguises of Latin letters: compatibility forms (full width,
// mathematical, circled) and Cyrillic or Greek letters inside a Latin word. Most texts come back as they are.
func Plain(text string) string {
	text = unmark(text)
	if utf8.RuneCountInString(text) == len(text) {
		return text
	}
	if strings.ContainsFunc(text, compatibility) {
		text = norm.NFKC.String(text)
	}
	if strings.ContainsAny(text, lookalikes) {
		text = words().ReplaceAllStringFunc(text, unmix)
	}
	return text
}

// Calm lowers the letters of a text that has no small one.
func Calm(text string) string {
	if strings.ContainsFunc(text, unicode.IsLower) {
		return text
	}
	return strings.ToLower(text)
}

// unmark puts spaces for the signs of emphasis of a text; a line that is emphasized as a whole is a heading. Every
// word keeps its place. A single sign is none of emphasis, but of a pattern of file names.
func unmark(text string) string {
	if !strings.Contains(text, "**") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.Count(line, "**")%2 == 0 {
			if emphasized(line) {
				line = strings.Replace(line, "**", "# ", 1)
			}
			line = strings.ReplaceAll(line, "**", "  ")
		}
		out.WriteString(line)
	}
	return out.String()
}

// emphasized reports whether a line is emphasized as a whole and is no sentence.
func emphasized(line string) bool {
	body, opened := strings.CutPrefix(strings.TrimSpace(line), "**")
	body, closed := strings.CutSuffix(strings.TrimSuffix(body, ":"), "**")
	return opened && closed && !strings.Contains(body, "**") && strings.TrimRight(body, ".!?") == body
}

// compatibility reports whether a character is a full-width, mathematical, circled or letter-like form of another.
func compatibility(r rune) bool {
	return r >= 0xFF01 && r <= 0xFF5E || r >= 0x1D400 && r <= 0x1D7FF ||
		r >= 0x2460 && r <= 0x24FF || r >= 0x2100 && r <= 0x214F
}

// lookalikes are Cyrillic and Greek letters; likened has after each the Latin one that it looks like.
const (
	lookalikes = "аαеεоορрсхуіιѕԁѵνІΙ"
	likened    = "аaαaеeεeоoοoρpрpсcхxуyіiιiѕsԁdѵvνvІIΙI"
)

var words, latin = pattern(`\pL+`), strings.NewReplacer(strings.Split(likened, "")...)

// unmix puts Latin letters for those that look like them in a word that has Latin ones. Words of one script stay.
func unmix(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r < utf8.RuneSelf }) {
		return latin.Replace(word)
	}
	return word
}

// Shouts reports whether a text has nothing but capitals, or nearly so. They say nothing
// of names and of where sentences begin.
func Shouts(text string) bool {
	const few = 20 // of so many capitals, one letter may be small
	upper, lower, heading, begins := 0, 0, false, true
	for _, r := range text {
		heading = begins && r == '#' || heading && r != '\n' // it may be anybody's
		begins = r == '\n'
		switch {
		case heading:
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
		if upper > 1 && lower > 1 && lower*few > upper+2*few {
			return false
		}
	}
	return upper > 1 && lower*few <= upper
}

// runsOfLetters are words, and names with the marks inside them that join their parts.
var runsOfLetters = pattern(`[\pL\p{Nd}]+(?:[-_@./][\pL\p{Nd}]+)*`)

// Recase gives a text that shouts small letters, a capital at the beginning of a
// sentence, and to words that stand in other texts the letters that they have there.
func Recase(text string, others ...string) string {
	forms := map[string]string{"i": "I"}
	for _, other := range others {
		for _, form := range runsOfLetters().FindAllString(other, -1) {
			if word := strings.ToLower(form); forms[word] == "" {
				forms[word] = form
			}
		}
	}
	var out strings.Builder
	out.Grow(len(text))
	done, begins := 0, true
	for _, at := range runsOfLetters().FindAllStringIndex(text, -1) {
		between := text[done:at[0]]
		begins = begins || strings.ContainsAny(between, ".!?\n")
		out.WriteString(between)
		word := strings.ToLower(text[at[0]:at[1]])
		switch form := forms[word]; {
		case form != "" && form != word:
			out.WriteString(form)
		case begins && plainLetters(word):
			first, size := utf8.DecodeRuneInString(word)
			out.WriteRune(unicode.ToUpper(first))
			out.WriteString(word[size:])
		default:
			out.WriteString(word)
		}
		done, begins = at[1], false
	}
	out.WriteString(text[done:])
	return out.String()
}

func plainLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}
