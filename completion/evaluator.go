package completion

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Evaluator judges turns. It is immutable and safe for concurrent use.
type Evaluator struct {
	vocabulary  *vocabulary
	wording     map[string]Wording
	participles map[int32]string
	judges      sync.Pool
}

// New builds an evaluator. Nil options are the default.
func New(options *Options) *Evaluator {
	if options == nil {
		options = &Options{}
	}
	v := standardVocabulary()
	if len(options.Claims)+len(options.Blockers) > 0 {
		v = vocabularyWith(options)
	}
	e := &Evaluator{vocabulary: v, wording: maps.Clone(options.Wording), participles: standardParticiples()}
	e.judges.New = func() any { return newJudge(v) }
	return e
}

// What every evaluator without phrases of the host's own shares is built once:
// a program that audits logs makes one for each set of tools.
var (
	standardVocabulary  = sync.OnceValue(func() *vocabulary { return vocabularyWith(&Options{}) })
	standardParticiples = sync.OnceValue(func() map[int32]string { return participlesOf(lexicon.English()) })
)

func vocabularyWith(options *Options) *vocabulary {
	v, err := newVocabulary(lexicon.English(), english, options)
	if err != nil {
		panic(err) // the file is part of the program and covered by its tests
	}
	return v
}

// Evaluate judges a turn. It is pure: the same turn gets the same verdict, and
// nothing is read, called or changed.
func (e *Evaluator) Evaluate(turn Turn) Verdict {
	j := e.judges.Get().(*judge)
	j.reset(turn)
	v := j.verdict()
	v.Confidence = confidence(&v)
	v.Correction = correction(&v, j.turn)
	j.release()
	e.judges.Put(j)
	return v
}

// verdict goes through the ways a turn can fall short, the gravest first.
func (j *judge) verdict() Verdict {
	sum := j.sum()
	if strings.TrimSpace(j.turn.Text) == "" {
		if sum.changes > 0 {
			return Verdict{Reason: NoClosure}
		}
		return Verdict{Reason: EmptyText}
	}
	if leak := FindLeak(j.turn.Text, j.turn.Tools); leak.Found() {
		return Verdict{Reason: LeakedCall, Leak: leak}
	}
	prose := unwrap(fold(j.turn.Text))
	j.text.json = strings.HasPrefix(strings.TrimSpace(j.turn.Text), "{")
	j.text.verbatim = j.asksForWords()
	j.text.read(prose)
	j.signals = j.text.signals(j.read(j.turn.Records))
	j.findClaims()
	j.findCalls()
	j.findForeign()
	j.findSearches()
	j.findVerifications()
	j.findFailures()
	j.findContent()
	v := Verdict{Claims: j.claims, Blocker: j.blocker(), Asks: j.waits()}
	j.grade(v.Claims)
	if unbacked := v.Unbacked(); unbacked != nil {
		v.Reason = UnbackedClaim
		if unbacked.Kind == ClaimFailure {
			v.Reason = FabricatedFailure
		}
		return v
	}
	j.decide(&v, sum)
	return v
}

// tally is what the records of the turn prove.
type tally struct {
	changes, reads, failures int
	pending                  int  // changes that were accepted and are not done
	expected                 bool // an expected tool was called with success
}

func (j *judge) sum() tally {
	var sum tally
	for i, record := range j.turn.Records {
		if record == nil {
			continue
		}
		changes := j.turn.effectOf(record).MayChange()
		switch {
		case record.Succeeded() && changes:
			sum.changes++
		case record.Succeeded():
			sum.reads++
		case changes && record.Result.Status == tooltrack.Pending && !record.Ruling.Denied:
			sum.pending++
		case changes && !succeeded(j.turn.Records[i+1:], record.Tool) && !j.noSuchTool(record):
			sum.failures++
		}
		sum.expected = sum.expected || record.Succeeded() && j.expects(record.Tool)
	}
	return sum
}

// noSuchTool reports whether a refused call was of a tool that does not exist:
// a slip of the model that nothing can have come of, and no news to the user.
func (j *judge) noSuchTool(record *tooltrack.Record) bool {
	refused := record.Ruling.Denied || record.Result.Status == tooltrack.Denied
	return refused && len(j.turn.Tools) > 0 && !slices.ContainsFunc(j.turn.Tools, func(tool tooltrack.Tool) bool { return tool.Name == record.Tool })
}

// notDone are the acts that failed, and that no other call has done.
func (j *judge) notDone() act {
	var done, failed act
	for i, record := range j.turn.Records {
		switch {
		case record == nil || !j.turn.effectOf(record).MayChange() || record.Result.Status == tooltrack.Pending && !record.Ruling.Denied:
		case record.Succeeded():
			done |= j.tools.of(record).act
		case !succeeded(j.turn.Records[i+1:], record.Tool) && !j.noSuchTool(record):
			failed |= j.tools.of(record).act
		}
	}
	return failed &^ done
}

func (j *judge) expects(tool string) bool {
	for _, name := range j.turn.Expected {
		if name == tool {
			return true
		}
	}
	return false
}

// decide settles the outcome of a text without unbacked claims.
func (j *judge) decide(v *Verdict, sum tally) {
	blocked := v.Blocker.Kind != NoBlocker
	for _, requirement := range j.turn.Contract.Require {
		if missing := requirement.Unmet(*j.turn, v.Blocker); missing != "" {
			v.Missing = append(v.Missing, missing)
		}
	}
	due := j.turn.Contract.Due
	switch {
	case len(v.Missing) > 0 && blocked:
		v.Outcome, v.Reason = CompletedWithBlocker, Blocked
	case len(v.Missing) > 0:
		v.Reason = MissingRequirement
	case sum.failures > 0 && !j.tellsFailure(blocked) && (sum.changes == 0 || j.asks(j.notDone())):
		v.Reason = UnreportedFailure
	case sum.pending > 0 && sum.changes == 0 && !blocked && !j.tellsPending():
		v.Reason = UnreportedFailure
	case sum.pending > 0 && sum.changes == 0:
		v.Outcome, v.Reason = CompletedWithBlocker, Blocked
	case sum.changes > 0 && j.unfinished():
		v.Reason = Promise
	case sum.changes > 0:
		v.Outcome, v.Reason = CompletedWithWork, WorkDone
	case j.pendingPromise():
		v.Reason = Promise
	case blocked:
		v.Outcome, v.Reason = CompletedWithBlocker, Blocked
	case sum.expected:
		v.Outcome, v.Reason = CompletedWithWork, WorkDone
	case due == DueNothing || due == DueAnswer:
		v.Outcome, v.Reason = CompletedWithWork, NothingDue
	case sum.reads > 0:
		v.Reason = ReadOnlyLoop
	}
}

// tellsPending reports whether a claim says that what is pending was requested.
func (j *judge) tellsPending() bool {
	return slices.ContainsFunc(j.turn.Records, func(record *tooltrack.Record) bool {
		return record != nil && record.Result.Status == tooltrack.Pending && j.used(record)
	})
}

// tellsFailure reports whether a text says that something did not work.
func (j *judge) tellsFailure(blocked bool) bool {
	return blocked || j.signals.failures >= 0 || j.signals.prevents >= 0
}

// pendingPromise reports whether the text ends by announcing work, with
// nothing asked of the user behind it or just before.
func (j *judge) pendingPromise() bool {
	const (
		tail  = 3 // sentences that may follow: an apology, a thank-you
		apart = 2 // "Could you send me the id? I will check it then."
	)
	p := j.signals.promises
	return p >= 0 && (j.signals.asks < 0 || p-j.signals.asks > apart) && p >= len(j.text.sentences)-tail
}
