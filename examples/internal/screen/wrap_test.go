package screen_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

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
		if got := screen.Wrap(test.text, test.most); !slices.Equal(got, test.want) {
			t.Errorf("%q became %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("delete 買い物 e\u0301 and a very-long-word-that-does-not-fit", 8)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 2 + max(most, -most)%100
		lines := screen.Wrap(text, max(most, 2))
		for _, line := range lines {
			if screen.Cells(line) > max(most, 2) {
				t.Errorf("%q has %d cells, want at most %d", line, screen.Cells(line), most)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(lines, "")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
