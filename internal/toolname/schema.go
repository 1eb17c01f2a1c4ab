package toolname

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// act is what the arguments of a tool say it does, where its name has no verb:
// one of them may list acts ("action": start, stop, restart).
func (r *reader) act(schema json.RawMessage) (families lexicon.Families) {
	if len(schema) == 0 || len(schema) > maxSchema {
		return families
	}
	var known struct {
		Properties map[string]struct {
			Enum []any `json:"enum"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &known) != nil {
		return families
	}
	for _, property := range known.Properties {
		acts := lexicon.Families{}
		for _, value := range property.Enum {
			word, ok := value.(string)
			if !ok {
				continue
			}
			if entry := r.language.Lookup(word); entry != nil && entry.Form.Has(lexicon.Base) &&
				entry.Primary != lexicon.NoFamily {
				acts = acts.With(entry.Primary)
			}
		}
		if acts.Len() > 1 || len(property.Enum) == 1 {
			families = families.Union(acts)
		}
	}
	return families
}

// maxSchema bounds the schema that is read.
const maxSchema = 64 << 10
