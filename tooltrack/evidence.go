package tooltrack

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Evidence sums up what the records of a turn prove. Counts of successes and
// of everything else never mix: a denied change is a denial, not a change.
type Evidence struct {
	// Calls is the number of records, of whatever fate.
	Calls int
	// Reads, Changes (those of unknown effect, too) and Verifications succeeded.
	Reads, Changes, Verifications int
	// Failures, Denials, Pending, Held and Unknown (a success in doubt, too) did not (yet).
	Failures, Denials, Pending, Held, Unknown int
	// Verified is true when a verification succeeded after the last change, and none failed
	// after it.
	Verified bool
	// Touched are the entities of successful changes, each once, in order.
	Touched []Subject
	// Sources are the URLs of successful reads, each once, in order, without fragment and
	// trailing slash.
	Sources []string
}

// EvidenceOf sums up records in the order given. Nil records are skipped. A call that launches a
// job and those that ask for its state are one piece of evidence, with the fate that was told
// last: see [JobsOf].
func EvidenceOf(records []*Record) Evidence {
	var sum Evidence
	jobs := JobsOf(records)
	for _, record := range records {
		if record == nil {
			continue
		}
		sum.Calls++
		if jobs.Launch(record) == nil {
			sum.add(record, jobs.Status(record))
		}
	}
	return sum
}

func (e *Evidence) add(record *Record, status Status) {
	switch {
	case record.Ruling.Denied || status == Denied:
		e.Denials++
	case status == Failed:
		e.Failures++
		if record.Effect == Verifies {
			e.Verified = false
		}
	case status == Pending:
		e.Pending++
	case status == Held:
		e.Held++
	case status != Succeeded:
		e.Unknown++
		e.Verified = e.Verified && record.Effect == Reads // it may have changed something, or found a fault
	case record.Effect == Reads:
		e.Reads++
		e.Sources = once(e.Sources, sourceOf(record.Args))
	case record.Effect == Verifies:
		e.Verifications++
		e.Verified = true
	default:
		e.Changes++
		e.Verified = false
		for _, subject := range record.Touched {
			e.Touched = once(e.Touched, subject)
		}
	}
}

// once adds what is something, and not there yet.
func once[T comparable](list []T, one T) []T {
	if one == *new(T) || slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}

// sourceOf is the canonical form of the "url" argument, or empty. Scheme and host are compared
// in lower case; a fragment names a place inside the same source.
func sourceOf(args json.RawMessage) string {
	source := ""
	for key, value := range jsonspan.Members(args) {
		if strings.EqualFold(string(jsonspan.Key(key)), "url") {
			source, _ = jsonspan.Text(value)
		}
	}
	address, _, _ := strings.Cut(strings.TrimSpace(source), "#")
	if scheme, rest, found := strings.Cut(address, "://"); found {
		host, path, slash := strings.Cut(rest, "/")
		address = strings.ToLower(scheme) + "://" + strings.ToLower(host)
		if slash {
			address += "/" + path
		}
	}
	return strings.TrimRight(address, "/")
}
