package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// binary is the package's test program, once to see what each test reaches and
// once with all mutants in it.
type binary struct {
	dir, work        string
	covering, mutant string
}

func (c *code) build(work string) (*binary, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	c.texts[filepath.Join(c.dir, "zz_mutant_alive.go")] = fmt.Sprintf(
		"package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\n"+
			"var %s = func() int { n, _ := strconv.Atoi(os.Getenv(%q)); return n }()\n", c.name, alive, alive)
	for path, text := range c.texts {
		copied := filepath.Join(work, filepath.Base(path))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return nil, err
		}
		overlay.Replace[path] = copied
	}
	replaced, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	list := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(list, replaced, 0o600); err != nil {
		return nil, err
	}
	b := &binary{
		dir: c.dir, work: work, covering: filepath.Join(work, "covering.test"), mutant: filepath.Join(work, "mutant.test"),
	}
	if err := b.compile(b.covering, "-cover"); err != nil {
		return nil, err
	}
	return b, b.compile(b.mutant, "-overlay", list)
}

func (b *binary) compile(to string, flags ...string) error {
	arguments := append([]string{"test", "-c", "-vet=off", "-o", to}, flags...)
	build := exec.Command("go", append(arguments, ".")...)
	build.Dir = b.dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// run runs tests, ended if they take too long.
func (b *binary) run(program string, limit time.Duration, id int, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	test := exec.CommandContext(ctx, program, append(flags, "-test.short")...)
	test.Dir, test.WaitDelay = b.dir, time.Second
	test.Env = append(os.Environ(), fmt.Sprintf("%s=%d", alive, id))
	out, err := test.CombinedOutput()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	return out, err
}

func named(tests ...string) string { return "^(" + strings.Join(tests, "|") + ")$" }

// suite is how long each test takes with no mutant alive.
type suite map[string]time.Duration

// patience is for one test that has nothing to complain about.
const patience = 5 * time.Minute

// measure runs each test alone to learn what it reaches and how long it takes.
// One that fails because the code is instrumented, as tests of time and memory
// may, cannot judge mutants.
func (b *binary) measure(mutants []*mutant) (suite, error) {
	list, err := b.run(b.covering, patience, 0, "-test.list", "^(Test|Example|Fuzz)")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, list)
	}
	took := suite{}
	reached := map[string][]block{}
	for _, test := range strings.Fields(string(list)) {
		profile := filepath.Join(b.work, "profile")
		_, fault := b.run(b.covering, patience, 0, "-test.run", named(test), "-test.coverprofile", profile)
		start := time.Now()
		if fault == nil {
			_, fault = b.run(b.mutant, patience, 0, "-test.run", named(test))
		}
		if fault != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: it fails where the code is instrumented\n", test)
			continue
		}
		took[test] = time.Since(start)
		if reached[test], err = readProfile(profile); err != nil {
			return nil, err
		}
	}
	for _, m := range mutants {
		for test, blocks := range reached {
			if slices.ContainsFunc(blocks, func(b block) bool { return b.holds(m) }) {
				m.tests = append(m.tests, test)
			}
		}
		slices.SortFunc(m.tests, func(a, b string) int { return int(took[a] - took[b]) })
	}
	return took, nil
}

// try runs the tests that reach a mutant, the quick ones together and first:
// most mutants end there.
func (b *binary) try(m *mutant, took suite) fate {
	var quick []string
	var groups [][]string
	for _, test := range m.tests {
		if took[test] < 200*time.Millisecond {
			quick = append(quick, test)
		} else {
			groups = append(groups, []string{test})
		}
	}
	if len(quick) > 0 {
		groups = append([][]string{quick}, groups...)
	}
	for _, group := range groups {
		limit := 4 * time.Second
		for _, test := range group {
			limit += 6 * took[test]
		}
		_, err := b.run(b.mutant, limit, m.id, "-test.failfast", "-test.run", named(group...))
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return timedOut
		case err != nil:
			return killed
		}
	}
	return lived
}
