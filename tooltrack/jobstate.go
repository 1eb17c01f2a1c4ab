package tooltrack

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// jobState is what a body says of a job. The zero value says nothing.
type jobState struct {
	told    bool
	fate    Status // Succeeded, Failed or Pending; Unknown for a word that nobody knows
	word    string // the state, as the service calls it
	reason  string // what is said beside it
	working bool   // the word speaks of work, and hardly of a thing
	guessed bool   // and that only by its ending: what plays music is "playing" when it has begun
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
	if wrapped && state.fate == Succeeded {
		state = jobState{reason: state.reason} // that of the envelope
	}
	if state = state.and(inner); state.told { // an error alone is that of the question
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
	switch name {
	case "error", "errors":
		if isError(value) {
			return jobState{told: true, fate: Failed, word: "failed", reason: readable(value)}
		}
	case "exit_code", "exitcode":
		if isNonZero(value) {
			return jobState{told: true, fate: Failed, word: "failed"}
		}
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
	switch name {
	case "phase", "outcome", "conclusion", "result":
		return true
	}
	return strings.HasSuffix(name, "status") || strings.HasSuffix(name, "state")
}

// flaggedState is what a member says that is true or false: "done":true.
func flaggedState(name string, is bool) jobState {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "is"), "_")
	switch {
	case name == "ok" || name == "success" || name == "available":
	case isWord(name, "done") && is:
		return jobState{told: true, fate: Succeeded, word: name}
	case isWord(name, "done"):
		return jobState{told: true, fate: Pending, word: "not " + name, working: true}
	case is && (isWord(name, "failed") || name == "failed"):
		return jobState{told: true, fate: Failed, word: name}
	case is && (isWord(name, "working") || name == "pending"):
		return jobState{told: true, fate: Pending, word: name, working: true}
	}
	return jobState{}
}

// readJobState is what a state means for the job of a call: its own end, by what the call
// does, or that of jobs in general. A word in -ing is under way. One that nobody knows
// may be an end.
func readJobState(text string, launch *asked) jobState {
	word, parts, partly := coreOf(spaced(text))
	ongoing := parts == 1 && strings.HasSuffix(word, "ing") && word != "pending" && word != "waiting"
	state := jobState{told: word != "", word: word}
	listed := isWord(word, "working") || word == "in progress" || word == "inprogress"
	state.working, state.guessed = ongoing || listed, !listed
	switch {
	case partly:
		state.fate = Unknown
	case isWord(word, "done"):
		state.fate = Succeeded
	case parts == 1 && launch.does(word):
		return launch.itsOwn(state, isWord(word, "open"))
	case isWord(word, "failed"):
		state.fate = Failed
	case isWord(word, "open") || state.working:
		state.fate = Pending
	default:
		state.fate = tabledState(word)
	}
	return state
}

// itsOwn is a state that says what a call itself does: "rendered" of render_video is the
// end of it. Of submit_claim "submitted" is the call's own success and no news of what it
// leads to, and of start_export "started" is a beginning.
func (a *asked) itsOwn(state jobState, early bool) jobState {
	switch {
	case !early && !state.working:
		state.fate = Succeeded
	case a.Begins:
		state.fate, state.working = Pending, true
	default:
		return jobState{}
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

// tabledState is what the table of results says of a word; Unknown if it has none.
func tabledState(word string) Status {
	value := jsonspan.AppendQuoted(nil, word)
	told := Unknown
	for _, name := range []string{"status", "state"} {
		for _, row := range resultTable().members[name] {
			if told != Failed && (row.then == Failed || row.then == Pending) && row.isAbout(value) {
				told = row.then
			}
		}
	}
	return told
}
