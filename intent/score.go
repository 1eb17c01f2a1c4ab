package intent

import (
	"github.com/bonafide-go/bonafide/intent/lexicon"
)

// frame is a clause as the tools see it.
type frame struct {
	clause   *clause
	object   *object
	families lexicon.Families
	said     lexicon.Families // all verbs of the message
	own      int32            // the lemma of the verb, -1 if there is none
	informs  bool             // the verb asks for information in its first sense
	carried  bool             // the clause before named a thing of ours
	acted    bool             // some tool's own verb is meant
	most     float32          // the most that the words say of any tool
}

// compare sees all tools together.
func (c *Classifier) compare(s *scratch, f *frame) {
	f.own = -1
	if f.clause.verb >= 0 {
		f.own = s.reader.tokens[f.clause.verb].Entry.ID
	}
	f.informs = f.families.Overlaps(infoFamilies) && (f.clause.verb < 0 || f.families != s.reader.tokens[f.clause.verb].Families() || infoFamilies.Has(s.reader.tokens[f.clause.verb].Entry.Primary))
	for i, p := range c.profiles {
		f.acted = f.acted || f.families.Overlaps(p.acts) || f.families.Overlaps(p.told)
		f.most = max(f.most, s.tallies[i].named+s.tallies[i].told)
	}
}

// adjust settles what a verb means by what it is used on: adding somebody to
// a meeting updates the meeting, adding something to a list creates an entry.
func (c *Classifier) adjust(s *scratch, cl *clause, o *object) lexicon.Families {
	f := cl.families
	ours := o.directKind || o.prepKind
	holder := o.directHolder || o.prepHolder
	create, update := lexicon.FamiliesOf(lexicon.Create), lexicon.FamiliesOf(lexicon.Update)
	switch {
	case cl.verb < 0:
		if cl.mood == wanting && o.prepHolder {
			f = create
		}
	case f.Has(lexicon.Set) && f.Has(lexicon.Create) && holder && !ours:
		f = create
	case s.reader.is(cl.verb, "put") && o.prepHolder:
		f = create
	case cl.sure && holder:
		f = create
	case s.reader.is(cl.verb, "make") && !o.indefinite && o.definite, s.reader.is(cl.verb, "make") && o.pronounFirst:
		f = update
	case f.Has(lexicon.Invite) && o.prepKind:
		f = update
	case f.Has(lexicon.Create) && o.prepKind && !o.directKind && !holder && o.into:
		f = f.With(lexicon.Update).Without(create)
	case f.Has(lexicon.Delete) && o.prepKind && !o.directKind && !holder && o.from:
		f = update
	case s.reader.is(cl.verb, "give", "get") && o.directKind && o.indefinite:
		f = create
	case f.Has(lexicon.Schedule) && !f.Has(lexicon.Update) && (o.times > 0 || ours):
		f = f.With(lexicon.Create)
	case f.Has(lexicon.Set) || f.Has(lexicon.Book):
		if o.directKind && (o.indefinite || !o.definite) {
			f = f.With(lexicon.Create)
		} else if o.definite && (ours || o.attribute) {
			f = update
		}
	case f.Has(lexicon.Create) && !o.directKind && !holder && o.attribute:
		f = f.With(lexicon.Update)
	}
	return f
}

// specific families are asked for only of things one keeps; others are used of
// anything ("change the light").
var specific = lexicon.FamiliesOf(lexicon.Delete, lexicon.Complete, lexicon.Cancel)

// kin are families that may stand for one another when the object is right.
var kin = []struct{ a, b lexicon.Family }{
	{lexicon.Cancel, lexicon.Delete}, {lexicon.Book, lexicon.Create}, {lexicon.Schedule, lexicon.Create}, {lexicon.Remind, lexicon.Create},
	{lexicon.Remember, lexicon.Create}, {lexicon.Record, lexicon.Create}, {lexicon.Write, lexicon.Create}, {lexicon.Save, lexicon.Create},
	{lexicon.Generate, lexicon.Create}, {lexicon.Build, lexicon.Create}, {lexicon.Set, lexicon.Create}, {lexicon.Set, lexicon.Update}, {lexicon.Move, lexicon.Update}, {lexicon.Schedule, lexicon.Update},
	{lexicon.Close, lexicon.Complete}, {lexicon.Order, lexicon.Book}, {lexicon.Order, lexicon.Pay}, {lexicon.Register, lexicon.Create},
	{lexicon.Start, lexicon.Run}, {lexicon.Open, lexicon.Start}, {lexicon.Start, lexicon.Play}, {lexicon.Enable, lexicon.Start}, {lexicon.Disable, lexicon.Stop},
	{lexicon.Set, lexicon.Enable}, {lexicon.Draw, lexicon.Generate}, {lexicon.Draw, lexicon.Create}, {lexicon.Send, lexicon.Contact}, {lexicon.Send, lexicon.Share},
	{lexicon.Connect, lexicon.Start}, {lexicon.Open, lexicon.Read}, {lexicon.Exchange, lexicon.Update}, {lexicon.Archive, lexicon.Delete},
	{lexicon.Apply, lexicon.Create}, {lexicon.Login, lexicon.Verify}, {lexicon.Save, lexicon.Record}, {lexicon.Transfer, lexicon.Send},
}

// kinOf adds the kin of a tool's families.
func kinOf(f lexicon.Families) lexicon.Families {
	all := f
	for _, k := range kin {
		if f.Has(k.a) {
			all = all.With(k.b)
		}
		if f.Has(k.b) {
			all = all.With(k.a)
		}
	}
	return all
}

// elsewhere reports whether another clause asks for what the tool does.
func (c *Classifier) elsewhere(f *frame, p *profile) bool {
	return !f.families.Overlaps(p.acts) && f.families.Empty() && f.said.Overlaps(p.acts)
}

const features = 128

func b(x bool) float32 {
	if x {
		return 1
	}
	return 0
}

// share is n of all, at most 1.
func share(n int32, all int) float32 {
	if all == 0 {
		return 0
	}
	return min(float32(n)/float32(all), 1)
}

// vector are the features of a tool for a clause.
func (c *Classifier) vector(f *frame, p *profile, t, total *tally) (v [features]float32) {
	cl, o := f.clause, f.object
	act := f.families.Overlaps(p.acts)
	told := !act && f.families.Overlaps(p.told)
	kin := !act && !told && f.families.Overlaps(p.kin)
	if p.entity && kin && (f.families.Has(lexicon.Set) || f.families.Has(lexicon.Book)) && !o.directKind && !o.prepKind && !o.prepHolder && !o.directHolder {
		kin = false // "set the oven", "book a table": no thing of ours
	}
	asks := cl.mood == asking || cl.mood == learning || cl.mood == pondering || f.informs && (cl.mood == command || cl.mood == suggestion)
	info := asks && p.info
	conflict := !act && !told && !kin && !info && !f.families.Empty()
	own := t.named + t.told
	foreign := o.foreign
	if o.target && f.families.Has(lexicon.Create) && !o.prepHolder && !o.directHolder && !o.directKind && !o.prepKind {
		foreign++
	}
	if f.families.Has(lexicon.Remind) || f.families.Has(lexicon.Remember) || f.families.Has(lexicon.Schedule) || o.title && act {
		foreign = 0
	}
	cover := float32(0)
	if p.weight > 0 {
		cover = t.named / p.weight
	}
	tcover := float32(0)
	if p.weight > 0 {
		tcover = total.named / p.weight
	}
	mcover := float32(0)
	if o.weight > 0 {
		mcover = t.weight / o.weight
	}
	target, first := share(t.target, len(p.target)), share(t.first, len(p.first))
	topic := float32(0)
	if o.weight > 0 {
		topic = min(t.topic/o.weight, 1)
	}
	phrase := float32(0)
	if o.phrase > 0 {
		phrase = t.phrase / o.phrase
	}
	kind := o.directKind || o.prepKind || o.directHolder || o.prepHolder
	v = [features]float32{
		0: 1, 1: b(act), 2: b(told), 3: b(kin), 4: b(info), 5: b(conflict), 6: b(f.families.Empty() && cl.mood != asking),
		7: cover, 8: float32(min(t.namedHits, 3)) / 3, 9: min(t.told, 3) / 3, 10: mcover, 11: b(!kind) * float32(min(foreign, 2)), 12: b(o.foreignHead && foreign > 0),
		13: b(kind), 14: b(o.content == 0 && !o.pronoun && !o.quoted), 15: b(o.times > 0), 16: b(o.mine), 17: b(o.pronoun), 18: b(o.attribute),
		19: b(cl.mood == command), 20: b(cl.mood == suggestion), 21: b(cl.mood == asking), 22: b(cl.mood == fragment), 23: b(cl.mood == wanting), 24: b(cl.mood == statement),
		25: b(cl.you), 26: b(cl.me), 27: b(cl.past),
		28: b(len(c.profiles) == 1), 29: b(act && kind), 30: b(act) * float32(min(foreign, 2)), 31: b(info && kind), 32: b(info) * mcover, 33: b(info) * cover,
		34: b(act && !p.info && !kind && foreign == 0 && (o.content > 0 || o.title || o.quoted || o.times > 0)), 35: b(act) * cover, 36: b(act) * mcover, 37: b(told && kind), 38: b(kin && kind), 39: b(kin) * cover,
		40: b(o.content == 0 && o.pronoun), 41: b(cl.mood == statement) * mcover, 42: b(cl.mood == fragment) * cover, 43: b(cl.mood == fragment || cl.mood == wanting) * b(p.info) * b(kind),
		44: b(o.directKind && o.indefinite && (cl.mood == fragment || cl.mood == wanting) && p.acts.Has(lexicon.Create)), 45: b(o.firstHit), 46: b(p.info), 47: b(asks && !p.info),
		48: b(!act && !told && f.acted), 49: min(f.most-own, 3) / 3, 50: b(own >= f.most && f.most > 0), 51: b(!act && f.acted && kind), 52: b(conflict && p.info),
		53: b(own >= f.most && f.most > 0) * mcover, 54: b(t.hits == 0 && !p.entity),
		55: b(cl.mood == asking && foreign == 0 && !cl.you && (cl.me || o.mine) && p.calendar && p.info && (o.times > 0 || o.when)), 56: b(cl.mood == asking && !cl.you && o.when && p.calendar && p.info && foreign == 0),
		57: b(act && o.title), 58: b(kind) * float32(min(foreign, 2)), 59: b(o.foreignHolder), 60: b(conflict) * cover, 61: b(conflict) * mcover, 62: b(conflict && kind), 63: b((act || told || kin) && !p.info && p.calendar && (o.times > 0 || o.ordinal || o.mine) && foreign == 0 && !kind),
		64: b(cl.duty && foreign == 0 && p.info && p.agenda), 65: b((cl.mood == asking || f.informs) && p.info && p.agenda && o.content == 0 && (cl.me || o.times > 0)), 66: b(cl.you && cl.mood == statement), 67: b(f.carried && !kind && foreign == 0 && (act || told)),
		68: b(cl.mood == statement && kind), 69: b(cl.mood == asking && (o.mine || cl.me) && kind && p.info), 70: b(act && !p.info && !kind && foreign == 0 && (o.content > 0 || o.title || o.quoted || o.times > 0)), 71: b(cover > 0.99), 72: phrase, 73: b(info) * phrase, 74: b(act) * phrase, 75: b(phrase > 0.99), 76: b(info && cover > 0.99), 77: b(o.names > 0), 78: cover * mcover, 79: cover * phrase, 80: tcover, 81: b(tcover > 0.99), 82: min(total.told, 4) / 4, 83: b(p.weight == 0), 84: topic, 85: b(o.topical > 0 && t.akin == 0 && len(p.topics) > 0), 86: b(info) * topic, 87: b(act) * topic, 88: b(t.hits == 0) * topic, 89: float32(min(t.akin, 3)) / 3, 90: b(o.topical > 0 && t.akin == 0) * cover, 91: b(cl.mood == statement) * topic, 92: b(cl.mood == pondering), 93: b(cl.mood == learning), 94: b(!act && f.said.Overlaps(p.acts)), 95: b(c.elsewhere(f, p)), 96: b(t.head), 97: b(info && t.head), 98: b(o.phrase > 0 && o.head == 0), 99: b(o.phrase > 0 && o.head == 0) * cover, 100: b(p.general && asks), 101: b(p.general && asks && t.hits == 0), 102: b(act && t.head), 103: b(t.head) * cover,
		104: b(act && !p.info && !kind && foreign == 0 && o.content > 0 && f.families.Overlaps(specific)), 105: b(act && f.own == p.verb && p.verb >= 0), 106: b(cl.mood == asking && o.when && (o.mine || cl.me) && p.calendar && p.info), 107: b(cl.mood == asking && o.when && p.calendar && p.info && !cl.you),
		108: b(cl.duty && foreign > 0 && p.info && p.agenda), 109: b(cl.mood == fragment && p.info && o.mine && (o.directHolder || o.directKind)), 110: b(cl.mood == statement && kind && p.info), 111: b(act && f.own == p.verb && !kind && foreign == 0 && !p.info), 112: b(cl.mood == asking && o.mine && o.ordinal && p.calendar && p.info), 113: b(act && !p.info && o.content == 0 && o.pronoun && !kind), 114: b(conflict && !p.info && kind), 115: b(cl.you && asks), 116: target, 117: b(info) * target, 118: b(len(p.target) > 0 && t.target == 0), 119: b(info && len(p.target) > 0 && t.target == 0), 120: first, 121: b(len(p.first) > 0 && t.first == 0), 122: b(info && len(p.first) > 0 && t.first == 0), 123: b(target > 0.99), 124: b(first > 0.99), 125: b(first > 0.99) * phrase, 126: b(target > 0.99) * phrase, 127: first * target,
	}
	return v
}

// weights are fitted: the first row to tools by themselves, the second to those
// that keep a collection.
var weights = [2][features]float32{
	{0: -0.46, 1: 0.19, 2: 0.69, 3: -1.82, 4: -0.63, 5: -0.06, 6: -1.69, 7: 0.63, 8: 1.75, 9: 1.44, 10: -0.14, 11: 0.54, 12: -0.39, 13: -0.53, 14: -1.44, 15: 1.06, 16: -0.58, 17: 0.39, 18: -0.96, 19: 0.63, 20: 0.38, 21: -0.83, 22: -0.70, 23: 0.46, 24: -2.35, 25: 0.94, 26: 0.76, 27: 2.10, 28: -0.85, 29: -0.39, 30: -0.19, 31: 0.39, 32: 0.17, 33: 0.11, 34: 1.34, 35: 0.68, 36: 0.98, 37: -0.42, 38: -1.24, 39: 0.60, 40: -1.09, 41: 1.36, 42: 2.83, 43: 2.58, 44: 0.00, 45: 0.12, 46: -0.49, 47: -0.44, 48: -1.37, 49: -0.55, 50: 0.58, 51: 1.66, 52: -1.13, 53: -0.15, 54: -1.51, 55: -1.59, 56: 2.13, 57: 0.00, 58: 0.12, 59: 0.82, 60: 0.22, 61: -0.67, 62: 1.09, 63: -2.99, 64: -1.59, 65: 2.92, 66: 1.24, 67: -1.59, 68: -0.46, 69: -0.47, 70: 1.34, 71: -0.83, 72: 0.30, 73: 0.25, 74: 0.37, 75: -0.05, 76: 0.98, 77: 1.10, 78: 0.53, 79: 0.89, 80: -0.31, 81: 0.32, 82: 1.71, 83: 2.20, 84: -1.04, 85: -1.32, 86: 1.25, 87: 0.20, 88: 1.83, 89: 0.93, 90: 0.51, 91: -3.24, 92: -2.17, 93: -0.21, 94: 0.87, 95: 0.00, 96: -0.05, 97: 0.29, 98: 0.04, 99: 1.01, 100: -0.50, 101: 2.73, 102: 0.05, 103: -0.14, 104: 0.00, 105: 0.32, 106: 0.00, 107: 2.13, 108: 0.00, 109: 0.00, 110: 2.65, 111: 0.64, 112: 0.00, 113: -1.63, 114: -2.31, 115: -0.11, 116: 0.21, 117: -0.28, 118: -0.45, 119: 0.19, 120: 0.21, 121: -0.19, 122: 0.21, 123: 0.82, 124: -0.16, 125: 0.60, 126: 0.27, 127: -0.07},
	{0: -0.82, 1: 0.99, 2: -0.97, 3: 1.79, 4: -0.15, 5: -1.56, 6: -2.86, 7: 0.01, 8: 0.14, 9: 1.24, 10: -0.27, 11: -1.04, 12: -0.53, 13: 1.97, 14: -0.90, 15: 1.75, 16: 0.26, 17: -0.44, 18: -0.90, 19: -1.03, 20: 0.22, 21: -0.19, 22: -0.34, 23: -0.59, 24: -0.59, 25: -1.81, 26: -1.07, 27: 1.30, 28: 0.00, 29: 1.83, 30: -0.17, 31: 0.70, 32: 0.37, 33: 0.75, 34: 0.94, 35: 1.00, 36: 1.03, 37: -0.97, 38: 0.33, 39: 2.92, 40: 0.59, 41: 2.45, 42: 0.22, 43: 1.73, 44: 6.28, 45: 0.45, 46: -0.55, 47: -2.23, 48: -0.62, 49: 0.11, 50: 0.84, 51: 0.58, 52: -0.17, 53: -0.49, 54: 0.00, 55: 2.66, 56: 0.36, 57: -0.43, 58: -0.27, 59: -1.45, 60: 1.57, 61: -0.39, 62: -0.51, 63: 1.46, 64: 5.89, 65: 2.90, 66: -4.36, 67: 2.48, 68: 0.86, 69: 2.52, 70: 0.94, 71: -0.95, 72: -0.22, 73: 1.26, 74: 0.72, 75: -0.23, 76: -1.69, 77: -0.36, 78: 0.48, 79: 0.91, 80: 0.01, 81: -0.95, 82: 0.94, 83: 0.00, 84: 0.84, 85: -0.23, 86: -0.35, 87: 0.81, 88: -0.76, 89: 0.59, 90: -0.10, 91: -1.01, 92: 0.00, 93: 0.00, 94: 1.63, 95: -0.94, 96: 0.07, 97: 0.21, 98: -0.61, 99: -0.36, 100: 0.00, 101: 0.00, 102: 0.86, 103: 0.37, 104: 2.49, 105: -0.27, 106: 0.50, 107: 2.82, 108: 3.71, 109: 1.94, 110: 1.27, 111: 1.45, 112: 1.42, 113: 1.43, 114: -0.33, 115: -0.50, 116: 0.10, 117: -0.76, 118: -0.68, 119: 0.52, 120: 0.29, 121: -0.86, 122: -0.23, 123: -1.30, 124: 0.10, 125: 0.62, 126: -1.02, 127: 0.03},
}

// row is the row of the weights that a tool is judged by.
func (p *profile) row() int {
	if p.entity {
		return 1
	}
	return 0
}

// score is the sum of the weighted features.
func (c *Classifier) score(f *frame, p *profile, t, total *tally) float32 {
	v := c.vector(f, p, t, total)
	sum := float32(0)
	w := &weights[p.row()]
	for i := range v {
		sum += v[i] * w[i]
	}
	return sum
}
