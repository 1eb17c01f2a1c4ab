package tooltracktest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAtMostOnce holds a ledger on the store against the rule of "at most once" in every order of a
// few calls: two calls that change the same thing, proposed by two runs of one turn, each of which
// succeeds, fails, stays pending, ends in an unknown fate, or is cut off by a crash after which the
// run begins anew. Proposals is how many there are: 5 are some 50,000 histories for each kind of
// tool, 3 are some hundred.
func TestAtMostOnce(t *testing.T, open func(testing.TB) tooltrack.Store, proposals int) {
	for _, kind := range onceKinds {
		t.Run(kind.name, func(t *testing.T) {
			explore := &explorer{proposals: proposals, kind: kind}
			if kind.tool.Idempotent { // nearly everything runs, so there are ten times as many
				explore.proposals--
			}
			for more := true; more; more = explore.advance() {
				if explore.histories%historiesPerStore == 0 {
					explore.store = open(t)
				}
				if fault := explore.history(t); fault != "" {
					t.Fatalf("%s\n%s", fault, strings.Join(explore.told, "\n"))
				}
			}
			t.Logf("%d histories", explore.histories)
		})
	}
}

// historiesPerStore keeps a bounded store from filling up with calls that were cut off.
const historiesPerStore = 10_000

// onceKind is a kind of tool and what the rule says about it.
type onceKind struct {
	name string
	tool tooltrack.Tool
	args [2]string
	// again says whether a call that succeeded may run again, given how often it
	// has and whether the other call has succeeded since.
	again func(successes int, changedSince bool) bool
}

var onceKinds = []onceKind{
	{"a setting", tooltrack.Tool{
		Name: "set_light", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "room", Kind: "room"}},
		[2]string{`{"room":"hall","on":true}`, `{"on":false,"room":"hall"}`},
		func(successes int, changed bool) bool { return changed && successes < 3 }},
	{"a deed", tooltrack.Tool{Name: "send_email", Effect: tooltrack.Changes},
		[2]string{`{"to":"bob","text":"hi"}`, `{"to":"bob","text":"bye"}`},
		func(int, bool) bool { return false }},
	{"a deed of undeclared effect", tooltrack.Tool{Name: "transfer_money"},
		[2]string{`{"eur":1.0}`, `{"eur":2}`},
		func(int, bool) bool { return false }},
	{"undeclared", tooltrack.Tool{Name: "job_status", Implied: &tooltrack.Implied{Repeats: true}},
		[2]string{`{"job":1}`, `{"job":2}`},
		func(successes int, _ bool) bool { return successes < 8 }},
	{"idempotent", tooltrack.Tool{Name: "upsert", Effect: tooltrack.Changes, Idempotent: true},
		[2]string{`{"k":1}`, `{"k":2}`},
		func(int, bool) bool { return false }},
	{"repeatable", tooltrack.Tool{Name: "append_line", Effect: tooltrack.Changes, Repeatable: true},
		[2]string{`{"line":1}`, `{"line":2}`},
		func(int, bool) bool { return true }},
}

// onceFates are what may become of a call that runs; the last is a crash before
// its result is written down.
var onceFates = []tooltrack.Result{
	success, tooltrack.FailedResult("no"), tooltrack.UnknownResult("lost"),
	{Status: tooltrack.Pending, Grade: tooltrack.Executed}, {},
}

// explorer goes through all histories by choosing again: each history asks for its choices one by
// one, and the last one that has an alternative is changed for the next.
type explorer struct {
	store     tooltrack.Store
	proposals int
	kind      onceKind

	choices, options []int
	at, histories    int
	told             []string
}

func (e *explorer) choose(options int) int {
	if e.at == len(e.choices) {
		e.choices, e.options = append(e.choices, 0), append(e.options, options)
	}
	e.at++
	return e.choices[e.at-1]
}

// advance makes the next history the current one; false after the last.
func (e *explorer) advance() bool {
	for i := len(e.choices) - 1; i >= 0; i-- {
		if e.choices[i]++; e.choices[i] < e.options[i] {
			e.choices, e.options = e.choices[:i+1], e.options[:i+1]
			return true
		}
	}
	return false
}

// execution is a call that really ran.
type execution struct {
	call   int
	status tooltrack.Status // Unknown for one that was cut off
}

// history plays one history and returns what is wrong with it.
func (e *explorer) history(t *testing.T) string {
	e.at, e.told = 0, nil
	e.histories++
	scope := tooltrack.Scope{Owner: "ann", Turn: fmt.Sprint("turn ", e.histories)}
	var runs [2]*onceRun
	for i := range runs {
		runs[i] = e.begin(t, scope)
	}
	var world []execution
	crashed := false
	for n := range e.proposals {
		by, call := 0, 0 // the first may as well be the first
		if n > 0 {
			by, call = e.choose(2), e.choose(2)
		}
		proposed := tooltrack.Call{ID: "c", Tool: e.kind.tool.Name, Args: []byte(e.kind.args[call])}
		begun, err := runs[by].turn.Begin(t.Context(), e.kind.tool, proposed, nil)
		if err != nil {
			return err.Error()
		}
		e.told = append(e.told, fmt.Sprintf("run %d proposes %d: run %v (occurrence %d, attempt %d; %s)",
			by, call, begun.Run, begun.Record.Occurrence, begun.Record.Attempt, begun.Reason))
		if fault := e.judge(world, call, begun, runs[by].alone && runs[1-by].idle && !crashed); fault != "" {
			return fault
		}
		runs[by].idle, runs[1-by].alone = false, false
		if !begun.Run {
			continue
		}
		fate := e.choose(len(onceFates))
		world = append(world, execution{call, onceFates[fate].Status})
		e.told[len(e.told)-1] += fmt.Sprintf(": %v, fate %d", onceFates[fate].Status, fate)
		if fate == len(onceFates)-1 {
			runs[by], crashed = e.begin(t, scope), true
			continue
		}
		if _, err := runs[by].turn.Finish(t.Context(), begun.Record, onceFates[fate]); err != nil {
			return err.Error()
		}
	}
	return ""
}

// onceRun is one run of the turn: a process of its own. It is idle until it
// proposes, and alone until the other one does.
type onceRun struct {
	turn        *tooltrack.Turn
	idle, alone bool
}

func (e *explorer) begin(t *testing.T, scope tooltrack.Scope) *onceRun {
	turn, err := tooltrack.NewLedger(e.store, nil).Open(scope)
	if err != nil {
		t.Fatal(err)
	}
	return &onceRun{turn, true, true}
}

// judge holds an answer against the rule. That nothing runs which must not is
// asked of every history; that everything runs which may only of those with one
// run, since another one is answered from what the first has done.
func (e *explorer) judge(world []execution, call int, begun tooltrack.Begun, single bool) string {
	may := e.mayRun(world, call)
	switch {
	case begun.Run && !may:
		return "it must not run again"
	case !begun.Run && may && single:
		return "it may run, and does not"
	case begun.Run && begun.Reason != "":
		return "it runs, and is refused with a reason"
	case !begun.Run && (begun.Reason == "" || begun.Record == nil || begun.Record.Tool != e.kind.tool.Name):
		return "it is not run, and nobody is told why"
	}
	return ""
}

func (e *explorer) mayRun(world []execution, call int) bool {
	successes, changed := 0, false
	for _, past := range world {
		switch {
		case past.call != call:
			changed = changed || past.status == tooltrack.Succeeded
		case past.status == tooltrack.Succeeded:
			successes++
			changed = false
		case (past.status == tooltrack.Unknown || past.status == tooltrack.Pending) && !e.kind.tool.Idempotent:
			return false
		}
	}
	return successes == 0 || e.kind.again(successes, changed)
}
