// Mutants measures how many small faults the tests of a package notice: it
// changes one operator at a time and runs the tests that reach it.
//
//	go run . [-every n [-from m]] [-only regexp] ../../tooltrack
//
// The operators are the ones that gremlins (github.com/go-gremlins/gremlins)
// applies by default. Gremlins compiles the package anew for every mutant; here
// all mutants are compiled into one test binary, and a variable says which one
// is alive. That takes minutes where the other takes hours, and differs in
// little: a mutant that would not compile (a string minus a string) and one
// inside a constant are left out, and so are tests of time and memory that the
// instrumented code fails.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	every := flag.Int("every", 1, "try each nth mutant only")
	from := flag.Int("from", 0, "with -every: the first one to try, for a sample that was not looked at before")
	only := flag.String("only", "", "try mutants whose file:line matches")
	flag.Parse()
	if err := run(flag.Arg(0), sample{max(*every, 1), *from}, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sample is each nth mutant, counted from one of them.
type sample struct{ every, from int }

func (s sample) holds(mutant int) bool { return mutant%s.every == s.from%s.every }

func run(folder string, tried sample, only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pkg, err := load(dir)
	if err != nil {
		return err
	}
	binary, err := pkg.build(work)
	if err != nil {
		return err
	}
	suite, err := binary.measure(pkg.mutants)
	if err != nil {
		return err
	}
	for i, m := range pkg.mutants {
		switch {
		case len(m.tests) == 0:
			m.fate = notCovered
		case !tried.holds(i) || !chosen.MatchString(fmt.Sprintf("%s:%d", m.file, m.line)):
			m.fate = skipped
		default:
			m.fate = binary.try(m, suite)
		}
	}
	return report(os.Stdout, pkg.mutants)
}
