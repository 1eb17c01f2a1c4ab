package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Details are the arguments that decide what a call did, a few: amounts, dates, and what else
// the user named. "Added: Ann Miller" may be a guest or a charge; "amount: 81" says which. All
// other texts are left out, since they may be secrets, and so is what the titles say already.
func Details(args []byte, titles, user string, inWords func(name string) string) (details []string) {
	const most, longest = 3, 40
	isMoment := func(v Value) bool { return v.Kind == Date || v.Kind == Clock }
	for key, value := range jsonspan.Members(args) {
		name, text := inWords(string(jsonspan.Key(key))), jsonspan.Scalar(value)
		if len(details) == most || len(text) > longest || strings.HasSuffix(" "+name, " id") || WithoutIDs(text) != text ||
			strings.Contains(text, "_") || strings.Contains(titles, text) { // also what has no text at all
			continue
		}
		said := strings.Contains(strings.ToLower(user), strings.ToLower(text)) || jsonspan.KindOf(value) == jsonspan.Number
		if said || slices.ContainsFunc(English().Values(nil, text), isMoment) {
			details = append(details, name+": "+text) // as secrets are told, which are then hidden
		}
	}
	return details
}
