// Effort counts what a judgement does, statement by statement, while its turn grows. It looks
// at no clock: the same turn takes the same number of statements on any machine.
//
//	go build -cover -covermode=atomic -coverpkg=github.com/bonafide-go/bonafide/...,strings \
//		-o effort ./internal/evaluation/effort
//	./effort       all families, with how many statements they take for what they have to read
//	./effort 7     the statements of family 7 that run most often
//
// Turns are made from a grammar: each family has a line that its text repeats and a call that
// its records repeat, with other numbers in each.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/coverage"
	"slices"
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sizes are how many lines and calls a turn has: much to read, much on record, and both.
var sizes = [3][2]int{{1000, 20}, {40, 1000}, {300, 300}}

// most is how many statements a byte of the text or of the records may take, or a line with a
// call that it is held against. What grows faster than these does not stay below it.
const most = 2000

func run() error {
	g, err := guard.New(tools, nil)
	if err != nil {
		return err
	}
	if _, err := effortOf(g, newFamily(0).turn(2, 2)); err != nil { // what is read when it is first used
		return err
	}
	if len(os.Args) > 1 {
		number, err := strconv.ParseUint(os.Args[1], 10, 64)
		if err != nil {
			return err
		}
		return explain(g, newFamily(number))
	}
	families, broken := uint64(12), 0
	if os.Getenv("BONAFIDE_TEST_ALL") != "" {
		families = 100
	}
	for number := range families {
		f := newFamily(number)
		var shares [len(sizes)]float64
		for i, size := range sizes {
			turn := f.turn(size[0], size[1])
			effort, err := effortOf(g, turn)
			if err != nil {
				return fmt.Errorf("%q with %d lines and %d calls: %w", f.line, size[0], size[1], err)
			}
			for _, count := range effort {
				shares[i] += count
			}
			shares[i] /= units(turn, size)
		}
		fmt.Printf("%2d %5.0f  %q after %s %s\n", number, shares, f.line, f.args, f.result)
		if slices.Max(shares[:]) > most {
			broken++
		}
	}
	if broken > 0 {
		return fmt.Errorf("%d of %d families take more than %d statements for a byte or a pair; \"effort NUMBER\" says which",
			broken, families, most)
	}
	return nil
}

// units are the bytes of a turn, and its pairs of lines and calls.
func units(turn guard.Recorded, size [2]int) float64 {
	bytes := len(turn.Text)
	for _, record := range turn.Records {
		bytes += len(record.Args) + len(record.Result.Data)
	}
	return float64(bytes + size[0]*size[1])
}

// explain prints the statements that run most often in the turns of a family.
func explain(g *guard.Guard, f family) error {
	for _, size := range sizes {
		effort, err := effortOf(g, f.turn(size[0], size[1]))
		if err != nil {
			return err
		}
		fmt.Printf("%d lines and %d calls\n", size[0], size[1])
		often := slices.SortedFunc(maps.Keys(effort), func(a, b string) int { return cmp.Compare(effort[b], effort[a]) })
		for _, place := range often[:20] {
			fmt.Printf("%11.0f  %s\n", effort[place], place)
		}
	}
	return nil
}

// effortOf is how many statements, by their place, it takes to judge a turn, to ask about it and
// to check an answer that cites its first call.
func effortOf(g *guard.Guard, turn guard.Recorded) (map[string]float64, error) {
	ctx := context.Background()
	if err := coverage.ClearCounters(); err != nil {
		return nil, err
	}
	if _, err := g.Judge(ctx, turn); err != nil {
		return nil, err
	}
	question, err := g.Question(ctx, turn)
	if err != nil {
		return nil, err
	}
	answer := proof.Answer{Letters: map[string]proof.Basis{}}
	for _, letter := range question.Letters {
		answer.Letters[letter.Name] = proof.Basis{Records: []int{1}}
	}
	question.Check(ctx, answer)
	return statements()
}

// statements are how often each ran since the counters were cleared, by place.
func statements() (map[string]float64, error) {
	dir, err := os.MkdirTemp("", "effort")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // of the system's own folder for such
	if err := errors.Join(coverage.WriteMetaDir(dir), coverage.WriteCountersDir(dir)); err != nil {
		return nil, err
	}
	written := filepath.Join(dir, "counters.txt")
	convert := exec.Command("go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+written) // #nosec G204 -- our own folder
	if told, err := convert.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, told)
	}
	data, err := os.ReadFile(written) // #nosec G304 -- our own folder
	if err != nil {
		return nil, err
	}
	counts := map[string]float64{}
	for line := range bytes.Lines(data) { // FILE:FROM,TO STATEMENTS COUNT
		var place string
		var many, count float64
		if read, _ := fmt.Sscan(string(line), &place, &many, &count); read == 3 {
			counts[place] += many * count
		}
	}
	return counts, nil
}
