package report

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// words are the functions by which both templates put figures and texts into words.
var words = map[string]any{
	"thousands": thousands, "plural": plural, "percent": percent, "bounds": bounds, "oneIn": oneIn,
	"perThousand": perThousand, "tail": tail, "oneLine": OneLine, "clip": clip.Text, "upper": strings.ToUpper,
	"explain":           decisions.Explained,
	"perThousandBounds": func(s Share) string { return perThousand(s.Low) + "–" + perThousand(s.High) },
	"minus":             func(a, b int) int { return a - b },
	"svg":               func(percent float64) string { return fmt.Sprintf("%.2f%%", percent) },
	"bar": func(n, longest int) string { // of a chart; the longest is as wide as the page
		return fmt.Sprintf("%.2f%%", max(0.5, 100*float64(n)/float64(longest)))
	},
	"head": head,
}

// OneLine is a text on one line without control characters, so that no log moves the cursor of its reader.
func OneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069
	}), " ")
}

// thousands groups the digits of a number.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural is a number of things.
func plural(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
	case y:
		noun = stem + "ies"
	default:
		noun += "s"
	}
	if n == 0 {
		return "no " + noun
	}
	return thousands(n) + " " + noun
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return rate(float64(part) / float64(whole))
}

// rate is a share with as many digits as tell something.
func rate(share float64) string {
	digits := 1
	if share >= 0.00005 && share < 0.01 {
		digits = 2
	}
	return fmt.Sprintf("%.*f %%", digits, 100*share)
}

func bounds(s Share) string {
	if s.High == 0 {
		return "–"
	}
	return fmt.Sprintf("%s–%s", strings.TrimSuffix(rate(s.Low), " %"), rate(s.High))
}

// perThousand is a share of 1,000 turns, with as many digits as tell something.
func perThousand(share float64) string {
	n := 1000 * share
	switch {
	case n == 0 || n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n < 1:
		return fmt.Sprintf("%.2f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

// head is the beginning of a list.
func head(list any, most int) any {
	value := reflect.ValueOf(list)
	return value.Slice(0, min(value.Len(), most)).Interface()
}

// oneIn says a rate as people remember it.
func oneIn(part, whole int) string {
	if part == 0 {
		return "none"
	}
	return "1 in " + thousands(int(math.Round(float64(whole)/float64(part))))
}

// tail is the end of a name that is too long for its column: names of files differ there.
func tail(name string, most int) string {
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return "…" + string(runes[len(runes)-most+1:])
}
