package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// Remarks reports whether what stands behind a command may take it back, or doubt it: a
// short remark that is neither a command itself nor a courtesy nor a detail. "Don't do
// that." and "we'll keep it" do, and so may "jk" and "turns out I need it"; "at seven",
// "thanks" and a longer reason do not.
func Remarks(text string) bool {
	m := hearEnglish(text)
	defer heardEnglish.Put(m)
	for i := range m.Requests {
		if m.remarks(&m.Requests[i]) {
			return true
		}
	}
	return false
}

func (m *Message) remarks(r *Request) bool {
	const most = 8 // words; who says more tells why
	words, strange, aside, points := 0, 0, false, false
	for i := r.From; i < r.To; i++ {
		class := m.Class(i)
		if m.Tokens[i].Kind == lexicon.Number || class.Has(lexicon.Time|lexicon.Ordinal) {
			return false // a detail
		}
		if courtesy := m.Courtesy(i); courtesy > 0 {
			i += courtesy - 1
			continue
		}
		if m.Tokens[i].IsWord() {
			words++
			points = points || class.Has(lexicon.Pronoun)
			aside = aside || class.Has(lexicon.Refusal|lexicon.Negation)
			strange += m.unheardOf(i, r.From)
		}
	}
	if words == 0 || words > most {
		return false
	}
	switch r.Plea {
	case Told, Barred, Pondered:
		return aside || m.finite(r.From) || strange == words
	case Named, Wished:
		return aside || strange == words || points && r.Me
	}
	return aside && words < 4 // "please don't"
}

// unheardOf is 1 for a word that is neither known nor a name.
func (m *Message) unheardOf(i, first int) int {
	token := &m.Tokens[i]
	if token.Entry == nil && !token.Has(lexicon.Quoted) && (i == first || !token.Has(lexicon.Capital)) {
		return 1
	}
	return 0
}
