package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Plain reports whether a claim says no more than that the one change of a turn
// did what the user asked for: its act is the tool's own, its other words are the
// user's, and the call names its target by an id, which no word can contradict.
// Most tools take ids, so that without this nearly every plain report would be
// asked about.
func (r *Readings) Plain(claim, user string, records []*tooltrack.Record) bool {
	change := onlyChange(records)
	if change == nil || r == nil || r.byName[change.Tool] == nil {
		return r.Begun(claim, user, records)
	}
	acts := actsOf(claim)
	if acts.Empty() || !r.byName[change.Tool].Families.Overlaps(acts) {
		return false
	}
	k := newReader()
	defer k.leave()
	for _, value := range leaves(change.Args) {
		for _, v := range k.content(value) {
			if v.Kind == reading.Word && v.Flags&(reading.Derived|reading.Merged) == 0 {
				return false // the call says itself what it was about
			}
		}
	}
	if k.tellsMore(claim, change, r) {
		return false // "I've sent it twice", "I've cancelled all your orders"
	}
	known, called := k.toldIn(user), keys{}
	called.add(k.values(textOf(change)))
	ids, others := 0, 0
	for _, v := range k.content(claim) {
		switch {
		case v.Kind == reading.ID && called[v.Key]:
			ids++
		case v.Kind == reading.ID:
			others++
		}
		if !known[v.Key] && !called[v.Key] && !(v.Entry != nil && v.Entry.Families.Overlaps(acts)) {
			return false
		}
	}
	return ids == 0 || others == 0 // "HB7455 and HB7456 are cancelled", and one of them was
}

// Recalled reports whether a claim says no more than what one change of an earlier turn
// shows: its act is the tool's own, and all that it names stands in that call.
func (r *Readings) Recalled(claim string, earlier []*tooltrack.Record) bool {
	if r == nil || len(earlier) == 0 {
		return false
	}
	k, acts := newReader(), actsOf(claim)
	defer k.leave()
	return slices.ContainsFunc(earlier, func(made *tooltrack.Record) bool {
		does := r.byName[made.Tool]
		if !made.Proves() || !made.Effect.MayChange() || does == nil || !does.Families.Overlaps(acts) {
			return false
		}
		return !k.tellsMore(claim, made, r) && k.allIn(claim, made, does)
	})
}

// allIn reports whether a call has all that a claim names, and something of it, beside the
// act, its kind of thing and when it was.
func (k *knowledge) allIn(claim string, made *tooltrack.Record, does *toolReading) bool {
	called, kinds, named := keys{}, keys{}, false
	called.add(k.values(textOf(made)))
	for _, noun := range does.Nouns {
		kinds.add(k.values(strings.ToLower(noun.Text)))
	}
	text := reading.English().Borrow(claim)
	defer text.Return()
	for _, v := range k.content(claim) {
		switch {
		case kinds[v.Key], v.Entry != nil && v.Entry.Families.Overlaps(does.Families), text.TellsWhen(v.Start()):
		case called[v.Key]:
			named = true
		default:
			return false
		}
	}
	return named
}

// tellsMore reports whether a claim tells of more than one call by an id can show: that
// something was done twice, or to all.
func (k *knowledge) tellsMore(claim string, change *tooltrack.Record, r *Readings) bool {
	if k.doneMore(claim, []*tooltrack.Record{change}, r.byName) != "" {
		return true
	}
	return slices.ContainsFunc(k.read(claim).Roles, func(roles reading.Role) bool { return roles&reading.RoleAll != 0 })
}

// onlyChange is the one change of a turn, if it succeeded and no other was tried.
func onlyChange(records []*tooltrack.Record) *tooltrack.Record {
	var change *tooltrack.Record
	for _, record := range records {
		if record == nil || !record.Effect.MayChange() {
			continue
		}
		if change != nil || !record.Proves() {
			return nil
		}
		change = record
	}
	return change
}

// Written reports whether a claim may be no more than words that somebody asked for: it
// tells of no act, and says of nothing that it is done.
func Written(claim string) bool {
	k := newReader()
	defer k.leave()
	done := func(roles reading.Role) bool { return roles&reading.RoleDone != 0 }
	return actsOf(claim).Empty() && !k.tellsAct(claim) && !slices.ContainsFunc(k.read(claim).Roles, done)
}
