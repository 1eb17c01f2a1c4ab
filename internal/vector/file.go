package vector

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// A file of vectors has how many there are, what each is of, and all their numbers. What one
// is of takes nine bytes: the bearer, and the hash of its word; for a pair the places of its
// words in the file, which stand before it. A number takes a byte: how many times a Unit it
// is, and laneZero. All is in little endian.

// Fitted is a vector, and what it is of: one word, or the two of a [Pair].
type Fitted struct {
	Of     Bearer
	Words  []string
	Vector Vector
}

const bearerSize = 9

// Encode writes vectors. The words of a pair must have one, before it.
func Encode(all []Fitted) []byte {
	places := map[string]uint32{}
	file := binary.LittleEndian.AppendUint32(nil, uint32(len(all)))
	for i, f := range all {
		file = append(file, byte(f.Of))
		if f.Of == Pair {
			file = binary.LittleEndian.AppendUint32(file, places[f.Words[0]])
			file = binary.LittleEndian.AppendUint32(file, places[f.Words[1]])
			continue
		}
		if f.Of == Word {
			places[f.Words[0]] = uint32(i + 1)
		}
		file = binary.LittleEndian.AppendUint64(file, lexicon.Hash(f.Words[0]))
	}
	for i := range all {
		for _, x := range &all[i].Vector {
			file = append(file, byte(laneZero+int(math.Round(max(-127, min(127, float64(x)*Unit))))))
		}
	}
	return file
}

// Decode reads fitted vectors. The file is used on, and must not be modified.
func Decode(language *lexicon.Language, file []byte) (*Set, error) {
	fault := fmt.Errorf("%d bytes are no file of vectors", len(file))
	if len(file) < 4 {
		return nil, fault
	}
	n, rest := int(binary.LittleEndian.Uint32(file)), file[4:]
	if len(rest) != n*(bearerSize+Size) {
		return nil, fault
	}
	s := &Set{numbers: hashtable.New[int32](n), fitted: rest[n*bearerSize:]}
	for number := int32(1); int(number) <= n; number++ {
		key := keyOf(language, Bearer(rest[0]), binary.LittleEndian.Uint64(rest[1:]), number)
		if key == 0 {
			return nil, fault
		}
		s.numbers.Put(key, number)
		rest = rest[bearerSize:]
	}
	for _, of := range []Bearer{Word, Previous} {
		s.listed[of] = make([]int32, language.Lemmas())
		for lemma := range s.listed[of] {
			s.listed[of][lemma] = s.numbers.Find(of.keyOfLemma(int32(lemma)))
		}
	}
	return s, nil
}

// keyOf is the key of what a file names, 0 if it names nothing.
func keyOf(language *lexicon.Language, of Bearer, hash uint64, number int32) uint64 {
	switch of {
	case Pair:
		if a, b := int32(uint32(hash)), int32(hash>>32); a > 0 && b > 0 && a < number && b < number {
			return pairKey(a, b)
		}
	case Word, Previous, Tool, Argument:
		return of.Key(language.LookupHash(hash), hash)
	case Act:
		return of.Key(nil, hash)
	}
	return 0
}
