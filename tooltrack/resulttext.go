package tooltrack

import (
	"slices"
	"strings"
)

// textTests are what rows of results.txt may ask of a text.
var textTests = map[string]func(string) bool{
	"error": hasLeadingError, "exception": isException, "status": isStatusLine, "decorated": hasDecoratedError,
	"element": isErrorElement, "barring": isBarringPage, "fail": isFailLine, "mark": hasMark, "exit": hasExitLine,
}

// hasLeadingError knows a text that begins with the word for a failure. What goes on
// as the name of a thing is about that thing: an error budget, failed logins.
func hasLeadingError(text string) bool {
	switch {
	case hasLeadingWord(text, "error"):
		return !slices.Contains(phrases("error things"), nextWord(text[len("error"):]))
	case hasLeadingWord(text, "failed"):
		return !isPlural(nextWord(text[len("failed"):]))
	}
	return hasLeadingWord(text, "failure")
}

// nextWord is the word after a single space, in lower case.
func nextWord(rest string) string {
	if rest == "" || rest[0] != ' ' {
		return ""
	}
	end := 1
	for end < len(rest) && isLetter(rest[end]) {
		end++
	}
	if end < len(rest) && !strings.ContainsRune(" :,.(\n", rune(rest[end])) {
		return ""
	}
	return strings.ToLower(rest[1:end])
}

// isPlural reports whether a word has the ending of several things.
func isPlural(word string) bool {
	return len(word) > 4 && word[len(word)-1] == 's' && word[len(word)-2] != 's'
}

func hasLeadingWord(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	return len(text) == len(word) || !isLetter(text[len(word)])
}

// hasDecoratedError knows the word for a failure in brackets, bold or after a sign.
func hasDecoratedError(text string) bool {
	bare := strings.TrimLeft(text, "[*_`># \t⚠️🚨")
	if bare == text || bare == "" {
		return false
	}
	for _, word := range []string{"error", "err", "failed", "failure", "fatal"} {
		if hasLeadingWord(bare, word) && len(bare) > len(word) {
			return strings.IndexByte("]*_`:", bare[len(word)]) >= 0
		}
	}
	return false
}

// isFailLine knows the line of a test that failed: in capitals, since a word in
// small letters may be any answer.
func isFailLine(text string) bool {
	rest, found := strings.CutPrefix(strings.TrimPrefix(text, "--- "), "FAIL")
	return found && rest != "" && strings.IndexByte(": \t\n", rest[0]) >= 0
}

// maxPage is how much of a page is looked at for its title.
const maxPage = 2000

// isErrorElement knows an element that is an error, and a page whose title is the
// status line of one.
func isErrorElement(text string) bool {
	if text == "" || text[0] != '<' {
		return false
	}
	text = text[:min(len(text), maxPage)]
	if strings.HasPrefix(text, "<?xml") {
		_, rest, _ := strings.Cut(text, "?>")
		text = strings.TrimSpace(rest)
	}
	for _, beginning := range []string{"<error>", "<error ", "<tool_use_error>", "<tool_error>"} {
		if hasPrefixFold(text, beginning) {
			return true
		}
	}
	_, title, found := strings.Cut(text, "<title>")
	return found && isStatusLine(strings.TrimSpace(title))
}

// isBarringPage knows a page that asks somebody to log in, or to prove that they are
// human, where an answer should be.
func isBarringPage(text string) bool {
	text = strings.ToLower(text[:min(len(text), maxPage)])
	if !strings.HasPrefix(text, "<!doctype html") && !strings.HasPrefix(text, "<html") {
		return false
	}
	_, title, _ := strings.Cut(text, "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	bars := func(words string) bool { return strings.Contains(title, words) }
	return strings.Contains(text, `type="password"`) || hasPhrase("barring titles", bars)
}

// hasFailedTests knows the line in which a test runner counts what failed.
func hasFailedTests(text string) bool {
	tail := text[max(0, len(text)-maxTold):]
	between := func(r rune) bool { return strings.ContainsRune(" ,.;:=()[]\t\r\n", r) }
	words := strings.FieldsFunc(strings.ToLower(tail), between)
	for i := 1; i < len(words); i++ {
		number := words[i-1]
		counted := strings.Trim(number, "0123456789") == "" && strings.Trim(number, "0") != ""
		if counted && (words[i] == "failed" || words[i] == "failing" || words[i] == "failures" || words[i] == "errors") {
			return true
		}
	}
	return false
}

// isException knows the printed form of an exception: a name of one word
// that ends in Error or Exception, and a colon.
func isException(text string) bool {
	name, _, found := strings.Cut(text, ":")
	if !found || len(name) > 100 || strings.ContainsAny(name, " \t\n") {
		return false
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(name) > 5 && isUpper(name[0]) && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// isStatusLine knows the status line of an answer: "HTTP/1.1 404", "502 Bad Gateway".
func isStatusLine(text string) bool {
	lower := strings.ToLower(text[:min(len(text), 60)])
	if rest, found := strings.CutPrefix(lower, "http"); found {
		lower = strings.TrimLeft(rest, "/.0123456789s ")
		if at := strings.IndexAny(rest, " "); at >= 0 {
			lower = strings.TrimSpace(rest[at:])
		}
		return len(lower) >= 3 && isHTTPFailure([]byte(lower[:3])) && (len(lower) == 3 || !isDigit(lower[3]))
	}
	if len(lower) < 4 || !isHTTPFailure([]byte(lower[:3])) {
		return false
	}
	rest := lower[3:]
	if strings.HasPrefix(rest, " {") || isMailStatus(rest) || hasOwnReason(text) {
		return true
	}
	phrase := strings.TrimLeft(rest, " :-")
	return hasPhrase("status phrases", func(known string) bool { return strings.HasPrefix(phrase, known) })
}

// hasOwnReason knows a code with a reason in the server's own words: "403: it
// belongs to Ann".
func hasOwnReason(text string) bool {
	return len(text) > 5 && len(text) <= maxTold && text[3] == ':' && text[4] == ' ' && text[5] != ' ' &&
		!strings.Contains(text, "\n") && slices.Contains(phrases("common codes"), text[:3])
}

// isMailStatus knows the status codes of mail servers, RFC 3463: " 5.1.1 …".
func isMailStatus(rest string) bool {
	return len(rest) > 5 && rest[0] == ' ' && (rest[1] == '4' || rest[1] == '5') && rest[2] == '.' && isDigit(rest[3]) &&
		rest[4] == '.'
}

// hasMark knows the marks that tools for people put before a failure, colours
// left out.
func hasMark(text string) bool {
	for strings.HasPrefix(text, "\x1b[") {
		end := strings.IndexByte(text, 'm')
		if end < 0 || end > 12 {
			return false
		}
		text = text[end+1:]
	}
	for _, mark := range []string{"✗", "✘", "❌", "✖", "⛔"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// hasExitLine knows the line in which a shell tool tells that a command failed, the
// first or one of the last.
func hasExitLine(text string) bool {
	first, _, more := strings.Cut(text, "\n")
	if isExitLine(first) {
		return true
	}
	for last := 0; more && last < 4; last++ {
		at := strings.LastIndexByte(text, '\n')
		if at < 0 {
			return false
		}
		if isExitLine(text[at+1:]) {
			return true
		}
		text = text[:at]
	}
	return false
}

func isExitLine(line string) bool {
	line = strings.Trim(line, " \t\r[]()")
	return hasPhrase("exits", func(beginning string) bool {
		if !hasPrefixFold(line, beginning) {
			return false
		}
		code := strings.Trim(line[len(beginning):], " :=.-")
		return strings.Trim(code, "0123456789") == "" && strings.Trim(code, "0") != ""
	})
}

// maxTold is how long a text may be that is told as a message. What is longer is
// a content, and content may begin with any words.
const maxTold = 400
