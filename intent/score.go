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

const features = 112

func b(x bool) float32 {
	if x {
		return 1
	}
	return 0
}

// vector are the features of a tool for a clause.
func (c *Classifier) vector(f *frame, p *profile, t, total *tally) (v [features]float32) {
	cl, o := f.clause, f.object
	act := f.families.Overlaps(p.acts)
	told := !act && f.families.Overlaps(p.told)
	kin := !act && !told && f.families.Overlaps(p.kin)
	asks := cl.mood == asking || cl.mood == learning || cl.mood == pondering || f.informs && (cl.mood == command || cl.mood == suggestion)
	info := asks && p.info
	conflict := !act && !told && !kin && !info && !f.families.Empty()
	own := t.named + t.told
	foreign := o.foreign
	if o.target && f.families.Has(lexicon.Create) && !o.prepHolder && !o.directHolder && !o.directKind && !o.prepKind {
		foreign++
	}
	if f.families.Has(lexicon.Remind) || f.families.Has(lexicon.Remember) || f.families.Has(lexicon.Schedule) {
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
		57: b(act && o.title), 58: b(kind) * float32(min(foreign, 2)), 59: b(o.foreignHolder), 60: b(conflict) * cover, 61: b(conflict) * mcover, 62: b(conflict && kind), 63: b((act || told || kin) && !p.info && p.calendar && (o.times > 0 || o.ordinal) && foreign == 0 && !kind),
		64: b(cl.duty && foreign == 0 && p.info && p.agenda), 65: b((cl.mood == asking || f.informs) && p.info && p.agenda && o.content == 0 && (cl.me || o.times > 0)), 66: b(cl.you && cl.mood == statement), 67: b(f.carried && !kind && foreign == 0 && (act || told)),
		68: b(cl.mood == statement && kind), 69: b(cl.mood == asking && o.mine && kind && p.info), 70: b(act && !p.info && !kind && foreign == 0 && (o.content > 0 || o.title || o.quoted || o.times > 0)), 71: b(cover > 0.99), 72: phrase, 73: b(info) * phrase, 74: b(act) * phrase, 75: b(phrase > 0.99), 76: b(info && cover > 0.99), 77: b(o.names > 0), 78: cover * mcover, 79: cover * phrase, 80: tcover, 81: b(tcover > 0.99), 82: min(total.told, 4) / 4, 83: b(p.weight == 0), 84: topic, 85: b(o.topical > 0 && t.akin == 0 && len(p.topics) > 0), 86: b(info) * topic, 87: b(act) * topic, 88: b(t.hits == 0) * topic, 89: float32(min(t.akin, 3)) / 3, 90: b(o.topical > 0 && t.akin == 0) * cover, 91: b(cl.mood == statement) * topic, 92: b(cl.mood == pondering), 93: b(cl.mood == learning), 94: b(!act && f.said.Overlaps(p.acts)), 95: b(c.elsewhere(f, p)), 96: b(t.head), 97: b(info && t.head), 98: b(o.phrase > 0 && o.head == 0), 99: b(o.phrase > 0 && o.head == 0) * cover, 100: b(p.general && asks), 101: b(p.general && asks && t.hits == 0), 102: b(act && t.head), 103: b(t.head) * cover,
		104: b(act && !p.info && !kind && foreign == 0 && o.content > 0 && f.families.Overlaps(specific)), 105: b(act && f.own == p.verb && p.verb >= 0), 106: b(cl.mood == asking && o.when && (o.mine || cl.me) && p.calendar && p.info), 107: b(cl.mood == asking && o.when && p.calendar && p.info && !cl.you),
		108: b(cl.duty && foreign > 0 && p.info && p.agenda), 109: b(cl.mood == fragment && p.info && o.mine && (o.directHolder || o.directKind)), 110: b(cl.mood == statement && kind && p.info), 111: b(act && f.own == p.verb && !kind && foreign == 0 && !p.info),
	}
	return v
}

// weights are fitted: the first row to tools by themselves, the second to those
// that keep a collection.
var weights = [2][features]float32{
	{0: -0.83, 1: -0.03, 2: 0.26, 3: 1.31, 4: -0.71, 5: -0.31, 6: -1.88, 7: 0.85, 8: 3.72, 9: 2.63, 10: -0.26, 11: 0.50, 12: -0.51, 13: -1.17, 14: -1.77, 15: 1.13, 16: -0.70, 17: 0.44, 18: -1.58, 19: 0.90, 20: 0.45, 21: -0.72, 22: -0.25, 23: 1.31, 24: -2.74, 25: 0.99, 26: 1.01, 27: 2.14, 28: -0.90, 29: -0.14, 30: -0.12, 31: 0.70, 32: -0.61, 33: -0.02, 34: 1.26, 35: -0.19, 36: 1.26, 37: -1.41, 38: -3.10, 39: -1.06, 40: -1.89, 41: 1.51, 42: 0.68, 43: 3.09, 44: -1.17, 45: 0.01, 46: -0.31, 47: -0.04, 48: -1.66, 49: -0.13, 50: 0.29, 51: 1.12, 52: -0.49, 53: 0.05, 54: -2.10, 55: -3.15, 56: 2.08, 57: 0.00, 58: 0.08, 59: 1.02, 60: 0.45, 61: -0.81, 62: -0.12, 63: 0.00, 64: -3.15, 65: 3.97, 66: 1.58, 67: -2.49, 68: -0.07, 69: -0.61, 70: 1.26, 71: -0.89, 72: 0.48, 73: 0.42, 74: -0.01, 75: 0.03, 76: 1.49, 77: 1.38, 78: 1.15, 79: 1.88, 80: -0.80, 81: 0.62, 82: 2.90, 83: 3.12, 84: -1.39, 85: -1.53, 86: 2.05, 87: 0.48, 88: 1.47, 89: 1.28, 90: 0.46, 91: -3.37, 92: -1.59, 93: -0.14, 94: 1.22, 95: -0.45, 96: -0.36, 97: 0.35, 98: 0.31, 99: 1.28, 100: 0.13, 101: 2.99, 102: 0.25, 103: -0.20, 104: 0.00, 105: 0.21, 106: 0.00, 107: 2.08, 108: 0.00, 109: 0.00, 110: 2.83, 111: 0.43},
	{0: -1.93, 1: 1.45, 2: 5.95, 3: 1.10, 4: -0.32, 5: -2.59, 6: -3.62, 7: 0.42, 8: 2.23, 9: 3.39, 10: -0.46, 11: -1.36, 12: -0.51, 13: 2.47, 14: -0.51, 15: 1.65, 16: 0.35, 17: -0.47, 18: -1.18, 19: -1.65, 20: -0.51, 21: 0.02, 22: -0.57, 23: -1.25, 24: -0.66, 25: -2.53, 26: -0.80, 27: 1.51, 28: 0.00, 29: 0.57, 30: 0.11, 31: 0.43, 32: 0.57, 33: -1.14, 34: 0.73, 35: 0.60, 36: 1.50, 37: 3.14, 38: 0.67, 39: 3.87, 40: 1.23, 41: 2.79, 42: -1.09, 43: 1.85, 44: 6.46, 45: 0.75, 46: -0.82, 47: -2.92, 48: -1.11, 49: 0.47, 50: 0.70, 51: 1.18, 52: 0.47, 53: -1.27, 54: 0.00, 55: 2.63, 56: -0.06, 57: 1.70, 58: -0.29, 59: -0.55, 60: 1.26, 61: -0.20, 62: -0.17, 63: 1.54, 64: 5.90, 65: 3.02, 66: -4.50, 67: 2.04, 68: 0.55, 69: 3.21, 70: 0.73, 71: -0.83, 72: -0.62, 73: 1.70, 74: 0.58, 75: 0.36, 76: 0.69, 77: -0.56, 78: 0.51, 79: 0.27, 80: 0.42, 81: -0.83, 82: 2.86, 83: 0.00, 84: 1.58, 85: -0.16, 86: -0.73, 87: 2.01, 88: -2.59, 89: 1.21, 90: -0.24, 91: -1.42, 92: 0.00, 93: 0.00, 94: 4.01, 95: -2.63, 96: 0.38, 97: -0.42, 98: -0.26, 99: -0.30, 100: 0.00, 101: 0.00, 102: 0.87, 103: 1.58, 104: 1.42, 105: 0.21, 106: 0.58, 107: 3.03, 108: 3.87, 109: 1.90, 110: 1.38, 111: 1.25},
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
