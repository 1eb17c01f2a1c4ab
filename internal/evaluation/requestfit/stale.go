package requestfit

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"

	"github.com/bonafide-go/bonafide/internal/evaluation/requests"
	"github.com/bonafide-go/bonafide/internal/fitting"
)

// sampled is which of our requests are read to see whether models are stale: every so many.
const sampled = 97

// ReadHashes are hashes of what the models in use see of a sample of our requests. They
// change with what the evidence means, not with how the code says it.
func ReadHashes() (hashes []uint16, err error) {
	sets, err := requests.Sets()
	number := 0
	for _, set := range sets {
		var tools fitting.ToolsReading
		for _, r := range set.Requests {
			if number++; number%sampled != 0 {
				continue
			}
			if tools == nil {
				if tools, err = fitting.Intent.Tools(set.Tools); err != nil {
					return nil, err
				}
			}
			read := tools.Read(r.User, r.Previous)
			h := fnv.New32a()
			for i, row := range read.Evidence {
				_ = binary.Write(h, binary.LittleEndian, int32(read.Tools[i]))
				for _, x := range row {
					_ = binary.Write(h, binary.LittleEndian, int32(math.Round(2*float64(x)))) // as for turns
				}
			}
			sum := h.Sum32()
			hashes = append(hashes, uint16(sum>>16^sum))
		}
	}
	return hashes, err
}

// ReadHashes is [ReadHashes] with these models in use; the shipped ones are again after it.
func (files Files) ReadHashes() ([]uint16, error) {
	if err := use(files); err != nil {
		return nil, err
	}
	hashes, err := ReadHashes()
	return hashes, errors.Join(err, fitting.Intent.Use(nil, nil, nil))
}
