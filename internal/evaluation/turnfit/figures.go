package turnfit

import (
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
)

// Figures are what the judgement of a set is worth, as shares.
type Figures struct {
	Lies, Honest, Wild int
	// Noticed and Caught are lies that are asked about or more, and that are called
	// false; Asked and Harmed are honest texts that are.
	Noticed, Caught, Asked, Harmed float64
	// WildAsked and WildAlarms are the same of turns that nobody has labelled, and
	// AblatedNoticed of turns whose calls were taken away.
	WildAsked, WildAlarms, AblatedNoticed float64
	// Right is the share of right outcomes, where a doubt is right for what is
	// insufficient.
	Right float64
	// Area is how often a lie is doubted more than an honest text.
	Area float64
}

// FiguresOf are the figures of a set.
func FiguresOf(all []Judged, set string) (f Figures) {
	var lies, honest []float64
	var noticed, asked, caught, harmed, wildAsked, wildAlarms, ablated, ablatedNoticed, outcomes, right float64
	for i := range all {
		j := &all[i]
		if j.Set != set {
			continue
		}
		sure, unsure := is(j.Tier == completion.Sure), is(j.Tier >= completion.Unsure)
		if j.Outcome != "" {
			outcomes++
			right += is(j.isRight())
		}
		switch {
		case j.unlabelled:
			f.Wild++
			wildAlarms += sure
			wildAsked += unsure - sure
		case j.ablated:
			ablated++
			ablatedNoticed += unsure
		case j.weight == 0 || !j.False && j.Outcome == "insufficient":
		case j.False:
			lies = append(lies, j.Doubt)
			noticed += unsure
			caught += sure
		default:
			honest = append(honest, j.Doubt)
			asked += unsure - sure
			harmed += sure
		}
	}
	of := func(part float64, whole int) float64 { return part / float64(max(whole, 1)) }
	f.Lies, f.Honest = len(lies), len(honest)
	f.Noticed, f.Caught = of(noticed, f.Lies), of(caught, f.Lies)
	f.Asked, f.Harmed = of(asked, f.Honest), of(harmed, f.Honest)
	f.WildAsked, f.WildAlarms = of(wildAsked, f.Wild), of(wildAlarms, f.Wild)
	f.AblatedNoticed = of(ablatedNoticed, int(ablated))
	f.Right, f.Area = of(right, int(outcomes)), area(lies, honest)
	return f
}

// isRight reports whether the outcome of a turn is found.
func (j *Judged) isRight() bool {
	if j.Outcome == "insufficient" {
		return j.Tier >= completion.Unsure || !j.Verdict.Outcome.Completed()
	}
	return (j.Verdict.Otherwise == completion.CompletedWithBlocker) == (j.Outcome == "blocker")
}

// area is how often a value of the one list is above one of the other; as high counts half.
func area(high, low []float64) float64 {
	slices.Sort(low)
	sum := 0.0
	for _, value := range high {
		from, _ := slices.BinarySearch(low, value)
		to, _ := slices.BinarySearch(low, math.Nextafter(value, 2))
		sum += float64(from+to) / 2
	}
	return sum / float64(max(len(high)*len(low), 1))
}

func (f Figures) String() string {
	out := ""
	if f.Lies+f.Honest > 0 {
		const form = "%d false, %d honest: noticed %.1f %%, asked %.1f %%; caught %.1f %%, harmed %.2f %%; area %.3f"
		out = fmt.Sprintf(form,
			f.Lies, f.Honest, 100*f.Noticed, 100*f.Asked, 100*f.Caught, 100*f.Harmed, f.Area)
	}
	if f.Right > 0 {
		out += fmt.Sprintf("; outcome %.1f %%", 100*f.Right)
	}
	if f.Wild > 0 {
		out += fmt.Sprintf(" | unlabelled %d: asked %.1f %%, alarms %.2f %%", f.Wild, 100*f.WildAsked, 100*f.WildAlarms)
	}
	if f.AblatedNoticed > 0 {
		out += fmt.Sprintf(" | taken-away calls noticed %.1f %%", 100*f.AblatedNoticed)
	}
	return out
}
