package forest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A file of forests is one section after another. A section has the features that its forests ask
// for, each with all its cuts, and then the forests: a name, the bias, the unit of the answers, the
// depth, and the trees, each node before those that it leads to. A node is its feature + 1 and the
// number of the cut, a leaf is 0 and how many units it answers. Counts, and the lengths of names,
// are uvarints; all else is in little endian. The module internal/evaluation writes them.

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
	rest     []byte
	features []string    // of the section
	cuts     [][]float32 // of each of them
	err      error
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
	d.features = make([]string, min(d.count(), MaxFeatures))
	d.cuts = make([][]float32, len(d.features))
	for i := range d.features {
		d.features[i] = d.text()
		cuts := make([]float32, d.count())
		for k := range cuts {
			if cuts[k] = d.number(); cuts[k] != cuts[k] || k > 0 && cuts[k] <= cuts[k-1] {
				d.fail()
			}
		}
		if d.cuts[i] = cuts; d.err != nil {
			return
		}
	}
	for range d.count() {
		name := d.text()
		found[name] = d.forest()
	}
}

func (d *decoder) forest() *Forest {
	f := &Forest{Features: d.features, Bias: d.number()}
	unit := d.number()
	d.take(1) // how many questions are asked in turn: the trees say so
	f.Trees = make([][]Node, d.count())
	for i := range f.Trees {
		f.Trees[i] = slices.Clone(d.node(make([]Node, 1, maxNodes), 0, 0, unit))
	}
	return f
}

// node reads the node at a place of a tree, and those that it leads to.
func (d *decoder) node(tree []Node, at, depth int, unit float32) []Node {
	head := d.take(1)[0]
	if head == 0 {
		units := int16(binary.LittleEndian.Uint16(d.take(2)))
		tree[at].Cut = unit * float32(units)
		return tree
	}
	feature, cut, left := int(head)-1, int(d.take(1)[0]), len(tree)
	if feature >= len(d.features) || cut >= len(d.cuts[feature]) || depth == MaxDepth {
		d.fail()
		return tree
	}
	tree[at] = Node{Feature: feature, Cut: d.cuts[feature][cut], Left: left}
	tree = d.node(append(tree, Node{}, Node{}), left, depth+1, unit)
	return d.node(tree, left+1, depth+1, unit)
}
