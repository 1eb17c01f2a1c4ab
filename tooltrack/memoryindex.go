package tooltrack

import (
	"container/list"
	"maps"
	"slices"
	"sort"
)

// ownerRecords are the turns of one owner, and the ways to find them.
type ownerRecords struct {
	name      string
	known     bool // the store holds a record of the owner
	turns     map[string]*turnRecords
	filed     map[heading][]*turnRecords
	attempts  map[attempted][]*Record
	completed completions
}

// heading is what turns are filed under: a conversation, or a task.
type heading struct{ conversation, task string }

// attempted is what a record is an attempt at. A host's key, which has a digest, is for all turns.
type attempted struct {
	turn, key  string
	occurrence int
}

func attemptedBy(r *Record) attempted {
	if r.Digest != "" {
		return attempted{key: r.Key}
	}
	return attempted{r.Turn, r.Key, r.Occurrence}
}

// forget removes a turn from every index.
func (o *ownerRecords) forget(turn *turnRecords) {
	delete(o.turns, turn.name)
	for _, under := range turn.filed {
		turns := o.filed[under]
		if turns[0] == turn { // nearly always, since the oldest are forgotten first
			turns = turns[1:]
		} else {
			turns = slices.DeleteFunc(turns, func(t *turnRecords) bool { return t == turn })
		}
		if o.filed[under] = turns; len(turns) == 0 {
			delete(o.filed, under)
		}
	}
	for _, record := range turn.records {
		o.dropAttempt(record)
		if record.Done() {
			o.completed.drop(record.Cursor)
		}
	}
}

func (o *ownerRecords) addAttempt(record *Record) {
	if at := attemptedBy(record); record.Key != "" {
		o.attempts[at] = append(o.attempts[at], record)
	}
}

func (o *ownerRecords) dropAttempt(record *Record) {
	at := attemptedBy(record)
	rest := slices.DeleteFunc(o.attempts[at], func(r *Record) bool { return r == record })
	if o.attempts[at] = rest; len(rest) == 0 {
		delete(o.attempts, at)
	}
}

// candidates returns the turns that a query has to look at.
func (o *ownerRecords) candidates(query Query) []*turnRecords {
	switch turn := o.turns[query.Turn]; {
	case turn != nil:
		return []*turnRecords{turn}
	case query.Turn != "":
		return nil
	case query.Task != "":
		return o.filed[heading{task: query.Task}]
	case query.Conversation != "":
		return o.filed[heading{conversation: query.Conversation}]
	}
	return slices.Collect(maps.Values(o.turns))
}

// turnRecords are the records of one turn in the order of Seq.
type turnRecords struct {
	owner   *ownerRecords
	name    string
	records []*Record
	open    int // records that are not finished
	bytes   int64
	filed   []heading     // under which the owner files the turn
	idle    *list.Element // its place on the idle list; nil if it is not there
	room    [1]*Record    // most turns have one
}

func (t *turnRecords) add(record *Record) {
	t.records = append(t.records, record)
	t.owner.addAttempt(record)
	t.file(heading{conversation: record.Conversation})
	t.file(heading{task: record.Task})
}

// file puts the turn under a heading of its owner, once.
func (t *turnRecords) file(under heading) {
	if under == (heading{}) || slices.Contains(t.filed, under) {
		return
	}
	if t.owner.filed == nil {
		t.owner.filed = map[heading][]*turnRecords{}
	}
	t.owner.filed[under] = append(t.owner.filed[under], t)
	t.filed = append(t.filed, under)
}

// replace puts a record in the place of another, which may have had another key.
func (t *turnRecords) replace(place int, record *Record) {
	before := t.records[place]
	t.records[place] = record
	if attempts := t.owner.attempts[attemptedBy(before)]; attemptedBy(before) == attemptedBy(record) && record.Key != "" {
		attempts[slices.Index(attempts, before)] = record
		return
	}
	t.owner.dropAttempt(before)
	t.owner.addAttempt(record)
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

// completions are the completed records of an owner by Cursor.
type completions []*Record

// drop forgets a record. It is nearly always one of the first.
func (c *completions) drop(cursor int64) {
	switch at := c.search(cursor); {
	case at == len(*c) || (*c)[at].Cursor != cursor:
	case at == 0:
		(*c)[0] = nil
		*c = (*c)[1:]
	default:
		*c = slices.Delete(*c, at, at+1)
	}
}

// search returns the place of the first record that is not before the cursor.
func (c completions) search(cursor int64) int {
	return sort.Search(len(c), func(i int) bool { return c[i].Cursor >= cursor })
}
