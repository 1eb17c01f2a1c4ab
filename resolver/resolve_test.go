package resolver

import (
	"errors"
	"testing"
)

// entriesOf makes entries whose ids nobody would type.
func entriesOf(titles ...string) []Entry {
	entries := make([]Entry, len(titles))
	for i, title := range titles {
		entries[i] = Entry{ID: "id-" + string(rune('A'+i)), Title: title}
	}
	return entries
}

// outcome puts a result into one line: the title, "none", or "ambiguous: …".
func outcome(m Match, err error) string {
	var ambiguous *AmbiguousError
	switch {
	case err == nil:
		return m.Title
	case errors.As(err, &ambiguous):
		said := "ambiguous:"
		for _, candidate := range ambiguous.Candidates {
			said += " [" + candidate.Title + "]"
		}
		return said
	case errors.Is(err, ErrNotFound):
		return "none"
	}
	return err.Error()
}

func TestResolve(t *testing.T) {
	books := []string{"Read book", "Return book to library", "Book list"}
	cases := []struct {
		name      string
		titles    []string
		reference string
		want      string
		tier      Tier
	}{
		{"plural", []string{"Read book", "Wash dishes"}, "read books", "Read book", Words},
		{"a letter left out", []string{"Read book", "Wash dishes"}, "Rad book", "Read book", Typing},
		{"another word that is a typing error", []string{"Read book", "Wash dishes"}, "Red book", "Read book", Typing},
		{"one word of several titles", books, "book", "ambiguous: [Read book] [Return book to library] [Book list]", 0},
		{"one word of one title", []string{"Read book", "Wash dishes"}, "book", "Read book", Words},
		{"another object", []string{"Wash dishes", "Buy milk"}, "wash hand", "none", 0},
		{"another person", []string{"Call Tom", "Buy milk"}, "Call mom", "none", 0},
		{"another person with the same first letter", []string{"Call Tom", "Buy milk"}, "Call Tim", "none", 0},
		{"near-duplicates", []string{"Call mom", "Call Tom"}, "Call om", "ambiguous: [Call mom] [Call Tom]", 0},
		{"near-duplicates, named", []string{"Call mom", "Call Tom"}, "call tom", "Call Tom", Folded},
		{"cut words", []string{"Annual budget review", "Annual report"}, "annu budg revi", "Annual budget review", Cut},
		{"a word too many", []string{"Read book"}, "read cook book", "none", 0},
		{"typing errors do not make up for missing words", []string{"Read book on travelling"}, "raed book", "none", 0},
		{"cut words do not make up for missing words", []string{"Annual budget review"}, "annu budg", "none", 0},
		{"another number", []string{"Pay invoice 12", "Buy milk"}, "pay invoice 13", "none", 0},
		{"another number and a typing error", []string{"Pay invoice 12", "Buy milk"}, "pay invocie 13", "none", 0},
		{"the same number and a typing error", []string{"Pay invoice 12", "Buy milk"}, "pay invocie 12", "Pay invoice 12", Typing},
		{"another version", []string{"Release 0.3.15"}, "release 0.31.5", "none", 0},
		{"another Roman numeral", []string{"Watch Rocky III again"}, "watch rocky ii again", "none", 0},
		{"another day", []string{"Standup on Sunday morning"}, "standup on monday morning", "none", 0},
		{"around the title", []string{"Read book", "Buy milk"}, "the read book task", "Read book", Words},
		{"around the title, politely", []string{"Read book", "Buy milk"}, "please my 'Read book' one, thanks", "Read book", Words},
		{"named", []string{"Read book", "Buy milk"}, "task called read book", "Read book", Words},
		{"quotes", []string{"Read book", "Buy milk"}, "“Read book”.", "Read book", Words},
		{"another order", []string{"Read book", "Buy milk"}, "book, read", "Read book", Words},
		{"-ing with the other word intact", []string{"Read book", "Buy milk"}, "reading books", "Read book", Words},
		{"-ing alone is another thing", []string{"Feed the fish"}, "fishing", "none", 0},
		{"the whole title beats a part", []string{"Book", "Read book"}, "book", "Book", Folded},
		{"words in a row beat scattered ones", []string{"Method for making pasta", "Making a method list for pasta"}, "method for making", "Method for making pasta", Words},
		{"little words are forgiven", []string{"Dinner with Mary"}, "dinner for mary", "Dinner with Mary", Words},
		{"little words do not carry a match", []string{"Wildest dreams"}, "from this dream", "none", 0},
		{"a possessive", []string{"Mom's birthday", "Buy milk"}, "moms birthday", "Mom's birthday", Words},
		{"a swap at the beginning", []string{"Work out at the gym"}, "owrk out at the gym", "Work out at the gym", Typing},
		{"a little word mistyped", []string{"Dinner with Mary"}, "dinner whit mary", "Dinner with Mary", Typing},
		{"a code is no word", []string{"Wall mount 20WLBK"}, "wall mount 20WLWH", "none", 0},
		{"a word and a number", []string{"aufgabe1", "Milch"}, "aufgbe1", "aufgabe1", Typing},
		{"a title of little words", []string{"To do", "Buy milk"}, "to do", "To do", Folded},
		{"nothing but wrapping", []string{"Task list", "Buy milk"}, "the task", "Task list", Words},
		{"no entries", nil, "book", "none", 0},
		{"empty reference", []string{"Read book"}, "", "none", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			entries := entriesOf(c.titles...)
			for kind, resolve := range map[string]func(string) (Match, error){
				"Resolve": func(r string) (Match, error) { return Resolve(r, entries, nil) },
				"Index":   New(entries, nil).Resolve,
			} {
				match, err := resolve(c.reference)
				if got := outcome(match, err); got != c.want {
					t.Errorf("%s(%q) = %s, want %s", kind, c.reference, got, c.want)
				}
				if match.Tier != c.tier {
					t.Errorf("%s(%q) matched by %v, want %v", kind, c.reference, match.Tier, c.tier)
				}
			}
		})
	}
}
