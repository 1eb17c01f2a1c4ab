package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// relation is how the verb of a clause relates to what a tool does.
type relation uint8

const (
	unrelated relation = iota // another verb, or none
	akin                      // a verb that may stand for the tool's
	described                 // a verb of its description
	acting                    // the verb of its name
)

// relate compares the verb of a clause with those of a tool.
func (f *frame) relate(p *manner) relation {
	switch {
	case f.families.Empty():
		return unrelated
	case f.families.Overlaps(p.acts):
		return acting
	case f.families.Overlaps(p.told):
		return described
	case f.families.Overlaps(p.kin):
		if p.entity && !f.kind && f.families.Overlaps(loose) {
			return unrelated // "set the oven", "book a table": no thing of ours
		}
		if p.acts.Has(lexicon.Book) && f.families.Has(lexicon.Create) && !f.families.Has(lexicon.Generate) {
			return unrelated // one makes a reservation; who adds something has one
		}
		return akin
	default:
		return unrelated
	}
}

// loose families need a thing of ours to mean one of our acts.
var loose = lexicon.FamiliesOf(lexicon.Set, lexicon.Book)

// sum adds up weighted features. A feature is something that speaks for or
// against a tool; its weight is how much, as a log-odds. The weights were
// fitted to labelled requests, their signs and sizes checked by
// reading them.
type sum struct {
	total   float32
	weights *[functionFeatures]float32
}

func (s *sum) add(feature int, value float32) {
	s.total += s.weights[feature] * value
}

func (s *sum) when(condition bool, feature int) {
	if condition {
		s.add(feature, 1)
	}
}

// score is the log-odds that a clause asks for a tool.
func (f *frame) score(p *manner, t, total *tally) float32 {
	if p.entity {
		sum := sum{weights: &collectionWeights}
		sum.collection(f, p, t)
		return sum.total
	}
	sum := sum{weights: &functionWeights[f.sortOf(p)]}
	sum.function(f, p, t, total)
	return sum.total
}

// part is a of b, 0 if there is no b.
func part(a, b float32) float32 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// something reports whether the object says anything at all.
func (o *object) something() bool { return o.content > 0 || o.title || o.quoted || o.times > 0 }
