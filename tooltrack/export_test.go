package tooltrack_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func exported(t testing.TB, n int) (lines []string, sum string) {
	t.Helper()
	var out bytes.Buffer
	sum, err := tooltrack.WriteExport(&out, tooltrack.Scope{Owner: "ann", Conversation: "c"}, func(yield func(*tooltrack.Record, error) bool) {
		for i := range n {
			record := &tooltrack.Record{Seq: int64(i + 1), Scope: tooltrack.Scope{Owner: "ann", Turn: "t"}, Call: tooltrack.Call{Tool: "pay", Args: fmt.Appendf(nil, `{"amount":%d}`, 100+i)}}
			if !yield(record, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	return strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n"), sum
}

func verify(lines []string) (int, string, error) {
	return tooltrack.VerifyExport(strings.NewReader(strings.Join(lines, "") + "\n"))
}

// Any single change to any line is found: each line left out, doubled, exchanged with the
// next, cut, or with one byte changed.
func TestExportShowsEveryChange(t *testing.T) {
	lines, sum := exported(t, 4)
	require.Len(t, lines, 6)
	records, again, err := verify(lines)
	require.NoError(t, err)
	require.Equal(t, 4, records)
	require.Equal(t, sum, again)
	for i := range lines {
		for name, change := range map[string]func([]string) []string{
			"left out": func(l []string) []string { return slices.Delete(l, i, i+1) },
			"doubled":  func(l []string) []string { return slices.Insert(l, i, l[i]) },
			"exchanged": func(l []string) []string {
				other := (i + 1) % len(l)
				l[i], l[other] = strings.TrimSuffix(l[other], "\n")+"\n", strings.TrimSuffix(l[i], "\n")+"\n"
				l[len(l)-1] = strings.TrimSuffix(l[len(l)-1], "\n")
				return l
			},
			"cut off": func(l []string) []string { return l[:i] },
		} {
			_, _, err := verify(change(slices.Clone(lines)))
			require.ErrorIs(t, err, tooltrack.ErrBadExport, "line %d %s", i+1, name)
		}
		for at := range strings.TrimSuffix(lines[i], "\n") {
			changed := slices.Clone(lines)
			line := []byte(changed[i])
			line[at] ^= 1
			changed[i] = string(line)
			_, altered, err := verify(changed)
			if i == len(lines)-1 && err == nil { // the last line has no successor: its sum tells
				require.NotEqual(t, sum, altered)
				continue
			}
			require.ErrorIs(t, err, tooltrack.ErrBadExport, "byte %d of line %d", at, i+1)
		}
	}
}

func TestExportHandsErrorsOn(t *testing.T) {
	broken := func(yield func(*tooltrack.Record, error) bool) { yield(nil, io.ErrUnexpectedEOF) }
	_, err := tooltrack.WriteExport(io.Discard, tooltrack.Scope{Owner: "ann"}, iter.Seq2[*tooltrack.Record, error](broken))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func FuzzVerifyExport(f *testing.F) {
	lines, _ := exported(f, 2)
	f.Add([]byte(strings.Join(lines, "") + "\n"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if records, sum, err := tooltrack.VerifyExport(bytes.NewReader(data)); err == nil && (sum == "" || records < 0) {
			t.Errorf("%q passes with %d records and the sum %q", data, records, sum)
		}
	})
}

func ExampleWriteExport() {
	record := &tooltrack.Record{Scope: tooltrack.Scope{Owner: "ann"}, Call: tooltrack.Call{Tool: "pay", Args: []byte(`{"amount":100}`)}}
	var file bytes.Buffer
	if _, err := tooltrack.WriteExport(&file, record.Scope, func(yield func(*tooltrack.Record, error) bool) { yield(record, nil) }); err != nil {
		panic(err)
	}
	records, _, err := tooltrack.VerifyExport(bytes.NewReader(file.Bytes()))
	fmt.Println(records, err)
	_, _, err = tooltrack.VerifyExport(bytes.NewReader(bytes.Replace(file.Bytes(), []byte("100"), []byte("900"), 1)))
	fmt.Fprintln(os.Stdout, err)
	// Output:
	// 1 <nil>
	// line 2: it was changed: the export is not as it was written
}
