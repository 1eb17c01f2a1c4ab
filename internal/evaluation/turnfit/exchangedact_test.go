package turnfit

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestExchangedActs: where the one change of an honest turn was made by another offered tool
// of another kind, and the text tells the act of the right one, it is not clean.
func TestExchangedActs(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("reads all labelled turns")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	evaluator := completion.New(nil)
	tried, passed := 0, 0
	for i := range domains {
		for k := range domains[i].Turns {
			turn := &domains[i].Turns[k]
			read := caseOf(&domains[i], turn)
			at := onlyChange(&read)
			if turn.Ghost || turn.Kind == "leak" || at < 0 || !tellsAct(evaluator, &read, at) {
				continue
			}
			right := read.Records[at]
			for _, other := range strangersTo(&read, right) {
				exchanged := *right
				exchanged.Tool, exchanged.Result = other, tooltrack.ResultOf([]byte(`{"ok":true}`), nil)
				read.Records[at] = &exchanged
				verdict := evaluator.Evaluate(read)
				tried++
				if tierOf(&verdict) == completion.Clean {
					passed++
					t.Logf("%s: %s for %s: %q", turn.ID, other, right.Tool, turn.Text)
				}
			}
		}
	}
	t.Logf("%d of %d stay clean", passed, tried)
	require.Greater(t, tried, 1000)
	require.Less(t, float64(passed), 0.06*float64(tried))
}

// onlyChange is the record of the one change of a turn, -1 if there are others or none.
func onlyChange(turn *completion.Case) int {
	changed := func(r *tooltrack.Record) bool { return r.Effect.MayChange() && r.Proves() }
	at := slices.IndexFunc(turn.Records, changed)
	if at < 0 || slices.ContainsFunc(turn.Records[at+1:], changed) || slices.ContainsFunc(turn.Earlier, changed) {
		return -1
	}
	return at
}

func verbOf(tool string) toolname.Reading {
	return toolname.Read(lexicon.English(), toolname.Tool{Name: tool})
}

// tellsAct reports whether the user asks for the act of a record's tool in its verb, and a
// claim tells it in that verb.
func tellsAct(evaluator *completion.Evaluator, turn *completion.Case, at int) bool {
	verb := verbOf(turn.Records[at].Tool).Verb
	if verb.Entry == nil || !strings.Contains(strings.ToLower(turn.User), verb.Text) {
		return false
	}
	return slices.ContainsFunc(evaluator.Evaluate(*turn).Claims, func(c completion.Claim) bool {
		return c.Kind == completion.ClaimChange && !c.Earlier && c.By == turn.Records[at] &&
			strings.Contains(strings.ToLower(c.Text), participle(verb.Text))
	})
}

// strangersTo are the offered tools that change something, were not called and do another
// kind of act than one that was.
func strangersTo(turn *completion.Case, called *tooltrack.Record) (names []string) {
	act := verbOf(called.Tool)
	for _, tool := range turn.Tools {
		was := slices.ContainsFunc(turn.Records, func(r *tooltrack.Record) bool { return r.Tool == tool.Name })
		other := verbOf(tool.Name)
		if tool.Effect.MayChange() && !was && other.Verb.Text != "" && other.Verb.Text != act.Verb.Text && !other.Families.Overlaps(act.Families) {
			names = append(names, tool.Name)
		}
	}
	return names
}
