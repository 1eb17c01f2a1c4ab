package toolname

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are the words of a name as programmers write it, in lower case: it
// is cut at case changes (createTask, HTTPServer) and at everything that is no
// letter or digit (create_task, tasks.create).
func Words(name string) []string {
	words := make([]string, 0, 4)
	start, before := -1, rune(0) // where the word begins, if in one, and the rune before this one
	cut := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:]) // of a byte that is no rune, one
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
		case unicode.IsUpper(r) &&
			(unicode.IsLower(before) || unicode.IsUpper(before) && beginsLower(name[i+size:])):
			cut(i)
			start = i
		case start < 0:
			start = i
		}
		before = r
	}
	cut(len(name))
	return words
}

func beginsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// InWords is a tool's name as people read it: "delete task".
func InWords(name string) string { return strings.Join(Words(name), " ") }

// IsBareVerb reports whether the last part of a dotted name is one word: git.commit.
func IsBareVerb(name string) bool { return len(Words(name[strings.LastIndexByte(name, '.')+1:])) == 1 }
