package reading

import "strings"

// Phrase is where a phrase stands in a text of small letters as whole words; -1 if
// it does not.
func Phrase(text, phrase string) int {
	phrase = strings.ToLower(strings.TrimSpace(phrase))
	at := strings.Index(text, phrase)
	if at < 0 || phrase == "" {
		return -1
	}
	end := at + len(phrase)
	if at > 0 && isAlphanumeric(text[at-1]) || end < len(text) && isAlphanumeric(text[end]) {
		return -1
	}
	return at
}

func isAlphanumeric(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
