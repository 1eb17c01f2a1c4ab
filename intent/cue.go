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

// reader is a message that was read, with the cues by which the tools see it.
type reader struct {
	*reading.Message
	language *lexicon.Language
	cues     [numCues]lexicon.Cue
}

func newReader(language *lexicon.Language, listener *reading.Listener) reader {
	r := reader{Message: listener.Listen(), language: language}
	for i, name := range cueNames {
		r.cues[i] = language.Cue(name) // one that the language does not have is never met
	}
	return r
}

// is reports whether token i is a word of the cue, in any form.
func (r *reader) is(i int, c cue) bool { return r.At(i).Is(r.cues[c]) }
