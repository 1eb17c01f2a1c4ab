package telling

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Tool is what a call is told by: the reading of its name, and the argument that says
// which entity is meant, if one is declared.
type Tool struct {
	*toolname.Reading
	Name, Subject string
}

// Done is the wording for a call that succeeded.
func Done(tool *Tool, titles string) string {
	switch {
	case titles == "" && len(tool.Nouns) == 0: // "Bashed: bash" says nothing
		return "Called: {tool}"
	case tool.Families.Has(lexicon.Complete) && titles != "":
		return "Marked {title} as done"
	case tool.Families.Has(lexicon.Create):
		return "Added: {title}"
	}
	return Participle(tool.Verb) + tool.particle() + ": {title}"
}

// Failed is the wording for a call that did not do its work, and why it did not.
func Failed(record *tooltrack.Record, tool *Tool, titles string) (wording, reason string) {
	opening := "Failed to "
	switch {
	case record.Ruling.Denied || record.Result.Status == tooltrack.Denied:
		opening = "Not allowed to "
	case record.Result.Status == tooltrack.Held:
		opening = "Waiting for approval to "
	case record.Result.Status == tooltrack.Pending:
		opening = "Still waiting to "
	case record.Result.Status == tooltrack.Unknown:
		opening = "It is not known whether it worked to "
	}
	verb := cmp.Or(tool.Verb.Text, "run")
	if titles == "" && len(tool.Nouns) == 0 {
		verb = "run"
	}
	wording = opening + verb + tool.particle() + " {title}"
	reason = reading.WithoutIDs(clip.Text(Why(record), 300))
	if reason != "" {
		wording += ": {reason}"
	}
	return wording, reason
}

// Why is the first line of why a call did not do its work.
func Why(record *tooltrack.Record) string {
	reason := record.Result.Error
	if record.Ruling.Denied {
		reason = cmp.Or(record.Ruling.Reason, reason)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(cmp.Or(reason, record.Result.Text())), "\n")
	return line
}

// Fill puts the titles, or what kind of thing it was where there are none, and the
// reason into a wording.
func Fill(wording, titles, reason string, tool *Tool) string {
	titles = cmp.Or(titles, tool.object(), tool.Name)
	return strings.NewReplacer(
		"{title}", titles, "{reason}", reason, "{tool}", toolname.InWords(tool.Name)).Replace(wording)
}

// Participle is "Deleted" for "delete", and of two forms the longer one: "Cancelled".
func Participle(verb toolname.Word) string {
	if verb.Text == "" {
		return "Done"
	}
	word, language := "", lexicon.English()
	for _, form := range language.Inflect(nil, verb.Text) {
		if entry := language.Lookup(form); entry != nil && entry.Form.Has(lexicon.Participle) && len(form) > len(word) {
			word = form
		}
	}
	word = cmp.Or(word, strings.TrimSuffix(verb.Text, "e")+"ed")
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// particle is what belongs to the verb of a tool's name: " off" of turn_off_light, which
// is all that tells it from turn_on_light.
func (t *Tool) particle() string {
	words := strings.Fields(toolname.InWords(t.Name))
	at := slices.Index(words, t.Verb.Text)
	if !t.Phrasal || at < 0 || at+1 == len(words) {
		return ""
	}
	return " " + words[at+1]
}

// object is what kind of thing a tool works on, by its name.
func (t *Tool) object() string {
	nouns := make([]string, len(t.Nouns))
	for i, noun := range t.Nouns {
		nouns[i] = noun.Text
	}
	return strings.Join(nouns, " ")
}
