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
	shown    lexicon.Families
	results  keys
	waits    bool // its result says that it is not over
	measures *reading.Measures
}

// changes reports whether the call may have changed something.
func (r *record) changes() bool {
	effect := r.Effect
	if r.tool != nil && effect == tooltrack.UnknownEffect {
		if effect = r.tool.effect; effect == tooltrack.UnknownEffect {
			return r.tool.Effect != toolname.Reads // by its words alone
		}
	}
	return effect.MayChange()
}

// isOver reports whether the call did its work, as far as its status and its result tell.
func (r *record) isOver() bool { return r.Proves() && !(r.waits && r.changes()) }

// isPending reports whether the call was accepted and is not over.
func (r *record) isPending() bool {
	return r.changes() && !r.Ruling.Denied && (r.Result.Status == tooltrack.Pending || r.Succeeded() && r.waits)
}

// maxStateWords is how many words a state has at most: more are a text.
const maxStateWords = 4

// readRecord reads a record.
func readRecord(from *tooltrack.Record, does *tool) *record {
	r := &record{Record: from, tool: does, keys: keys{}, given: keys{}, words: keys{}, results: keys{}}
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
	for i := range r.leaves {
		r.take(&r.leaves[i])
	}
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
	name := toolname.Words(l.name)
	isSo := l.text != "false" && l.text != "null" && l.text != "0" && l.text != ""
	for _, word := range name {
		key := reader.StemKey(word)
		r.keys[key] = true
		if isSo {
			r.words[key] = true
		}
		if !l.given && isSo {
			r.results[key] = true
		}
	}
	if !isSo {
		return // a member that is not so tells of no act
	}
	small := len(strings.Fields(l.text)) <= maxStateWords
	if small || isProgram(l.name) {
		r.words.add(l.values)
	}
	if small {
		for _, v := range l.values {
			if v.Entry == nil {
				continue
			}
			r.told = r.told.Union(v.Entry.Families)
			if !l.given {
				r.shown = r.shown.Union(v.Entry.Families)
			}
		}
	}
	for _, word := range lexicon.English().Tokenize(nil, strings.Join(name, " ")) {
		r.told = r.told.Union(word.Families())
	}
	if !l.given && small && isStateName(l.name) && waits(l.text) {
		r.waits = true
	}
}

// isProgram reports whether a member holds what is run: its words are acts.
func isProgram(name string) bool {
	switch name {
	case "command", "cmd", "script", "code", "query", "sql":
		return true
	}
	return false
}

// waits reports whether a state speaks of something that is not over: "queued".
func waits(state string) bool {
	text := reading.English().Borrow(strings.ToLower(state))
	defer text.Return()
	return text.AllRoles()&reading.RoleWait != 0
}

// isStateName reports whether a member tells how the thing as a whole stands.
func isStateName(name string) bool {
	switch name {
	case "", "status", "state", "result", "outcome", "phase", "progress":
		return true
	}
	return strings.HasSuffix(name, "status") || strings.HasSuffix(name, "_state")
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
	for i := range r.leaves {
		if strings.Contains(strings.ToLower(r.leaves[i].text), piece) {
			return true
		}
	}
	return false
}

// converts reports whether a figure of a text is one of the record's in another unit.
func (r *record) converts(v *reading.Value, text string) bool {
	if r.measures == nil {
		r.measures = reading.English().Measures(r.Args, r.Result.Data)
	}
	return r.measures.Converted(v.Figure()) != reading.NotConverted
}
