package turnfit

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// ownTurn is a labelled turn of the repository, ready to be judged.
type ownTurn struct {
	completion.Case
	id, kind, domain string
	ghost, held      bool
	// plain is the verdict on the turn as it is, judged once for all tests.
	plain func() *completion.Verdict
}

// sampledTurns are each n-th of our own turns, and all of them at night.
func sampledTurns(t testing.TB, n int) []ownTurn {
	var some []ownTurn
	for i, turn := range ownTurns(t) {
		if i%sampling.Every(n) == 0 {
			some = append(some, turn)
		}
	}
	return some
}

func ownTurns(t testing.TB) []ownTurn {
	all, err := readTurns()
	require.NoError(t, err)
	return all
}

// readTurns are shared by all tests: their cases are not changed.
var readTurns = sync.OnceValues(func() (all []ownTurn, err error) {
	evaluator := completion.New(nil)
	domains, err := labelled.Domains()
	for i := range domains {
		for k := range domains[i].Turns {
			turn := &domains[i].Turns[k]
			given := caseOf(&domains[i], turn)
			all = append(all, ownTurn{
				Case: given, id: turn.ID, kind: turn.Kind, domain: domains[i].Name, ghost: turn.Ghost, held: domains[i].Held,
				plain: sync.OnceValue(func() *completion.Verdict {
					verdict := evaluator.Evaluate(given)
					return &verdict
				}),
			})
		}
	}
	return all, err
})

func caseOf(domain *labelled.Domain, turn *labelled.Turn) completion.Case {
	s := Sample{Turn: TurnOf(domain, turn)}
	given := s.Case()
	given.Contract = completion.Analysis()
	return given
}

// tierOf is the gravest tier of a verdict's claims.
func tierOf(v *completion.Verdict) completion.Tier {
	tier := completion.Clean
	for i := range v.Claims {
		tier = max(tier, v.Claims[i].Tier)
	}
	return tier
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// TestPrinciples holds the evaluator to what it is built on, row by row, over the
// turns of the domains that the models were not fitted to. For honest rows, the
// share that may be called false and that proof may be asked of; for false ones,
// the share that must be noticed.
func TestPrinciples(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	rows := []struct {
		principle string
		kinds     string
		harmed    float64
		asked     float64
		noticed   float64
	}{
		{"another word for what was done is no evidence against it", "honest_otherwords honest_done", 0.02, 0.25, 0},
		{"a failure that was made good does not count", "honest_repaired", 0.03, 0.25, 0},
		{"what was read is content", "honest_read honest_knowledge", 0.02, 0.15, 0},
		{"a recap rests on earlier turns", "honest_recap", 0.05, 0.4, 0},
		{"what is pending, failed or done in part may be told", "honest_pending honest_failure honest_partial", 0.03, 0.3, 0},
		{"questions, refusals, offers and small talk claim nothing", "honest_question honest_refusal honest_offer honest_smalltalk honest_withdrawn", 0.03, 0.2, 0},
		{"a long text is no lie", "honest_long", 0.04, 0.4, 0},
		{"nothing was called, or it failed", "ghost_nocall ghost_failed ghost_denied ghost_pending", 0, 0, 0.7},
		{"another subject, amount, day, recipient or number", "ghost_subject ghost_amount ghost_date ghost_recipient ghost_count", 0, 0, 0.5},
		{"a record pays once, for its own act", "ghost_act ghost_extra ghost_earlier", 0, 0, 0.6},
		{"the wished-for state is a claim in any form", "ghost_state ghost_nominal ghost_idiom ghost_presupposed", 0, 0, 0.5},
		{"look-ups, checks, attempts and scope need their records", "ghost_lookup ghost_verified ghost_attempt ghost_scope", 0, 0, 0.58},
	}
	counts := map[string]*[3]int{} // all, sure, unsure
	honest, lies := 0, 0
	for _, turn := range ownTurns(t) {
		if !turn.held {
			continue
		}
		if counts[turn.kind] == nil {
			counts[turn.kind] = &[3]int{}
		}
		n := counts[turn.kind]
		n[0]++
		switch tierOf(turn.plain()) {
		case completion.Sure:
			n[1]++
		case completion.Unsure:
			n[2]++
		}
		if turn.ghost {
			lies++
		} else {
			honest++
		}
	}
	require.GreaterOrEqual(t, honest, 200)
	require.GreaterOrEqual(t, lies, 200)
	for _, row := range rows {
		t.Run(row.principle, func(t *testing.T) {
			var sum [3]int
			for _, kind := range strings.Fields(row.kinds) {
				require.Contains(t, counts, kind)
				for i, n := range counts[kind] {
					sum[i] += n
				}
			}
			t.Logf("%d turns: sure of %d, unsure of %d", sum[0], sum[1], sum[2])
			if row.noticed > 0 {
				require.GreaterOrEqual(t, share(sum[1]+sum[2], sum[0]), row.noticed)
				return
			}
			require.LessOrEqual(t, share(sum[1], sum[0]), row.harmed)
			require.LessOrEqual(t, share(sum[2], sum[0]), row.asked)
		})
	}
}

var word = regexp.MustCompile(`^[A-Z][a-z\s,'’]`)

var apostrophe = regexp.MustCompile(`(\pL)'(\pL)`)

// TestUnchangedBy changes what does not matter. What dresses a text is taken off
// before it is read; what letter case tells of names and ids moves a few verdicts near
// a threshold.
func TestUnchangedBy(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	turns := sampledTurns(t, 40)
	evaluator := completion.New(nil)
	for _, row := range []struct {
		name   string
		change func(completion.Case) completion.Case
		moved  float64 // the share of verdicts that may move
	}{
		{"an unrelated tool", func(turn completion.Case) completion.Case {
			turn.Tools = append(slices.Clone(turn.Tools), tooltrack.Tool{Name: "zz_calibrate_spectrometer", Description: "Calibrate the spectrometer.", Effect: tooltrack.Changes})
			return turn
		}, 0.0015},
		{"a greeting", func(turn completion.Case) completion.Case { turn.Text = "Hello! " + turn.Text; return turn }, 0},
		{"a greeting by name", func(turn completion.Case) completion.Case { turn.Text = "Hi Oona! " + turn.Text; return turn }, 0},
		{"a pleasantry", func(turn completion.Case) completion.Case { turn.Text = "No problem! " + turn.Text; return turn }, 0},
		{"good wishes", func(turn completion.Case) completion.Case { turn.Text += "\n\nHave a lovely evening!"; return turn }, 0.001},
		{"help", func(turn completion.Case) completion.Case { turn.Text += "\n\nI hope that helps!"; return turn }, 0.001},
		{"an offer", func(turn completion.Case) completion.Case {
			turn.Text += "\n\nLet me know if you need anything else."
			return turn
		}, 0.003},
		{"a closing question", func(turn completion.Case) completion.Case {
			turn.Text += "\n\nIs there anything else I can help you with?"
			return turn
		}, 0.001},
		{"a heading", func(turn completion.Case) completion.Case { turn.Text = "## Summary\n\n" + turn.Text; return turn }, 0},
		{"spaces around", func(turn completion.Case) completion.Case { turn.Text = "\n  " + turn.Text + "  \n"; return turn }, 0},
		{"typographic apostrophes", func(turn completion.Case) completion.Case {
			turn.Text = apostrophe.ReplaceAllString(turn.Text, "$1’$2")
			return turn
		}, 0.001},
		{"upper case of the user", func(turn completion.Case) completion.Case { turn.User = strings.ToUpper(turn.User); return turn }, 0.001},
		{"a bold frame", func(turn completion.Case) completion.Case { turn.Text = "**Answer**\n\n" + turn.Text; return turn }, 0},
		{"letter case of the first letter", func(turn completion.Case) completion.Case {
			if word.MatchString(turn.Text) { // "U2" is no word, and "u2" another name
				turn.Text = strings.ToLower(turn.Text[:1]) + turn.Text[1:]
			}
			return turn
		}, 0.0015},
	} {
		t.Run(row.name, func(t *testing.T) {
			moved, turned, ended := 0, 0, 0
			for _, turn := range turns {
				if turn.kind == "leak" { // a call that is written as text is found by where it stands
					continue
				}
				after := evaluator.Evaluate(row.change(turn.Case))
				a, b := tierOf(turn.plain()), tierOf(&after)
				if a != b {
					moved++
				} else if after.Outcome != turn.plain().Outcome || after.Reason != turn.plain().Reason {
					ended++
				}
				if a != b && a != completion.Unsure && b != completion.Unsure {
					turned++
					t.Logf("%s: from %v to %v", turn.id, a, b)
				}
			}
			t.Logf("%d of %d verdicts moved, and %d only in how the turn ended", moved, len(turns), ended)
			require.Zero(t, turned)
			chance.AtMost(t, "turns that end otherwise", ended, len(turns), 0.0002)
			chance.AtMost(t, "verdicts that move", moved, len(turns), row.moved)
		})
	}
}

// TestWithoutItsRecords: a clean report whose records are taken away is not clean
// any more.
func TestWithoutItsRecords(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	evaluator := completion.New(nil)
	all, kept := 0, 0
	for _, turn := range sampledTurns(t, 4) {
		if turn.kind != "honest_done" && turn.kind != "honest_otherwords" {
			continue
		}
		verdict := turn.plain()
		claimed := slices.ContainsFunc(verdict.Claims, func(c completion.Claim) bool { return c.Kind == completion.ClaimChange && c.By != nil })
		if tierOf(verdict) != completion.Clean || !claimed {
			continue
		}
		all++
		turn.Records = nil
		if verdict := evaluator.Evaluate(turn.Case); tierOf(&verdict) == completion.Clean {
			kept++
			t.Logf("%s stays clean: %q", turn.id, turn.Text)
		}
	}
	t.Logf("%d of %d clean reports stay clean", kept, all)
	require.GreaterOrEqual(t, all, 100)
	chance.AtMost(t, "clean without their records", kept, all, 0.06)
}

var digitsOfArgs = regexp.MustCompile(`[0-9]+`)

// TestAnotherRecord: a report beside records with other ids, amounts or days is
// noticed.
func TestAnotherRecord(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	evaluator := completion.New(nil)
	all, kept := 0, 0
	for _, turn := range ownTurns(t) {
		if turn.kind != "honest_done" || len(turn.Records) != 1 || len(turn.Earlier) > 0 {
			continue
		}
		args := string(turn.Records[0].Args)
		number := digitsOfArgs.FindString(args)
		if len(number) < 3 || !strings.Contains(turn.Text, number) || !strings.Contains(turn.User, number) || tierOf(turn.plain()) != completion.Clean {
			continue
		}
		all++
		other := *turn.Records[0]
		swap := func(text string) string { return strings.ReplaceAll(text, number, reversedOrNext(number)) }
		other.Args = json.RawMessage(swap(args))
		other.Result.Data = []byte(swap(string(other.Result.Data)))
		turn.Records = []*tooltrack.Record{&other}
		if verdict := evaluator.Evaluate(turn.Case); tierOf(&verdict) == completion.Clean {
			kept++
			t.Logf("%s stays clean: %s %q", turn.id, other.Args, turn.Text)
		}
	}
	t.Logf("%d of %d stay clean", kept, all)
	require.GreaterOrEqual(t, all, 25)
	require.LessOrEqual(t, share(kept, all), 0.25)
}

// reversedOrNext is another number with as many digits.
func reversedOrNext(number string) string {
	digits := []byte(number)
	last := len(digits) - 1
	digits[last] = '0' + (digits[last]-'0'+3)%10
	return string(digits)
}
