package toolname

import (
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// act is what the arguments of a tool say it does, where its name has no verb:
// one of them may list acts ("action": start, stop, restart).
func (r *reader) act(schema []byte) (families lexicon.Families) {
	if len(schema) > maxSchema {
		return families
	}
	for _, property := range jsonspan.Members(jsonspan.Member(schema, "properties")) {
		families = families.Union(r.acts(jsonspan.Member(property, "enum")))
	}
	return families
}

// acts are what the values of an argument do: several acts, or the only one.
func (r *reader) acts(list []byte) (families lexicon.Families) {
	n := 0
	for value := range jsonspan.Elements(list) {
		n++
		word, ok := jsonspan.Text(value)
		if !ok {
			continue
		}
		entry := r.language.Lookup(word)
		if entry != nil && entry.Form.Has(lexicon.Base) && entry.Primary != lexicon.NoFamily {
			families = families.With(entry.Primary)
		}
	}
	if families.Len() > 1 || n == 1 {
		return families
	}
	return lexicon.Families{}
}

// maxSchema bounds the schema that is read.
const maxSchema = 64 << 10
