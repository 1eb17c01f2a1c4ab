package tooltrack

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Jobs links the records that ask for the state of a job to the record that
// launched it: the same job id stands in the result of the one and in the
// arguments of the others. Together they are one piece of evidence.
type Jobs struct {
	launches map[string]*Record // by job id
	polls    map[*Record]*Record
	fates    map[*Record]Status
}

// JobsOf finds the jobs among records in the order given. Nil records are
// skipped. It returns nil where there are none; nil Jobs answer every question.
func JobsOf(records []*Record) *Jobs {
	var jobs *Jobs
	for _, record := range records {
		if record == nil || record.Ruling.Denied {
			continue
		}
		if launch := jobs.launchOf(record); launch != nil {
			jobs.poll(launch, record)
		} else if id := jobID(record); id != "" {
			if jobs == nil {
				jobs = &Jobs{map[string]*Record{}, map[*Record]*Record{}, map[*Record]Status{}}
			}
			jobs.launches[id] = record
		}
	}
	return jobs
}

// Launch is the record that a poll asks about; nil if the record is no poll.
func (j *Jobs) Launch(poll *Record) *Record {
	if j == nil {
		return nil
	}
	return j.polls[poll]
}

// Status is what became of a call: for one that launched a job what the last
// poll said of it, otherwise its own status. A success in doubt is Unknown.
func (j *Jobs) Status(record *Record) Status {
	if j != nil {
		if fate, told := j.fates[record]; told {
			return fate
		}
	}
	return record.shown()
}

// launchOf finds the launch whose job a record asks about. Whatever may change
// something by its declared effect or by its name is no mere question: stopping
// a job is a deed of its own.
func (j *Jobs) launchOf(record *Record) *Record {
	if j == nil || record.Effect == Changes || record.Effect == UnknownEffect && consequential(record.Tool) {
		return nil
	}
	for key, value := range jsonspan.Members(record.Args) {
		if launch := j.launches[jsonspan.Scalar(value)]; launch != nil && namesJob(string(jsonspan.Key(key)), true) {
			return launch
		}
	}
	return nil
}

func (j *Jobs) poll(launch, record *Record) {
	j.polls[record] = launch
	switch shown := record.shown(); shown {
	case Succeeded: // the question; the job has a state of its own
		j.fates[launch] = stateTold(record.Result.Data)
	case Pending:
		j.fates[launch] = shown
	case Failed:
		if tellsState(record.Result.Data) { // of the job; otherwise only the question failed
			j.fates[launch] = Failed
		}
	}
}

// jobID is the id of the job that a call has launched.
func jobID(record *Record) string {
	status := record.Result.Status
	if !record.Effect.MayChange() || status != Pending && status != Succeeded {
		return ""
	}
	for key, value := range jsonspan.Members(record.Result.Data) {
		if id := jsonspan.Scalar(value); id != "" && namesJob(string(jsonspan.Key(key)), status == Pending) {
			return id
		}
	}
	return ""
}

var jobNames = wordSet("jobid operationid runid executionid batchid workflowid processid")

// namesJob reports whether a member names a job. One of a pending result does
// so by any id.
func namesJob(name string, anyID bool) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	return jobNames[name] || anyID && (name == "job" || strings.HasSuffix(name, "id"))
}

func tellsState(data []byte) bool {
	for key := range jsonspan.Members(data) {
		if name := strings.ToLower(string(jsonspan.Key(key))); name == "status" || name == "state" {
			return true
		}
	}
	return false
}
