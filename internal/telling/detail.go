package telling

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// maxDetails is how many values of a call are told beside what it was about.
const maxDetails = 3

// Details are the values that decide what a change was: how much, when, and what else the
// user named. "Added: Ann Miller" may be a guest or a charge; "(amount 81)" says which. Ids
// and long texts are left out, and so is what the titles say already.
func Details(record *tooltrack.Record, titles, user string) string {
	var details []string
	said := strings.ToLower(user)
	for key, value := range jsonspan.Members(record.Args) {
		name, text := toolname.InWords(string(jsonspan.Key(key))), textOf(value)
		isNumber := jsonspan.KindOf(value) == jsonspan.Number
		if isNumber {
			text = string(value)
		}
		told := isNumber || isMoment(text) || len(text) > 2 && strings.Contains(said, strings.ToLower(text))
		if !told || len(text) > 40 || !isNumber && !presentable(text) || isReference(name) || strings.Contains(titles, text) {
			continue
		}
		if details = append(details, name+" "+text); len(details) == maxDetails {
			break
		}
	}
	if len(details) == 0 {
		return ""
	}
	return " (" + strings.Join(details, ", ") + ")"
}

// isReference reports whether an argument says which thing is meant, by a number that nobody
// reads.
func isReference(name string) bool {
	last := name[strings.LastIndexByte(name, ' ')+1:]
	return last == "id" || last == "ids" || last == "uuid" || last == "key" || last == "token"
}

// isMoment reports whether a text is a date or a time, as programs write them: 2026-12-01,
// 17:30.
func isMoment(text string) bool {
	digits := 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("-:T.+Z ", r):
			return false
		}
	}
	return digits >= 3 && strings.ContainsAny(text, "-:")
}
