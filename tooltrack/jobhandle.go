package tooltrack

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// handle is a value by which a launch can be asked about: an id that was not there before. One
// that the call was given names the thing that it works on, and so may one of several others:
// what is read of such a thing tells of the job only if it says that just this was done, or if
// it was asked for by the name of the act.
type handle struct {
	launch *Record
	value  string
	name   string // the member that held it, without what says that it is an id
	own    bool   // it is the job's, and not that of a thing
	job    bool   // it is called a job's
	number bool
}

// namesRun reports whether a member is called after what runs: a job, an operation. With
// an id it names one beyond doubt.
func namesRun(name string) (named, sure bool) {
	sure = name == "job" || strings.HasSuffix(name, "id") && isWord(trimID(name), "runs")
	return sure || isWord(name, "runs"), sure
}

// handlesOf are the handles of a launch, by value: of those that it was not given, the ones that
// are called a job's or, where there are none, those named after the tool or after nothing, or
// else all. Named and sure say whether its result has the number of something that runs.
func handlesOf(record *Record, launch *asked) (handles map[string]handle, named, sure bool) {
	best, handles := 0, map[string]handle{}
	eachMember(record.Result.Data, func(key string, value []byte) {
		text, kind, name := jsonspan.Scalar(value), jsonspan.KindOf(value), memberName(key)
		if runs, beyondDoubt := namesRun(name); kind == jsonspan.String || kind == jsonspan.Number {
			named = named || beyondDoubt || runs && strings.ContainsAny(text, digits)
			sure = sure || beyondDoubt
		}
		rank := launch.ranks(name, text, kind)
		fresh := rank > 0 && !hasValue(record.Args, text, 2)
		if rank > 0 && !fresh {
			rank = given
		}
		if rank == 0 || rank < best {
			return
		}
		if rank > best {
			best = rank
			clear(handles)
		}
		handles[text] = handle{record, text, trimID(name), fresh, rank == namedJob, kind == jsonspan.Number}
	})
	if best == likeID && len(handles) > 1 {
		for value, one := range handles {
			one.own = false
			handles[value] = one
		}
	}
	return handles, named, sure
}

const digits = "0123456789"

// eachMember yields the members of an object, and those of the objects in it: the id in
// "job":{"id":"j-7"} is that of the job.
func eachMember(object []byte, take func(key string, value []byte)) {
	for key, value := range jsonspan.Members(object) {
		outer := string(jsonspan.Key(key))
		take(outer, value)
		for inner, member := range jsonspan.Members(value) {
			name := string(jsonspan.Key(inner))
			if strings.EqualFold(name, "id") && !isWord(strings.ToLower(outer), "wrap") {
				name = outer + "_id"
			}
			take(name, member)
		}
	}
}

// hasOnlyState reports whether a body says no more than how a call stands: beside ids it has
// only what envelopes have, and what the call itself was given.
func hasOnlyState(body []byte, args []byte) bool {
	for key, value := range jsonspan.Members(body) {
		name, text := strings.ToLower(string(jsonspan.Key(key))), jsonspan.Scalar(value)
		isID := strings.HasSuffix(name, "id") || strings.ContainsAny(text, digits) && !strings.Contains(text, " ")
		isID = isID && jsonspan.KindOf(value) == jsonspan.String
		if !isWord(name, "envelope") && !isStateName(name) && !isID && (text == "" || !hasValue(args, text, 2)) {
			return false
		}
	}
	return true
}

// How well a value names a job. One that the call was given is the last to do so.
const (
	given = 1 + iota
	likeID
	namedAfter
	namedJob
)

// ranks says how well a member names the job of a call; 0 for one that names nothing.
func (a *asked) ranks(name, value string, kind jsonspan.Kind) int {
	isID := strings.HasSuffix(name, "id")
	text := kind == jsonspan.String && len(value) > 2 && !strings.ContainsAny(value, " \t\n")
	digits := strings.ContainsAny(value, digits)
	runs, sure := namesRun(name)
	runs = sure || runs && digits
	switch {
	case value == "" || kind != jsonspan.String && kind != jsonspan.Number || isStateName(name):
		return 0
	case runs:
		return namedJob
	case (isID || text && digits || kind == jsonspan.Number) && (trimID(name) == "" || a.hasWord(trimID(name))):
		return namedAfter
	case isID || text && digits:
		return likeID
	}
	return 0
}

// memberName is the name of a member without what joins its words.
func memberName(name string) string {
	if strings.ContainsAny(name, "_-") {
		name = unjoined.Replace(name)
	}
	return strings.ToLower(name)
}

var unjoined = strings.NewReplacer("_", "", "-", "")

// mayTell reports whether an object may tell the state of a job, or have its number. It
// looks at the names of members only, and at plain ends, so that it costs next to nothing.
func mayTell(object []byte, depth int) bool {
	for key, value := range jsonspan.Members(object) {
		name := strings.TrimRight(string(jsonspan.Key(key)), "iIdD_-")
		switch jsonspan.KindOf(value) {
		case jsonspan.Object:
			if depth > 0 && mayTell(value, depth-1) {
				return true
			}
		case jsonspan.String, jsonspan.Number:
			if isWord(memberName(name), "runs") {
				return true
			}
			state := jsonspan.KindOf(value) == jsonspan.String && isStateName(strings.ToLower(string(jsonspan.Key(key))))
			if state && !isWord(jsonspan.Scalar(value), "done") {
				return true
			}
		}
	}
	return false
}

// trimID is what a member is the id of.
func trimID(name string) string { return strings.TrimSuffix(name, "id") }

// isNamedBy reports whether a member that holds the value of a handle means it. A number may be
// anything, so its name has to be the same.
func (h *handle) isNamedBy(name string) bool {
	name = memberName(name)
	if h.number {
		isID := strings.HasSuffix(name, "id")
		runs, _ := namesRun(name)
		return trimID(name) == h.name || name == "id" || isID && (h.name == "" || h.job && runs)
	}
	return true
}
