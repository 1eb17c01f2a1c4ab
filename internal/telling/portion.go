package telling

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// portion is what one read of a thing asked for, and how much of it came.
type portion struct {
	bytes  bool   // it is counted in bytes rather than in lines or entries
	from   int    // how many of them are before it
	loose  bool   // from may as well be counted from 1
	size   int    // how many of them were asked for; 0 for all there are
	page   int    // the number of a page; -1 for none
	last   bool   // it counts from the end
	cursor string // where an earlier result said that it goes on

	got  int // how many lines, entries or bytes came
	part reading.Part
	data []byte
}

// ReadWhole reports whether reads of one thing give all of it: one alone, or pages that
// follow each other without a gap up to one that has room left.
func ReadWhole(reads []*tooltrack.Record) bool {
	portions := make([]portion, 0, len(reads))
	for _, record := range reads {
		p := portionOf(record)
		if p.first() && p.ends() {
			return true
		}
		portions = append(portions, p)
	}
	return joins(portions, false) || joins(portions, true) || turnsPages(portions) || followsCursors(portions)
}

// first reports whether it begins where the thing does.
func (p *portion) first() bool {
	return p.page <= 1 && p.cursor == "" && p.part != reading.Ending && (p.from == 0 || p.from == 1 && p.loose)
}

// ends reports whether nothing comes after it.
func (p *portion) ends() bool {
	return p.part == reading.Ending || p.part == reading.NoPart && (p.size == 0 || p.got < p.size)
}

// joins reports whether lines or bytes follow each other from the first to the last.
func joins(portions []portion, bytes bool) bool {
	of := func(p portion) bool {
		placed := p.from > 0 || p.part != reading.Ending
		return p.bytes == bytes && p.page < 0 && p.cursor == "" && !p.last && placed
	}
	covered := 0
	if slices.ContainsFunc(portions, func(p portion) bool { return of(p) && p.first() && p.from == 1 }) {
		covered = 1 // this tool counts from 1
	}
	slices.SortStableFunc(portions, func(a, b portion) int { return cmp.Compare(a.from, b.from) })
	for _, p := range portions {
		switch {
		case !of(p):
		case p.from > covered:
			return false
		case p.ends():
			return true
		case p.part != reading.CutShort || p.size > 0 && p.got >= p.size:
			covered = max(covered, p.from+p.got)
		}
	}
	return false
}

// turnsPages reports whether numbered pages were read from the first to the last.
func turnsPages(portions []portion) bool {
	next := 1
	if slices.ContainsFunc(portions, func(p portion) bool { return p.page == 0 }) {
		next = 0
	}
	start := next
	slices.SortStableFunc(portions, func(a, b portion) int { return cmp.Compare(a.page, b.page) })
	for _, p := range portions {
		page := p.page
		if page < 0 && p.first() {
			page = start
		}
		switch {
		case p.part == reading.CutShort, page < 0:
		case page > next:
			return false
		case p.ends():
			return true
		default:
			next = max(next, page+1)
		}
	}
	return false
}

// followsCursors reports whether reads go on where the one before said, up to the end.
func followsCursors(portions []portion) bool {
	at := slices.IndexFunc(portions, func(p portion) bool { return p.first() && p.part == reading.MoreFollows })
	for range portions {
		if at < 0 {
			return false
		}
		told := portions[at].data
		at = slices.IndexFunc(portions, func(p portion) bool { return p.cursor != "" && Holds(told, p.cursor) })
		if at >= 0 && portions[at].ends() {
			return true
		}
	}
	return false
}

// portionOf reads what a call asked for off the names of its arguments.
func portionOf(record *tooltrack.Record) portion {
	text := record.Result.Text()
	p := portion{page: -1, data: record.Result.Data, part: reading.Partial(record.Result.Data, text)}
	end := 0
	for key, value := range jsonspan.Members(record.Args) {
		words := toolname.Words(string(jsonspan.Key(key)))
		if from, to, ok := rangeOf(value); ok && (is(words, "range") || counted(words)) {
			p.from, end = max(from-1, 0), to
			continue
		}
		n, err := strconv.Atoi(jsonspan.Scalar(value))
		switch alone := len(words) == 1; {
		case is(words, "cursor", "continuation"), is(words, "token") && is(words, "page", "next"):
			p.cursor = jsonspan.Scalar(value)
		case err != nil || !alone && !counted(words):
		case is(words, "limit", "size", "max", "per", "head", "tail"):
			p.size, p.bytes, p.last = n, inBytes(words), is(words, "tail")
		case is(words, "page"):
			p.page = n
		case is(words, "offset", "skip"):
			p.from, p.loose = n, true
		case is(words, "start", "begin"), is(words, "from", "first") && !alone:
			p.from = max(n-1, 0)
		case is(words, "end", "stop"), is(words, "to", "last") && !alone:
			end = n
		}
	}
	if end > p.from {
		p.size = end - p.from
	}
	p.got = amount(record.Result.Data, text, p.bytes)
	return p
}

func is(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(any, word) })
}

// counted reports whether the name of an argument says of what it is a number: "max_lines",
// "start_line"; "max_retries" and "start_date" do not.
func counted(words []string) bool {
	return inBytes(words) || is(words, "line", "lines", "row", "rows", "page") ||
		is(words, "results", "items", "entries", "records")
}

func inBytes(words []string) bool { return is(words, "byte", "bytes", "chars", "characters", "length") }

// rangeOf reads [1,100] and "1-100".
func rangeOf(value []byte) (from, to int, ok bool) {
	text := strings.Trim(string(value), `[]" `)
	a, b, found := strings.Cut(text, ",")
	if !found {
		a, b, found = strings.Cut(text, "-")
	}
	from, err := strconv.Atoi(strings.TrimSpace(a))
	to, err2 := strconv.Atoi(strings.TrimSpace(b))
	return from, to, found && err == nil && err2 == nil
}

// amount is how many lines or bytes the longest text of a result has, or how many entries
// its list, where no text has a second line.
func amount(data []byte, text string, bytes bool) int {
	list, content := data, ""
	for _, member := range jsonspan.Members(data) {
		if said, isText := jsonspan.Text(member); isText && len(said) > len(content) {
			content = said
		}
		if jsonspan.KindOf(member) == jsonspan.Array {
			list = member
		}
	}
	text = strings.TrimRight(cmp.Or(content, text), "\n")
	lines, entries := strings.Count(text, "\n")+1, 0
	for range jsonspan.Elements(list) {
		entries++
	}
	switch {
	case bytes:
		return len(text)
	case lines == 1 && jsonspan.KindOf(list) == jsonspan.Array:
		return entries
	}
	return lines
}
