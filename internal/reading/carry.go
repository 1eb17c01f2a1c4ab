package reading

import "strings"

// Introduces reports whether something stands behind a colon: "sort these: pears, figs".
func Introduces(text string) bool {
	_, behind, found := strings.Cut(text, ": ")
	return found && strings.TrimSpace(behind) != ""
}

// names are the signs of names: client.py, a91c7de, web/app.
const names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/#@"

// Carries reports whether a text brings something along that can be worked on: a list, a
// table, code or a quotation.
func Carries(text string) bool {
	if strings.ContainsAny(text, "|“") || strings.Contains(text, "```") || quotes(text, "`") || quotes(text, `"`) {
		return true
	}
	for line := range strings.Lines(text) {
		if beginsItem(strings.TrimLeft(line, " \t")) {
			return true
		}
	}
	return false
}

// quotes reports whether more than a name stands between two marks: a name has no signs
// but those that join its parts, and a title has few words.
func quotes(text, mark string) bool {
	const short, few = 8, 3
	_, behind, _ := strings.Cut(text, mark)
	inner, _, closed := strings.Cut(behind, mark)
	name := strings.Trim(inner, names) == "" || mark != "`" && len(strings.Fields(inner)) <= few
	return closed && len(inner) > short && !name
}

// beginsItem reports whether a line is an entry of a list, or of a quotation: "- bread",
// "1. bread", "> Bread".
func beginsItem(line string) bool {
	mark := strings.TrimLeft(line, "0123456789")
	if len(mark) < len(line) {
		return strings.HasPrefix(mark, ". ") || strings.HasPrefix(mark, ") ")
	}
	for _, sign := range [...]string{"- ", "* ", "• ", "> "} {
		if strings.HasPrefix(line, sign) {
			return true
		}
	}
	return false
}

// closes reports whether a word has a sign that ends what it belongs to, or a figure.
func closes(word string) bool {
	for i := range len(word) {
		switch c := word[i]; c {
		case '.', ',', ';', ':', '!', '?':
			return true
		default:
			if c >= '0' && c <= '9' {
				return true
			}
		}
	}
	return false
}

// Contrasted reports whether what follows a piece of a text is named as what is not
// meant: "order 551, not", "K-21 rather than".
func Contrasted(before string) bool {
	const farthest = 24
	before = before[max(0, len(before)-farthest):]
	for words := 0; words < 3; words++ {
		end := len(before)
		for end > 0 && (before[end-1] == ' ' || before[end-1] == '\n' || before[end-1] == '#') {
			end--
		}
		before = before[:end]
		at := strings.LastIndexByte(before, ' ')
		switch word := before[at+1:]; {
		case word == "":
			return false
		case mayContrast(word) && contrasts(strings.ToLower(before)):
			return true
		case at < 0 || closes(word):
			return false
		}
		before = before[:at]
	}
	return false
}

// mayContrast reports whether a word has the first and the last letter of one that
// contrasts, as few have.
func mayContrast(word string) bool {
	switch last := word[len(word)-1] | 0x20; word[0] | 0x20 {
	case 'n', 'e': // not, except
		return last == 't'
	case 'u':
		return last == 'e'
	case 't':
		return last == 'n'
	case 'o':
		return last == 'f'
	}
	return false
}

// contrasts reports whether a text in small letters ends in what says that the next word
// is not meant.
func contrasts(before string) bool {
	switch before[strings.LastIndexByte(before, ' ')+1:] {
	case "not", "unlike", "except":
		return true
	case "than":
		return strings.HasSuffix(before, "rather than")
	case "of":
		return strings.HasSuffix(before, "instead of")
	}
	return false
}
