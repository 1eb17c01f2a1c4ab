package intent

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// cue is a set of words by which the object of a request is read. Which words
// they are, the data of the language says, under the names below.
type cue uint8

const (
	cueTheThis cue = iota
	cueOtherMean
	cueNew
	cueArticle
	cueInto
	cueFromOff
	cuePut
	cueMake
	cueGiveGet
	cueThank
	cueOf
	cueCommonVerbs
	cueStill
	numCues
)

var cueNames = [numCues]string{
	"the-this", "other-mean", "new", "a-an", "to-into", "from-off", "put", "make", "give-get",
	"thank", "of", "common-verbs", "leave-keep",
}

// reader reads a text with the words of the tools: that of the user, or the
// assistant's before it.
type reader struct {
	*reading.Message
	*Classifier
}

// is reports whether token i is a word of the cue, in any form.
func (r *reader) is(i int, c cue) bool { return r.At(i).Is(r.cues[c]) }

// hasTitleObject reports whether what a verb is used on begins with a verb in capitals, as
// only a title does: "delete Paint the fence".
func (r *reader) hasTitleObject(q *reading.Request) bool {
	if q.Verb < 0 || q.Body <= q.Verb || q.Body >= q.To || r.Shouts {
		return false
	}
	token := &r.Tokens[q.Body]
	return token.Has(lexicon.Capital) && !token.Has(lexicon.SentenceStart) && token.Form().Has(lexicon.Base) &&
		!isFunctionWord(token.Entry)
}

// asking visits the tokens that may ask for something. "Thank you" does not, nor do the
// words of a title: "remind me to cancel the gym" cancels nothing, "delete Paint the
// fence" paints nothing.
func (r *reader) asking(visit func(i int) bool) {
	title, end := 0, 0 // of the request
	for i, k := 0, 0; i < len(r.Tokens); i++ {
		for ; i >= end && k < len(r.Requests); k++ {
			q := &r.Requests[k]
			if title, end = q.To, q.To; q.Families.Overlaps(entitled) || r.hasTitleObject(q) {
				title = max(q.Body, q.Verb+1)
			}
		}
		token := &r.Tokens[i]
		switch n := r.Courtesy(i); {
		case title <= i && i < end:
			i = end - 1
		case n > 0:
			i += n - 1
		case token.Kind == lexicon.Word && !token.Has(lexicon.Quoted) && !visit(i):
			return
		}
	}
}

// deed is a word of a message that speaks of an act, in whatever form: "can it
// be refunded", "the cancellation", "we're moving".
type deed struct {
	verb     int32            // its lemma, -1 if there is none
	families lexicon.Families // what it means
	does     bool             // it is asked for, and is no question
}

// deed is the act that the word at i speaks of; false if it speaks of none.
func (r *reader) deed(i int) (d deed, acts bool) {
	entry := r.At(i)
	if entry.ID < 0 || entry.Class.Has(lexicon.Auxiliary|lexicon.Modal) ||
		entry.Families.Empty() && !entry.Form.Has(lexicon.Verb) {
		return d, false
	}
	d = deed{verb: entry.ID, families: lexicon.FamiliesOf(entry.Primary)}
	for k := i + 1; k <= i+3 && k < len(r.Tokens) && entry.Form.Has(lexicon.Verb); k++ {
		if phrasal := r.language.Phrasal(entry, r.Tokens[k].Entry); !phrasal.Empty() {
			d.families = phrasal
			break
		}
	}
	return d, true
}
