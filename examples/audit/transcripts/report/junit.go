package report

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
)

// JUnit writes the findings in the format that build servers show as test
// results (https://github.com/testmoapp/junitxml). A finding is a test that
// failed; one that the audit is not sure of was skipped, since the format knows
// nothing between; the other turns of a file are one test that passed.
//
// The number of tests stands at the beginning of the file, where room is kept for
// it. Nil writes nothing.
type JUnit struct {
	file              *File
	failures, skipped int
	found             map[string]int // findings that are turns, by file
	err               error
}

// OpenJUnit opens the file; an empty path is none.
func OpenJUnit(path string) (*JUnit, error) {
	file, err := CreateFile(path)
	if file == nil {
		return nil, err
	}
	j := &JUnit{file: file, found: map[string]int{}}
	j.printf("%*s", junitHead, "")
	return j, nil
}

// junitHead is the room for what stands before the tests, in bytes.
const junitHead = 400

// Discard leaves an older file alone.
func (j *JUnit) Discard() {
	if j != nil {
		j.file.Discard()
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
	if _, err := fmt.Fprintf(j.file, format, args...); err != nil && j.err == nil {
		j.err = err
	}
}

// End writes the rest, and what stands before it.
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
	j.printf("</testsuite>\n</testsuites>\n")
	counts := fmt.Sprintf(`tests="%d" failures="%d" errors="0" skipped="%d"`, passed+j.failures+j.skipped, j.failures,
		j.skipped)
	head := fmt.Sprintf("%s<testsuites %s>\n<testsuite name=\"audit transcripts\" %s>", xml.Header, counts, counts)
	err := errors.Join(j.err, j.file.Flush())
	if err == nil {
		_, err = j.file.file.WriteAt(fmt.Appendf(nil, "%-*s\n", junitHead-1, head), 0)
	}
	return j.file.Place(0o644, err)
}

// attribute is a text in quotes; what XML cannot hold is replaced.
func attribute(text string) string { return `"` + escaped(text) + `"` }

func escaped(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // into memory
	return out.String()
}
