package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestTour: the tour as it stands on terminals of three widths, in golden files
// for people to look at.
func TestTour(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Setenv("COLUMNS", fmt.Sprint(columns))
			code, out, errs := command(t, "", "-now", today)
			require.Zero(t, code)
			require.Empty(t, errs)
			require.NotContains(t, out, "\x1b", "there is colour in a pipe")
			for line := range strings.Lines(out) {
				require.LessOrEqual(t, cells(strings.TrimRight(line, "\n")), columns, line)
			}
			shown := regexp.MustCompile(`lies shown\s+(\d+)\s+(\d+)`).FindStringSubmatch(out)
			require.NotNil(t, shown)
			require.NotEqual(t, "0", shown[1], "lies without the guard")
			require.Equal(t, "0", shown[2], "lies with the guard")
			// An id is another one in every run.
			golden(t, fmt.Sprintf("tour-%d.txt", columns), uuidForm.ReplaceAllString(out, "5f0c9a52-8d1e-4c57-9b1a-6d2f60b3a7e1"))
		})
	}
}

// TestHelpFits does the same for the help.
func TestHelpFits(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		t.Setenv("COLUMNS", fmt.Sprint(columns))
		_, out, _ := command(t, "", "help")
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, cells(strings.TrimRight(line, "\n")), columns, line)
		}
		golden(t, fmt.Sprintf("help-%d.txt", columns), out)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		check(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	require.Equal(t, string(want), got, "go test -update writes it anew")
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"unbreakable", 4, []string{"unbr", "eaka", "ble"}},
		{"a\nb", 10, []string{"a", "b"}},
		{"買い物 牛乳", 6, []string{"買い物", "牛乳"}},
		{"naïve e\u0301 x", 7, []string{"naïve e\u0301", "x"}},
		{"", 5, []string{""}},
	} {
		require.Equal(t, test.want, wrap(test.text, test.most), test.text)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("delete 買い物 e\u0301 and a very-long-word-that-does-not-fit", 8)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 2 + max(most, -most)%100
		lines := wrap(text, max(most, 2))
		for _, line := range lines {
			if cells(line) > max(most, 2) {
				t.Errorf("%q has %d cells, want at most %d", line, cells(line), most)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(lines, "")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
