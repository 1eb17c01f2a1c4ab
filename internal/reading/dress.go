package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Undress puts spaces for what a text is dressed in as a whole: a fence without the name
// of a language, signs of a quotation before each line, quotation marks, code marks or
// signs of emphasis around it, and, where it is a single line, the sign of an entry or a
// heading before it. Every word keeps its place. What is code stays code, and a text that
// has more than what is dressed, but for a heading, comes back as it is.
func Undress(text string) string {
	const deepest = 6 // a quotation in italics in a block: who nests deeper plays
	for range deepest {
		from := textStart(text, 0)
		to := len(strings.TrimRight(text, " \t\r\n"))
		if from >= to || !mayDress(text[from]) {
			return text
		}
		if line, _, more := strings.Cut(text[from:to], "\n"); more && (isHeading(line) || emphasized(line)) {
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

// isHeading reports whether a line names what follows.
func isHeading(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, "#"), " ") && line[0] == '#'
}

// mayDress reports whether a text that begins with a byte may be dressed.
func mayDress(first byte) bool {
	return first >= '0' && first <= '9' || strings.IndexByte("`~>\"_*-#\xe2", first) >= 0
}

// room is as many spaces as a piece of a text has bytes.
func room(n int) string { return strings.Repeat(" ", n) }

// unfence takes the fence from a text that is a block of prose.
func unfence(body string) string {
	mark := body[:len("```")]
	head, inner, found := strings.Cut(body, "\n")
	inner, closed := strings.CutSuffix(inner, mark)
	if !found || !closed || strings.Contains(inner, mark) || !strings.HasSuffix(strings.TrimRight(inner, " "), "\n") {
		return body
	}
	switch strings.ToLower(strings.TrimSpace(head[len(mark):])) {
	case "", "text", "txt", "plain", "plaintext", "md", "markdown":
	default:
		return body
	}
	if isCode(inner) {
		return body
	}
	return room(len(head)) + "\n" + inner + room(len(mark))
}

// isCode reports whether a piece of a text reads like code, data or a command. Prose about
// code marks it.
func isCode(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexByte("{[<$", text[0]) >= 0 {
		return true
	}
	if strings.Contains(text, "`") {
		return false
	}
	for _, sign := range [...]string{" = ", "==", "()", "=>", "->", " --", "&&", "\n    ", "\n\t"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && strings.IndexByte(";{}\\", line[len(line)-1]) >= 0 {
			return true
		}
	}
	return false
}

// unquoteLines takes the signs of a quotation from a text of which every line has one.
func unquoteLines(body string) string {
	var out strings.Builder
	out.Grow(len(body))
	for line := range strings.Lines(body) {
		rest, quoted := strings.CutPrefix(line, ">")
		if !quoted && strings.TrimSpace(line) != "" {
			return body
		}
		if quoted {
			out.WriteByte(' ')
		}
		out.WriteString(rest)
	}
	return out.String()
}

// signPairs are the signs that stand before and after what they dress. Of two that begin
// alike the longer is first.
var signPairs = [...][2]string{
	{"***", "***"}, {"**", "**"}, {"*", "*"}, {"__", "__"}, {"_", "_"}, {"~~", "~~"}, {"~", "~"}, {"``", "``"}, {"`", "`"},
	{`"`, `"`}, {"“", "”"},
}

// unpair takes the signs from a text that stands between two of them as a whole.
func unpair(body string) string {
	for _, pair := range signPairs {
		inner, opened := strings.CutPrefix(body, pair[0])
		inner, closed := strings.CutSuffix(inner, pair[1])
		if !opened {
			continue
		}
		if !closed || len(inner) < 2 || inner[0] == ' ' || !isWhole(inner, pair) || !isSaid(inner) {
			return body
		}
		if pair[0][0] == '`' && isCode(inner) {
			return body
		}
		return room(len(pair[0])) + inner + room(len(pair[1]))
	}
	return body
}

// isWhole reports whether the pair around a text belongs together: the first sign of that
// kind in it, if there is one, opens a piece and does not close the whole. Inside a word
// it is none: order_id.
func isWhole(inner string, pair [2]string) bool {
	for at := 0; ; {
		i := strings.Index(inner[at:], pair[1])
		if opens := strings.Index(inner[at:], pair[0]); i < 0 || opens >= 0 && opens < i {
			return true
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(inner[:at])
		after, _ := utf8.DecodeRuneInString(inner[at+len(pair[1]):])
		switch {
		case at == 0, unicode.IsSpace(before), before == '(':
			return true
		case !isLetterOrDigit(before) || !isLetterOrDigit(after):
			return false
		}
		at += len(pair[1])
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

// unentry takes the sign of an entry or a heading from a text of a single line: a list
// has more than one entry, and a heading something after it. An entry that is no sentence
// is a list of one thing.
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
