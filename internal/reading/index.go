package reading

import (
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/internal/hashtable"
)

// Source is a place where values may be named, by its number: somebody's words, a record, or all records of a kind.
// The latter are shared, and come before the others: they must be less than 64.
type Source int

// Index says where values are named. It has those alone that somebody asks about:
// most of a long result is none of them.
type Index struct {
	rows  hashtable.Table[int32] // by key, where its row begins
	bits  []uint64               // the first row is that of keys without one
	width int                    // of a row
}

// Begin forgets all values, and makes room for so many sources.
func (x *Index) Begin(sources Source) {
	if x.bits == nil {
		x.rows = hashtable.New[int32](128)
	}
	x.rows.Clear()
	x.width = int(sources+63) / 64
	x.bits = append(x.bits[:0], make([]uint64, x.width)...)
}

// Sources is a set of them.
type Sources []uint64

// Has reports whether a source is in the set.
func (s Sources) Has(from Source) bool { return s[from>>6]>>(from&63)&1 != 0 }

// Sources is an empty set of those that there is room for. An earlier one may be given for reuse.
func (x *Index) Sources(into Sources) Sources { return append(into[:0], make(Sources, x.width)...) }

// AddTo adds the sources in a row to a set.
func (x *Index) AddTo(set Sources, row int) {
	for i := range set {
		set[i] |= x.bits[row+i]
	}
}

// Keep has a key asked about from now on, and says where its row begins.
func (x *Index) Keep(key uint64) int {
	if known := x.Row(key); known > 0 { // most words come again
		return known
	}
	row := x.rows.Add(max(key, 1))
	if *row == 0 {
		*row = int32(len(x.bits))
		x.bits = append(x.bits, make([]uint64, x.width)...)
	}
	return int(*row)
}

// Add keeps a key, and notes its source and the shared one that it belongs to.
func (x *Index) Add(key uint64, from, shared Source) {
	x.Keep(key)
	x.Note(key, from, shared)
}

// KeepAll has values asked about, in all ways that they may be written, and notes their shared source.
func (x *Index) KeepAll(values []Value, from Source) {
	for i := range values {
		v := &values[i]
		for _, key := range v.Keys() {
			x.Keep(key)
		}
		x.bits[x.Row(v.Key)] |= 1 << from
		if v.Kind == Date {
			x.bits[x.Keep(keyOfDay(v.Number))] |= 1 << from
		}
	}
}

// NoteValue notes the source of a value, as [Index.Note] does of its key; of a date, of
// its day as well, which is often all that is said of it: "the 17th".
func (x *Index) NoteValue(v *Value, from, shared Source) {
	x.Note(v.Key, from, shared)
	if v.Kind == Date {
		x.Note(keyOfDay(v.Number), from, shared)
	}
}

// keyOfDay is the key of the day of the month that a date or an ordinal number says.
func keyOfDay(number float64) uint64 { return KeyOf(Date, math.Mod(number, 100)) }

// Note notes the source of a key, and the shared one that it belongs to, if the key is asked about.
func (x *Index) Note(key uint64, from, shared Source) {
	if row := x.Row(key); row > 0 {
		x.bits[row] |= 1 << shared
		x.bits[row+int(from>>6)] |= 1 << (from & 63)
	}
}

// Row is where the row of a key begins, for [Index.In].
func (x *Index) Row(key uint64) int { return int(x.rows.Find(max(key, 1))) }

// In reports whether a source is in a row.
func (x *Index) In(row int, from Source) bool { return x.bits[row+int(from>>6)]>>(from&63)&1 != 0 }

// Shared is the set of the shared sources in a row.
func (x *Index) Shared(row int) uint64 { return x.bits[row] }

// Of is the set of the shared sources of a key.
func (x *Index) Of(key uint64) uint64 { return x.bits[x.Row(key)] }

// Holds reports whether a source has a value, in one of the ways it may be written.
func (x *Index) Holds(from Source, v *Value) bool {
	if known := x.In(x.Row(v.Key), from); known || v.Kind != Number && v.Kind != Clock {
		return known
	}
	keys := v.Keys()
	return x.In(x.Row(keys[1]), from) || x.In(x.Row(keys[2]), from)
}

// HoldersOf adds to a set the sources from one on that hold a value, in one of the ways it
// may be written; the first one is a multiple of 64.
func (x *Index) HoldersOf(v *Value, from Source, into []uint64) {
	for _, key := range v.Keys() {
		row := x.Row(key) + int(from>>6)
		for i := range into {
			into[i] |= x.bits[row+i]
		}
	}
}

// Is reports whether a key is that of a value, in one of the ways it may be written.
func (v *Value) Is(key uint64) bool {
	keys := v.Keys()
	return slices.Contains(keys[:], key)
}

// Keys are those of a value as it is written, and in other ways, where there are any: in
// cents, as a share, in the other half of the day, as the day of a date.
func (v *Value) Keys() [3]uint64 {
	const noon = 12 * 60
	keys := [3]uint64{v.Key, v.Key, v.Key}
	switch {
	case v.Kind == Clock && v.Number >= noon:
		keys[1] = KeyOf(Clock, v.Number-noon)
	case v.Kind == Clock:
		keys[1] = KeyOf(Clock, v.Number+noon)
	case v.Kind != Number:
	case v.Has(Ordinal):
		keys[1] = keyOfDay(v.Number)
	default:
		if v.Has(Money) {
			keys[1] = KeyOf(Number, v.Number*100)
		}
		if v.Has(Percent) {
			keys[2] = KeyOf(Number, v.Number/100)
		}
	}
	return keys
}
