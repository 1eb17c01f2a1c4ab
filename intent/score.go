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

const features = 116

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
		108: b(cl.duty && foreign > 0 && p.info && p.agenda), 109: b(cl.mood == fragment && p.info && o.mine && (o.directHolder || o.directKind)), 110: b(cl.mood == statement && kind && p.info), 111: b(act && f.own == p.verb && !kind && foreign == 0 && !p.info), 112: b(cl.mood == asking && o.mine && o.ordinal && p.calendar && p.info), 113: b(act && !p.info && o.content == 0 && o.pronoun && !kind), 114: b(conflict && !p.info && kind), 115: b(cl.you && asks),
	}
	return v
}

// weights are fitted: the first row to tools by themselves, the second to those
// that keep a collection.
var weights = [2][features]float32{
	{0: -0.83, 1: 0.06, 2: 0.32, 3: 1.32, 4: -0.80, 5: -0.01, 6: -1.90, 7: 0.61, 8: 3.66, 9: 2.53, 10: -0.49, 11: 0.65, 12: -0.53, 13: -0.89, 14: -1.54, 15: 1.13, 16: -0.52, 17: 0.56, 18: -1.45, 19: 0.85, 20: 0.39, 21: -0.62, 22: -0.14, 23: 1.20, 24: -2.55, 25: 1.04, 26: 0.95, 27: 2.20, 28: -0.93, 29: 0.03, 30: -0.10, 31: 0.53, 32: -0.43, 33: -0.04, 34: 1.32, 35: -0.06, 36: 1.73, 37: -1.24, 38: -3.16, 39: -0.90, 40: -1.78, 41: 1.55, 42: 0.97, 43: 3.00, 44: -0.83, 45: 0.27, 46: -0.27, 47: -0.21, 48: -1.69, 49: -0.56, 50: 0.18, 51: 1.58, 52: -1.32, 53: -0.01, 54: -2.18, 55: -3.16, 56: 2.06, 57: 0.00, 58: -0.18, 59: 0.84, 60: 0.46, 61: -0.66, 62: 1.51, 63: -2.99, 64: -3.16, 65: 3.93, 66: 1.39, 67: -2.54, 68: -0.38, 69: -0.72, 70: 1.32, 71: -0.99, 72: 0.40, 73: 0.25, 74: 0.08, 75: 0.14, 76: 1.50, 77: 1.35, 78: 1.02, 79: 1.91, 80: -0.56, 81: 0.73, 82: 2.65, 83: 3.05, 84: -1.16, 85: -1.57, 86: 1.59, 87: 0.31, 88: 1.80, 89: 1.40, 90: 0.08, 91: -3.89, 92: -3.25, 93: 0.06, 94: 1.09, 95: -0.19, 96: -0.31, 97: 0.45, 98: 0.30, 99: 1.35, 100: 0.03, 101: 3.10, 102: -0.06, 103: -0.10, 104: 0.00, 105: 0.23, 106: 0.00, 107: 2.06, 108: 0.00, 109: 0.00, 110: 2.76, 111: 0.55, 112: 0.00, 113: -2.05, 114: -2.57, 115: -0.24},
	{0: -1.88, 1: 0.65, 2: 5.79, 3: 1.73, 4: -0.19, 5: -2.54, 6: -3.75, 7: 0.47, 8: 2.41, 9: 3.68, 10: -0.57, 11: -1.09, 12: -0.41, 13: 2.71, 14: -0.66, 15: 2.08, 16: 0.24, 17: -0.62, 18: -1.06, 19: -1.49, 20: 0.00, 21: -0.32, 22: -0.49, 23: -0.87, 24: -0.59, 25: -1.90, 26: -1.31, 27: 1.40, 28: 0.00, 29: 1.17, 30: 0.07, 31: -0.03, 32: 0.32, 33: -0.78, 34: 1.12, 35: 0.66, 36: 1.66, 37: 2.98, 38: -0.07, 39: 3.84, 40: 1.00, 41: 3.06, 42: -0.87, 43: 1.92, 44: 6.54, 45: 0.59, 46: -0.84, 47: -2.73, 48: -1.27, 49: 0.46, 50: 0.73, 51: 1.27, 52: 0.22, 53: -1.23, 54: 0.00, 55: 2.99, 56: 0.23, 57: -0.64, 58: -0.41, 59: -1.50, 60: 1.24, 61: -0.01, 62: -0.22, 63: 1.28, 64: 6.92, 65: 3.14, 66: -4.57, 67: 2.00, 68: 0.54, 69: 3.36, 70: 1.12, 71: -0.82, 72: -0.55, 73: 2.03, 74: 0.59, 75: 0.27, 76: -0.29, 77: -0.31, 78: 0.54, 79: 0.22, 80: 0.47, 81: -0.82, 82: 3.10, 83: 0.00, 84: 1.83, 85: -0.23, 86: -0.91, 87: 1.75, 88: -2.39, 89: 0.98, 90: -0.19, 91: -1.61, 92: 0.00, 93: 0.00, 94: 4.05, 95: -2.37, 96: 0.16, 97: -0.39, 98: -0.41, 99: -0.18, 100: 0.00, 101: 0.00, 102: 1.01, 103: 1.69, 104: 2.39, 105: -0.00, 106: 0.41, 107: 3.08, 108: 4.09, 109: 1.95, 110: 1.41, 111: 1.24, 112: 1.58, 113: 1.62, 114: -0.27, 115: -0.23},
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
