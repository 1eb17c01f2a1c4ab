package intent

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestFit fits functionWeights and collectionWeights to labelled requests and
// prints them, with the figures on requests that were left out:
//
//	go test ./intent -run TestFit -v -fit ../data/dev
//
// The folder holds NAME.cases.jsonl ({id, tools, user} a line) and
// NAME.truth.jsonl ({id, expected}). Of sets in other languages only the
// requests for nothing are used. Our own requests of testdata/requests are
// fitted to beside them. Paste what it prints into weights.go and collection.go.
func TestFit(t *testing.T) {
	if *fitFolder == "" {
		t.Skip("no folder given by -fit")
	}
	classifiers := map[string]*Classifier{}
	all := append(loadLabelled(t, *fitFolder, classifiers), ownRequests(t, classifiers)...)
	kept := currentWeights()
	defer kept.use()
	left := figures{}
	for round := range foldRounds {
		for fold, w := range fitFolds(all, round) {
			left.measure(all, w, func(l *labelled) bool { return l.fold(round) == fold })
		}
	}
	t.Logf("left out, %d rounds of %d folds: %s", foldRounds, folds, left)
	everything := func(*labelled) bool { return true }
	w := fit(all, everything)
	fitted := figures{}
	fitted.measure(all, w, everything)
	t.Logf("all: %s", fitted)
	for sort := range functionSorts {
		t.Logf("functionWeights: %s", w.print(1+sort, int(functionFeatures)))
	}
	t.Logf("collectionWeights: %s", w.print(functionSorts+1, int(collectionFeatures)))
}

var fitFolder = flag.String("fit", "", "folder of labelled requests to fit the weights to")

const (
	// One cut into folds is luck; several tell what to expect of new requests.
	foldRounds = 4
	folds      = 5
	fitRounds  = 60
	// A call that nobody asked for weighs more than one that is missed.
	fitMargin = 1.0
	// What single functions serve is guessed from their words alone: hold back.
	fitReluctance = 1.15
	// A share of the features is left out at random in each step, so that none is
	// relied on alone.
	fitDrop = 0.25
	// Our hard requests are harder than those that people send: they count for
	// less.
	fitHardShare = 0.05
	// Weights shrink while they are fitted; what a sort of request adds to the
	// shared ones shrinks more.
	fitDecay, fitDecaySort = 2e-3, 5e-2
	// Collections hold what people care about: more so.
	fitMarginCollection = 1.6
	width               = max(int(functionFeatures), int(collectionFeatures))
)

// labelled is one request with its features.
type labelled struct {
	ID         string
	Tools      []tooltrack.Tool
	User       string
	set        string
	own        bool // we wrote it
	wanted     map[string]bool
	classifier *Classifier
	sorts      [][]uint8
	clauses    [][][]float32 // by clause and tool; nil where nothing speaks for the tool
	gist       int           // the clause that is the whole message, -1 if there is none
}

// Row 0 holds what all functions share, the next rows what each sort adds, the
// last are collections.
type fitted [functionSorts + 2][width]float64

func (l *labelled) rows(clause, tool int) []int {
	if l.classifier.profiles[tool].entity {
		return []int{functionSorts + 1}
	}
	return []int{0, 1 + int(l.sorts[clause][tool])}
}

func loadLabelled(t *testing.T, folder string, classifiers map[string]*Classifier) []*labelled {
	paths, err := filepath.Glob(filepath.Join(folder, "intent_*.cases.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no intent_*.cases.jsonl in %s", folder)
	}
	var all []*labelled
	for _, path := range paths {
		truth := map[string][]string{}
		eachLine(t, strings.Replace(path, ".cases.", ".truth.", 1), func(line []byte) {
			var l struct {
				ID       string
				Expected []string
			}
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatal(err)
			}
			truth[l.ID] = l.Expected
		})
		eachLine(t, path, func(line []byte) {
			l := &labelled{set: filepath.Base(path), wanted: map[string]bool{}}
			if err := json.Unmarshal(line, l); err != nil {
				t.Fatal(err)
			}
			for _, tool := range truth[l.ID] {
				l.wanted[tool] = true
			}
			if strings.Contains(path, "multilingual") && len(l.wanted) > 0 {
				return
			}
			l.read(t, classifiers)
			all = append(all, l)
		})
	}
	return all
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

// fold is the fold of the request in one of the rounds.
func (l *labelled) fold(round int) int {
	hash := fnv.New32a()
	fmt.Fprintf(hash, "%s %d", l.ID, round)
	return int(hash.Sum32()>>3) % folds
}

// fitFolds fits weights for each fold to the requests of the others.
func fitFolds(all []*labelled, round int) [folds]*fitted {
	var weights [folds]*fitted
	var fits sync.WaitGroup
	for fold := range folds {
		fits.Go(func() { weights[fold] = fit(all, func(l *labelled) bool { return l.fold(round) != fold }) })
	}
	fits.Wait()
	return weights
}

// read notes the features of each clause and tool.
func (l *labelled) read(t *testing.T, classifiers map[string]*Classifier) {
	l.gist = -1
	key, _ := json.Marshal(l.Tools)
	if classifiers[string(key)] == nil {
		classifiers[string(key)] = classifierFor(t, l.Tools, nil)
	}
	l.classifier = classifiers[string(key)]
	s := l.classifier.newScratch()
	round := uint32(math.MaxUint32)
	s.trace = func(tool int, sort uint8) []float32 {
		if s.round != round {
			round = s.round
			l.clauses = append(l.clauses, make([][]float32, len(l.Tools)))
			l.sorts = append(l.sorts, make([]uint8, len(l.Tools)))
		}
		l.sorts[len(l.sorts)-1][tool] = sort
		if sort >= gistSort {
			l.gist = len(l.sorts) - 1
		}
		features := make([]float32, width)
		l.clauses[len(l.clauses)-1][tool] = features
		return features
	}
	l.classifier.read(s, l.User)
	if s.whole && l.gist < 0 {
		l.classifier.gist(s)
	}
}

func (w *fitted) score(l *labelled, clause, tool int) float64 {
	sum := 0.0
	for _, r := range l.rows(clause, tool) {
		for k, value := range l.clauses[clause][tool] {
			sum += w[r][k] * float64(value)
		}
	}
	return sum
}

// fit is logistic regression over the tools of a clause and "none", by
// stochastic gradient descent with steps that shrink with use; the second half
// of its rounds is averaged.
func fit(all []*labelled, keep func(*labelled) bool) *fitted {
	var used []*labelled
	for _, l := range all {
		if keep(l) {
			used = append(used, l)
		}
	}
	var w, squares, mean fitted
	random := rand.New(rand.NewSource(1))
	for round := range fitRounds {
		random.Shuffle(len(used), func(i, j int) { used[i], used[j] = used[j], used[i] })
		for _, l := range used {
			targets := w.targets(l)
			for clause := range l.clauses {
				w.step(&squares, random, l, clause, targets[clause])
			}
		}
		for r := range w {
			for k := range w[r] {
				if round >= fitRounds/2 {
					mean[r][k] += w[r][k] / (fitRounds / 2)
				}
			}
		}
	}
	mean[0][fBias] -= fitReluctance
	return &mean
}

// targets gives each wanted tool to the clause that speaks for it most; -1 is
// a clause that no tool was given to. The gist of the message gets the one that it
// speaks for most.
func (w *fitted) targets(l *labelled) []int {
	targets := make([]int, len(l.clauses))
	for i := range targets {
		targets[i] = -1
	}
	for tool := range l.Tools {
		if !l.wanted[l.Tools[tool].Name] {
			continue
		}
		best, most := -1, math.Inf(-1)
		for clause := range l.clauses {
			if l.clauses[clause][tool] == nil {
				continue
			}
			if clause == l.gist {
				if had := targets[clause]; had < 0 || w.score(l, clause, tool) > w.score(l, clause, had) {
					targets[clause] = tool
				}
				continue
			}
			if score := w.score(l, clause, tool); score > most {
				best, most = clause, score
			}
		}
		if best >= 0 {
			targets[best] = tool
		}
	}
	return targets
}

func (w *fitted) step(squares *fitted, random *rand.Rand, l *labelled, clause, target int) {
	var drop [width]bool
	for k := range drop {
		drop[k] = k > 0 && random.Float64() < fitDrop
	}
	const rate = 0.3
	odds, sum, good := make([]float64, len(l.Tools)), 1.0, 1.0
	for tool, features := range l.clauses[clause] {
		if features == nil {
			continue
		}
		score := 0.0
		for _, r := range l.rows(clause, tool) {
			for k, value := range features {
				if !drop[k] || r > functionSorts {
					score += w[r][k] * float64(value)
				}
			}
		}
		odds[tool] = math.Exp(min(score+l.margin(tool), 30))
		sum += odds[tool]
		if l.wanted[l.Tools[tool].Name] {
			good += odds[tool]
		}
	}
	share := 1.0
	if strings.HasPrefix(l.set, "hard") {
		share = fitHardShare
	}
	var slopes fitted
	for tool, features := range l.clauses[clause] {
		slope := odds[tool] / sum
		switch {
		case features == nil:
			continue
		case target == tool:
			slope--
		case target < 0 && l.wanted[l.Tools[tool].Name]:
			slope -= odds[tool] / good
		}
		if l.own && l.classifier.profiles[tool].entity {
			continue // too few to say what people ask of collections
		}
		for k, value := range features {
			if drop[k] && !l.classifier.profiles[tool].entity {
				continue
			}
			for _, r := range l.rows(clause, tool) {
				slopes[r][k] += share * slope * float64(value)
			}
		}
	}
	for r := range w {
		for k, slope := range slopes[r] {
			if slope != 0 {
				slope += w[r][k] * decay(r)
				squares[r][k] += slope * slope
				w[r][k] -= rate * slope / (math.Sqrt(squares[r][k]) + 1e-6)
			}
		}
	}
}

func decay(row int) float64 {
	if row > 0 && row <= functionSorts {
		return fitDecaySort
	}
	return fitDecay
}

func (l *labelled) margin(tool int) float64 {
	switch {
	case len(l.wanted) > 0:
		return 0
	case l.classifier.profiles[tool].entity:
		return fitMarginCollection
	default:
		return fitMargin
	}
}

func currentWeights() *fitted {
	var w fitted
	for sort := range functionWeights {
		for k, x := range functionWeights[sort] {
			w[1+sort][k] = float64(x)
		}
	}
	for k, x := range collectionWeights {
		w[functionSorts+1][k] = float64(x)
	}
	return &w
}

// use makes the weights those of the package. Only this test does so.
func (w *fitted) use() {
	for sort := range functionWeights {
		for k := range functionWeights[sort] {
			functionWeights[sort][k] = float32(w[0][k] + w[1+sort][k])
		}
	}
	for k := range collectionWeights {
		collectionWeights[k] = float32(w[functionSorts+1][k])
	}
}

// figure counts the answers to one set of requests by what is wrong with them.
type figure struct{ n, none, calls, missed, partly, extra, wrong int }

// exact is the part that is answered with just the tools wanted.
func (f *figure) exact() float64 {
	return 1 - float64(f.calls+f.missed+f.partly+f.extra+f.wrong)/float64(f.n)
}

// falseCalls is the part of the requests for nothing that a tool is expected for.
func (f *figure) falseCalls() float64 { return float64(f.calls) / float64(max(f.none, 1)) }

func (f *figure) String() string {
	return fmt.Sprintf("exact %.4f, false calls %.4f (%d not asked for, %d missed, %d in part, %d too many, %d others)",
		f.exact(), f.falseCalls(), f.calls, f.missed, f.partly, f.extra, f.wrong)
}

// figures are those of each set.
type figures map[string]*figure

func (f figures) String() string {
	var lines []string
	for _, set := range slices.Sorted(maps.Keys(f)) {
		lines = append(lines, set+" "+f[set].String())
	}
	return strings.Join(lines, "\n\t")
}

// measure adds the answers that the weights give to the requests kept.
func (f figures) measure(all []*labelled, w *fitted, keep func(*labelled) bool) {
	w.use()
	for _, l := range all {
		if keep(l) {
			f.add(l)
		}
	}
}

// add counts the answer to a request.
func (f figures) add(l *labelled) {
	if f[l.set] == nil {
		f[l.set] = &figure{}
	}
	s := l.classifier.newScratch()
	l.classifier.read(s, l.User)
	right := 0
	for _, e := range s.expected {
		if l.wanted[l.Tools[e.tool].Name] {
			right++
		}
	}
	f[l.set].count(len(l.wanted), right, len(s.expected))
}

func (f *figure) count(wanted, right, got int) {
	f.n++
	if wanted == 0 {
		f.none++
	}
	switch {
	case right == wanted && right == got:
	case wanted == 0:
		f.calls++
	case got == 0:
		f.missed++
	case right == got:
		f.partly++
	case right == wanted:
		f.extra++
	default:
		f.wrong++
	}
}

func (w *fitted) print(row, n int) string {
	var words []string
	for k, x := range w[row][:n] {
		if row > 0 && row <= functionSorts {
			x += w[0][k]
		}
		words = append(words, fmt.Sprintf("%.2f", x))
	}
	return strings.Join(words, ", ")
}
