package intent

import (
	_ "embed"
	"encoding/binary"
	"fmt"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// How a message is put tells whether it asks for anything, whatever the tools:
// "can you", "I already did", "what does … mean", "ok thanks". The wording is
// read as words and pairs of neighbours, each with a weight. Words of the tools'
// names stand there as what they are, so that what was learned of one set of tools
// holds for the next: "<verb> my <thing>".

// The signs that stand for what varies from message to message, and for what is
// not written.
var (
	signBegin  = lexicon.Hash("<begin>")  // the message begins
	signAsked  = lexicon.Hash("<asked>")  // it begins after a question of the assistant
	signTold   = lexicon.Hash("<told>")   // it begins after another text of the assistant
	signEnd    = lexicon.Hash("<end>")    // the message ends
	signVerb   = lexicon.Hash("<verb>")   // the verb of a tool
	signThing  = lexicon.Hash("<thing>")  // another word of a tool's name
	signNumber = lexicon.Hash("<number>") // a number
	signName   = lexicon.Hash("<name>")   // an address, a path
	signMark   = lexicon.Hash("<mark>")   // punctuation inside a sentence
	signStop   = lexicon.Hash("<stop>")   // the end of a sentence
	signAsk    = lexicon.Hash("<ask>")    // the end of a question
)

// maxWording is how many words of a message are read for how it is put.
const maxWording = 64

// sign is the hash by which the wording knows the token at i, 0 for one that is
// passed over.
func (r *reader) sign(i int) uint64 {
	token := &r.Tokens[i]
	switch token.Kind {
	case lexicon.Word:
		if entry := token.Entry; entry != nil {
			if entry.Class.Has(lexicon.Politeness | lexicon.Greeting) { // "thanks" asks for no thank-you gift
				return token.Hash
			}
			if id := entry.ID; id >= 0 && int(id) < len(r.named) && r.named[id] != 0 {
				return r.named[id]
			}
			if r.vocabulary.isNamed(token) { // by another word: "altitude" for get_elevation
				return signThing
			}
		} else if r.known(token.Hash) {
			return signThing
		}
		return token.Hash
	case lexicon.Number:
		return signNumber
	case lexicon.Name:
		return signName
	case lexicon.End:
		if token.Has(lexicon.Asking) {
			return signAsk
		}
		return signStop
	case lexicon.Comma, lexicon.Break:
		return signMark
	}
	return 0
}

// namedWords lists by lemma the words of the tools' names, as their signs.
func namedWords(language *lexicon.Language, profiles []*profile) []uint64 {
	named := make([]uint64, language.Lemmas())
	mark := func(lemma int32, sign uint64) {
		if lemma >= 0 && int(lemma) < len(named) {
			named[lemma] = sign
		}
	}
	for _, p := range profiles {
		for _, lemma := range p.words {
			mark(lemma, signThing)
		}
	}
	for _, p := range profiles {
		mark(p.verb, signVerb)
		mark(p.lead, signVerb)
	}
	return named
}

// phrasing visits the words and pairs of the message. Clauses that forbid something may be
// left out: beside a command they say nothing ("don't cancel it, move it to Sunday").
func (m *message) phrasing(withoutBars bool) func(visit func(hash uint64) bool) {
	return func(visit func(hash uint64) bool) {
		before, start := signBegin, uint64(0)
		switch {
		case m.asked:
			start = signAsked
		case m.hasPrevious:
			start = signTold
		}
		if start != 0 {
			visit(start)
		}
		stop, bar := uint64(0), 0
		for i, read := 0, 0; i < len(m.Tokens) && read < maxWording; i++ {
			if n := m.Courtesy(i); n > 0 && !m.talk {
				i += n - 1
				continue
			}
			for k := 0; withoutBars && i >= bar && k < len(m.clauses); k++ {
				if v := m.clauses[k]; v.plea == reading.Barred && v.request.From == i {
					bar = v.request.To
				}
			}
			if i < bar {
				continue
			}
			sign := m.sign(i)
			switch sign {
			case 0:
				continue
			case signMark, signStop: // they count between words
				stop = sign
				continue
			}
			if stop != 0 && before != signBegin {
				visit(lexicon.Pair(before, stop))
				before = stop
			}
			stop = 0
			visit(sign)
			visit(lexicon.Pair(before, sign))
			if start != 0 {
				visit(lexicon.Pair(start, sign))
				start = 0
			}
			before = sign
			read++
		}
		visit(lexicon.Pair(before, signEnd))
	}
}

//go:embed data/wording.bin
var fittedWording []byte

// phraseKey is the key of a word or pair: less than its hash, as there are few of them.
func phraseKey(hash uint64) uint64 { return hash >> 24 }

// phraseSize is how many bytes a phrase has in a file: five of its key, and two of its weight
// in thousandths.
const phraseSize = 7

// parseWording reads how much the words and pairs of a message say that it asks for
// something.
func parseWording(file []byte) (weights hashtable.Table[float32], err error) {
	if len(file)%phraseSize != 0 {
		return weights, fmt.Errorf("%d bytes are no file of fitted wording", len(file))
	}
	weights = hashtable.New[float32](len(file) / phraseSize)
	for ; len(file) > 0; file = file[phraseSize:] {
		key := uint64(binary.LittleEndian.Uint32(file)) | uint64(file[4])<<32
		weights.Put(key, float32(int16(binary.LittleEndian.Uint16(file[5:])))/1000)
	}
	return weights, nil
}
