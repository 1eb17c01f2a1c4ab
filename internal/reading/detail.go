package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Details are the arguments that decide what a call did, a few: figures, dates, and what else
// the user named. "Added: Ann Miller" may be a guest or a charge; "amount 81" says which. Ids
// and long texts are left out, and so is what the titles say already.
func Details(args []byte, titles, user string, inWords func(name string) string) (details []string) {
	const most, longest = 3, 40
	for key, value := range jsonspan.Members(args) {
		name := inWords(string(jsonspan.Key(key)))
		text, isText := jsonspan.Text(value)
		if !isText && jsonspan.KindOf(value) == jsonspan.Number {
			text = string(value)
		}
		said := strings.ContainsAny(text, "0123456789") || strings.Contains(strings.ToLower(user), strings.ToLower(text))
		isID := strings.HasSuffix(strings.ToLower(name), "id") || WithoutIDs(text) != text || strings.Contains(text, "_")
		if text != "" && said && !isID && len(text) <= longest && !strings.Contains(titles, text) && len(details) < most {
			details = append(details, name+" "+text)
		}
	}
	return details
}
