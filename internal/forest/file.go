package forest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A file of forests is one section after another. A section has the features that its
// forests ask for, each with all its cuts, and then the forests: a name, the bias, the unit
// of the answers, the depth, and the trees, each node before those that it leads to. A node is its
// feature + 1 and the number of the cut, a leaf is 0 and how many units it answers.
// Counts, and the lengths of names, are uvarints; all else is in little endian.

// Encode writes forests that ask for the same features as one section of a file.
func Encode(names []string, forests []*Forest) ([]byte, error) {
	features := forests[0].Features()
	var all [][]Node
	for i, f := range forests {
		if !slices.Equal(features, f.Features()) {
			return nil, fmt.Errorf("the forest %q asks for other features than %q", names[i], names[0])
		}
		all = append(all, f.trees...)
	}
	scale, err := newScale(features, cutsOf(len(features), all))
	if err != nil {
		return nil, err
	}
	out := binary.AppendUvarint(nil, uint64(len(features)))
	for i, feature := range features {
		out = appendText(out, feature)
		cuts := scale.rulers[i].cuts
		cuts = cuts[:len(cuts)-compared]
		out = binary.AppendUvarint(out, uint64(len(cuts)))
		for _, cut := range cuts {
			out = appendNumber(out, cut)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(forests)))
	for i, f := range forests {
		out = scale.appendForest(appendText(out, names[i]), f)
	}
	return out, nil
}

func (s *Scale) appendForest(out []byte, f *Forest) []byte {
	most := float32(0)
	for _, tree := range f.trees {
		for _, n := range tree {
			if n.Left == 0 {
				most = max(most, n.Cut, -n.Cut)
			}
		}
	}
	unit := most / math.MaxInt16
	out = append(appendNumber(appendNumber(out, f.bias), unit), byte(f.Ranked.depth))
	out = binary.AppendUvarint(out, uint64(len(f.trees)))
	for _, tree := range f.trees {
		out = s.appendNode(out, tree, 0, unit)
	}
	return out
}

func (s *Scale) appendNode(out []byte, tree []Node, at int, unit float32) []byte {
	n := tree[at]
	if n.Left > 0 {
		rank := s.rulers[n.Feature].rank(n.Cut)>>rankShift - 1
		out = append(out, byte(n.Feature+1), byte(rank))
		return s.appendNode(s.appendNode(out, tree, n.Left, unit), tree, n.Left+1, unit)
	}
	units := int16(0)
	if unit > 0 {
		units = int16(math.Round(float64(n.Cut / unit)))
	}
	return binary.LittleEndian.AppendUint16(append(out, 0), uint16(units))
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func appendNumber(out []byte, number float32) []byte {
	return binary.LittleEndian.AppendUint32(out, math.Float32bits(number))
}

// Decode reads the forests of a file, in the order of the names.
func Decode(file []byte, names ...string) ([]*Forest, error) {
	found := map[string]*Forest{}
	d := &decoder{rest: file}
	for len(d.rest) > 0 && d.err == nil {
		d.section(found)
	}
	if d.err != nil {
		return nil, fmt.Errorf("the fitted models, %d bytes before their end: %w", len(d.rest), d.err)
	}
	forests := make([]*Forest, len(names))
	for i, name := range names {
		if forests[i] = found[name]; forests[i] == nil {
			return nil, fmt.Errorf("the fitted models lack the forest %q", name)
		}
	}
	return forests, nil
}

// decoder reads a file up to its first fault; after that all it reads is zero.
type decoder struct {
	rest  []byte
	scale *Scale // of the section
	err   error
}

func (d *decoder) fail() {
	if d.err == nil {
		d.err = errors.New("they are cut off, or no models")
	}
}

func (d *decoder) take(n int) []byte {
	if d.err != nil || n > len(d.rest) {
		d.fail()
		return make([]byte, n)
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

// count reads how many things follow, each of which takes a byte at least.
func (d *decoder) count() int {
	n, size := binary.Uvarint(d.rest)
	if d.err != nil || size <= 0 || n > uint64(len(d.rest)-size) {
		d.fail()
		return 0
	}
	d.rest = d.rest[size:]
	return int(n)
}

func (d *decoder) text() string { return string(d.take(d.count())) }

func (d *decoder) number() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(d.take(4)))
}

func (d *decoder) section(found map[string]*Forest) {
	features := make([]string, min(d.count(), maxFeatures))
	cuts := make([][]float32, len(features))
	for i := range features {
		features[i] = d.text()
		cuts[i] = make([]float32, d.count())
		for k := range cuts[i] {
			if cuts[i][k] = d.number(); cuts[i][k] != cuts[i][k] || k > 0 && cuts[i][k] <= cuts[i][k-1] {
				d.fail()
			}
		}
		if d.err != nil {
			return
		}
	}
	var err error
	if d.scale, err = newScale(features, cuts); err != nil {
		d.err = err
		return
	}
	for range d.count() {
		name := d.text()
		found[name] = d.forest()
	}
}

func (d *decoder) forest() *Forest {
	bias, unit, depth := d.number(), d.number(), int(d.take(1)[0])
	r := newRanked(bias, depth, d.count())
	for i := range r.trees {
		asks, answers := r.tree(i)
		d.node(r, 1, asks, answers, unit)
	}
	return &Forest{Scale: d.scale, Ranked: r, bias: bias}
}

// node reads the node of a tree that is laid out at a place, and those that it leads to.
func (d *decoder) node(r *Ranked, place int, asks *[maxLeaves]uint16, answers *[maxLeaves]float32, unit float32) {
	head := d.take(1)[0]
	if head == 0 {
		units := int16(binary.LittleEndian.Uint16(d.take(2)))
		answers[r.leafOf(place)] = unit * float32(units)
		return
	}
	feature, cut := int(head)-1, int(d.take(1)[0])
	if feature >= len(d.scale.rulers) || cut+compared >= len(d.scale.rulers[feature].cuts) || place >= 1<<r.depth {
		d.fail()
		return
	}
	asks[place] = uint16(cut<<rankShift + feature)
	d.node(r, 2*place, asks, answers, unit)
	d.node(r, 2*place+1, asks, answers, unit)
}
