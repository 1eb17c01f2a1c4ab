package tooltrack

import (
	"cmp"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Jobs links the records that ask for the state of a job to the record that launched it: the id
// that it returned stands in their arguments or results. Together they are one piece of evidence.
type Jobs struct {
	handles map[string]handle // by value
	links   map[*Record]link
}

// link ties a record to the job that it launched or asks about.
type link struct {
	*job
	isAnswer bool // of a poll: it says what became of the job
}

// job is what a launch began.
type job struct {
	launch *Record
	asked  *asked
	state  jobState // what was told last
	by     *Record  // by which poll; nil where the launch itself says it
	// thing is a launch that did its work by itself and made something that has a state of its own:
	// an order that is pending was placed. What becomes of it is news, and no fate of the call.
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
	handles, named, sure := handlesOf(record, call)
	launched := launchOf(record, call, named, sure)
	if launched == nil {
		return j
	}
	if j == nil {
		j = &Jobs{map[string]handle{}, map[*Record]link{}}
	}
	maps.Copy(j.handles, handles)
	j.links[record] = link{job: launched}
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

// of is the job that a record launched or asks about; nil if there is none.
func (j *Jobs) of(record *Record) *job {
	if j == nil {
		return nil
	}
	return j.links[record].job
}

// Launch is the record that a poll asks about; nil if the record is no poll.
func (j *Jobs) Launch(poll *Record) *Record {
	if about := j.of(poll); about != nil && !about.thing {
		return j.About(poll)
	}
	return nil
}

// About is Launch for things that have a state of their own, too.
func (j *Jobs) About(poll *Record) *Record {
	if about := j.of(poll); about != nil && about.launch != poll {
		return about.launch
	}
	return nil
}

// Asks reports whether a call only asks about a known job, and may be made again and again: its
// tool, whose effect is not declared, looks something up or waits by its name, and it is given
// the id that a launch returned.
func (j *Jobs) Asks(tool Tool, call Call) bool {
	question := tool.asked(call)
	if j == nil || tool.Effect != UnknownEffect || !question.Reads && !question.AsksState {
		return false
	}
	for key, value := range jsonspan.Members(call.Args) {
		if _, known := j.handle(string(jsonspan.Key(key)), value); known {
			return true
		}
	}
	return false
}

// Told is the last record that says what became of the job of a launch; nil if there is none.
func (j *Jobs) Told(launch *Record) *Record {
	if about := j.of(launch); about != nil && about.launch == launch {
		return about.by
	}
	return nil
}

// Status is what became of a call: for one that launched a job what the last poll said of it,
// otherwise its own status. A success in doubt is Unknown.
func (j *Jobs) Status(record *Record) Status {
	if about := j.of(record); about != nil && about.launch == record {
		record = about.settled()
	}
	return record.shown()
}

// launchOf is the job that a call has launched: its result says that the work is not over, or has
// the id of a job. Nil if it has not.
func launchOf(record *Record, call *asked, named, sure bool) *job {
	result := &record.Result
	if result.settled {
		return &job{launch: record, asked: call}
	}
	if jsonspan.KindOf(result.Data) != jsonspan.Object || result.Status == Unknown || result.Status == Denied {
		return nil
	}
	state := jobStateOf(result.Data, call, 1)
	open := state.fate == ongoing
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

// poll takes a record that asks about a job, and reports whether it is one. Whatever may change
// something is no mere question: stopping a job is a deed of its own.
func (j *Jobs) poll(record *Record, call *asked) bool {
	if j == nil || record.Effect == Changes || record.Effect == UnknownEffect && !call.Repeats {
		return false
	}
	found := false
	each := func(name string, value []byte) {
		if one, known := j.handle(name, value); known {
			found = j.ask(record, call, &one, record.Result.Data) || found
		}
	}
	for key, value := range jsonspan.Members(record.Args) {
		each(string(jsonspan.Key(key)), value)
		for element := range jsonspan.Elements(value) { // "ids":["j-7","j-8"]
			each(string(jsonspan.Key(key)), element)
		}
	}
	return found || j.listed(record, call, record.Result.Data, 3)
}

// handle is the one that a member has.
func (j *Jobs) handle(name string, value []byte) (one handle, known bool) {
	one, known = j.handles[jsonspan.Scalar(value)]
	return one, known && one.isNamedBy(name)
}

// listed takes the objects of a result that have the id of a job: a list of jobs.
func (j *Jobs) listed(record *Record, call *asked, data []byte, depth int) (found bool) {
	for key, value := range jsonspan.Children(data) {
		one, known := j.handle(string(jsonspan.Key(key)), value)
		if known && key != nil && one.own && jobStateOf(data, unknownCall, 0).fate != untold {
			found = j.ask(record, call, &one, data) || found
		}
		found = depth > 0 && j.listed(record, call, value, depth-1) || found
	}
	return found
}

// ask takes what a body says of the job of a handle, and reports whether it asks about it.
func (j *Jobs) ask(record *Record, call *asked, one *handle, body []byte) bool {
	about := j.links[one.launch].job
	row := rowOf(body, one)
	state := jobStateOf(row, about.asked, 1)
	if state.fate == untold && hasProduct(row) {
		state = jobState{fate: ended, word: "done"}
	}
	told := state.fate != untold
	own := one.own || about.asked.Verb != "" && slices.Contains(call.Words, about.asked.Verb)
	isDone := state.fate == ended && about.asked.does(state.word)
	switch isRunning := state.word == "running" && !one.job; {
	case record.Result.Status == Failed && !told || record.Result.Status == Unknown:
		told = false // the question failed
	case !own && !isDone:
		return false
	case isRunning && about.asked.Starts:
		state.fate = ended
	case isRunning && about.asked.Makes:
		state.fate = unclear
	}
	told = told && !(state.fate == ended && record.Result.Doubtful != "")
	if told {
		about.state, about.by = state, record
	}
	j.links[record] = link{about, told || j.links[record].isAnswer}
	return true
}

// rowOf is the object of a body that has the id of a job, or else the body.
func rowOf(body []byte, one *handle) []byte {
	rows := slices.Collect(jsonspan.Elements(body))
	for _, value := range jsonspan.Members(body) {
		rows = slices.AppendSeq(rows, jsonspan.Elements(value))
	}
	for _, row := range rows {
		for key, value := range jsonspan.Members(row) {
			if jsonspan.Scalar(value) == one.value && one.isNamedBy(string(jsonspan.Key(key))) {
				return row
			}
		}
	}
	return body
}

// settled is the record of a launch with the fate that was told of its job.
func (b *job) settled() *Record {
	if b.state.fate == untold || b.launch.Result.settled {
		return b.launch
	}
	record, result := *b.launch, b.launch.Result
	switch {
	case b.thing && b.state.fate != broken:
		return b.launch
	case b.thing && b.asked.Places:
		result.Doubtful = "what it made is told to be " + b.state.word + " now"
	case b.state.fate == broken, b.state.fate == ongoing:
		result.Doubtful = ""
		result = result.fail(b.state.fate.status(), cmp.Or(b.state.reason, b.state.word))
	default:
		result.Status, result.Error, result.Doubtful = Succeeded, "", ""
		if b.state.fate != ended {
			result.Doubtful = "the state of its job is " + b.state.word
			result.Data = b.by.Result.Data // whoever asks for the state finds the last one
		}
	}
	result.settled = true
	record.Result = result
	return &record
}

// Settled returns the records of earlier turns and of this one with what later records tell about
// them: a call that launched a job gets the status of the job, one that only asked about it
// counts as a read, and a change that was read back and is not there has failed.
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
	about := j.of(record)
	if about != nil && about.launch == record {
		return about.settled()
	}
	answered := about != nil && (j.links[record].isAnswer || record.Proves() || record.Result.Status == Pending)
	if !answered || record.Succeeded() && record.Effect == Reads {
		return record
	}
	read := *record
	read.Effect = Reads
	read.Result.Status, read.Result.Error, read.Result.Doubtful = Succeeded, "", ""
	return &read
}
