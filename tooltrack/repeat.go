package tooltrack

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// How often one call may succeed in a turn before the turn is taken for a loop.
const (
	// maxRenewals is for a change that others have undone in between: on, off, on.
	maxRenewals = 3
	// maxPolls is for a tool whose effect is not declared, and whose name does
	// not say that it does something: asking for the state of a job, running tests.
	maxPolls = 8
)

// proposals is what one run of a turn knows of the changes that succeeded. It decides which
// occurrence of a call a proposal means; the store decides whether that one may run.
//
// An occurrence follows another only after that one has succeeded, and success is final. So
// only the last can be of another fate, and every proposal after it, of every run and process,
// means that one. A run that begins anew counts from the first again, and so meets what an
// earlier run has done in its order.
type proposals struct {
	mu        sync.Mutex
	succeeded []*Record // in the order in which the run learned of them
}

// occurrence says which occurrence of a call is proposed now. It is spent when
// no further one is allowed.
func (p *proposals) occurrence(tool *Tool, key string) (n int, spent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.latest(key)
	if last == nil {
		return 1, false
	}
	limit := maxRenewals
	switch {
	case tool.Repeatable:
		limit = 0
	case tool.Effect == UnknownEffect && tool.Implied != nil && tool.Implied.Repeats:
		limit = maxPolls
	case !p.isRenewed(last):
		return last.Occurrence, false
	}
	if limit > 0 && last.Occurrence >= limit {
		return last.Occurrence, true
	}
	return last.Occurrence + 1, false
}

// note remembers a change that succeeded.
func (p *proposals) note(record *Record) {
	if !record.Effect.MayChange() || !record.Succeeded() || record.Key == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := p.latest(record.Key); last == nil || record.Occurrence > last.Occurrence {
		p.succeeded = append(p.succeeded, record) // an answer from a success that is known is nothing new
	}
}

// latest is the last known success of a call.
func (p *proposals) latest(key string) *Record {
	for _, record := range slices.Backward(p.succeeded) {
		if record.Key == key {
			return record
		}
	}
	return nil
}

// isRenewed reports whether a different change to the same subject has succeeded since a call
// did. Both the order of the ledger and that of this run must say so: a run that begins anew
// learns of earlier changes late.
func (p *proposals) isRenewed(last *Record) bool {
	return slices.ContainsFunc(p.succeeded[slices.Index(p.succeeded, last):], func(change *Record) bool {
		return change.Seq > last.Seq && change.Key != last.Key && SameSubject(change, last)
	})
}

// SameSubject reports whether two changes were about the same entity: by what they touched, or
// by an argument that names an id. Where neither is known, two settings that share an argument
// are taken to be about it; sending, creating, paying and deleting are not, since two mails to
// one address are two mails.
func SameSubject(a, b *Record) bool {
	for _, one := range a.Touched {
		for _, other := range b.Touched {
			same := one.ID == other.ID
			if one.ID == "" || other.ID == "" {
				same = one.Title != "" && one.Title == other.Title
			}
			if same && one.Kind == other.Kind {
				return true
			}
		}
	}
	if len(a.Touched) > 0 && len(b.Touched) > 0 {
		return false
	}
	anyArgument := a.asked().Repeats && b.asked().Repeats
	for key, value := range jsonspan.Members(a.Args) {
		name := string(jsonspan.Key(key))
		if !anyArgument && !isIDName(name) {
			continue
		}
		if text := jsonspan.Scalar(value); text != "" && jsonspan.Scalar(jsonspan.Member(b.Args, name)) == text {
			return true
		}
	}
	return false
}

func isIDName(name string) bool {
	has := func(ending string) bool { return strings.HasSuffix(name, ending) }
	return has("_id") || has("Id") || has("ID") || strings.EqualFold(name, "id")
}

// refusal says, in words for the model, why a call is answered from a record instead of being run.
func refusal(answer *Record, spent bool) string {
	switch {
	case answer.Held():
		return "it waits for a person's approval, and nothing of it has been done"
	case spent:
		return "it has succeeded as often as is allowed in one turn"
	case answer.Contradicted():
		return "it was accepted, but what was read back does not show it; it may still come, so it is not run again"
	case answer.Result.Status == Succeeded:
		return "it succeeded, and what it is about has not been changed since"
	case answer.Result.Status == Pending:
		return "it was accepted and is not done yet"
	case !answer.Done():
		return "it was begun and is still running, or was cut off"
	}
	return "it is not known whether it took effect"
}
