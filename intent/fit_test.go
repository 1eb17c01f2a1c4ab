package intent

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/forest"
	"github.com/bonafide-go/bonafide/internal/forest/growth"
	turns "github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

var (
	fit      = flag.Bool("fit", false, "fit the models anew and write data/model.txt")
	measured = flag.Bool("measured", false, "print figures with whole sources left out, and write nothing")
	more     = flag.String("more", "../../shared/data/dev", "a folder with more labelled requests, used where it exists")
	fitDump  = flag.String("dump", "", "file to write the left-out answers and their evidence to")
)

// trained is a labelled message with what was read of it.
type trained struct {
	id, set, source string
	user, previous  string
	tools           []tooltrack.Tool
	wanted, maybe   map[string]bool
	held            bool
	weight          float32
	dueWeight       float32 // makes messages that are due and others equally common in each set

	classifier *Classifier
	phrases    []string
	words      []borne           // what of the message has vectors
	bearings   []vector.Bearings // and of the tools
	names      bearingNames
	candidates []int
	views      []int32 // the clauses that say most for them
	x          []evidence
	y          []evidence // the evidence and how the tools stand
	z          evidence   // the evidence of the message
	empty      evidence
	p          []float64 // left out
	foreign    bool
	answer     Intent // of the whole program, left out
	hold       Hold
	trace      string // how it was weighed, for the dump
}

func loadTrained(t *testing.T) []*trained {
	var all []*trained
	classifiers := map[string]*Classifier{}
	add := func(l *trained, expected, maybe []string) {
		l.wanted, l.maybe = map[string]bool{}, map[string]bool{}
		for _, name := range expected {
			l.wanted[name] = true
		}
		for _, name := range maybe {
			if !l.wanted[name] {
				l.maybe[name] = true
			}
		}
		key, _ := json.Marshal(l.tools)
		if classifiers[string(key)] == nil {
			classifiers[string(key)] = classifierFor(t, l.tools, nil)
		}
		l.classifier = classifiers[string(key)]
		l.readWords()
		all = append(all, l)
	}
	if *more != "" {
		paths, _ := filepath.Glob(filepath.Join(*more, "intent_*.cases.jsonl"))
		for _, path := range paths {
			type truth struct {
				ID, Source      string
				Expected, Maybe []string
			}
			truths := map[string]truth{}
			eachLine(t, strings.Replace(path, ".cases.", ".truth.", 1), func(line []byte) {
				var l truth
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				truths[l.ID] = l
			})
			set := strings.TrimSuffix(filepath.Base(path), ".cases.jsonl")
			eachLine(t, path, func(line []byte) {
				var c struct {
					ID, User, Previous string
					Tools              []tooltrack.Tool
				}
				if err := json.Unmarshal(line, &c); err != nil {
					t.Fatal(err)
				}
				tr := truths[c.ID]
				add(&trained{id: c.ID, set: set, source: tr.Source, user: c.User, previous: c.Previous, tools: c.Tools, weight: 1}, tr.Expected, tr.Maybe)
				for variant := 0; set == "intent_crud" && variant < 2; variant++ {
					tools, expected := reworded(c.ID, c.User, tr.Expected, variant)
					add(&trained{id: c.ID, set: "crud_reworded", source: tr.Source, user: c.User, tools: tools}, expected, nil)
				}
			})
		}
	}
	for _, own := range ownRequests(t) {
		set := "own_" + own.file
		if own.Held {
			set = "own_held"
		}
		for i, r := range own.Requests {
			add(&trained{id: fmt.Sprintf("%s/%d", own.id(), i), set: set, source: own.id(), user: r.User, previous: r.Previous, tools: own.Tools, held: own.Held, weight: 1}, r.Expected, r.Maybe)
		}
	}
	domains, err := turns.Domains()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range domains {
		set := "turns"
		if d.Held {
			set = "turns_held"
		}
		for _, turn := range d.Turns {
			tools := slices.Clone(d.Tools)
			for i := range tools {
				tools[i].Effect = tooltrack.UnknownEffect // as messages alone have it
			}
			add(&trained{id: turn.ID, set: set, source: d.Name, user: turn.User, previous: turn.Previous, tools: tools, held: d.Held, weight: 1}, turn.Expected, turn.Maybe)
		}
	}
	for _, l := range all {
		l.weight = trainShares[l.set]
	}
	balanceDue(all)
	return all
}

// balanceDue gives messages that are due three quarters of the weight in each
// set, whatever their number: how common they are differs from host to host, and
// a threshold is to mean the same everywhere.
func balanceDue(all []*trained) {
	count := map[string][2]float32{}
	for _, l := range all {
		n := count[l.set]
		n[int(one(len(l.wanted) > 0))]++
		count[l.set] = n
	}
	for _, l := range all {
		n := count[l.set]
		if l.dueWeight = 0.25 * (n[0] + n[1]) / max(n[0], 1); len(l.wanted) > 0 {
			l.dueWeight = 0.75 * (n[0] + n[1]) / max(n[1], 1)
		}
	}
}

// trainShares is how much a message of each set counts: what people ask of
// everyday tools counts most, since there is least of it.
var trainShares = map[string]float32{
	"intent_bfcl": 6, "intent_crud": 4, "crud_reworded": 2, "intent_wild": 2.2, "intent_multilingual": 1, "intent_domains": 6, "turns": 2.5, "turns_held": 0,
	"own_everyday": 1, "own_technical": 1, "own_hard-everyday": 0.7, "own_hard-technical": 0.7,
	"own_domains": 2, "own_operations": 2, "own_siblings": 1.5, "own_manner": 2, "own_dialogue": 2, "own_absent": 1.5, "own_plain": 2, "own_held": 0,
	"own_saying-home": 0.8, "own_saying-office": 0.8, "own_saying-service": 0.8, "own_saying-systems": 0.8, "own_saying-trades": 0.8,
	"own_lists": 1, "own_functions": 1.2, "own_conversation": 1, "own_desks": 1, "own_catalogue": 1.2,
	"own_services": 1.2, "own_toolkits": 1.2, "own_counters": 1, "own_skills": 1, "own_exchanges": 1,
}

// dueShares is how much more some sets count for whether anything is due: in
// dialogues and with strangers' sets of tools much is said that no tool has to do.
var dueShares = map[string]float32{"intent_wild": 4, "own_dialogue": 3, "own_absent": 2, "own_conversation": 2, "own_catalogue": 2, "own_services": 2, "own_exchanges": 2}

// read lists the evidence of a message.
func (l *trained) read() {
	c := l.classifier
	s := c.newScratch()
	c.before(s, l.previous)
	c.read(s, l.user)
	if l.foreign = s.reader.Foreign || s.reader.Courteous; l.foreign {
		return
	}
	l.readPhrases(c, s)
	l.empty = s.message
	clear(l.empty[eScore:])
	for _, k := range s.contenders {
		l.candidates = append(l.candidates, int(k.tool))
		l.views = append(l.views, k.view)
		x := s.evidence[k.at]
		clear(x[eScore:]) // what the present trees say of it would give away what they were fitted to
		l.x = append(l.x, x)
	}
}

// fold cuts by source, so that no source is fitted to and measured.
func (l *trained) fold(n int) int {
	h := fnv.New32a()
	switch l.set {
	case "intent_crud", "crud_reworded", "intent_bfcl", "intent_multilingual": // closed sets of the same sources
		fmt.Fprint(h, l.id)
	default:
		fmt.Fprint(h, l.source, "x")
	}
	return int(h.Sum32()>>4) % n
}

func (l *trained) samples(dst []sample) []sample {
	group := 0
	if len(dst) > 0 {
		group = dst[len(dst)-1].group + 1
	}
	for view := int32(-1); view < 70; view++ { // the tools of one clause compete
		for i, tool := range l.candidates {
			if name := l.tools[tool].Name; l.views[i] == view && !l.maybe[name] {
				dst = append(dst, sample{x: &l.x[i], y: float64(one(l.wanted[name])), weight: float64(l.weight), group: group})
			}
		}
		group++
	}
	return dst
}

// sample is a case to fit to.
type sample struct {
	x      *evidence
	y      float64
	weight float64
	group  int // samples of one clause stand together
}

// fitting is how a forest is fitted.
type fitting struct {
	growth.Options
	compete bool // the tools of a clause compete with one another, and with none
}

var (
	rankFitting = fitting{growth.Options{Trees: 160, Depth: 6, Rate: 0.12, Smooth: 8, Least: 12, Columns: 0.5, Rows: 0.7, Seed: 1}, true}
	sureFitting = fitting{growth.Options{Trees: 160, Depth: 6, Rate: 0.1, Smooth: 8, Least: 12, Columns: 0.5, Rows: 0.7, Seed: 2}, false}
	dueFitting  = fitting{growth.Options{Trees: 110, Depth: 6, Rate: 0.1, Smooth: 8, Least: 12, Columns: 0.5, Rows: 0.7, Seed: 3}, false}
)

// fit fits a forest.
func (f fitting) fit(names []string, samples []sample) *forest.Forest {
	table := make([][]float32, len(samples))
	labels, weights, groups := make([]float64, len(samples)), make([]float64, len(samples)), make([]int, len(samples))
	start := make([]float64, len(samples))
	for i, s := range samples {
		table[i], labels[i], weights[i], groups[i] = s.x[:], s.y, s.weight, s.group
		start[i] = float64(nearShare * s.x[eNear])
	}
	if f.compete {
		f.Groups, f.Bias, f.Start = groups, -1.5, start
	}
	return f.Grow(names, growth.NewTable(table, 64), labels, weights)
}

const trainFolds = 5

// leftOut fits to all folds but one, and applies what it learned to that one.
func leftOut(all []*trained, names []string, how fitting, samples func(l *trained, dst []sample) []sample,
	apply func(l *trained, f *forest.Forest)) []*forest.Forest {
	forests, wait := make([]*forest.Forest, trainFolds), sync.WaitGroup{}
	for fold := range trainFolds {
		wait.Go(func() {
			var used []sample
			for _, l := range all {
				if l.fold(trainFolds) != fold && !l.held {
					used = samples(l, used)
				}
			}
			forests[fold] = how.fit(names, used)
		})
	}
	wait.Wait()
	for _, l := range all {
		apply(l, forests[l.fold(trainFolds)])
	}
	return forests
}

// fitAnew lets messages be read without the present models, which may have been
// fitted to other evidence.
func fitAnew(t *testing.T, names []string) {
	none, err := forest.New(names, 0, nil)
	require.NoError(t, err)
	present := standardModels
	var text strings.Builder
	for _, name := range []string{"rank", "sure", "due"} {
		none.Write(&text, name)
	}
	m, err := parseModels(text.String(), "")
	require.NoError(t, err)
	m.vectors, err = vector.Parse(lexicon.English(), "")
	require.NoError(t, err)
	standardModels = func() *models { return m }
	t.Cleanup(func() { standardModels = present })
}

// TestFit fits the trees to labelled requests, tells the figures on sources that
// were left out, and writes data/model.txt:
//
//	go test ./intent -run TestFit -v -measured
//	go generate ./intent
//
// The folder holds NAME.cases.jsonl ({id, tools, user, previous} a line) and
// NAME.truth.jsonl ({id, expected, maybe, source}). Our own requests and labelled
// turns are fitted to beside them; held sets and domains never are.
func TestFit(t *testing.T) {
	if !*fit && !*measured {
		t.Skip("fits the models anew with -fit, and only measures with -measured")
	}
	names := evidenceNames(t)
	fitAnew(t, names)
	all := loadTrained(t)
	readBearings(all)
	folds, kept := keptFolds(t)
	if !kept || *fit {
		folds = fitFolds(t, all, names)
		keepFolds(t, folds)
	}
	answerLeftOut(t, all, names, folds)
	report(t, all)
	if *fitDump != "" {
		dump(t, all)
	}
	if *fit {
		write(t, all)
	}
}

// rank scores the tools, and notes how they stand to one another.
func (l *trained) rank(f *forest.Forest) {
	scores := make([]float32, len(l.x))
	for i := range l.x {
		scores[i] = f.Score(l.x[i][:]) + nearShare*l.x[i][eNear]
	}
	l.y = l.y[:0]
	for i, score := range scores {
		sum, best, rank := 1.0, float32(-8), 0
		for k, other := range scores {
			if l.views[k] != l.views[i] {
				continue
			}
			sum += math.Exp(float64(other))
			if k != i {
				best = max(best, other)
				rank += int(one(other > score || other == score && k < i))
			}
		}
		y := l.x[i]
		y[eScore], y[eShare], y[eAhead], y[ePlace] = score, float32(math.Exp(float64(score))/sum), score-best, float32(rank)
		l.y = append(l.y, y)
	}
}

func (l *trained) sureSamples(dst []sample) []sample {
	for i, tool := range l.candidates {
		name := l.tools[tool].Name
		if l.maybe[name] || l.y[i][ePlace] >= maxJudged {
			continue
		}
		dst = append(dst, sample{x: &l.y[i], y: float64(one(l.wanted[name])), weight: float64(l.weight)})
	}
	return dst
}

func (l *trained) sure(f *forest.Forest) {
	l.p = l.p[:0]
	for i := range l.candidates {
		l.p = append(l.p, f.Probability(l.y[i][:]))
	}
	// What is due is judged by the tool that stands first.
	best := -1
	for i := range l.p {
		if best < 0 || l.y[i][eScore] > l.y[best][eScore] {
			best = i
		}
	}
	if best >= 0 {
		l.z = l.y[best]
		l.z[eSure] = float32(l.p[best])
	} else {
		l.z = l.empty
	}
}

func (l *trained) dueSamples(dst []sample) []sample {
	if len(l.wanted) == 0 && len(l.maybe) > 0 || l.foreign {
		return dst
	}
	weight := l.weight * l.dueWeight
	if share, ok := dueShares[l.set]; ok {
		weight *= share
	}
	return append(dst, sample{x: &l.z, y: float64(one(len(l.wanted) > 0)), weight: float64(weight)})
}

func dump(t *testing.T, all []*trained) {
	f, err := os.Create(*fitDump)
	require.NoError(t, err)
	defer f.Close()
	flat := strings.NewReplacer("\n", " / ")
	for _, l := range all {
		fmt.Fprintf(f, "%s\t%s\t%s\tP:%s\tdue %.3f hold %v want %v maybe %v\n", l.set, l.id, flat.Replace(l.user), flat.Replace(l.previous),
			l.answer.Due, l.hold, slices.Sorted(maps.Keys(l.wanted)), slices.Sorted(maps.Keys(l.maybe)))
		for _, e := range l.answer.Expect {
			fmt.Fprintf(f, "   => %.3f %s command %v hold %v %q\n", e.Confidence, e.Tool, e.Command, e.Hold, e.Words)
		}
		fmt.Fprint(f, l.trace)
	}
}

// traceOf tells how a message was weighed.
func traceOf(c *Classifier, s *scratch, names []string) string {
	var out strings.Builder
	for _, k := range s.contenders {
		fmt.Fprintf(&out, "   %.3f %s", k.sure, c.profiles[k.tool].name)
		for i, x := range s.evidence[k.at] {
			if x != 0 {
				fmt.Fprintf(&out, " %s=%.2f", names[i], x)
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// write fits to everything that is not held, and writes data/model.txt.
func write(t *testing.T, all []*trained) {
	var ranks, sures, dues []sample
	for _, l := range all {
		if l.held {
			continue
		}
		ranks = l.samples(ranks)
		sures = l.sureSamples(sures) // what stands first was found by trees that did not see it
		dues = l.dueSamples(dues)
	}
	hash := fnv.New64a()
	for _, l := range all {
		fmt.Fprint(hash, l.id, l.user, l.previous, len(l.wanted))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# Fitted by TestFit on %s to %d messages, hash %016x; do not edit.\n#\n# Sources left out while fitting:\n",
		time.Now().Format("2 January 2006"), len(all), hash.Sum64())
	for _, line := range figureLines {
		fmt.Fprintf(&out, "# %s\n", line)
	}
	writeWording(t, all)
	writeVectors(t, all)
	names := evidenceNames(t)
	rankFitting.fit(names, ranks).Write(&out, "rank")
	sureFitting.fit(names, sures).Write(&out, "sure")
	dueFitting.fit(names, dues).Write(&out, "due")
	require.NoError(t, os.WriteFile("data/model.txt", []byte(out.String()), 0o644))
}

// evidenceNames are the names of the evidence, in order: those of the table in
// evidence.go, as words.
func evidenceNames(t *testing.T) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "evidence.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok && len(spec.Names[0].Name) > 1 && spec.Names[0].Name[0] == 'e' {
			word := capitals.ReplaceAllString(strings.Replace(spec.Names[0].Name[1:], "ID", "Id", 1), "-$0")
			names = append(names, strings.ToLower(word[1:]))
		}
		return true
	})
	return names
}

var capitals = regexp.MustCompile("[A-Z]")

// A model that was fitted to other evidence would read every number wrongly.
func TestModelFitsTheProgram(t *testing.T) {
	names := evidenceNames(t)
	require.Len(t, names, numEvidence)
	m, err := parseModels(fittedModel, fittedWording)
	require.NoError(t, err)
	require.Equal(t, names, m.scale.Features(), "fit anew: go generate")
	for _, text := range []string{"", "forest rank", "forest rank\nfeatures a\nbias 0\ntree =1", "tree =1"} {
		_, err := parseModels(text, "")
		require.Error(t, err, text)
	}
}

// figureLines are the figures that the model tells.
var figureLines []string

func tell(t *testing.T, line string) {
	t.Log(line)
	figureLines = append(figureLines, line)
}

func eachLine(t *testing.T, path string, visit func([]byte)) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		visit(lines.Bytes())
	}
}
