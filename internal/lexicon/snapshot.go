package lexicon

import (
	_ "embed" // of the snapshot

	"github.com/bonafide-go/bonafide/internal/hashtable"
)

// The snapshot is English as it is after parsing data/en.txt, which no program carries: to read
// it takes a fraction of the time. A test writes it (snapshot_test.go says what stands where),
// and fails where the words have changed since.
//
//go:generate go test -run TestSnapshot -update
//go:embed data/en.bin
var snapshot string

// snapshotReader reads a file that is part of the program, and so is whole.
type snapshotReader struct {
	rest    string
	entries []Entry
	arena   []*Entry // room for the lists of entries
}

func (r *snapshotReader) number() uint64 {
	n, shift := uint64(0), 0
	for i := 0; ; i++ {
		b := r.rest[i]
		n |= uint64(b&0x7F) << shift
		if shift += 7; b < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
}

func (r *snapshotReader) count() int { return int(r.number()) }

func (r *snapshotReader) text() string {
	n := r.count()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *snapshotReader) families() Families { return Families{r.number(), r.number()} }

func (r *snapshotReader) numbers() []int32 {
	list := make([]int32, r.count())
	for i := range list {
		list[i] = int32(r.number())
	}
	return list
}

// list reads entries by their numbers.
func (r *snapshotReader) list() []*Entry {
	at := len(r.arena)
	for range r.count() {
		r.arena = append(r.arena, &r.entries[r.number()])
	}
	return r.arena[at:len(r.arena):len(r.arena)]
}

// readSnapshot reads a language.
func readSnapshot(file string) *Language {
	r := &snapshotReader{rest: file}
	l := &Language{cues: map[string]Cue{}, names: map[string]NameWord{}, endings: map[Form][]rule{}}
	for range r.count() {
		l.groups = append(l.groups, r.text())
	}
	for range r.count() {
		l.cues[r.text()] = Cue(r.number())
	}
	for range r.count() {
		l.names[r.text()] = r.nameWord()
	}
	for range r.count() {
		form := Form(r.number())
		l.endings[form] = append(l.endings[form], rule{r.text(), r.text(), r.count(), r.number() == 1})
	}
	r.readEntries(l)
	return l
}

func (r *snapshotReader) nameWord() NameWord {
	w := NameWord{Families: r.families()}
	for _, is := range w.flags() {
		*is = r.number() == 1
	}
	return w
}

func (r *snapshotReader) readEntries(l *Language) {
	l.lemmas = r.count()
	lemmas, cues, related := make([]string, l.lemmas), make([][2]uint64, l.lemmas), make([]*Relations, l.lemmas)
	for i := range lemmas {
		lemmas[i], cues[i] = r.text(), [2]uint64{r.number(), r.number()}
	}
	r.entries = make([]Entry, r.count())
	l.entries, l.hashed = make([]*Entry, len(r.entries)), hashtable.New[*Entry](len(r.entries))
	for i := range r.entries {
		e := &r.entries[i]
		e.Word, e.ID, e.Number, e.Form = r.text(), int32(r.number()), int32(i), Form(r.number())
		e.Group, e.Primary, e.abbreviation = uint16(r.number()), Family(r.number()), r.number() == 1
		e.Families, e.Class = r.families(), Class(r.number())
		e.Lemma, e.cues = lemmas[e.ID], cues[e.ID]
		l.entries[i] = e
		l.hashed.Put(Hash(e.Word), e)
	}
	r.arena = make([]*Entry, 0, r.count())
	for range r.count() {
		related[r.number()] = r.relations()
	}
	for i := range r.entries {
		r.entries[i].relations = related[r.entries[i].ID]
	}
	for range r.count() {
		e := &r.entries[r.number()]
		made := expression{class: Class(r.number())}
		for range r.count() {
			made.rest = append(made.rest, r.number())
		}
		e.expressions = append(e.expressions, made)
	}
}

func (r *snapshotReader) relations() *Relations {
	of := &Relations{Kinds: r.list(), Synonyms: r.list(), Alike: r.list()}
	for range r.count() {
		of.phrases = append(of.phrases, phraseKinds{r.numbers(), r.list()})
	}
	for range r.count() {
		of.phrasal = append(of.phrasal, phrasalVerb{int32(r.number()), r.families()})
	}
	return of
}
