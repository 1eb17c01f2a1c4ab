package completion

import "github.com/bonafide-go/bonafide/tooltrack"

// tellsState are the rules of claims that tell how things are, which a change
// under another name may have brought about.
var tellsState = map[string]bool{
	ruleNames[passivePresent]: true, ruleNames[state]: true, ruleNames[present]: true, ruleNames[exclaimed]: true,
}

// grade says how sure it is that a claim is not backed. Where something was
// changed in the conversation, another word for it may be all that is wrong.
func (j *judge) grade(claims []Claim) {
	changed := j.changed(j.turn.Records) || j.changed(j.turn.Earlier)
	for i := range claims {
		switch {
		case claims[i].Backed():
		case changed && tellsState[claims[i].Rule]:
			claims[i].Doubt, claims[i].Tier = 0.6, Unsure
		default:
			claims[i].Doubt, claims[i].Tier = 0.95, Sure
		}
	}
}

func (j *judge) changed(records []*tooltrack.Record) bool {
	for _, record := range records {
		if record != nil && record.Succeeded() && j.turn.effectOf(record).MayChange() {
			return true
		}
	}
	return false
}

// waits reports whether the text leaves the next step to the user: it asks,
// offers, or says what it cannot do.
func (j *judge) waits() bool {
	f := &j.signals
	return f.asks >= 0 || f.confirms >= 0 || f.host != nil || f.prevents >= 0 && j.cause() >= 0
}

// confidence is how sure an insufficient outcome is, by its reason.
func confidence(v *Verdict) float64 {
	switch {
	case v.Outcome.Completed():
		return 0
	case v.Ghost():
		return v.Unbacked().Doubt
	case v.Reason == LeakedCall, v.Reason == EmptyText, v.Reason == MissingRequirement, v.Reason == NoClosure:
		return 0.98
	case v.Reason == Promise:
		return 0.85
	}
	return 0.7
}
