package tooltrack

import (
	"container/list"
	"slices"
	"sort"
)

// ownerRecords are the turns of one owner, and the ways to find them.
type ownerRecords struct {
	name          string
	known         bool // the store holds a record of the owner
	turns         map[string]*turnRecords
	conversations map[string][]*turnRecords
	tasks         map[string][]*turnRecords
	hostKeys      map[string][]*Record // by Key, across turns
	completed     completions
}

// attempts returns the earlier attempts at the same call, whose turn is nil if
// it has no record yet. A key that the host chose holds across turns; it is the
// one that comes with a digest.
func (o *ownerRecords) attempts(turn *turnRecords, record *Record) []*Record {
	switch {
	case record.Key == "":
		return nil
	case record.Digest != "":
		return o.hostKeys[record.Key]
	case turn == nil:
		return nil
	}
	return turn.attempts(identity{record.Key, record.Occurrence})
}

// newTurn makes a turn without records.
func (o *ownerRecords) newTurn(name string) *turnRecords {
	turn := &turnRecords{owner: o, name: name}
	turn.records = turn.room[:0]
	o.turns[name] = turn
	return turn
}

// forget removes a turn from every index.
func (o *ownerRecords) forget(turn *turnRecords) {
	delete(o.turns, turn.name)
	for _, name := range turn.conversations {
		without(o.conversations, name, turn)
	}
	for _, name := range turn.tasks {
		without(o.tasks, name, turn)
	}
	for _, record := range turn.records {
		if record.Digest != "" {
			o.dropHostKey(record)
		}
		if record.Done() {
			o.completed.drop(record.Cursor)
		}
	}
}

// without takes a turn out of an index. The turn is nearly always the first
// one, since the oldest are forgotten first.
func without(index map[string][]*turnRecords, name string, turn *turnRecords) {
	turns := index[name]
	if len(turns) > 0 && turns[0] == turn {
		turns = turns[1:]
	} else {
		turns = slices.DeleteFunc(turns, func(t *turnRecords) bool { return t == turn })
	}
	if len(turns) == 0 {
		delete(index, name)
	} else {
		index[name] = turns
	}
}

func (o *ownerRecords) addHostKey(record *Record) {
	if o.hostKeys == nil {
		o.hostKeys = map[string][]*Record{}
	}
	o.hostKeys[record.Key] = append(o.hostKeys[record.Key], record)
}

func (o *ownerRecords) dropHostKey(record *Record) {
	rest := slices.DeleteFunc(o.hostKeys[record.Key], func(r *Record) bool { return r.Seq == record.Seq })
	if len(rest) == 0 {
		delete(o.hostKeys, record.Key)
	} else {
		o.hostKeys[record.Key] = rest
	}
}

// candidates returns the turns that a query without a turn has to look at.
func (o *ownerRecords) candidates(query Query) []*turnRecords {
	switch {
	case query.Task != "":
		return o.tasks[query.Task]
	case query.Conversation != "":
		return o.conversations[query.Conversation]
	}
	turns := make([]*turnRecords, 0, len(o.turns))
	for _, turn := range o.turns {
		turns = append(turns, turn)
	}
	return turns
}

// identity tells the calls of one turn apart.
type identity struct {
	key        string
	occurrence int
}

// turnRecords are the records of one turn in the order of Seq.
type turnRecords struct {
	owner         *ownerRecords
	name          string
	records       []*Record
	open          int // records that are not finished
	bytes         int64
	conversations []string               // under which the owner files the turn
	tasks         []string               // likewise
	byIdentity    map[identity][]*Record // only in long turns
	idle          *list.Element          // its place on the idle list; nil if it is not there
	room          [1]*Record             // most turns have one
}

// longTurn is where an index begins to beat looking through the records.
const longTurn = 16

func (t *turnRecords) attempts(id identity) []*Record {
	if t.byIdentity != nil {
		return t.byIdentity[id]
	}
	var attempts []*Record
	for _, record := range t.records {
		if record.Key == id.key && record.Occurrence == id.occurrence && record.Digest == "" {
			attempts = append(attempts, record)
		}
	}
	return attempts
}

func (t *turnRecords) add(record *Record) {
	t.records = append(t.records, record)
	owner := t.owner
	if record.Digest != "" {
		owner.addHostKey(record)
	}
	t.conversations = t.file(&owner.conversations, t.conversations, record.Conversation)
	t.tasks = t.file(&owner.tasks, t.tasks, record.Task)
	if t.byIdentity != nil {
		t.index(record)
	} else if len(t.records) > longTurn {
		t.byIdentity = map[identity][]*Record{}
		for _, record := range t.records {
			t.index(record)
		}
	}
}

// file puts the turn into an index under a name, once, and returns the names
// under which it stands there.
func (t *turnRecords) file(index *map[string][]*turnRecords, names []string, name string) []string {
	if name == "" || slices.Contains(names, name) {
		return names
	}
	if *index == nil {
		*index = map[string][]*turnRecords{}
	}
	(*index)[name] = append((*index)[name], t)
	return append(names, name)
}

func (t *turnRecords) index(record *Record) {
	if record.Key != "" && record.Digest == "" {
		id := identity{record.Key, record.Occurrence}
		t.byIdentity[id] = append(t.byIdentity[id], record)
	}
}

// replace puts a completed record in the place of the one that was begun.
func (t *turnRecords) replace(place int, record *Record) {
	before := t.records[place]
	t.records[place] = record
	swap := func(attempts []*Record) {
		if i := slices.Index(attempts, before); i >= 0 {
			attempts[i] = record
		}
	}
	if record.Digest != "" {
		swap(t.owner.hostKeys[record.Key])
	} else if t.byIdentity != nil {
		swap(t.byIdentity[identity{record.Key, record.Occurrence}])
	}
}

// rename puts a record in the place of one that may have had another key.
func (t *turnRecords) rename(place int, record *Record) {
	before := t.records[place]
	if before.Key == record.Key && before.Digest == record.Digest && before.Occurrence == record.Occurrence {
		t.replace(place, record)
		return
	}
	t.records[place] = record
	if before.Digest != "" {
		t.owner.dropHostKey(before)
	} else if id := (identity{before.Key, before.Occurrence}); t.byIdentity != nil {
		t.byIdentity[id] = slices.DeleteFunc(t.byIdentity[id], func(r *Record) bool { return r == before })
	}
	if record.Digest != "" {
		t.owner.addHostKey(record)
	} else if t.byIdentity != nil {
		t.index(record)
	}
}

func (t *turnRecords) matching(found []*Record, query Query) []*Record {
	for _, record := range t.records {
		if record.Seq > query.After &&
			(query.Conversation == "" || query.Conversation == record.Conversation) &&
			(query.Task == "" || query.Task == record.Task) {
			found = append(found, record)
		}
	}
	return found
}

// completions are the completed records of an owner by Cursor. Those that were
// dropped leave a hole, since closing it at once would make forgetting a turn
// as slow as the owner has records.
type completions struct {
	entries []completion
	holes   int
}

type completion struct {
	cursor int64
	record *Record // nil in a hole
}

func (c *completions) add(record *Record) {
	c.entries = append(c.entries, completion{record.Cursor, record})
}

func (c *completions) drop(cursor int64) {
	place := c.search(cursor)
	if place == len(c.entries) || c.entries[place].cursor != cursor || c.entries[place].record == nil {
		return
	}
	c.entries[place].record = nil
	c.holes++
	if c.holes > len(c.entries)/2 {
		c.entries = slices.DeleteFunc(c.entries, func(e completion) bool { return e.record == nil })
		c.holes = 0
	}
}

// after returns the records after a cursor, at most limit of them if that is
// not 0.
func (c *completions) after(cursor int64, limit int) []*Record {
	var found []*Record
	for _, entry := range c.entries[c.search(cursor+1):] {
		if limit > 0 && len(found) == limit {
			break
		}
		if entry.record != nil {
			found = append(found, entry.record)
		}
	}
	return found
}

// search returns the place of the first entry that is not before the cursor.
func (c *completions) search(cursor int64) int {
	return sort.Search(len(c.entries), func(i int) bool { return c.entries[i].cursor >= cursor })
}
