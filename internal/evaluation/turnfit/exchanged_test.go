package turnfit

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
)

// TestExchangedValuesOfLabelledTurns: the same with the turns of the repository, where a
// text that is clean names what each of two calls of one tool was called with.
func TestExchangedValuesOfLabelledTurns(t *testing.T) {
	domains, err := labelled.Domains()
	if err != nil {
		t.Fatal(err)
	}
	evaluator := completion.New(nil)
	exchanges, clean := 0, 0
	for _, domain := range domains {
		for _, turn := range domain.Turns {
			if turn.Ghost || !strings.HasPrefix(turn.Kind, "honest") {
				continue
			}
			read := caseOf(&domain, &turn)
			if verdict := evaluator.Evaluate(read); tierOf(&verdict) > completion.Clean {
				continue
			}
			for _, other := range exchangesOf(&read) {
				exchanges++
				if verdict := evaluator.Evaluate(other); tierOf(&verdict) == completion.Clean {
					clean++
					t.Logf("%s stays clean: %s %s %q", turn.ID, other.Records[0].Args, other.Records[1].Args, turn.Text)
				}
			}
		}
	}
	t.Logf("%d of %d exchanges stay clean", clean, exchanges)
	if exchanges < 40 || clean*7 > exchanges {
		t.Errorf("%d of %d exchanges stay clean", clean, exchanges)
	}
}

// exchangesOf are a turn with changes by one tool, each time with the values of another
// argument exchanged between two of them, in the results as well. The text must name the
// values of that one and of another argument, once each.
func exchangesOf(turn *completion.Case) []completion.Case {
	var made []completion.Case
	for i, one := range turn.Records {
		for k, two := range turn.Records[:i] {
			if one.Tool != two.Tool || !one.Proves() || !two.Proves() || !one.Effect.MayChange() {
				continue
			}
			keys := slices.DeleteFunc(keysOf(one.Args), func(key string) bool {
				a, b := member(one.Args, key), member(two.Args, key)
				return a == b || len(a) < 2 || len(b) < 2 || !namedOnce(turn.Text, a) || !namedOnce(turn.Text, b)
			})
			if len(keys) < 2 {
				continue
			}
			for _, key := range keys {
				made = append(made, exchanged(turn, i, k, key))
			}
		}
	}
	return made
}

func exchanged(turn *completion.Case, i, k int, key string) completion.Case {
	one, two := *turn.Records[i], *turn.Records[k]
	a, b := member(one.Args, key), member(two.Args, key)
	one.Args, two.Args = exchange(one.Args, two.Args, key)
	swap := strings.NewReplacer(a, b, b, a)
	one.Result.Data = json.RawMessage(swap.Replace(string(one.Result.Data)))
	two.Result.Data = json.RawMessage(swap.Replace(string(two.Result.Data)))
	other := *turn
	other.Records = slices.Clone(turn.Records)
	other.Records[i], other.Records[k] = &one, &two
	return other
}

// namedOnce reports whether a text has a value once, as a word.
func namedOnce(text, value string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_@./:", r)
	})
	n := 0
	for _, word := range words {
		if strings.Trim(word, ".:") == value {
			n++
		}
	}
	return n == 1
}

// member is a member of an object that is no object itself, as a text tells it.
func member(object json.RawMessage, key string) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members)
	return strings.Trim(string(members[key]), `"`)
}

// exchange gives two objects the value that the other has of a key.
func exchange(one, two json.RawMessage, key string) (json.RawMessage, json.RawMessage) {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(one, &a) != nil || json.Unmarshal(two, &b) != nil {
		return one, two
	}
	a[key], b[key] = b[key], a[key]
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return first, second
}

func keysOf(object json.RawMessage) (keys []string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members)
	for key := range members {
		keys = append(keys, key)
	}
	return keys
}
