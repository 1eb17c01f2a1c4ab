package toolname

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// Implied is what a ledger may conclude from a tool's words, as plain values: it
// converts to a [tooltrack.Implied], which has the meaning of each field.
//
// [tooltrack.Implied]: https://pkg.go.dev/github.com/bonafide-go/bonafide/tooltrack#Implied
type Implied struct {
	Reads, AsksState, Repeats     bool
	Places, Starts, Begins, Makes bool
	Verb                          string
	Words, Done, Alike            []string
}

// Imply reads a tool for a ledger.
func Imply(language *lexicon.Language, tool Tool) Implied {
	reading := Read(language, tool)
	words := Words(tool.Name)
	waits := len(words) > 0 && slices.Contains(waiting, words[0])
	implied := Implied{
		Reads: reading.Effect == Reads || waits, AsksState: reading.hasNoun(stateNouns), Repeats: !reading.Deed || waits,
		Places: reading.isPlacing(), Starts: reading.isStarting(), Makes: reading.Families.Has(lexicon.Create),
		Verb: reading.Verb.lemma(),
	}
	implied.Begins = reading.Families.Has(lexicon.Start) && !implied.Starts
	for _, word := range words {
		implied.Words = append(implied.Words, word)
		if entry := language.Lookup(word); entry != nil && entry.Lemma != word {
			implied.Words = append(implied.Words, entry.Lemma)
		}
	}
	implied.Done, implied.Alike = reading.participles(language)
	return implied
}

var (
	waiting    = []string{"poll", "await", "wait"}
	stateNouns = strings.Fields("status state progress outcome result health")
	jobNouns   = strings.Fields("job task state status operation run phase build pipeline batch workflow execution")
	going      = strings.Fields("start restart resume boot launch provision")
	// placing families have done their work when what they make exists, or is handed over: an order
	// is placed, a ticket is opened, a message is sent. A transfer that is made is not over.
	placing = lexicon.FamiliesOf(lexicon.Create, lexicon.Order, lexicon.Book, lexicon.Register, lexicon.Schedule,
		lexicon.Subscribe, lexicon.Apply, lexicon.Invite, lexicon.Remind, lexicon.Open, lexicon.Send, lexicon.Contact)
)

func (r *Reading) hasNoun(words []string) bool {
	return slices.ContainsFunc(r.Nouns, func(noun Word) bool { return slices.Contains(words, noun.Text) })
}

// isAct reports whether a noun names something that is done: an export, a payment.
func (w Word) isAct() bool { return w.Entry != nil && !w.Entry.Families.Empty() }

func (r *Reading) isPlacing() bool {
	other := func(noun Word) bool { return noun.isAct() && !noun.Entry.Families.Overlaps(placing) }
	return r.Families.Overlaps(placing) && !slices.ContainsFunc(r.Nouns, other)
}

// isStarting reports whether a tool sets a thing going that then goes on: of a
// server "running" is the end, of an export it is not.
func (r *Reading) isStarting() bool {
	return slices.Contains(going, r.Verb.Text) && len(r.Nouns) > 0 && !r.hasNoun(jobNouns) &&
		!slices.ContainsFunc(r.Nouns, Word.isAct)
}

// participles are the words which say that what a tool does by its name is done, and
// those which say that something of the kind is: "notified", and "sent".
func (r *Reading) participles(language *lexicon.Language) (done, alike []string) {
	table := tableOf(language)
	verbs := []Word{r.Verb}
	if len(r.Nouns) > 0 { // where the verb of a name is not listed, it is the first of these
		verbs = append(verbs, r.Nouns[0])
	}
	for _, verb := range verbs {
		switch {
		case verb.Entry != nil:
			for _, word := range table.ofLemma[verb.Entry.ID] {
				if word != verb.Text {
					done = append(done, word)
				}
			}
		case verb.Text != "":
			for _, form := range language.Inflect(nil, verb.Text) {
				if strings.HasSuffix(form, "ed") {
					done = append(done, form, strings.TrimPrefix(form, "en")) // what is enqueued is queued
				}
			}
		}
	}
	if r.Verb.Text == "request" || r.Families.Has(lexicon.Apply) {
		done = append(done, "approved", "granted") // a request is done when it is granted
	}
	for family := r.Families.Next(lexicon.NoFamily); family != lexicon.NoFamily; family = r.Families.Next(family) {
		alike = append(alike, table.ofFamily[family]...)
	}
	return done, alike
}

// participles lists the past forms of a language.
type participles struct {
	ofLemma  map[int32][]string
	ofFamily map[lexicon.Family][]string
}

var english = sync.OnceValue(func() *participles { return listParticiples(lexicon.English()) })

func tableOf(language *lexicon.Language) *participles {
	if language == lexicon.English() {
		return english()
	}
	return listParticiples(language)
}

func listParticiples(language *lexicon.Language) *participles {
	table := &participles{map[int32][]string{}, map[lexicon.Family][]string{}}
	for _, entry := range language.Entries() {
		if !entry.Form.Has(lexicon.Participle | lexicon.Past) {
			continue
		}
		table.ofLemma[entry.ID] = append(table.ofLemma[entry.ID], entry.Word)
		if entry.Form.Has(lexicon.Participle) {
			of := entry.Families
			for family := of.Next(lexicon.NoFamily); family != lexicon.NoFamily; family = of.Next(family) {
				table.ofFamily[family] = append(table.ofFamily[family], entry.Word)
			}
		}
	}
	return table
}
