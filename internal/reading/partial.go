package reading

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Part is what a result says of how much it is. Of several signs the greatest holds.
type Part uint8

const (
	WholePart Part = iota // WholePart says nothing of more.
	LastPart              // LastPart has nothing after it, but something before it.
	FirstPart             // FirstPart has more after it, and nothing before that is left out.
	CutPart               // CutPart has something left out, nobody knows where.
)

var (
	partSpan = pattern(`^["[ ]*(-?\d+) *[,-] *(-?\d+)["\] ]*$`) // [1,100], "1-100"
	// partNote is a note in brackets that something was left out, partEnd one at the end.
	partNote = pattern(`(?s)([[(<…][^[(<…]{0,60}|output |\.\.\. )truncated.{0,50}[])>…]|(output |\.\.\. )truncated|` +
		`[[(<…]([^[(<…]{0,60}\d[^[(<…]{0,60}omitted|[^[(<…]{0,60}omitted.{0,50}\d).{0,50}[])>…]`)
	partEnd = pattern(`(?s)\d( more (line|row|result|item)| lines omitted).{0,20}$`)
	// partEdge is a first or last line that tells which part this is: "(showing first 200 lines)".
	partEdge  = pattern(`^([[({<.…=# -]*showing|lines |[[(])`)
	partShown = pattern(`^[[({<.…=# -]*showing (only )?(the )?(first |last )?0*[1-9]`)
	// partNumbers is "1-200 of 900" or "page 1 of 3", partMore the names and values of members that
	// tell of more, and partTotal and partGiven those that count.
	partNumbers = pattern(`(?:(\d[\d,]*)[-–—]|\bpage )(\d[\d,]*) of (\d[\d,]*)`)
	partMore    = pattern(`^(.*truncated|has(more|next).*)=true$|^next.*(cursor|token|page|offset)=.`)
	partState   = pattern(`^(is)?((partial|incomplete)=true|(complete|eof)=false)$`)
	partTotal   = pattern(`^total(?:lines|count|items|results|rows|entries)=(\d+)$`)
	partGiven   = pattern(`^(?:returned|shown|displayed).*=(\d+)$`)
)

// PartOf reads whether a result says that it is not all there is: a member such as has_more
// or next_cursor, fewer lines than it counts, or a note such as "[output truncated]".
func PartOf(data []byte, text string) Part {
	const depth, long = 3, 80
	text = strings.TrimSpace(strings.ToLower(text))
	words := strings.Contains(text, "truncated") || strings.Contains(text, "omitted") // the pattern is slow
	if words && partNote().MatchString(text) || partEnd().MatchString(text[max(0, len(text)-long):]) {
		return CutPart
	}
	found := partOfMembers(data, depth)
	first, _, _ := strings.Cut(text, "\n")
	for _, line := range [...]string{first, text[strings.LastIndexByte(text, '\n')+1:]} {
		switch {
		case len(line) > long || !partEdge().MatchString(line):
		case partShown().MatchString(line) && !strings.Contains(line, " of "):
			return FirstPart
		default:
			found = max(found, partByNumbers(line))
		}
	}
	return found
}

func partOfMembers(value []byte, depth int) (found Part) {
	all, shown, content, unfinished := 0, -1, false, false
	for name, member := range jsonspan.Members(value) {
		key := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(string(name)))
		said, isText := jsonspan.Text(member)
		if !isText {
			said = string(member)
		}
		sign := key + "=" + said
		if partMore().MatchString(sign) && strings.Trim(said, "0{}[] ") != "" && said != "null" && said != "false" {
			return FirstPart
		}
		// Of what holds a content, such a member speaks of that; of a task, it would be a state.
		unfinished = unfinished || partState().MatchString(sign)
		content = content || slices.Contains([]string{"content", "text", "body", "data", "output"}, string(name)) ||
			jsonspan.KindOf(member) == jsonspan.Array
		if m := partTotal().FindStringSubmatch(sign); m != nil {
			all = atoi(m[1])
		} else if m := partGiven().FindStringSubmatch(sign); m != nil {
			shown = atoi(m[1])
		}
		if isText && len(said) < 40 {
			found = max(found, partByNumbers(strings.ToLower(said)))
		}
		if depth > 1 {
			found = max(found, partOfMembers(member, depth-1))
		}
	}
	if unfinished && content || shown >= 0 && shown < all {
		return FirstPart
	}
	return found
}

// partByNumbers reads "1-200 of 900" and "page 1 of 3".
func partByNumbers(text string) Part {
	m := partNumbers().FindStringSubmatch(text)
	if m == nil {
		return WholePart
	}
	first, last, all := atoi(cmp.Or(m[1], m[2])), atoi(m[2]), atoi(m[3])
	switch {
	case last < first || all < last:
		return WholePart
	case last < all:
		return FirstPart
	case first > 1:
		return LastPart
	}
	return WholePart
}

// Range reads [1,100] and "1-100".
func Range(value []byte) (from, to int, found bool) {
	span := partSpan().FindSubmatch(value)
	if span == nil {
		return 0, 0, false
	}
	return atoi(span[1]), atoi(span[2]), true
}

// atoi is a number that a pattern has found; -1 for one that is too long.
func atoi[T string | []byte](digits T) int {
	n, err := strconv.Atoi(strings.ReplaceAll(string(digits), ",", ""))
	if err != nil {
		return -1
	}
	return n
}
