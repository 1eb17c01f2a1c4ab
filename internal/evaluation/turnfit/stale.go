package turnfit

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/fitting"
)

// sampled is which of our turns are read to see whether models are stale: every so many.
const sampled = 53

// ReadHashes are hashes of what the models see of a sample of our turns. They change with
// what a feature means, not with how the code says it.
func ReadHashes() (hashes []uint16, err error) {
	domains, err := labelled.Domains()
	number := 0
	for i := range domains {
		for k := range domains[i].Turns {
			if number++; number%sampled != 0 {
				continue
			}
			read := fitting.Completion.Read(TurnOf(&domains[i], &domains[i].Turns[k]))
			clauses := read.Clauses()
			hashes = append(hashes, hashOf(append(clauses, read.Turn(make([]float64, len(clauses))))))
		}
	}
	return hashes, err
}

// hashOf is a hash of rows of features.
func hashOf(rows [][]float32) uint16 {
	h := fnv.New32a()
	for _, row := range rows {
		for _, x := range row {
			_ = binary.Write(h, binary.LittleEndian, int32(math.Round(2*float64(x)))) // a little more or less is nothing new
		}
	}
	sum := h.Sum32()
	return uint16(sum>>16 ^ sum)
}
