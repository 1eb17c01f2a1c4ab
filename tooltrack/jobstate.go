package tooltrack

import (
	_ "embed" // of the words
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

//go:embed jobstates.txt
var jobStatesText string

// jobWords are the words of services for what becomes of jobs, by the kinds of the data
// file.
var jobWords = sync.OnceValue(func() map[string]map[string]bool {
	kinds := map[string]map[string]bool{}
	for line := range strings.Lines(jobStatesText) {
		kind, words, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		if kinds[kind] == nil {
			kinds[kind] = map[string]bool{}
		}
		for word := range strings.FieldsSeq(words) {
			kinds[kind][word] = true
		}
	}
	return kinds
})

// jobState is what a body says of a job. The zero value says nothing.
type jobState struct {
	told    bool
	fate    Status // Succeeded, Failed or Pending; Unknown for a word that nobody knows
	word    string // the state, as the service calls it
	reason  string // what is said beside it
	working bool   // the word speaks of work, and hardly of a thing
}

// rank orders fates: what speaks against an end counts more than what speaks for it.
// "status":"completed" beside "conclusion":"failure" has failed.
func (s jobState) rank() int {
	if !s.told {
		return 0
	}
	switch s.fate {
	case Succeeded:
		return 1
	case Unknown:
		return 2
	case Pending:
		return 3
	}
	return 4
}

// and is what two members of a body say together.
func (s jobState) and(other jobState) jobState {
	if other.rank() > s.rank() {
		if other.reason == "" {
			other.reason = s.reason
		}
		return other
	}
	if s.reason == "" {
		s.reason = other.reason
	}
	return s
}

// jobStateOf reads the state that an object tells, of a job that a call launched. What
// wraps it says nothing of it: {"status":"success","data":{"state":"running"}} runs.
func jobStateOf(object []byte, launch *asked, depth int) jobState {
	var state, inner jobState
	wrapped, failure := false, jobState{}
	for key, value := range jsonspan.Members(object) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		switch kind := jsonspan.KindOf(value); {
		case kind == jsonspan.Object && depth > 0 && !strings.HasPrefix(name, "error"):
			wrapped = wrapped || wraps[name] || name == "result" || name == "job"
			inner = inner.and(jobStateOf(value, launch, depth-1))
		case name == "error" || name == "errors" || name == "exit_code" || name == "exitcode":
			if name[1] == 'r' && says(value) && saysError(value) || name[1] == 'x' && nonZero(value) {
				failure = failure.and(jobState{true, Failed, "failed", readable(value), false})
			}
		case isMessage(name, kind):
			state.reason = readable(value)
		case kind == jsonspan.String && namesState(name):
			state = state.and(readJobState(jsonspan.Scalar(value), launch))
		case kind == jsonspan.Bool:
			state = state.and(flaggedState(name, string(value) == "true"))
		}
	}
	if wrapped && state.fate == Succeeded {
		state = jobState{reason: state.reason} // that of the envelope
	}
	if state = state.and(inner); state.told { // an error alone is that of the question
		state = state.and(failure)
	}
	return state
}

// handsOver reports whether a body has what a job was to make: a file, a download.
func handsOver(object []byte) bool {
	for key, value := range jsonspan.Members(object) {
		name, kind := memberName(string(jsonspan.Key(key))), jsonspan.KindOf(value)
		product := strings.Contains(name, "download") || strings.Contains(name, "artifact") ||
			strings.TrimSuffix(name, "s") == "output" || strings.TrimSuffix(name, "s") == "file"
		if product && kind != jsonspan.Bool && kind != jsonspan.Number && says(value) {
			return true
		}
	}
	return false
}

// namesState reports whether a member is called a state.
func namesState(name string) bool {
	switch name {
	case "phase", "outcome", "conclusion", "result":
		return true
	}
	return strings.HasSuffix(name, "status") || strings.HasSuffix(name, "state")
}

// flaggedState is what a member says that is true or false: "done":true.
func flaggedState(name string, is bool) jobState {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "is"), "_")
	words := jobWords()
	switch {
	case name == "ok" || name == "success" || name == "available":
	case words["done"][name] && is:
		return jobState{told: true, fate: Succeeded, word: name}
	case words["done"][name]:
		return jobState{told: true, fate: Pending, word: "not " + name, working: true}
	case is && (words["failed"][name] || name == "failed"):
		return jobState{told: true, fate: Failed, word: name}
	case is && (words["working"][name] || name == "pending"):
		return jobState{told: true, fate: Pending, word: name, working: true}
	}
	return jobState{}
}

// readJobState is what a state means for the job of a call: its own end, by what the call
// does, or that of jobs in general. A word in -ing is under way. One that nobody knows
// may be an end.
func readJobState(text string, launch *asked) jobState {
	word := spaced(text)
	state := jobState{told: word != "", word: word}
	words := jobWords()
	parts := strings.FieldsFunc(word, func(r rune) bool { return r == ' ' || r == '.' || r == '/' })
	var core []string
	for _, part := range parts {
		if !words["whose"][part] || len(parts) == 1 {
			core = append(core, part)
		}
	}
	partly := false
	for _, part := range core {
		partly = partly || words["partly"][part]
	}
	word = strings.Join(core, " ")
	state.working = words["working"][word] || len(core) == 1 && strings.HasSuffix(word, "ing") && word != "pending" &&
		word != "waiting" || word == "in progress" || word == "inprogress"
	switch {
	case partly:
		state.fate = Unknown
	case words["done"][word]:
		state.fate = Succeeded
	case launch != nil && len(core) == 1 && !words["open"][word] && launch.does(word):
		state.fate = Succeeded
	case words["failed"][word]:
		state.fate = Failed
	case words["open"][word] || state.working:
		state.fate = Pending
	default:
		state.fate = tabledState(text)
	}
	return state
}

// tabledState is what the table of results says of a word; Unknown if it has none.
func tabledState(word string) Status {
	value := jsonspan.AppendQuoted(nil, word)
	told := Unknown
	for _, name := range []string{"status", "state"} {
		for row := range rowsFor(name, nil) {
			if told != Failed && (row.Then == Failed || row.Then == Pending) && row.holds(value) {
				told = row.Then
			}
		}
	}
	return told
}
