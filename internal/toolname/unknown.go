package toolname

import "github.com/bonafide-go/bonafide/internal/lexicon"

// UnknownVerbs are the words of a name that may be verbs of which nothing is known.
func (r *Reading) UnknownVerbs(language *lexicon.Language, words []string) (unknown []string) {
	known := r.Verb.Entry != nil && !r.Verb.Entry.Families.Empty()
	if len(words) < 2 || known && !r.Verb.Entry.Form.Has(lexicon.Noun) { // "degauss_monitor" monitors nothing
		return nil
	}
	for _, word := range words {
		entry := language.Lookup(word)
		if len(word) > 2 && (entry == nil || !known && isUnknownVerb(entry)) {
			unknown = append(unknown, word)
		}
	}
	return unknown
}

// isUnknownVerb reports whether a listed word is a verb, and nothing is known of what it does.
func isUnknownVerb(entry *lexicon.Entry) bool {
	return entry.Families.Empty() && entry.Form.Has(lexicon.Base) && entry.Class == 0
}
