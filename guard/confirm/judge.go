package confirm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	maxFound, maxShown                 = 2048, 60 // bytes of what is kept, and of a value in a reason
	skipped            tooltrack.Sight = ""       // a condition about what the call leaves out
)

// Judge holds what was read after a change against what must hold.
func (p *Plan) Judge(change *tooltrack.Record, read tooltrack.Result) tooltrack.Confirmation {
	seen := tooltrack.Confirmation{Sight: tooltrack.NotConfirmed, By: p.Tool}
	found, why := stateIn(read)
	if why != "" {
		seen.Reason = "it could not be read back: " + clip.Text(why, maxShown)
		return seen
	}
	if len(found) <= maxFound {
		seen.Found = found
	}
	check := checking{change, cmp.Or(p.Tool, "what was read back")}
	if seen.Reason = check.otherThing(p.args, found); seen.Reason != "" {
		return seen
	}
	seen.Reason = "the call leaves out all that could be compared"
	for i := range p.expect {
		switch sight, reason := check.holds(&p.expect[i], found); sight {
		case skipped:
		case tooltrack.Confirmed:
			seen.Sight, seen.Reason = sight, ""
		default:
			if seen.Sight, seen.Reason = sight, reason; change.Result.Status == tooltrack.Pending {
				seen.Sight = tooltrack.NotConfirmed // it may yet come
			}
			return seen
		}
	}
	return seen
}

// notFound is how tools say that there is no such thing.
var notFound = []string{"not found", "not_found", "no such", "not exist", "doesn't exist", "404", "unknown id"}

// stateIn is what a read found; nil where it found nothing. Why says why it tells nothing.
func stateIn(read tooltrack.Result) (found []byte, why string) {
	if why = read.Doubtful; !read.Success() {
		why = cmp.Or(read.Error, tooltrack.NoReason)
	}
	said := strings.ToLower(read.Text() + " " + read.Error)
	switch {
	case why == "":
		return read.Data, ""
	case slices.ContainsFunc(notFound, func(words string) bool { return strings.Contains(said, words) }):
		return nil, ""
	}
	return nil, why
}

// isNothing reports whether a value says that there is nothing.
func isNothing(data []byte) bool {
	return slices.Contains([]string{"", "null", "{}", "[]", `""`}, strings.TrimSpace(string(data)))
}

// checking is one change that was read back, and what read it.
type checking struct {
	change *tooltrack.Record
	by     string
}

// otherThing says that a read shows another thing than was asked for: a member that is
// called as an argument of it has another value.
func (c checking) otherThing(args []binding, found []byte) string {
	for _, one := range args {
		asked, known := one.from.in(c.change)
		if has := member(found, one.name); known && has != nil && !isSame(asked, has, false) {
			return fmt.Sprintf("%s was asked for %s %s and shows %s", c.by, one.name, short(asked), short(has))
		}
	}
	return ""
}

// holds reports whether a condition holds of what was found, and if not, why.
func (c checking) holds(want *condition, found []byte) (tooltrack.Sight, string) {
	shown := member(found, want.path)
	switch {
	case want.inner != nil:
		return c.listHolds(want, found, shown)
	case want.values != nil:
		return c.compare(want, found, shown)
	case want.word == "exists" && isNothing(shown):
		return tooltrack.Contradicted, c.by + " shows no " + strings.Replace(want.path, ".", "such thing", 1)
	case want.word == "absent" && !isNothing(shown):
		return tooltrack.Contradicted, c.by + " still shows " + strings.TrimPrefix(want.path+" "+short(shown), ". ")
	}
	return tooltrack.Confirmed, ""
}

// compare holds a value that was found against those that are allowed.
func (c checking) compare(want *condition, found, shown []byte) (tooltrack.Sight, string) {
	var allowed []string
	for _, v := range want.values {
		value, known := v.in(c.change)
		if !known {
			continue
		}
		if want.word == "=" && isSame(value, shown, v.of == "") ||
			want.word == "contains" && strings.Contains(plain(shown), plain(value)) {
			return tooltrack.Confirmed, ""
		}
		allowed = append(allowed, short(value))
	}
	switch others := strings.Join(allowed, " or "); {
	case allowed == nil:
		return skipped, ""
	case isNothing(found):
		return tooltrack.Contradicted, c.by + " shows no such thing"
	case shown == nil:
		return tooltrack.NotConfirmed, c.by + " shows no " + want.path
	case want.word == "contains":
		return tooltrack.Contradicted, c.by + " does not show " + others
	default:
		what := strings.TrimPrefix(want.path+" "+short(shown), ". ")
		return tooltrack.Contradicted, fmt.Sprintf("%s shows %s, not %s", c.by, what, others)
	}
}

// listHolds counts the elements of a list that fit.
func (c checking) listHolds(want *condition, found, list []byte) (tooltrack.Sight, string) {
	if jsonspan.KindOf(list) != jsonspan.Array && !isNothing(found) {
		return tooltrack.NotConfirmed, c.by + " shows no list"
	}
	count := 0
	for element := range jsonspan.Elements(list) {
		misfits := func(inner condition) bool {
			sight, _ := c.holds(&inner, element)
			return sight != tooltrack.Confirmed && sight != skipped
		}
		if !slices.ContainsFunc(want.inner, misfits) {
			count++
		}
	}
	switch {
	case want.word == "lacks" && count > 0:
		return tooltrack.Contradicted, c.by + " still lists it"
	case want.word == "once" && count > 1:
		return tooltrack.Contradicted, fmt.Sprintf("%s lists it %d times", c.by, count)
	case want.word != "lacks" && count == 0:
		return tooltrack.Contradicted, c.by + " does not list it"
	}
	return tooltrack.Confirmed, ""
}

// isSame reports whether two values mean the same: equal JSON, with or without quotes, one
// moment, or the same text; a word of the form in whatever letters.
func isSame(want, has []byte, word bool) bool {
	a, b := strings.TrimSpace(plain(want)), strings.TrimSpace(plain(has))
	one, fault := jsonspan.AppendCanonical(nil, []byte(a)) // "48.00" is 48
	other, faulty := jsonspan.AppendCanonical(nil, []byte(b))
	if fault == nil && faulty == nil {
		return string(one) == string(other)
	}
	x, noTime := time.Parse(time.RFC3339Nano, a)
	y, neither := time.Parse(time.RFC3339Nano, b)
	if noTime == nil && neither == nil {
		return x.Equal(y)
	}
	return a == b || word && strings.EqualFold(a, b)
}

// plain is a value as text: a string without its quotes.
func plain(value []byte) string {
	if text, ok := jsonspan.Text(value); ok {
		return text
	}
	return string(value)
}

func short(value []byte) string { return clip.Text(string(value), maxShown) }
