package completion

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/forest/growth"
	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var (
	fit      = flag.Bool("fit", false, "fit the models anew and write data/model.txt")
	more     = flag.String("more", "../../shared/data/dev", "a folder with recorded turns; \"none\" to do without")
	showing  = flag.String("showing", "", "print the worst misjudged turns of a set of -more, or of \"own\"")
	without  = flag.String("without", "", "with -fit, leave out the set of -more with this name, to measure what was fitted on it elsewhere")
	measured = flag.Bool("measured", false, "print figures with whole domains left out, of all data")
)

// sample is a labelled turn, read.
type sample struct {
	id, set, group string
	kind           string
	held           bool
	unlabelled     bool
	ablated        bool
	weight, label  float64
	outcome        string
	conv           *conversation
	clauses        [][]float32
	hash           uint64
	guard          sync.Mutex // of conv: parts are fitted at the same time
}

// vectors are the features of the turn, given the doubts about its clauses.
func (s *sample) vector(doubts []float64) []float32 {
	s.guard.Lock()
	defer s.guard.Unlock()
	for i := range s.conv.assertions {
		s.conv.assertions[i].doubt = doubts[i]
	}
	s.conv.sumDoubts()
	return slices.Clone(s.conv.turnVector())
}

func newSample(id string, turn Case) *sample {
	s := &sample{id: id, conv: newConversation(), weight: 1}
	s.conv.read(&turn)
	for i := range s.conv.assertions {
		clause := s.conv.vector(nil, clauseFeatures)
		s.conv.assertions[i].vectorOf(clauseFeatures, clause)
		s.clauses = append(s.clauses, clause)
	}
	h := fnv.New64a()
	fmt.Fprint(h, id, turn.Text)
	s.hash = h.Sum64()
	return s
}

// ownWeight is how much a turn of the repository counts: there are many, and few that
// were recorded.
const ownWeight = 0.6

// ownSamples are the turns of the repository.
func ownSamples(t testing.TB) []*sample {
	domains, err := labelled.Domains()
	require.NoError(t, err)
	var all []*sample
	for _, domain := range domains {
		for _, turn := range domain.Turns {
			if turn.Kind == "leak" {
				continue
			}
			read := Case{User: turn.User, Previous: turn.Previous, Text: turn.Text, Tools: domain.Tools,
				Records: ownRecords(turn.Calls, domain.Tools), Earlier: ownRecords(turn.Earlier, domain.Tools)}
			s := newSample(turn.ID, read)
			if !domain.Held {
				all = append(all, twinsOf(turn.ID, "own/"+domain.Name, read)...)
			}
			s.set, s.group, s.held, s.kind, s.outcome = "own", "own/"+domain.Name, domain.Held, turn.Kind, string(turn.Outcome)
			s.weight = ownWeight
			if turn.Ghost {
				s.label = 1
			}
			all = append(all, s)
		}
	}
	return all
}

func ownRecords(calls []labelled.Call, tools []tooltrack.Tool) []*tooltrack.Record {
	var made []*tooltrack.Record
	for _, call := range calls {
		made = append(made, recordOf(call.Tool, call.Arguments, call.Status, call.Result, tools))
	}
	return made
}

func recordOf(tool string, args json.RawMessage, status tooltrack.Status, result string, tools []tooltrack.Tool) *tooltrack.Record {
	called := tooltrack.Tool{Name: tool}
	for _, known := range tools {
		if known.Name == tool {
			called = known
		}
	}
	words := toolname.Tool{Name: tool, Description: called.Description, Parameters: called.Parameters}
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
	called.Implied = &implied
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: args}, Effect: called.Effect, Implied: &implied}
	if record.Result = tooltrack.ParseCall(&called, record.Call, result, nil); status != tooltrack.Succeeded {
		record.Result.Status, record.Result.Error = status, result
	}
	return record
}

// recordedTurn is a turn of -more.
type recordedTurn struct {
	ID       string           `json:"id"`
	Tools    []tooltrack.Tool `json:"tools"`
	User     string           `json:"user"`
	Previous string           `json:"previous"`
	Earlier  []recordedCall   `json:"earlier"`
	Calls    []recordedCall   `json:"calls"`
	Text     string           `json:"text"`
	Ghost    *bool            `json:"ghost"`
	Outcome  string           `json:"outcome"`
	Set      string           `json:"set"`
	Source   string           `json:"source"`
	Note     string           `json:"note"`
}

type recordedCall struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	Result    json.RawMessage  `json:"result"`
}

// moreSamples are the turns of a folder; none where there is no such folder.
func moreSamples(t testing.TB) []*sample {
	var all []*sample
	for _, set := range []string{"turns", "turns_wild", "turns_domains", "turns_attack", "injection"} {
		truths := map[string]string{}
		for _, line := range linesOf(t, filepath.Join(*more, set+".truth.jsonl")) {
			var truth recordedTurn
			require.NoError(t, json.Unmarshal([]byte(line), &truth))
			truths[truth.ID] = line
		}
		for _, line := range linesOf(t, filepath.Join(*more, set+".cases.jsonl")) {
			var turn recordedTurn
			require.NoError(t, json.Unmarshal([]byte(line), &turn))
			require.NoError(t, json.Unmarshal([]byte(truths[turn.ID]), &turn))
			all = append(all, turn.sample(set))
			if set == "turns_domains" {
				all = append(all, twinsOf(turn.ID, set+"/"+turn.Source, turn.turn())...)
			}
		}
	}
	return all
}

func (r *recordedTurn) turn() Case {
	records := func(calls []recordedCall) []*tooltrack.Record {
		var made []*tooltrack.Record
		for _, call := range calls {
			result := string(call.Result)
			var text string
			if json.Unmarshal(call.Result, &text) == nil {
				result = text
			}
			made = append(made, recordOf(call.Tool, call.Arguments, call.Status, result, r.Tools))
		}
		return made
	}
	return Case{User: r.User, Previous: r.Previous, Text: r.Text, Tools: r.Tools, Records: records(r.Calls), Earlier: records(r.Earlier)}
}

func (r *recordedTurn) sample(set string) *sample {
	s := newSample(r.ID, r.turn())
	s.set, s.group, s.outcome, s.kind = set, set+"/"+r.Source, r.Outcome, r.Note
	s.unlabelled, s.ablated = r.Set == "wild", r.Set == "ablated"
	switch {
	case s.unlabelled:
		s.weight = 0.4
	case r.Ghost == nil && (r.Outcome == "" || r.Outcome == "insufficient"):
		s.weight = 0
	case r.Ghost == nil:
		s.weight = 0.3
	case set == "turns" || set == "turns_wild":
		s.weight = 0.3
	}
	if r.Ghost != nil && *r.Ghost {
		s.label = 1
		if set == "turns" { // few, among many that are honest
			s.weight = 2
		}
	}
	return s
}

func linesOf(t testing.TB, path string) []string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	require.NoError(t, scanner.Err())
	return lines
}

func namesOf(features []feature) []string {
	var names []string
	for _, f := range features {
		names = append(names, f.name)
	}
	return names
}

var (
	clauseGrowth  = growth.Options{Trees: 200, Depth: 6, Rate: 0.10, Smooth: 3, Least: 3, Columns: 0.35, Rows: 0.7, Seed: 6}
	sureGrowth    = growth.Options{Trees: 200, Depth: 3, Rate: 0.05, Smooth: 4, Least: 4, Columns: 0.3, Rows: 0.7, Seed: 36}
	outcomeGrowth = growth.Options{Trees: 120, Depth: 3, Rate: 0.08, Smooth: 4, Least: 4, Columns: 0.4, Rows: 0.7, Seed: 2}
	turnGrowth    = growth.Options{Trees: 120, Depth: 4, Rate: 0.12, Smooth: 4, Least: 4, Columns: 0.4, Rows: 0.7, Seed: 26}
)

// fitClauses fits the model of clauses. A turn is labelled, its clauses are
// not: in a false turn, the clauses that the first fit finds most doubtful get
// the blame in the second.
func fitClauses(samples []*sample, g growth.Options) *forest.Forest {
	var table [][]float32
	var labels, weights []float64
	var owners []*sample
	for _, s := range samples {
		for k, x := range s.clauses {
			if s.weight == 0 || s.unlabelled && (k > 8 || s.hash%2 != 0) {
				continue
			}
			table, labels, owners = append(table, x), append(labels, s.label), append(owners, s)
			if s.label > 0 {
				weights = append(weights, 1.5*s.weight/math.Sqrt(float64(len(s.clauses))))
			} else {
				weights = append(weights, s.weight/math.Pow(float64(len(s.clauses)), 0.3))
			}
		}
	}
	b, rough := growth.NewTable(table, 24), g
	rough.Trees /= 3
	f := rough.Grow(namesOf(clauseFeatures), b, labels, weights)
	share, blame := map[*sample]float64{}, make([]float64, len(table))
	for i := range table {
		if labels[i] > 0 {
			blame[i] = math.Pow(f.Probability(table[i]), 2)
			share[owners[i]] += blame[i]
		}
	}
	for i := range table {
		if labels[i] > 0 {
			weights[i] = 1.3 * owners[i].weight * blame[i] / share[owners[i]]
		}
	}
	return g.Grow(namesOf(clauseFeatures), b, labels, weights)
}

func doubtsOf(f *forest.Forest, s *sample) []float64 {
	doubts := make([]float64, len(s.clauses))
	for i, x := range s.clauses {
		doubts[i] = f.Probability(x)
	}
	return doubts
}

// inFold says in which of n parts a group of turns belongs.
func inFold(group string, n int) int {
	h := fnv.New32a()
	h.Write([]byte(group))
	return int(h.Sum32()>>7) % n
}

// fitModels fits all models. Those of turns see doubts of clauses from a model
// that has not seen the turn's domain, as it will be in use.
func fitModels(samples []*sample, inner int) *models {
	seen := make([][]float64, len(samples))
	for k := range inner {
		var others []*sample
		for _, s := range samples {
			if inFold(s.group+" inner", inner) != k {
				others = append(others, s)
			}
		}
		f := fitClauses(others, clauseGrowth)
		for i, s := range samples {
			if inFold(s.group+" inner", inner) == k {
				seen[i] = doubtsOf(f, s)
			}
		}
	}
	var table [][]float32
	var kept []*sample
	for i, s := range samples {
		table, kept = append(table, s.vector(seen[i])), append(kept, s)
	}
	m := &models{clause: fitClauses(samples, clauseGrowth)}
	m.turn = fitTurns(table, kept, turnGrowth, func(s *sample) (float64, float64) { return s.label, s.weight })
	m.sure = fitTurns(table, kept, sureGrowth, func(s *sample) (float64, float64) {
		if s.label == 0 {
			return 0, honestWeight * s.weight
		}
		return s.label, s.weight
	})
	m.insufficient = fitTurns(table, kept, outcomeGrowth, func(s *sample) (float64, float64) {
		label := max(s.label, is(s.outcome == "insufficient"))
		if s.weight == 0 && s.outcome != "" {
			return label, 0.5
		}
		return label, s.weight
	})
	m.blocked = fitTurns(table, kept, outcomeGrowth, func(s *sample) (float64, float64) {
		return is(s.outcome == "blocker"), is(s.outcome == "blocker" || s.outcome == "work")
	})
	return m
}

// honestWeight is how much more an honest turn counts where the question is
// whether a claim is surely false: to accuse the honest is worse than to miss a lie.
const honestWeight = 4

func fitTurns(table [][]float32, samples []*sample, g growth.Options, of func(*sample) (label, weight float64)) *forest.Forest {
	var rows [][]float32
	var labels, weights []float64
	for i, s := range samples {
		if label, weight := of(s); weight > 0 {
			rows, labels, weights = append(rows, table[i]), append(labels, label), append(weights, weight)
		}
	}
	return g.Grow(namesOf(turnFeatures), growth.NewTable(rows, 24), labels, weights)
}

// judged is what the models say of a turn.
type judged struct {
	*sample
	doubts                []float64
	doubt, sure           float64
	insufficient, blocked float64
}

func (m *models) judge(s *sample) judged {
	j := judged{sample: s, doubts: doubtsOf(m.clause, s)}
	x := s.vector(j.doubts)
	j.doubt, j.sure = m.turn.Probability(x), m.sure.Probability(x)
	j.insufficient, j.blocked = m.insufficient.Probability(x), m.blocked.Probability(x)
	if s.conv.ownsUp() || s.conv.tellsRecords() || s.conv.quiet {
		j.doubt = min(j.doubt, defaultUnsure*0.9)
	}
	return j
}

// leaveOut judges each turn by models that have not seen its domain.
func leaveOut(samples []*sample, folds, inner int) []judged {
	parts := make([][]judged, folds)
	var wait sync.WaitGroup
	for k := range folds {
		wait.Go(func() {
			var others, left []*sample
			for _, s := range samples {
				if inFold(s.group, folds) == k {
					left = append(left, s)
				} else if !s.held {
					others = append(others, s)
				}
			}
			m := fitModels(others, inner)
			for _, s := range left {
				parts[k] = append(parts[k], m.judge(s))
			}
		})
	}
	wait.Wait()
	return slices.Concat(parts...)
}

// figures are what the judgement of a set is worth.
type figures struct {
	lies, honest, wild         int
	noticed, asked, wildAsked  float64
	caught, harmed, precision  float64
	ablatedNoticed, wildAlarms float64
	area                       float64
}

func figuresOf(all []judged, set string) figures {
	var f figures
	var lies, honest []float64
	var noticed, asked, caught, harmed, wildAsked, wildAlarms, ablated, ablatedNoticed int
	for _, j := range all {
		if j.set != set {
			continue
		}
		sure, unsure := j.tier() == Sure, j.tier() >= Unsure
		switch {
		case j.unlabelled:
			f.wild++
			wildAlarms += int(is(sure))
			wildAsked += int(is(unsure && !sure))
		case j.ablated:
			ablated++
			ablatedNoticed += int(is(unsure))
		case j.weight == 0 || j.label == 0 && j.outcome == "insufficient":
		case j.label > 0:
			lies = append(lies, j.doubt)
			noticed += int(is(unsure))
			caught += int(is(sure))
		default:
			honest = append(honest, j.doubt)
			asked += int(is(unsure && !sure))
			harmed += int(is(sure))
		}
	}
	f.lies, f.honest = len(lies), len(honest)
	f.noticed, f.caught = share(noticed, f.lies), share(caught, f.lies)
	f.asked, f.harmed, f.precision = share(asked, f.honest), share(harmed, f.honest), share(caught, caught+harmed)
	f.wildAsked, f.wildAlarms, f.ablatedNoticed = share(wildAsked, f.wild), share(wildAlarms, f.wild), share(ablatedNoticed, ablated)
	for _, a := range lies {
		for _, b := range honest {
			f.area += is(a > b) / float64(f.lies*f.honest)
		}
	}
	return f
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func topOf(doubts []float64) float64 { return slices.Max(append(doubts, 0)) }

// doubtsAbout is what the models say of one assertion of the turn.
func (j *judged) doubtsAbout(i int, top float64) doubts {
	return doubts{j.doubt * j.doubts[i] / top, j.sure * j.doubts[i] / top}
}

// tier is what the evaluator would make of the turn.
func (j *judged) tier() Tier {
	tier := Clean
	if j.doubt >= defaultUnsure {
		tier = Unsure
	}
	top := topOf(j.doubts)
	for i := range j.conv.assertions {
		_, ruled := j.conv.ruling(&j.conv.assertions[i], j.doubtsAbout(i, top), thresholds{defaultUnsure, defaultSure})
		tier = max(tier, ruled)
	}
	return tier
}

func (f figures) String() string {
	return fmt.Sprintf("%d false, %d honest: noticed %.1f %%, asked %.1f %%; caught %.1f %%, harmed %.1f %%, precision %.1f %%; area %.3f; "+
		"unlabelled %d: asked %.1f %%, alarms %.2f %%; taken-away calls noticed %.1f %%",
		f.lies, f.honest, 100*f.noticed, 100*f.asked, 100*f.caught, 100*f.harmed, 100*f.precision, f.area, f.wild, 100*f.wildAsked, 100*f.wildAlarms, 100*f.ablatedNoticed)
}

// TestMeasured prints what domains and sources that were left out show.
func TestMeasured(t *testing.T) {
	if !*measured {
		t.Skip("prints figures of all data with -measured")
	}
	all := leaveOut(append(moreSamples(t), ownSamples(t)...), 5, 2)
	for _, set := range []string{"turns_domains", "own", "turns_attack", "turns_wild", "turns"} {
		if !slices.ContainsFunc(all, func(j judged) bool { return j.set == set }) {
			continue // no recorded turns are at hand
		}
		t.Logf("%-14s %v", set, figuresOf(all, set))
		t.Logf("%-14s outcome %v", "", outcomesOf(all, set))
		for _, recall := range []float64{0.7, 0.8, 0.85, 0.9} {
			t.Logf("%14s at noticed %.2f: %s", "", recall, priceOf(all, set, recall))
		}
	}
	t.Logf("rule %-30s %s", beyondDoubt.Name, firedOf(all, &beyondDoubt))
	for i := range rules {
		t.Logf("rule %-30s %s", rules[i].Name, firedOf(all, &rules[i]))
	}
	if *showing != "" {
		show(t, all, *showing)
	}
}

// firedOf counts the turns in which a rule holds: false, honest and unlabelled.
func firedOf(all []judged, row *rule) string {
	counts := map[string]*[3]int{}
	for i := range all {
		j := &all[i]
		fired := false
		top := topOf(j.doubts)
		for k := range j.conv.assertions {
			got, _ := j.conv.ruling(&j.conv.assertions[k], j.doubtsAbout(k, top), thresholds{defaultUnsure, defaultSure})
			fired = fired || got == row
		}
		if !fired {
			continue
		}
		if counts[j.set] == nil {
			counts[j.set] = &[3]int{}
		}
		switch {
		case j.unlabelled:
			counts[j.set][2]++
		case j.label > 0:
			counts[j.set][0]++
		default:
			counts[j.set][1]++
		}
	}
	var out []string
	for set, n := range counts {
		out = append(out, fmt.Sprintf("%s %d:%d (%d)", set, n[0], n[1], n[2]))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

// outcomesOf is the share of right outcomes where a doubt counts as right for
// what is insufficient.
func outcomesOf(all []judged, set string) string {
	right, n := 0, 0
	insufficient := map[bool]int{}
	for _, j := range all {
		if j.set != set || j.outcome == "" {
			continue
		}
		n++
		guess := "work"
		if j.blocked >= 0.5 {
			guess = "blocker"
		}
		asked := j.tier() >= Unsure || j.insufficient >= 0.5
		right += int(is(guess == j.outcome || asked && j.outcome == "insufficient"))
		if j.insufficient >= 0.8 {
			insufficient[j.outcome == "insufficient"]++
		}
	}
	return fmt.Sprintf("%.1f %% of %d; insufficient by 0.8: %d right, %d wrong", 100*share(right, n), n, insufficient[true], insufficient[false])
}

func priceOf(all []judged, set string, recall float64) string {
	var lies, honest, wild []float64
	for _, j := range all {
		switch {
		case j.set != set || j.ablated:
		case j.unlabelled:
			wild = append(wild, j.doubt)
		case j.weight == 0 || j.label == 0 && j.outcome == "insufficient":
		case j.label > 0:
			lies = append(lies, j.doubt)
		default:
			honest = append(honest, j.doubt)
		}
	}
	if len(lies) == 0 {
		return "no false turns"
	}
	sort.Float64s(lies)
	cut := lies[int((1-recall)*float64(len(lies)))]
	above := func(values []float64) float64 {
		n := 0
		for _, v := range values {
			n += int(is(v >= cut))
		}
		return share(n, len(values))
	}
	return fmt.Sprintf("threshold %.2f, honest %.3f, unlabelled %.3f", cut, above(honest), above(wild))
}

// show prints the turns of a set that were judged worst.
func show(t *testing.T, all []judged, set string) {
	var lies, honest []judged
	for _, j := range all {
		switch {
		case j.set != set || j.unlabelled || j.weight == 0:
		case j.label > 0:
			lies = append(lies, j)
		case j.outcome != "insufficient":
			honest = append(honest, j)
		}
	}
	sort.Slice(lies, func(a, b int) bool { return lies[a].doubt < lies[b].doubt })
	sort.Slice(honest, func(a, b int) bool { return honest[a].doubt > honest[b].doubt })
	for _, list := range [][]judged{lies, honest} {
		for _, j := range list[:min(45, len(list))] {
			var out strings.Builder
			fmt.Fprintf(&out, "%.2f %s label %v %s\n  user: %s\n", j.doubt, j.id, j.label, j.kind, j.conv.user.Source)
			for i := range j.conv.facts {
				f := &j.conv.facts[i]
				fmt.Fprintf(&out, "  call: earlier %v %s %s %v %s\n", f.earlier, f.record.Tool, f.record.Args, f.record.Result.Status, clip.Text(f.record.Result.Text(), 200))
			}
			fmt.Fprintf(&out, "  text: %s\n", j.conv.text.Source)
			for i := range j.conv.assertions {
				fmt.Fprintf(&out, "     %.2f %s\n", j.doubts[i], j.conv.text.Of(j.conv.assertions[i].clause))
			}
			t.Log(out.String())
		}
	}
}

// TestFit fits the models to all turns but the held domains, and writes them.
func TestFit(t *testing.T) {
	if !*fit {
		t.Skip("fits the models anew with -fit")
	}
	others := moreSamples(t)
	if len(others) == 0 && *more != "none" {
		t.Fatalf("%s has no recorded turns: a quarter of what data/model.txt is fitted to is missing. It stays as it is. "+
			"Name their folder with -more, or fit to the repository's own turns alone with -more none; some tests then fail", *more)
	}
	own := ownSamples(t)
	var train []*sample
	hash := uint64(0)
	for _, s := range append(append([]*sample{}, own...), others...) {
		if !s.held && s.set != *without {
			train = append(train, s)
			hash = hash*31 + s.hash
		}
	}
	m := fitModels(train, 4)
	var held []judged
	for _, s := range own {
		if s.held {
			held = append(held, m.judge(s))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# Fitted by `go generate`; do not edit.\n# %s, %d turns, hash %016x.\n", time.Now().UTC().Format(time.DateOnly), len(train), hash)
	fmt.Fprintf(&out, "# Domains of the repository that were held out: %v\n", figuresOf(held, "own"))
	m.clause.Write(&out, "clause")
	m.turn.Write(&out, "turn")
	m.sure.Write(&out, "sure")
	m.insufficient.Write(&out, "insufficient")
	m.blocked.Write(&out, "blocked")
	require.NoError(t, os.WriteFile("data/model.txt", []byte(out.String()), 0o644))
	t.Log(figuresOf(held, "own"))
}
