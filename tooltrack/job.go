package tooltrack

import (
	"cmp"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Jobs links the records that ask for the state of a job to the record that launched it:
// the id that the launch returned stands in the arguments or in the result of the others.
// Together they are one piece of evidence.
type Jobs struct {
	handles  map[string]handle // by value
	launches map[*Record]*job
	polls    map[*Record]*job
	told     map[*Record]bool // polls that were answered
}

// job is what a launch began.
type job struct {
	launch *Record
	asked  *asked
	state  jobState // what was told last
	by     *Record  // by which poll; nil where the launch itself says it
	// thing is a launch that did its work by itself and made something that has a state of
	// its own: an order that is pending was placed. What becomes of it is news, and no
	// fate of the call.
	thing bool
}

// JobsOf finds the jobs among records in the order given. Nil records are skipped. It
// returns nil where there are none; nil Jobs answer every question.
func JobsOf(records []*Record) *Jobs { return jobsOf(nil, records) }

func jobsOf(earlier, records []*Record) *Jobs {
	var jobs *Jobs
	for _, list := range [2][]*Record{earlier, records} {
		for _, record := range list {
			if record == nil || record.Ruling.Denied || jobs == nil && !mayLaunch(record) {
				continue // nearly every record of nearly every conversation
			}
			jobs = jobs.take(record)
		}
	}
	return jobs
}

// take adds what a record says of jobs. Without any it makes the first ones.
func (j *Jobs) take(record *Record) *Jobs {
	call := record.asked()
	if j.poll(record, call) || !mayLaunch(record) {
		return j
	}
	launched := launchOf(record, call)
	if launched == nil {
		return j
	}
	if j == nil {
		j = &Jobs{map[string]handle{}, map[*Record]*job{}, map[*Record]*job{}, map[*Record]bool{}}
	}
	for value, one := range handlesOf(record, call) {
		j.handles[value] = one
	}
	j.launches[record] = launched
	return j
}

// mayLaunch reports whether a record may be that of a launch: it was accepted, or its
// result has a state that is no plain end, or a member that is called after what runs.
func mayLaunch(record *Record) bool {
	if !record.Effect.MayChange() || jsonspan.KindOf(record.Result.Data) != jsonspan.Object {
		return false
	}
	accepted := record.Result.Status == Pending || record.Result.Doubtful != "" || record.Result.settled
	return accepted || mayTell(record.Result.Data, 1)
}

// Launch is the record that a poll asks about; nil if the record is no poll.
func (j *Jobs) Launch(poll *Record) *Record {
	if j == nil || j.polls[poll] == nil || j.polls[poll].thing {
		return nil
	}
	return j.polls[poll].launch
}

// About returns the record that launched the job, or made the thing, that a record asks
// about; nil if there is none.
func (j *Jobs) About(poll *Record) *Record {
	if j == nil || j.polls[poll] == nil {
		return nil
	}
	return j.polls[poll].launch
}

// Asks reports whether a call that is to be made only asks about a known job: its tool,
// whose effect is not declared, looks something up or waits by its name, and it is given
// the id that a launch returned. Such a call may be made again and again.
func (j *Jobs) Asks(tool Tool, call Call) bool {
	question := tool.asked(call)
	if j == nil || tool.Effect != UnknownEffect || !question.Reads && !question.AsksState {
		return false
	}
	for key, value := range jsonspan.Members(call.Args) {
		if one, known := j.handles[jsonspan.Scalar(value)]; known && one.isNamedBy(string(jsonspan.Key(key))) {
			return true
		}
	}
	return false
}

// Told returns the last record that says what became of the job of a launch; nil if there
// is none.
func (j *Jobs) Told(launch *Record) *Record {
	if j == nil || j.launches[launch] == nil {
		return nil
	}
	return j.launches[launch].by
}

// Status is what became of a call: for one that launched a job what the last
// poll said of it, otherwise its own status. A success in doubt is Unknown.
func (j *Jobs) Status(record *Record) Status {
	if j == nil || j.launches[record] == nil {
		return record.shown()
	}
	return j.launches[record].settled().shown()
}

// launchOf is the job that a call has launched; nil if it has not. The result of a launch
// says that its work is not over, or has the id of a job.
func launchOf(record *Record, call *asked) *job {
	result := &record.Result
	if result.settled {
		return &job{launch: record, asked: call}
	}
	if jsonspan.KindOf(result.Data) != jsonspan.Object || result.Status == Unknown || result.Status == Denied {
		return nil
	}
	named, sure := namesJob(result.Data)
	state := jobStateOf(result.Data, call, 1)
	open := state.told && state.fate == Pending
	named = sure || named && open
	launched := &job{launch: record, asked: call}
	switch {
	case result.Status == Failed, result.Status == Succeeded && !named && !open, call.isLookup():
		return nil
	case result.Status == Succeeded && !named:
		own := state.working && !state.guessed && hasOnlyState(result.Data, record.Args)
		launched.thing = result.Doubtful == "" && (!own || call.Places)
		open = state.working && !launched.thing
	}
	if open {
		launched.state = state
	}
	return launched
}

// poll takes a record that asks about a job, and reports whether it is one. Whatever may
// change something by its declared effect or by its name is no mere question: stopping a
// job is a deed of its own.
func (j *Jobs) poll(record *Record, call *asked) bool {
	if j == nil || record.Effect == Changes {
		return false
	}
	if record.Effect == UnknownEffect && !call.Repeats {
		return false
	}
	found := false
	each := func(name string, value []byte) {
		if one, known := j.handles[jsonspan.Scalar(value)]; known && one.isNamedBy(name) {
			found = j.ask(record, call, &one, record.Result.Data) || found
		}
	}
	for key, value := range jsonspan.Members(record.Args) {
		each(string(jsonspan.Key(key)), value)
		for element := range jsonspan.Elements(value) { // "ids":["j-7","j-8"]
			each(string(jsonspan.Key(key)), element)
		}
	}
	if !found {
		found = j.listed(record, call, record.Result.Data, 3)
	}
	return found
}

// listed takes the objects of a result that have the id of a job: a list of jobs.
func (j *Jobs) listed(record *Record, call *asked, data []byte, depth int) (found bool) {
	for key, value := range jsonspan.Members(data) {
		name := string(jsonspan.Key(key))
		one, known := j.handles[jsonspan.Scalar(value)]
		if known && one.own && one.isNamedBy(name) && jobStateOf(data, unknownCall, 0).told {
			found = j.ask(record, call, &one, data) || found
		}
		if depth > 0 {
			found = j.listed(record, call, value, depth-1) || found
		}
	}
	for element := range jsonspan.Elements(data) {
		if depth > 0 {
			found = j.listed(record, call, element, depth-1) || found
		}
	}
	return found
}

// ask takes what a body says of the job of a handle, and reports whether it asks about it.
func (j *Jobs) ask(record *Record, call *asked, one *handle, body []byte) bool {
	asked := j.launches[one.launch]
	row := rowOf(body, one)
	state := jobStateOf(row, asked.asked, 1)
	if !state.told && hasProduct(row) {
		state = jobState{told: true, fate: Succeeded, word: "done"}
	}
	if record.Result.Status == Failed && !state.told || record.Result.Status == Unknown {
		j.polls[record] = asked // the question failed
		return true
	}
	own := one.own || asked.asked.Verb != "" && slices.Contains(call.Words, asked.asked.Verb)
	if !own && !(state.fate == Succeeded && asked.asked.does(state.word)) {
		return false
	}
	if state.word == "running" && !one.job && asked.asked.Starts {
		state.fate = Succeeded
	} else if state.word == "running" && !one.job && asked.asked.Makes {
		state.fate = Unknown
	}
	j.polls[record] = asked
	if state.told && !(state.fate == Succeeded && record.Result.Doubtful != "") {
		asked.state, asked.by, j.told[record] = state, record, true
	}
	return true
}

// rowOf is the object of a body that has the id of a job, or else the body.
func rowOf(body []byte, one *handle) []byte {
	var rows [][]byte
	for element := range jsonspan.Elements(body) {
		rows = append(rows, element)
	}
	for _, value := range jsonspan.Members(body) {
		for element := range jsonspan.Elements(value) {
			rows = append(rows, element)
		}
	}
	for _, row := range rows {
		for key, value := range jsonspan.Members(row) {
			text := jsonspan.Scalar(value)
			if text != "" && one.value == text && one.isNamedBy(string(jsonspan.Key(key))) {
				return row
			}
		}
	}
	return body
}

// settled is the record of a launch with the fate that was told of its job.
func (b *job) settled() *Record {
	if !b.state.told || b.launch.Result.settled {
		return b.launch
	}
	record, result := *b.launch, b.launch.Result
	switch {
	case b.thing && b.state.fate != Failed:
		return b.launch
	case b.thing && b.asked.Places:
		result.Doubtful = "what it made is told to be " + b.state.word + " now"
	case b.state.fate == Failed, b.state.fate == Pending:
		result.Doubtful = ""
		result = result.fail(b.state.fate, cmp.Or(b.state.reason, b.state.word))
	default:
		result.Status, result.Error, result.Doubtful = Succeeded, "", ""
		if b.state.fate != Succeeded {
			result.Doubtful = "the state of its job is " + b.state.word
			result.Data = b.by.Result.Data // whoever asks for the state finds the last one
		}
	}
	result.settled = true
	record.Result = result
	return &record
}

// Settled returns the records of earlier turns and of this one with what later records tell
// about them: a call that launched a job gets the status of the job, a call that only asked
// about it counts as a read, and a change that was read back and is not there has failed. All
// others are returned as they are.
func Settled(earlier, records []*Record) (before, now []*Record) {
	earlier, records = asSeen(earlier), asSeen(records)
	jobs := jobsOf(earlier, records)
	if jobs == nil {
		return earlier, records
	}
	all := slices.Concat(earlier, records)
	for i, record := range all {
		if record != nil {
			all[i] = jobs.settle(record)
		}
	}
	return all[:len(earlier):len(earlier)], all[len(earlier):]
}

func (j *Jobs) settle(record *Record) *Record {
	if launched := j.launches[record]; launched != nil {
		return launched.settled()
	}
	about := j.polls[record]
	if about == nil || record.Succeeded() && record.Effect == Reads {
		return record
	}
	answered := j.told[record] || record.Proves() || record.Result.Status == Pending
	if !answered {
		return record
	}
	read := *record
	read.Effect = Reads
	read.Result.Status, read.Result.Error, read.Result.Doubtful = Succeeded, "", ""
	return &read
}
