// Package lexicon answers one question: which words are these?
//
// It reads words for those who read meaning: intent looks for requests in them, completion for
// claims. A [Language] cuts text into [Token]s and looks each word up once; the [Entry] it finds
// tells the lemma, the inflections the form may be, the classes of function words it belongs to,
// and the verb families it speaks for:
//
//	english := lexicon.English()
//	tokens := english.Tokenize(nil, "I've cancelled the order.")
//	tokens[2].Entry.Lemma                        // "cancel"
//	tokens[2].Entry.Form.Has(lexicon.Past)       // true
//	tokens[2].Entry.Families.Has(lexicon.Cancel) // true
//
// All forms of the listed verbs and nouns are made when a language is parsed, so reading a word is
// one hash and one probe, without allocation. Words that are not listed have no entry;
// [Language.Stem] and [Language.Inflect] treat them by the regular endings of the language.
//
// A language is one file, described in data/README.md. English is built in;
// [Parse] reads what a host brings.
//
// A Language is immutable and safe for concurrent use. The package knows words one by one, and a
// few fixed expressions; what a sentence says is its readers' business.
package lexicon
