package guard

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A small world for the kernel: two tools that change and one that reads.
var kernelTools = []tooltrack.Tool{
	{Name: "delete_task", Effect: tooltrack.Changes},
	{Name: "send_mail", Effect: tooltrack.Changes},
	{Name: "list_tasks", Effect: tooltrack.Reads},
}

func recorded(tool string, status tooltrack.Status) *tooltrack.Record {
	return &tooltrack.Record{
		Call: tooltrack.Call{Tool: tool, Args: []byte(`{"id":"7"}`)}, Effect: toolNamed(kernelTools, tool).Effect,
		Result: tooltrack.Result{Status: status, Data: []byte(`{}`)},
	}
}

func turnWith(records ...*tooltrack.Record) completion.Case {
	return completion.Case{User: "delete Read book", Text: "Gone.", Tools: kernelTools, Records: records}
}

// asking is a message that expects tools, all of them beyond doubt or none.
func asking(sure bool, tools ...string) demands {
	d := demands{due: 0.9, threshold: 0.5, outcome: 0.9}
	for _, tool := range tools {
		d.wants = append(d.wants, want{
			Expectation: intent.Expectation{Tool: tool, Confidence: 0.8, Words: tool}, tool: toolNamed(kernelTools, tool), sure: sure,
		})
	}
	return d
}

func ptr(d demands) *demands { return &d }

func insufficient(reason completion.Reason, confidence float64) completion.Verdict {
	return completion.Verdict{Reason: reason, Confidence: confidence, Otherwise: completion.CompletedWithWork, Correction: "do it"}
}

var done = completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.WorkDone}

func withClaim(verdict completion.Verdict, tier completion.Tier, doubt float64) completion.Verdict {
	verdict.Claims = append(verdict.Claims, completion.Claim{Text: "Gone", Tier: tier, Doubt: doubt})
	return verdict
}

func blocked(verdict completion.Verdict) completion.Verdict {
	verdict.Blocker = completion.Blocker{Kind: completion.NotFound}
	return verdict
}

// TestOutcomesAreActedOnWhenSure: what falls short beyond doubt is corrected,
// what may fall short is asked about, and what hardly does passes.
func TestOutcomesAreActedOnWhenSure(t *testing.T) {
	strict := asking(false)
	strict.strict = true
	for name, c := range map[string]struct {
		verdict completion.Verdict
		asked   demands
		want    fault
	}{
		"a promise, at the threshold":            {insufficient(completion.Promise, 0.9), asking(false), faultOther},
		"a promise, just below it":               {insufficient(completion.Promise, 0.899), asking(false), faultDoubt},
		"a promise, likely enough to ask":        {insufficient(completion.Promise, 0.35), asking(false), faultDoubt},
		"a promise, hardly one":                  {insufficient(completion.Promise, 0.299), asking(false), noFault},
		"a promise where the host is strict":     {insufficient(completion.Promise, 0.1), strict, faultOther},
		"a failure kept quiet, at the threshold": {insufficient(completion.UnreportedFailure, 0.9), asking(false), faultOther},
		"a failure kept quiet, below it":         {insufficient(completion.UnreportedFailure, 0.6), asking(false), faultDoubt},
		"no work":                                {insufficient(completion.NoWork, 1), asking(false), noFault},
		"no work where the host is strict":       {insufficient(completion.NoWork, 0), strict, faultOther},
		"reads only":                             {insufficient(completion.ReadOnlyLoop, 1), asking(false), noFault},
		"reads only where the host is strict":    {insufficient(completion.ReadOnlyLoop, 0), strict, faultOther},
		"an empty text":                          {insufficient(completion.EmptyText, 0), asking(false), faultOther},
		"a leaked call":                          {insufficient(completion.LeakedCall, 0), asking(false), faultLeaked},
		"a leaked call that is quoted":           {completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.LeakedCall}, asking(false), noFault},
		"done":                                   {done, asking(false), noFault},
	} {
		t.Run(name, func(t *testing.T) {
			c.asked.due, c.asked.threshold = 0.4, 0.5 // nothing is due
			found := findingOf(c.verdict, turnWith(recorded("list_tasks", tooltrack.Succeeded)), &c.asked)
			require.Equal(t, c.want, found.fault)
			switch {
			case c.want == faultOther || c.want == faultLeaked:
				require.Equal(t, completion.Sure, found.tier())
				require.False(t, found.verdict.Outcome.Completed())
			case c.want == faultDoubt:
				require.Equal(t, completion.Unsure, found.tier())
				require.Equal(t, []Doubt{{Probability: c.verdict.Confidence}}, found.doubts)
				require.Equal(t, c.verdict.Reason, found.unsettled)
				require.Equal(t, "do it", found.correction)
			default:
				require.Equal(t, completion.Clean, found.tier())
				require.True(t, found.verdict.Outcome.Completed())
				require.Empty(t, found.verdict.Correction)
			}
		})
	}
}

// TestACommandThatTheTextClaims is refused for the lie, unless the tool is beyond
// doubt: that a text claims a thing does not make it due.
func TestACommandThatTheTextClaims(t *testing.T) {
	lie := insufficient(completion.UnbackedClaim, 1)
	lie = withClaim(lie, completion.Sure, 1)
	require.True(t, lie.Ghost(), "or this says nothing")
	for name, c := range map[string]struct {
		change  func(*demands)
		records []*tooltrack.Record
		want    fault
	}{
		"likely":                        {func(d *demands) { d.wants[0].Confidence = 0.9 }, nil, faultClaim},
		"held back":                     {func(d *demands) { d.wants[0].held = true }, nil, faultClaim},
		"another change was made":       {func(*demands) {}, []*tooltrack.Record{recorded("send_mail", tooltrack.Succeeded)}, faultClaim},
		"beyond doubt":                  {func(d *demands) { d.wants[0].sure = true }, nil, faultMissing},
		"beyond doubt, whatever it was": {func(d *demands) { d.wants[0].sure = true }, []*tooltrack.Record{recorded("send_mail", tooltrack.Failed)}, faultMissing},
	} {
		t.Run(name, func(t *testing.T) {
			asked := asking(false, "delete_task")
			asked.wants[0].Command = true
			c.change(&asked)
			require.Equal(t, c.want, findingOf(lie, turnWith(c.records...), &asked).fault)
		})
	}
}

// TestADoubtSettledInFavour: the outcome is the evaluator's second choice.
func TestADoubtSettledInFavour(t *testing.T) {
	for second, want := range map[completion.Outcome]completion.Reason{
		completion.CompletedWithBlocker: completion.Blocked,
		completion.CompletedWithWork:    completion.NothingDue,
		completion.InsufficientProgress: completion.NothingDue,
	} {
		verdict := insufficient(completion.Promise, 0.6)
		verdict.Otherwise = second
		found := findingOf(verdict, turnWith(), ptr(asking(false)))
		require.Equal(t, want, found.verdict.Reason, second)
		require.Equal(t, second == completion.CompletedWithBlocker, found.verdict.Outcome == completion.CompletedWithBlocker)
	}
	kept := findingOf(done, turnWith(), ptr(asking(false)))
	require.Equal(t, completion.WorkDone, kept.verdict.Reason, "what was completed keeps its reason")
	require.Zero(t, kept.unsettled)
}

// TestWhatIsMissing: an expected tool that was not called is insisted on when
// that is beyond doubt, asked about when it is not, and left when the text says
// what it waits for.
func TestWhatIsMissing(t *testing.T) {
	asks := done
	asks.Asks = true
	withBlocker := completion.Verdict{Outcome: completion.CompletedWithBlocker, Reason: completion.Blocked}
	command := asking(false, "delete_task")
	command.wants[0].Command = true
	heldBack := asking(false, "delete_task")
	heldBack.wants[0].Command, heldBack.wants[0].held = true, true
	notDue := asking(false, "delete_task")
	notDue.due = 0.49
	justDue := asking(false, "delete_task")
	justDue.due = 0.5
	takenBack := asking(false, "delete_task")
	takenBack.hold = intent.Withdrawn
	changed, read := recorded("send_mail", tooltrack.Succeeded), recorded("list_tasks", tooltrack.Succeeded)
	for name, c := range map[string]struct {
		verdict completion.Verdict
		asked   demands
		records []*tooltrack.Record
		want    fault
	}{
		"sure":                                   {done, asking(true, "delete_task"), nil, faultMissing},
		"sure, and called":                       {done, asking(true, "delete_task"), []*tooltrack.Record{recorded("delete_task", tooltrack.Succeeded)}, noFault},
		"sure, and tried":                        {done, asking(true, "delete_task"), []*tooltrack.Record{recorded("delete_task", tooltrack.Failed)}, noFault},
		"sure, and the text asks":                {asks, asking(true, "delete_task"), nil, noFault},
		"sure, and the text asks beside a lie":   {withClaim(asks, completion.Sure, 1), asking(true, "delete_task"), nil, faultMissing},
		"sure, and blocked":                      {withBlocker, asking(true, "delete_task"), nil, noFault},
		"sure, blocker named, nothing done":      {blocked(done), asking(true, "delete_task"), nil, faultMissing},
		"sure, blocker named, something read":    {blocked(done), asking(true, "delete_task"), []*tooltrack.Record{read}, noFault},
		"sure, blocker named, a part done":       {blocked(done), asking(true, "delete_task", "send_mail"), []*tooltrack.Record{changed}, noFault},
		"sure, blocker named, a part tried":      {blocked(done), asking(true, "delete_task", "list_tasks"), []*tooltrack.Record{recorded("list_tasks", tooltrack.Failed)}, noFault},
		"sure, no blocker, a part done":          {done, asking(true, "delete_task", "send_mail"), []*tooltrack.Record{changed}, faultMissing},
		"unsure":                                 {done, asking(false, "delete_task"), nil, faultDoubt},
		"unsure, and not due":                    {done, notDue, nil, noFault},
		"unsure, and just due":                   {done, justDue, nil, faultDoubt},
		"unsure, and taken back":                 {done, takenBack, nil, noFault},
		"unsure, and the text asks":              {asks, asking(false, "delete_task"), nil, noFault},
		"unsure, and the text names a blocker":   {blocked(done), asking(false, "delete_task"), nil, noFault},
		"a command that the text claims":         {withClaim(done, completion.Sure, 1), command, nil, faultClaim},
		"a command that the text leaves":         {done, command, nil, faultDoubt},
		"a command held back, and claimed":       {withClaim(done, completion.Sure, 1), heldBack, nil, faultClaim},
		"no command, and claimed":                {withClaim(done, completion.Sure, 1), asking(false, "delete_task"), nil, faultClaim},
		"nothing expected, something may be":     {done, asking(false), nil, faultDoubt},
		"nothing expected, and something read":   {done, asking(false), []*tooltrack.Record{read}, noFault},
		"nothing expected, read again and again": {insufficient(completion.ReadOnlyLoop, 0.1), asking(false), []*tooltrack.Record{read}, faultDoubt},
	} {
		t.Run(name, func(t *testing.T) {
			found := findingOf(c.verdict, turnWith(c.records...), &c.asked)
			require.Equal(t, c.want, found.fault)
			require.Equal(t, c.want == faultMissing, len(found.missing) > 0)
			if c.want == faultMissing {
				require.Equal(t, completion.InsufficientProgress, found.verdict.Outcome)
				reason := completion.NoWork
				if slices.Contains(c.records, changed) { // a part is done
					reason = completion.MissingRequirement
				}
				require.Equal(t, reason, found.verdict.Reason)
				require.Equal(t, "delete_task", found.missing[0].Tool)
			}
			if c.want == faultDoubt && len(c.asked.wants) > 0 {
				require.Equal(t, []Doubt{{Tool: "delete_task", Words: "delete_task", Probability: 0.8}}, found.doubts)
			} else if c.want == faultDoubt {
				require.Equal(t, []Doubt{{Probability: c.asked.due}}, found.doubts)
			}
		})
	}
	promised := findingOf(insufficient(completion.Promise, 0.2), turnWith(), ptr(asking(true, "delete_task")))
	require.Equal(t, completion.Promise, promised.verdict.Reason, "what the evaluator found keeps its name")
}

// TestWhatOthersSayDue: only what was taken back, forbidden or drafted is not
// due; a question may still be.
func TestWhatOthersSayDue(t *testing.T) {
	for hold, want := range map[intent.Hold]bool{
		intent.NotHeld: true, intent.Withdrawn: false, intent.Forbidden: false, intent.Drafted: false, intent.Supposed: true, intent.Explained: true,
	} {
		d := demands{due: 0.5, threshold: 0.5, hold: hold}
		require.Equal(t, want, d.mayBeDue(), hold)
	}
}

// TestClaimsInDoubt: in talk only what reads strongly like a report is asked
// about, and a plain report of the one change is not.
func TestClaimsInDoubt(t *testing.T) {
	readings := match.NewTools(kernelTools)
	asked := func(due float64) demands {
		return demands{due: due, threshold: 2, readings: func() *match.Tools { return readings }}
	}
	deleted := recorded("delete_task", tooltrack.Succeeded)
	for name, c := range map[string]struct {
		due     float64
		doubt   float64
		claim   string
		records []*tooltrack.Record
		asked   bool
	}{
		"talk, a weak report":                {0.34, 0.64, "It is gone", nil, false},
		"talk, a strong report":              {0.34, 0.65, "It is gone", nil, true},
		"no talk, a weak report":             {0.35, 0.1, "It is gone", nil, true},
		"talk, and something was called":     {0.34, 0.1, "It is gone", []*tooltrack.Record{recorded("list_tasks", tooltrack.Succeeded)}, true},
		"a plain report of the one change":   {0.9, 0.9, "I deleted Read book", []*tooltrack.Record{deleted}, false},
		"a report of more than was asked":    {0.9, 0.9, "I deleted Read book and the archive", []*tooltrack.Record{deleted}, true},
		"a report of one of several changes": {0.9, 0.9, "I deleted Read book", []*tooltrack.Record{deleted, deleted}, true},
	} {
		t.Run(name, func(t *testing.T) {
			verdict := withClaim(done, completion.Unsure, c.doubt)
			verdict.Claims[0].Text = c.claim
			verdict = withClaim(verdict, completion.Clean, 0)
			found := findingOf(verdict, turnWith(c.records...), ptr(asked(c.due)))
			if !c.asked {
				require.Empty(t, found.doubts)
				return
			}
			require.Len(t, found.doubts, 1)
			require.Equal(t, []any{c.claim, c.doubt, "claim"}, []any{found.doubts[0].Words, found.doubts[0].Probability, found.doubts[0].Kind()})
		})
	}
	host := findingOf(withClaim(done, completion.Unsure, 0.8), turnWith(deleted), &demands{threshold: 2})
	require.Len(t, host.doubts, 1, "without readings nothing is plain")
}

// TestLookUpsAreMeans: a look-up that is beyond doubt is insisted on, unless an earlier
// turn made it or the turn is a long piece of work; then it is asked about. A change is
// insisted on whatever else was done.
func TestLookUpsAreMeans(t *testing.T) {
	ok := recorded("list_tasks", tooltrack.Succeeded)
	work := slices.Repeat([]*tooltrack.Record{recorded("send_mail", tooltrack.Succeeded)}, 5)
	for name, c := range map[string]struct {
		tool             string
		records, earlier []*tooltrack.Record
		want             fault
	}{
		"nothing was called":     {"list_tasks", nil, nil, faultMissing},
		"made in an earlier one": {"list_tasks", nil, []*tooltrack.Record{ok}, faultDoubt},
		"failed in an earlier":   {"list_tasks", nil, []*tooltrack.Record{recorded("list_tasks", tooltrack.Failed)}, faultMissing},
		"a long piece of work":   {"list_tasks", work, nil, faultDoubt},
		"a short one":            {"list_tasks", work[:2], nil, faultMissing},
		"a change, long ago":     {"delete_task", nil, []*tooltrack.Record{recorded("delete_task", tooltrack.Succeeded)}, faultMissing},
		"a change, in long work": {"delete_task", work, nil, faultMissing},
	} {
		t.Run(name, func(t *testing.T) {
			asked := asking(true, c.tool)
			if len(c.records) > 0 { // so that none of them stands in for the tool
				asked = asking(true, c.tool, "send_mail")
			}
			turn := turnWith(c.records...)
			turn.Earlier = c.earlier
			require.Equal(t, c.want, findingOf(done, turn, &asked).fault)
		})
	}
}
