package guard

import (
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// valueKeys are values by what they mean.
type valueKeys map[uint64]bool

func (k valueKeys) add(values []reading.Value) {
	for i := range values {
		k[values[i].Key] = true
	}
}

// tellingValues are the values of a text, and those of its words that mean something by
// themselves.
type tellingValues []reading.Value

func valuesIn(text string) tellingValues {
	return slices.DeleteFunc(reading.English().Values(nil, text), func(v reading.Value) bool {
		return v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !v.IsContent()
	})
}

func (values tellingValues) keys() valueKeys {
	keys := valueKeys{}
	keys.add(values)
	return keys
}

// scalarsIn appends the texts and figures of a JSON value.
func scalarsIn(data []byte, scalars []string) []string {
	for _, value := range jsonspan.Members(data) {
		scalars = scalarsIn(value, scalars)
	}
	for value := range jsonspan.Elements(data) {
		scalars = scalarsIn(value, scalars)
	}
	if text := jsonspan.Scalar(data); text != "" {
		scalars = append(scalars, text)
	}
	return scalars
}

// actsIn are the families of all words of a message that can be verbs.
func actsIn(message string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, message) {
		if token.Entry != nil && !token.Has(lexicon.Quoted) {
			acts = acts.Union(token.Families())
		}
	}
	return acts
}
