package match

import "slices"

// Settles reports whether the records themselves settle a sentence, whoever cites them.
func (t *Turn) Settles(sentence string) (bool, Finding) { return t.Shows(sentence, t.all()) }

// claimsOf are the claims of a sentence, which is asked about several times in a row.
func (m *memory) claimsOf(sentence string) []Claim {
	if m.claims == nil || m.sentence != sentence {
		m.sentence, m.claims = sentence, Read(sentence)
	}
	return m.claims
}

// IsVague reports whether a sentence tells by a verb that may mean many acts: who says so has
// to say which call it means.
func (t *Turn) IsVague(sentence string) bool {
	return slices.ContainsFunc(t.claimsOf(sentence), func(c Claim) bool { return c.vague })
}

// Shows reports whether records show a sentence: none of its claims is contradicted, and
// what they are silent about needs no call, or is told beside what they show. The finding
// backs the sentence, or is silent where there was nothing to show; then it names what the
// records lack.
func (t *Turn) Shows(sentence string, cited []int) (bool, Finding) {
	claims := t.claimsOf(sentence)
	var silent *Claim
	backed, missing := false, Finding{}
	for i := range claims {
		claim := &claims[i]
		if claim.Kind == Other {
			continue
		}
		switch f := t.relate(claim, cited); {
		case f.Relation == Contradicts && !(f.By == "outcome" && claim.tellsWhy(claims, backed)):
			return false, f
		case f.Relation == Contradicts: // it says why another claim did not come true
		case f.Relation == Backs:
			backed = backed || claim.Kind != Denied
		case f.By != "":
			missing = f
		case (silent == nil || t.meant(claim).Kind == Did) && t.NeedsCall(claim):
			silent = claim
		}
	}
	if missing == (Finding{}) && silent != nil && !(backed && t.isBeside(silent, cited)) {
		missing = Finding{Said: unsaid(silent, t.records(cited))}
	}
	if missing != (Finding{}) || !backed {
		return missing == (Finding{}), missing
	}
	return true, Finding{Relation: Backs}
}

// tellsWhy reports whether a claim stands beside others that tell of a failure, or tells how things are
// beside what calls show: "the printer is offline".
func (c *Claim) tellsWhy(claims []Claim, backed bool) bool {
	return c.Kind < Failed && tellsFailure(claims) || backed && c.Kind == Found
}

// tellsFailure reports whether one of some claims is that something was not done, or did not
// work.
func tellsFailure(claims []Claim) bool {
	return slices.ContainsFunc(claims, func(c Claim) bool {
		return c.Kind == Failed || c.Kind == Denied || c.clause != nil && c.clause.Negated
	})
}

// isBeside reports whether a claim that records are silent about may be told beside what they
// show: it is no deed, and they share a word with it.
func (t *Turn) isBeside(c *Claim, cited []int) bool {
	h := &held{Claim: t.meant(c), turn: t}
	return h.Kind != Did && sharesWord(c, h.counting(t.records(cited)))
}

// unsaid is the first word or value of a claim that the records lack, its verb, or all of it.
func unsaid(c *Claim, records []*record) string {
	for _, v := range c.content() {
		if !anyHas(records, v) {
			return v.String()
		}
	}
	if c.at >= 0 {
		return c.text.Word(c.at)
	}
	return c.Text()
}

// ShowsDeed reports whether records show that something was done: one of them changed
// something, and is over or at least accepted, and none of the words is contradicted.
func (t *Turn) ShowsDeed(words string, cited []int) (bool, Finding) {
	records := t.records(cited)
	changes := keep(records, func(r *record) bool { return r.changes() && (r.isOver() || r.isPending()) })
	if len(changes) == 0 {
		if len(records) == 0 {
			return false, Finding{}
		}
		return false, contradicts("act", words, "only looked something up, or did not succeed")
	}
	return t.Shows(words, cited)
}

// NeedsNoCall reports whether a sentence says nothing that only a call can have brought
// about, and nothing that the records contradict.
func (t *Turn) NeedsNoCall(sentence string) (bool, Finding) {
	claims := t.claimsOf(sentence)
	for i := range claims {
		claim := &claims[i]
		if claim.Kind == Other {
			continue
		}
		f := t.relate(claim, t.all())
		counts := len(t.source) > 0 && claim.Kind != Found && claim.Kind != Unread || claim.Kind == Denied
		if f.Relation == Contradicts && counts {
			return false, f
		}
		if f.Relation != Backs && t.NeedsCall(claim) {
			return false, Finding{Said: claim.Text()}
		}
	}
	return true, Finding{}
}
