package telling

import (
	"cmp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Listing is the line of a read that returned a list, in the host's words for one that holds
// something and for an empty one, where there are any. Other reads changed nothing and say nothing.
func Listing(record *tooltrack.Record, tool *Tool, wording, empty string) string {
	const most = 20
	entries, isList := Listed(record.Result.Data)
	if !isList {
		return ""
	}
	noun := "list"
	if n := len(tool.Nouns); n > 0 {
		noun = toolname.Singular(tool.Nouns[n-1].Text) + " list"
	}
	if len(entries) > 0 {
		shown := strings.Join(entries[:min(len(entries), most)], ", ")
		wording = strings.ReplaceAll(cmp.Or(wording, "Your "+noun+": {entries}"), "{tool}", toolname.InWords(tool.Name))
		return strings.ReplaceAll(wording, "{entries}", shown)
	}
	return strings.ReplaceAll(cmp.Or(empty, "Your "+noun+" is empty"), "{tool}", toolname.InWords(tool.Name))
}
