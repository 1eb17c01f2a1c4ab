package proof

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// List numbers the records that an answer may cite: those of earlier turns of the
// conversation first, then those of this turn. A number counts only if it stands in the
// list that the model was shown.
type List struct {
	records []*tooltrack.Record
	earlier int // how many of them are of earlier turns
	left    int // how many older ones are not listed
	// unlisted are those of them that are of this turn: they count, but cannot be cited.
	unlisted []*tooltrack.Record
	// about is, for a record that asks about a job, the number of the call that launched
	// it, and told, for such a call, the number of the record that told last how it stands.
	about, told map[int]int
}

// MaxListed is how many records are listed. Of more, the newest are.
const MaxListed = 100

// NewList numbers records.
func NewList(earlier, records []*tooltrack.Record) List {
	all := make([]*tooltrack.Record, 0, len(earlier)+len(records))
	all = append(append(all, earlier...), records...)
	left := max(0, len(all)-MaxListed)
	l := List{records: all[left:], earlier: max(0, len(earlier)-left), left: left}
	l.unlisted = all[min(len(earlier), left):left]
	if jobs := tooltrack.JobsOf(all); jobs != nil { // else nothing is to be settled
		l.link(jobs)
		_, l.records = tooltrack.Settled(all[:left], l.records)
	}
	return l
}

// link notes which records speak of the jobs of which others.
func (l *List) link(jobs *tooltrack.Jobs) {
	l.about, l.told = map[int]int{}, map[int]int{}
	number := func(record *tooltrack.Record) int { return slices.Index(l.records, record) + 1 }
	for i, record := range l.records {
		if launch := jobs.About(record); launch != nil && number(launch) > 0 {
			l.about[i+1] = number(launch)
		}
		if poll := jobs.Told(record); poll != nil {
			l.told[i+1] = number(poll)
		}
	}
}

// withLaunches are the numbers of records, with those of the calls that launched the jobs
// which they speak of.
func (l List) withLaunches(numbers []int) []int {
	all := slices.Clip(numbers)
	for _, number := range numbers {
		if launch := l.about[number]; launch > 0 && !slices.Contains(all, launch) {
			all = append(all, launch)
		}
	}
	return all
}

// settled are the records as they stand by now: what a call returned that launched a job is
// out of date where a later one told how the job stands.
func (l List) settled() []*tooltrack.Record {
	records := slices.Clone(l.records)
	for launch := range l.told {
		if record := l.Record(launch); record != nil && record.Result.Status != tooltrack.Pending {
			now := *record
			now.Result.Data = nil
			records[launch-1] = &now
		}
	}
	return records
}

// Len is how many records there are to cite.
func (l List) Len() int { return len(l.records) }

// Ran reports whether a call after the first ones ran: one that was denied changes nothing.
func (l List) Ran(after int) bool {
	ran := func(r *tooltrack.Record) bool { return !r.Ruling.Denied }
	return l.left > 0 || slices.ContainsFunc(l.records[min(after, len(l.records)):], ran)
}

// Record is the record of a number; nil if there is none of that number.
func (l List) Record(number int) *tooltrack.Record {
	if number < 1 || number > len(l.records) {
		return nil
	}
	return l.records[number-1]
}

// Earlier reports whether a number is that of a record of an earlier turn.
func (l List) Earlier(number int) bool { return number <= l.earlier }

// Cited are the records that numbers name, without those that do not exist.
func (l List) Cited(numbers []int) []*tooltrack.Record {
	var cited []*tooltrack.Record
	for _, number := range numbers {
		if record := l.Record(number); record != nil {
			cited = append(cited, record)
		}
	}
	return cited
}

// Number is the number of the n-th call of a tool in this turn, counted from 1; 0 if there
// is none, or if it is not listed any more. It is how a report tool cites, which is offered
// before any record exists.
func (l List) Number(tool string, n int) int {
	for _, record := range l.unlisted {
		if record.Tool != tool {
			continue
		}
		if n--; n == 0 {
			return 0
		}
	}
	for i := l.earlier; i < len(l.records); i++ {
		if l.records[i].Tool != tool {
			continue
		}
		if n--; n == 0 {
			return i + 1
		}
	}
	return 0
}

// String is the list as the model reads it: a line each, so that nothing in a title or a
// result can look like another line.
func (l List) String() string {
	if len(l.records) == 0 {
		return "(no calls were made)\n"
	}
	var text strings.Builder
	for i, record := range l.records {
		text.WriteByte('#')
		text.WriteString(strconv.Itoa(i + 1))
		text.WriteByte(' ')
		if i < l.earlier {
			text.WriteString("(earlier) ")
		}
		writeRecord(&text, record)
		if told := l.told[i+1]; told > 0 {
			text.WriteString(", as #" + strconv.Itoa(told) + " says")
		}
		text.WriteByte('\n')
	}
	return text.String()
}
