package match

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// record is a call that was made, read once: its values, and what it did.
type record struct {
	*tooltrack.Record
	tool    *tool
	earlier bool // of an earlier turn
	leaves  []leaf
	lengths []int // of the lists that it holds
	keys    keys  // of all its values and words
	given   keys  // of those of its arguments
	words   keys  // of its tool's name, its members' names and its small texts: what it did
	// told are the acts that its small words speak of: "status":"sent", "notify":true.
	told lexicon.Families
	// shown are those of the result alone, and results the keys of its values.
	shown   lexicon.Families
	results keys
	unset   keys // of the names of members that are false or null: "signed_by":null
	runs    bool // it runs a command or a program
	standing
	digest
}

// standing is how a call says that it stands.
type standing struct {
	waits bool // it is not over
	draft bool // it is a draft, which has reached nobody
	dry   bool // it only tried what would happen
}

// digest is what claim after claim asks of a record, found out once.
type digest struct {
	turn     *memory
	measures *reading.Measures
	totals   *totals
	counts   *counts
	lower    [2]string // the texts of its results, and of its arguments; see lowered
}

// changes reports whether the call may have changed something.
func (r *record) changes() bool {
	effect := r.Effect
	if r.tool != nil && effect == tooltrack.UnknownEffect {
		if effect = r.tool.effect; effect == tooltrack.UnknownEffect {
			return r.tool.Effect != toolname.Reads && !r.tool.polls // by its words alone
		}
	}
	return effect.MayChange()
}

// isOver reports whether the call did its work, as far as its status and its result tell.
func (r *record) isOver() bool { return r.Proves() && !(r.waits && r.changes()) && !r.dry }

// isUndone reports whether the call was to change something, and has not.
func (r *record) isUndone() bool { return r.changes() && !r.isOver() }

// tellsWait reports whether a look-up found something that is not over.
func (r *record) tellsWait() bool { return r.waits && !r.changes() }

// isFailed reports whether the call neither succeeded nor was accepted.
func (r *record) isFailed() bool { return !r.Succeeded() && !r.isPending() }

// isPending reports whether the call was accepted and is not over.
func (r *record) isPending() bool {
	return r.changes() && !r.Ruling.Denied && (r.Result.Status == tooltrack.Pending || r.Succeeded() && r.waits)
}

// maxStateWords is how many words a state has at most: more are a text.
const maxStateWords = 4

// readRecord reads a record.
func readRecord(from *tooltrack.Record, does *tool) *record {
	r := &record{Record: from, tool: does, keys: keys{}, given: keys{}, words: keys{}, results: keys{}, unset: keys{}}
	var walk leafWalk
	walk.read(from.Args, true)
	walk.read([]byte(from.Result.Text()), false)
	if from.Result.Error != "" && from.Result.Error != from.Result.Text() {
		walk.leaves = append(walk.leaves, leaf{name: "error", text: from.Result.Error})
	}
	for _, subject := range from.Touched {
		walk.leaves = append(walk.leaves, leaf{text: subject.Title, given: true}, leaf{text: subject.ID, given: true})
	}
	r.leaves, r.lengths = walk.leaves, walk.lengths
	told := 0
	for i := range r.leaves {
		if r.take(&r.leaves[i]); !r.leaves[i].given {
			told++
		}
	}
	const aThing = 6 // members: of more, the state is that of what was worked on, and not of the call
	whole := told <= aThing && from.Sight() != tooltrack.Confirmed
	r.waits = r.waits && whole
	for _, word := range toolname.Words(from.Tool) {
		key := reading.English().StemKey(word)
		r.keys[key], r.words[key] = true, true
	}
	return r
}

// take reads one scalar.
func (r *record) take(l *leaf) {
	reader := reading.English()
	l.values = reader.Values(nil, l.text)
	r.keys.add(l.values)
	if l.given {
		r.given.add(l.values)
	} else {
		r.results.add(l.values)
	}
	isSo := l.text != "false" && l.text != "null" && l.text != "0" && l.text != ""
	r.takeName(l, isSo)
	if !isSo {
		return // a member that is not so tells of no act
	}
	// What a mail says of acts, its call did not do.
	small := len(strings.Fields(l.text)) <= maxStateWords && !(l.given && isListed("prose", l.name))
	r.runs = r.runs || l.given && isListed("programs", l.name)
	if small || isListed("programs", l.name) {
		r.words.add(l.values)
	}
	if small {
		r.takeActs(l)
	}
	r.dry = r.dry || isListed("dry", l.name) || !l.given && isDryRun(l.text)
	if small && isStateName(l.name) {
		r.takeState(l)
	}
}

// takeState reads a state.
func (r *record) takeState(l *leaf) {
	r.draft = r.draft || strings.EqualFold(l.text, "draft")
	if l.given {
		return
	}
	r.waits = r.waits || waits(l.text) && !r.isOwnEnd(l)
}

// takeActs reads the acts that a short text speaks of.
func (r *record) takeActs(l *leaf) {
	for i := range l.values {
		entry := l.values[i].Entry
		if entry == nil {
			continue
		}
		r.told = r.told.Union(entry.Families)
		if !l.given {
			r.shown = r.shown.Union(entry.Families)
		}
	}
}

// isOwnEnd reports whether a state is just what the tool is to bring about: what schedule_job
// has scheduled waits for nothing.
func (r *record) isOwnEnd(l *leaf) bool {
	return r.tool != nil && len(l.values) > 0 && !strings.Contains(l.text, " ") && r.tool.words[l.values[0].Key]
}

// takeName reads the name of a member.
func (r *record) takeName(l *leaf, isSo bool) {
	reader := reading.English()
	for _, word := range toolname.Words(l.name) {
		key := reader.StemKey(word)
		r.keys[key] = true
		if !isSo {
			r.unset[key] = r.unset[key] || l.text == "false" || l.text == "null"
			r.waits = r.waits || !l.given && l.text == "false" && isListed("effected", word)
			continue
		}
		r.words[key] = true
		entry := lexicon.English().Lookup(word)
		if entry == nil {
			continue
		}
		r.told = r.told.Union(entry.Families)
		if !l.given && (entry.Form.Has(lexicon.Participle) || l.isDate()) { // "delivered_at", "last_service"
			r.results[key] = true
		}
	}
}

// isDate reports whether a leaf is a date.
func (l *leaf) isDate() bool { return len(l.values) > 0 && l.values[0].Kind == reading.Date }

// waits reports whether a state speaks of something that is not over: "queued".
func waits(state string) bool {
	text := reading.English().Borrow(strings.ToLower(state))
	defer text.Return()
	return text.AllRoles()&reading.RoleWait != 0
}

// acts are all that the call may be told as having done.
func (r *record) acts() lexicon.Families {
	if r.tool == nil {
		return r.told
	}
	return r.tool.does().Union(r.told)
}

// has reports whether the record holds a value, in whatever way it is written.
func (r *record) has(v *reading.Value) bool { return hasValue(r.keys, v) }

// hasText reports whether a leaf of the record holds a piece of text, if only as a part of
// a longer one: an id inside a path or an address.
func (r *record) hasText(piece string) bool {
	piece = strings.ToLower(piece)
	return len(r.leaves) > 0 && (strings.Contains(lowered(r, false), piece) || strings.Contains(lowered(r, true), piece))
}

// lowered are the texts of the arguments, or of the results, in lower case. A NUL ends each.
func lowered(r *record, given bool) string {
	at := 0
	if given {
		at = 1
	}
	if r.lower[at] == "" {
		var all strings.Builder
		for i := range r.leaves {
			if l := &r.leaves[i]; l.given == given {
				all.WriteString(strings.ToLower(l.text) + "\x00")
			}
		}
		r.lower[at] = all.String()
	}
	r.turn.spend(len(r.lower[at]) / 64)
	return r.lower[at]
}

// converts reports whether a figure of a text is one of the record's in another unit.
func (r *record) converts(v *reading.Value) bool {
	if r.measures == nil {
		r.measures = reading.English().Measures(r.Args, r.Result.Data)
	}
	if r.turn.figure == nil || r.turn.figure.Value != v {
		r.turn.figure = v.Figure()
	}
	return r.measures.Converted(r.turn.figure) != reading.NotConverted
}
