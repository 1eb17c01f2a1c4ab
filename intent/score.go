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
	answers  bool             // some tool that answers shares its words
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
		f.answers = f.answers || p.info && s.tallies[i].hits > 0
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

const features = 132

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
		108: b(cl.duty && foreign > 0 && p.info && p.agenda), 109: b(cl.mood == fragment && p.info && o.mine && (o.directHolder || o.directKind)), 110: b(cl.mood == statement && kind && p.info), 111: b(act && f.own == p.verb && !kind && foreign == 0 && !p.info), 112: b(cl.mood == asking && o.mine && o.ordinal && p.calendar && p.info), 113: b(act && !p.info && o.content == 0 && o.pronoun && !kind), 114: b(conflict && !p.info && kind), 115: b(cl.you && asks), 116: target, 117: b(info) * target, 118: b(len(p.target) > 0 && t.target == 0), 119: b(info && len(p.target) > 0 && t.target == 0), 120: first, 121: b(len(p.first) > 0 && t.first == 0), 122: b(info && len(p.first) > 0 && t.first == 0), 123: b(target > 0.99), 124: b(first > 0.99), 125: b(first > 0.99) * phrase, 126: b(target > 0.99) * phrase, 127: first * target, 128: b(p.runs && (cl.mood == command || asks)), 129: b(p.runs) * b(t.hits > 0), 130: b(conflict) * topic, 131: b(asks && !p.info && f.answers),
	}
	return v
}

// weights are fitted: the first row to tools by themselves, the second to those
// that keep a collection.
var weights = [2][features]float32{
	{0: -0.81, 1: 0.23, 2: 0.00, 3: -1.52, 4: -0.50, 5: 0.00, 6: -1.63, 7: 0.72, 8: 1.74, 9: 1.29, 10: 0.07, 11: 0.51, 12: -0.63, 13: -0.30, 14: -0.89, 15: 1.30, 16: -0.22, 17: 0.63, 18: -1.09, 19: 0.44, 20: 0.07, 21: -1.34, 22: 0.00, 23: 0.00, 24: -1.83, 25: 0.79, 26: 0.00, 27: 2.18, 28: 0.00, 29: -0.15, 30: -0.11, 31: 0.26, 32: 0.10, 33: -0.00, 34: 1.02, 35: 0.35, 36: 1.00, 37: 0.26, 38: -1.62, 39: 0.21, 40: -0.87, 41: 1.65, 42: 0.00, 43: 2.89, 44: 0.00, 45: 0.25, 46: -0.50, 47: -0.76, 48: -1.15, 49: -0.71, 50: 0.44, 51: 1.63, 52: -1.04, 53: 0.00, 54: -1.50, 55: 0.00, 56: 2.95, 57: 0.00, 58: 0.00, 59: 0.57, 60: 0.00, 61: -0.97, 62: 0.94, 63: 0.00, 64: 0.00, 65: 0.00, 66: 0.78, 67: -0.62, 68: -0.31, 69: 0.00, 70: 1.02, 71: -0.42, 72: 0.26, 73: 0.12, 74: 0.36, 75: -0.03, 76: 0.77, 77: 1.35, 78: 0.00, 79: 0.96, 80: -0.39, 81: 0.16, 82: 1.52, 83: 2.32, 84: -0.75, 85: -1.37, 86: 0.93, 87: 0.29, 88: 1.85, 89: 0.99, 90: 0.96, 91: -4.45, 92: 0.00, 93: 0.00, 94: 0.90, 95: 0.10, 96: 0.07, 97: 0.33, 98: 0.00, 99: 1.37, 100: -0.05, 101: 2.96, 102: -0.18, 103: 0.12, 104: 0.00, 105: 0.23, 106: 0.00, 107: 0.00, 108: 0.00, 109: 0.00, 110: 1.89, 111: 0.90, 112: 0.00, 113: 0.00, 114: -1.99, 115: 0.20, 116: -0.10, 117: 0.00, 118: -0.43, 119: 0.16, 120: 0.00, 121: -0.44, 122: 0.28, 123: 0.85, 124: -0.03, 125: 0.54, 126: 0.28, 127: 0.00, 128: 4.77, 129: 2.48, 130: 0.50, 131: -0.19},
	{0: -1.83, 1: 1.36, 2: 0.00, 3: 2.79, 4: 0.72, 5: 0.00, 6: -2.47, 7: 0.00, 8: 0.00, 9: 0.00, 10: -0.37, 11: -1.45, 12: 0.00, 13: 2.36, 14: -0.34, 15: 1.54, 16: 0.31, 17: 0.00, 18: 0.00, 19: -1.55, 20: 0.00, 21: -1.20, 22: 0.00, 23: -0.52, 24: 0.00, 25: -2.42, 26: -0.79, 27: 0.00, 28: 0.00, 29: 2.25, 30: 0.00, 31: 1.26, 32: 0.93, 33: 0.00, 34: 2.10, 35: 0.64, 36: 1.45, 37: 0.00, 38: 0.51, 39: 0.00, 40: 1.29, 41: 1.81, 42: 0.00, 43: 1.07, 44: 6.03, 45: 0.43, 46: 0.00, 47: 0.00, 48: -1.10, 49: 0.00, 50: 0.84, 51: 0.56, 52: 0.00, 53: 0.00, 54: 0.00, 55: 2.78, 56: 0.13, 57: 0.00, 58: 0.00, 59: -2.31, 60: 0.00, 61: 0.00, 62: -1.35, 63: 1.84, 64: 5.96, 65: 3.22, 66: -4.32, 67: 2.64, 68: 0.61, 69: 2.61, 70: 0.00, 71: 0.00, 72: 0.00, 73: 0.00, 74: 0.00, 75: -0.09, 76: 0.00, 77: 0.00, 78: 0.00, 79: 0.00, 80: 0.00, 81: 0.00, 82: 1.07, 83: 0.00, 84: 1.38, 85: 0.00, 86: 0.00, 87: 0.00, 88: -0.77, 89: 0.00, 90: 0.00, 91: 0.00, 92: 0.00, 93: 0.00, 94: 0.00, 95: 0.00, 96: 0.41, 97: 0.00, 98: 0.00, 99: 0.00, 100: 0.00, 101: 0.00, 102: 1.20, 103: 0.00, 104: 2.57, 105: -0.33, 106: 0.00, 107: 3.60, 108: 0.00, 109: 2.00, 110: 0.90, 111: 2.05, 112: 0.00, 113: 0.00, 114: 0.00, 115: 0.00, 116: 0.00, 117: 0.00, 118: 0.00, 119: 0.00, 120: 0.00, 121: -1.86, 122: 0.00, 123: 0.00, 124: -0.54, 125: 0.00, 126: 0.00, 127: 0.00, 128: 0.00, 129: 0.00, 130: 0.00, 131: -0.53},
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
