package reading

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Recoils reports whether the end of a command takes it back in the same breath: ", haha
// no", ", just a joke". What else stands behind a comma may be a reason or a detail.
func Recoils(text string) bool {
	m := englishListener().Read(text)
	defer m.Return()
	for i := range m.Requests {
		r := &m.Requests[i]
		last := r.To - 1
		for last > r.From && !m.Tokens[last].IsWord() {
			last--
		}
		if m.restricts(r) || last >= r.From && m.Class(last).Has(lexicon.Refusal|lexicon.Negation) {
			return true
		}
	}
	return false
}

// Remarks reports whether what stands behind a command may take it back, or doubt it: a
// short remark that is neither a command itself nor a courtesy nor a detail. "Don't do
// that." and "we'll keep it" do, and so may "jk" and "turns out I need it"; "at seven",
// "thanks" and a longer reason do not.
func Remarks(text string) bool {
	m := englishListener().Read(text)
	defer m.Return()
	for i := range m.Requests {
		if r := &m.Requests[i]; m.reserves(r) || m.halts(r) || m.aside(r) || m.remarks(r) {
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

// reserves reports whether a request begins with a reservation: "but first tell me …".
func (m *Message) reserves(r *Request) bool {
	return r.From+1 < r.To && English().rolesOf(strings.ToLower(m.Word(r.From)))&RoleBut != 0
}

// halts reports whether a request is nothing but a verb by which one stops: "abort abort",
// "halt!".
func (m *Message) halts(r *Request) bool {
	return r.Families.Overlaps(halting) && m.all(r, func(i int) bool { return m.Form(i).Has(lexicon.Base) })
}

var halting = lexicon.FamiliesOf(lexicon.Stop, lexicon.Cancel)

// aside reports whether a piece without a verb of its own tells that it is over ("already
// done", "sorted") or what it is only: "just testing".
func (m *Message) aside(r *Request) bool {
	if m.restricts(r) {
		return true
	}
	ends := false
	return r.Verb < 0 && m.all(r, func(i int) bool {
		ends = ends || m.Form(i).Has(lexicon.Participle)
		return m.Form(i).Has(lexicon.Participle | lexicon.Adverb)
	}) && ends
}

// restricts reports whether a piece without a verb of its own says what something is only:
// "just testing", "only a joke". Who counts gives a detail: "only the first two".
func (m *Message) restricts(r *Request) bool {
	next := r.From + 1
	if r.Verb >= 0 || next >= r.To || !m.Wordy(next) || !m.Form(r.From).Has(lexicon.Adverb) {
		return false
	}
	const counts = lexicon.Ordinal | lexicon.Quantity | lexicon.Time
	is := m.Form(next).Has(lexicon.Gerund) || m.Class(next).Has(lexicon.Determiner)
	return is && m.all(r, func(i int) bool { return !m.Class(i).Has(counts) })
}

// all reports whether all words of a request are such.
func (m *Message) all(r *Request, such func(i int) bool) bool {
	for i := r.From; i < r.To; i++ {
		if m.Tokens[i].IsWord() && !such(i) {
			return false
		}
	}
	return true
}

// unheardOf is 1 for a word that is neither known nor a name, nor an address or a login.
func (m *Message) unheardOf(i, first int) int {
	token := &m.Tokens[i]
	named := token.Has(lexicon.Quoted) || i > first && token.Has(lexicon.Capital)
	if token.Entry != nil || named || strings.ContainsAny(m.Word(i), "@._-0123456789") {
		return 0
	}
	return 1
}
