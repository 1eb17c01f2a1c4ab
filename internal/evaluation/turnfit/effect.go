package turnfit

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/bonafide-go/bonafide/internal/fitting"
)

// effectSets are the sets that effects are told of.
var effectSets = []string{"own", "turns_domains", "turns_wild", "turns_wire", "turns", "turns_attack"}

// WriteEffects begins a table of effects with the figures of the whole, in percent: noticed
// of lies and asked of the honest, caught and harmed; of unlabelled turns, those asked and
// alarmed about.
func WriteEffects(out io.Writer, of string, whole []Judged) {
	fmt.Fprintln(out, "In percent: noticed, asked, caught, harmed; of sets without labels asked and alarmed about. "+
		"Below the first row: what changes without it.")
	fmt.Fprintf(out, "%-36s", of)
	for _, set := range effectSets {
		fmt.Fprintf(out, " | %-23s", set)
	}
	fmt.Fprintln(out)
	writeRow(out, "with all", whole, nil)
}

// WriteEffect adds a row: how the figures change without something.
func WriteEffect(out io.Writer, without string, whole, judged []Judged) {
	writeRow(out, without, judged, whole)
}

func writeRow(out io.Writer, name string, judged, whole []Judged) {
	fmt.Fprintf(out, "%-36s", name)
	for _, set := range effectSets {
		values := FiguresOf(judged, set).percents()
		form := " %5.1f"
		if whole != nil {
			form = " %+5.1f"
			for i, value := range FiguresOf(whole, set).percents() {
				values[i] -= value
			}
		}
		fmt.Fprint(out, " |")
		for _, value := range values {
			fmt.Fprintf(out, form, value)
		}
	}
	fmt.Fprintln(out)
}

// percents are noticed, asked, caught and harmed; for sets without lies those that are
// asked and alarmed about.
func (f Figures) percents() [4]float64 {
	if f.Lies == 0 {
		return [4]float64{0, 100 * f.WildAsked, 0, 100 * f.WildAlarms}
	}
	return [4]float64{100 * f.Noticed, 100 * f.Asked, 100 * f.Caught, 100 * f.Harmed}
}

// FitWithout is [Fit] without some features, and a little rougher.
func FitWithout(samples []*Sample, features ...string) *Models {
	return fitter{without: features, inner: 2}.fit(samples)
}

// groupPatterns are what the names of a group's features are like; the first that fits counts.
var groupPatterns = []struct {
	group string
	names *regexp.Regexp
}{
	{"doubts about clauses", regexp.MustCompile(`doubt|top own`)},
	{"entries", regexp.MustCompile(`^entry`)},
	{"values", regexp.MustCompile(`^(values|ids|numbers|clocks|names)|swapped`)},
	{"what records cover", regexp.MustCompile(`cover`)},
	{"vectors", regexp.MustCompile(`^(near|wish) |^(missed|open) over`)},
	{"what the user wants", regexp.MustCompile(`^user|asked for|^asked|acts over`)},
	{"fit of acts", regexp.MustCompile(`fits|^fit |failure over change|words known|words unmet`)},
	{"counts", regexp.MustCompile(`nth over|^no |changed before|^(count|failures|changed|read|failed|pending|calls)$`)},
	{"form of a clause", regexp.MustCompile(`verbless|^active|^passive|^present|^by |negated|^first|^last|^verb`)},
	{"words of a clause", regexp.MustCompile(`^(now|all|done|tick|refrains|part)$|waits after|^look`)},
	{"signs of the text", regexp.MustCompile(`^text|asks|asking|prevented|speaks|promise|announces|s$`)},
}

// FeatureGroups are the names of all features, by group; what fits no group is among
// "others".
func FeatureGroups() map[string][]string {
	clause, turn := fitting.Completion.Features()
	groups := map[string][]string{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(clause, turn...)))) {
		group := "others"
		for _, pattern := range groupPatterns {
			if pattern.names.MatchString(name) {
				group = pattern.group
				break
			}
		}
		groups[group] = append(groups[group], name)
	}
	return groups
}
