package tooltrack

import (
	"cmp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// fate is what became of a job. What speaks against an end counts more than what speaks for
// it: "status":"completed" beside "conclusion":"failure" has failed.
type fate uint8

const (
	untold fate = iota
	ended
	unclear // by a word that nobody knows
	ongoing
	broken
)

func (f fate) status() Status {
	return [...]Status{untold: Unknown, ended: Succeeded, unclear: Unknown, ongoing: Pending, broken: Failed}[f]
}

// jobState is what a body says of a job. The zero value says nothing.
type jobState struct {
	fate    fate
	word    string // the state, as the service calls it
	reason  string // what is said beside it
	working bool   // the word speaks of work, and hardly of a thing
	guessed bool   // and that only by its ending: what plays music is "playing" when it has begun
}

// and is what two members of a body say together.
func (s jobState) and(other jobState) jobState {
	if other.fate > s.fate {
		s, other = other, s
	}
	s.reason = cmp.Or(s.reason, other.reason)
	return s
}

// jobStateOf reads the state that an object tells, of a job that a call launched. What
// wraps it says nothing of it: {"status":"success","data":{"state":"running"}} runs. What
// else the object holds has states of its own.
func jobStateOf(object []byte, launch *asked, depth int) jobState {
	var state, inner, failure jobState
	wrapped := false
	for key, value := range jsonspan.Members(object) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		switch kind := jsonspan.KindOf(value); {
		case kind == jsonspan.Object && depth > 0 && launch.holds(name):
			wrapped = true
			inner = inner.and(jobStateOf(value, launch, depth-1))
		case isMessage(name, kind):
			state.reason = readable(value)
		default:
			failure = failure.and(failedState(name, value))
			state = state.and(memberState(name, value, launch))
		}
	}
	if wrapped && state.fate == ended {
		state = jobState{reason: state.reason} // that of the envelope
	}
	if state = state.and(inner); state.fate != untold { // an error alone is that of the question
		state = state.and(failure)
	}
	return state
}

// holds reports whether a member of a result is what holds the job of a call.
func (a *asked) holds(name string) bool {
	runs, _ := namesRun(name)
	return runs || isWord(name, "wrap") || name == "result" || a.hasWord(memberName(name))
}

// failedState is what a member says by being there: an error, an exit code.
func failedState(name string, value []byte) jobState {
	switch {
	case isWord(name, "errors") && isError(value):
		return jobState{fate: broken, word: "failed", reason: readable(value)}
	case (name == "exit_code" || name == "exitcode") && isNonZero(value):
		return jobState{fate: broken, word: "failed"}
	}
	return jobState{}
}

// memberState is what a member says of a job by its value.
func memberState(name string, value []byte, launch *asked) jobState {
	switch kind := jsonspan.KindOf(value); {
	case kind == jsonspan.String && isStateName(name):
		return readJobState(jsonspan.Scalar(value), launch)
	case kind == jsonspan.Bool:
		return flaggedState(name, string(value) == "true")
	}
	return jobState{}
}

// hasProduct reports whether a body has what a job was to make: a file, a download.
func hasProduct(object []byte) bool {
	for key, value := range jsonspan.Members(object) {
		name, kind := memberName(string(jsonspan.Key(key))), jsonspan.KindOf(value)
		product := strings.Contains(name, "download") || strings.Contains(name, "artifact") ||
			strings.TrimSuffix(name, "s") == "output" || strings.TrimSuffix(name, "s") == "file"
		if product && kind != jsonspan.Bool && kind != jsonspan.Number && hasContent(value) {
			return true
		}
	}
	return false
}

// isStateName reports whether a member is called a state.
func isStateName(name string) bool {
	return isWord(name, "stated") || strings.HasSuffix(name, "status") || strings.HasSuffix(name, "state")
}

// flaggedState is what a member says that is true or false: "done":true.
func flaggedState(name string, is bool) jobState {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "is"), "_")
	switch {
	case name == "ok" || name == "success" || name == "available":
	case isWord(name, "done") && is:
		return jobState{fate: ended, word: name}
	case isWord(name, "done"):
		return jobState{fate: ongoing, word: "not " + name, working: true}
	case is && (isWord(name, "failed") || name == "failed"):
		return jobState{fate: broken, word: name}
	case is && (isWord(name, "working") || name == "pending"):
		return jobState{fate: ongoing, word: name, working: true}
	}
	return jobState{}
}

// readJobState is what a state means for the job of a call: its own end, by what the call
// does, or that of jobs in general. A word in -ing is under way. One that nobody knows
// may be an end. Of submit_claim "submitted" is the call's own success and no news of what it
// leads to, and of start_export "started" is a beginning.
func readJobState(text string, launch *asked) jobState {
	word, parts, partly := coreOf(spaced(text))
	if word == "" {
		return jobState{}
	}
	ongoingWord := parts == 1 && strings.HasSuffix(word, "ing") && word != "pending" && word != "waiting"
	listed := isWord(word, "working") || word == "in progress" || word == "inprogress"
	state := jobState{word: word, working: ongoingWord || listed, guessed: !listed}
	early, own := isWord(word, "open"), parts == 1 && launch.does(word)
	switch {
	case partly:
		state.fate = unclear
	case isWord(word, "done"), own && !early && !state.working:
		state.fate = ended
	case own && launch.Begins:
		state.fate, state.working = ongoing, true
	case own:
		return jobState{}
	case isWord(word, "failed"):
		state.fate = broken
	case early || state.working:
		state.fate = ongoing
	default:
		state.fate = tabledFate(word)
	}
	return state
}

// coreOf is a state without the words that say whose it is, how many words that are, and
// whether one of them says that the end is not a whole one.
func coreOf(state string) (core string, parts int, partly bool) {
	all := strings.FieldsFunc(state, func(r rune) bool { return r == ' ' || r == '.' || r == '/' })
	var kept []string
	for _, part := range all {
		if !isWord(part, "whose") || len(all) == 1 {
			kept = append(kept, part)
			partly = partly || isWord(part, "partly")
		}
	}
	return strings.Join(kept, " "), len(kept), partly
}

// tabledFate is what the table of results says of a word.
func tabledFate(word string) fate {
	value := jsonspan.AppendQuoted(nil, word)
	told := unclear
	for _, name := range []string{"status", "state"} {
		for _, row := range resultTable().members[name] {
			switch {
			case row.then != Failed && row.then != Pending || !row.isAbout(value):
			case row.then == Failed:
				return broken
			default:
				told = ongoing
			}
		}
	}
	return told
}
