package lexicon

import (
	_ "embed" // of the words
	"encoding/binary"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the snapshot anew")

// snapshotWriter writes a snapshot: numbers as uvarints, texts and lists behind how many
// bytes or numbers they have, entries by their numbers.
type snapshotWriter struct{ out []byte }

func (w *snapshotWriter) number(numbers ...uint64) {
	for _, n := range numbers {
		w.out = binary.AppendUvarint(w.out, n)
	}
}

func (w *snapshotWriter) flag(so bool) {
	if so {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *snapshotWriter) text(text string) {
	w.number(uint64(len(text)))
	w.out = append(w.out, text...)
}

func (w *snapshotWriter) list(entries []*Entry) int {
	w.number(uint64(len(entries)))
	for _, e := range entries {
		w.number(uint64(e.Number))
	}
	return len(entries)
}

func (w *snapshotWriter) families(f Families) { w.number(f.low, f.high) }

//go:embed data/en.txt
var words string

// snapshotOf is a language as the snapshot has it.
func snapshotOf(l *Language) []byte {
	w := &snapshotWriter{}
	w.number(uint64(len(l.groups)))
	for _, group := range l.groups {
		w.text(group)
	}
	w.number(uint64(len(l.cues)))
	for _, name := range slices.Sorted(maps.Keys(l.cues)) {
		w.text(name)
		w.number(uint64(l.cues[name]))
	}
	w.number(uint64(len(l.names)))
	for _, name := range slices.Sorted(maps.Keys(l.names)) {
		w.text(name)
		word := l.names[name]
		w.families(word.Families)
		for _, is := range word.flags() {
			w.flag(*is)
		}
	}
	n := 0
	for _, rules := range l.endings {
		n += len(rules)
	}
	w.number(uint64(n))
	for _, form := range slices.Sorted(maps.Keys(l.endings)) {
		for _, rule := range l.endings[form] {
			w.number(uint64(form))
			w.text(rule.from)
			w.text(rule.to)
			w.number(uint64(rule.kept))
			w.flag(rule.double)
		}
	}
	w.entries(l)
	return w.out
}

func (w *snapshotWriter) entries(l *Language) {
	first := make([]*Entry, l.lemmas) // an entry of each lemma
	for _, e := range slices.Backward(l.entries) {
		first[e.ID] = e
	}
	w.number(uint64(l.lemmas))
	for _, e := range first {
		w.text(e.Lemma)
		w.number(e.cues[0], e.cues[1])
	}
	w.number(uint64(len(l.entries)))
	expressions := 0
	for _, e := range l.entries {
		w.text(e.Word)
		w.number(uint64(e.ID), uint64(e.Form), uint64(e.Group), uint64(e.Primary))
		w.flag(e.abbreviation)
		w.families(e.Families)
		w.number(uint64(e.Class))
		expressions += len(e.expressions)
	}
	lists, lemmas, listed := &snapshotWriter{}, 0, 0
	for id, e := range first {
		if e.relations != nil {
			lemmas++
			lists.number(uint64(id))
			listed += lists.relations(e.relations)
		}
	}
	w.number(uint64(listed), uint64(lemmas))
	w.out = append(w.out, lists.out...)
	w.number(uint64(expressions))
	for _, e := range l.entries {
		for _, expression := range e.expressions {
			w.number(uint64(e.Number), uint64(expression.class), uint64(len(expression.rest)))
			w.number(expression.rest...)
		}
	}
}

func (w *snapshotWriter) relations(of *Relations) (listed int) {
	listed = w.list(of.Kinds) + w.list(of.Synonyms) + w.list(of.Alike)
	w.number(uint64(len(of.phrases)))
	for _, phrase := range of.phrases {
		w.number(uint64(len(phrase.before)))
		for _, lemma := range phrase.before {
			w.number(uint64(lemma))
		}
		listed += w.list(phrase.of)
	}
	w.number(uint64(len(of.phrasal)))
	for _, verb := range of.phrasal {
		w.number(uint64(verb.particle))
		w.families(verb.families)
	}
	return listed
}

// TestSnapshot: the snapshot is English as its words make it.
func TestSnapshot(t *testing.T) {
	parsed, err := Parse("en", words)
	require.NoError(t, err)
	file := snapshotOf(parsed)
	if *update {
		require.NoError(t, os.WriteFile("data/en.bin", file, 0o644))
		return
	}
	require.True(t, string(file) == snapshot, "data/en.txt has changed: go generate ./internal/lexicon")
	read := readSnapshot(snapshot)
	require.Equal(t, len(parsed.entries), len(read.entries))
	require.Equal(t, parsed.hashed.Len(), read.hashed.Len())
	require.True(t, string(file) == string(snapshotOf(read)), "what is read is what was written")
	for i, entry := range parsed.entries {
		require.Equal(t, entry.Lemma, read.entries[i].Lemma)
		require.Same(t, read.entries[i], read.Lookup(entry.Word))
	}
}
