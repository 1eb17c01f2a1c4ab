package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// JUnit writes the findings in the format that build servers show as test
// results (https://github.com/testmoapp/junitxml). A finding is a test that
// failed; one that the audit is not sure of was skipped, since the format knows
// nothing between; the other turns of a file are one test that passed.
//
// The number of tests stands at the beginning of the file, so the tests are
// written aside first. Nil writes nothing.
type JUnit struct {
	path              string
	aside             *os.File
	writer            *bufio.Writer
	failures, skipped int
	found             map[string]int // findings that are turns, by file
	err               error
}

// OpenJUnit opens the file; an empty path is none.
func OpenJUnit(path string) (*JUnit, error) {
	if path == "" {
		return nil, nil
	}
	aside, err := os.CreateTemp(filepath.Dir(path), ".audit-*.xml")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return &JUnit{path: path, aside: aside, writer: bufio.NewWriter(aside), found: map[string]int{}}, nil
}

// Discard leaves an older file alone.
func (j *JUnit) Discard() {
	if j != nil {
		_ = errors.Join(j.aside.Close(), os.Remove(j.aside.Name())) // nothing was asked for yet
	}
}

// Finding writes one test.
func (j *JUnit) Finding(f Finding) {
	if j == nil || j.err != nil {
		return
	}
	name := fmt.Sprintf("line %d, turn %d: %s", f.Line, f.Turn, clip.Text(OneLine(f.User), 80))
	if f.Aside {
		name += " (beside calls)"
	} else if _, known := j.found[f.File]; known || len(j.found) < MaxGroups {
		j.found[f.File]++
	}
	j.printf("  <testcase classname=%s name=%s>\n", attribute(f.File), attribute(name))
	if f.Unsure || f.Aside {
		j.skipped++
		j.printf("    <skipped message=%s/>\n", attribute(f.kind()+": "+f.Summary()))
		j.printf("    <system-out>%s</system-out>\n", escaped(f.account()))
	} else {
		j.failures++
		j.printf("    <failure type=%s message=%s>%s</failure>\n", attribute(f.kind()), attribute(f.Summary()),
			escaped(f.account()))
	}
	j.printf("  </testcase>\n")
}

// Summary is a finding in one line.
func (f *Finding) Summary() string {
	switch {
	case len(f.Claims) > 0:
		return "“" + clip.Text(f.Claims[0].Sentence, 160) + "”: " + OneLine(f.Claims[0].Why)
	case len(f.Missing) > 0:
		return f.Missing[0].Tool + " was not called"
	case len(f.Doubts) > 0:
		return "perhaps " + f.Doubts[0].say()
	}
	return explanations[f.Reason]
}

// account is a finding as the terminal shows it.
func (f *Finding) account() string {
	var out bytes.Buffer
	t := &terminal{Writer: bufio.NewWriter(&out)}
	t.finding(f)
	_ = t.Flush() // into memory
	return out.String()
}

func (j *JUnit) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(j.writer, format, args...); err != nil && j.err == nil {
		j.err = err
	}
}

// End writes the file and moves it to its place, so that one that is broken off
// leaves an older one alone.
func (j *JUnit) End(report *Report) error {
	if j == nil {
		return nil
	}
	passed := 0
	for _, file := range report.Files {
		if left := file.Turns - j.found[file.Name]; left > 0 {
			passed++
			j.printf("  <testcase classname=%s name=%s/>\n", attribute(file.Name),
				attribute(Plural(left, "turn")+" without a finding"))
		}
	}
	whole, err := os.CreateTemp(filepath.Dir(j.path), ".audit-*.xml")
	if err != nil {
		j.Discard()
		return err
	}
	err = errors.Join(j.err, j.writer.Flush(), j.assemble(whole, passed), whole.Chmod(0o644), whole.Close())
	err = errors.Join(err, j.aside.Close(), os.Remove(j.aside.Name()))
	if err != nil {
		return errors.Join(err, os.Remove(whole.Name()))
	}
	return os.Rename(whole.Name(), j.path)
}

func (j *JUnit) assemble(into io.Writer, passed int) error {
	tests := passed + j.failures + j.skipped
	counts := fmt.Sprintf(`tests="%d" failures="%d" errors="0" skipped="%d"`, tests, j.failures, j.skipped)
	head := fmt.Sprintf("%s<testsuites %s>\n<testsuite name=\"audit transcripts\" %s>\n", xml.Header, counts, counts)
	if _, err := io.WriteString(into, head); err != nil {
		return err
	}
	if _, err := j.aside.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(into, j.aside); err != nil {
		return err
	}
	_, err := io.WriteString(into, "</testsuite>\n</testsuites>\n")
	return err
}

// attribute is a text in quotes; what XML cannot hold is replaced.
func attribute(text string) string { return `"` + escaped(text) + `"` }

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // into memory
	return out.String()
}
