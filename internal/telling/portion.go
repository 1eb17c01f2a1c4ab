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

// portion is what one read of a thing asked for, and how much of it came. It is counted in
// lines or entries, in bytes or in pages, or goes on at a cursor.
type portion struct {
	axis    string // what from counts; empty for a cursor, and for what counts from the end
	from    int    // how many of them are before it, or the number of the page
	loose   bool   // from may as well be counted from 1
	size    int    // how many of them were asked for; 0 for all there are
	cursor  string // where an earlier result said that it goes on
	got     int    // how many came
	part    reading.Part
	data    []byte
	reached bool // nothing is missing before it
}

// ReadWhole reports whether reads of one thing give all of it: one alone, or parts that
// follow each other without a gap up to one that has room left.
func ReadWhole(reads []*tooltrack.Record) bool {
	portions, firstPage := make([]portion, len(reads)), 1
	for i, record := range reads {
		if portions[i] = portionOf(record); portions[i].axis == "page" {
			firstPage = min(firstPage, portions[i].from)
		}
	}
	covered := map[string]int{} // up to where, on each axis
	var told [][]byte           // the results that were reached: they may name a cursor
	for more := true; more; {
		more = false
		for i := range portions {
			p := &portions[i]
			if p.reached || !p.begins() && !p.follows(covered, told) {
				continue
			}
			if p.ends() {
				return true
			}
			p.reached, more, told = true, true, append(told, p.data)
			switch known := p.part != reading.CutPart || p.size > 0 && p.got >= p.size; {
			case !known || p.axis == "":
			case p.axis == "page":
				covered["page"] = max(covered["page"], p.from+1)
			default:
				covered[p.axis] = max(covered[p.axis], p.from+p.got)
				if p.begins() {
					covered["page"] = max(covered["page"], firstPage+1)
				}
			}
		}
	}
	return false
}

// begins reports whether it begins where the thing does.
func (p *portion) begins() bool {
	return p.cursor == "" && p.part != reading.LastPart && (p.from == 0 || p.from == 1 && (p.loose || p.axis == "page"))
}

// follows reports whether all before it was reached.
func (p *portion) follows(covered map[string]int, told [][]byte) bool {
	if p.cursor != "" {
		return slices.ContainsFunc(told, func(data []byte) bool { return Holds(data, p.cursor) })
	}
	return p.axis != "" && p.from > 0 && p.from <= covered[p.axis]
}

// ends reports whether nothing comes after it.
func (p *portion) ends() bool {
	return p.part == reading.LastPart || p.part == reading.WholePart && (p.size == 0 || p.got < p.size)
}

// portionOf reads what a call asked for off the names of its arguments.
func portionOf(record *tooltrack.Record) portion {
	text := record.Result.Text()
	p, end := portion{axis: "line", data: record.Result.Data, part: reading.PartOf(record.Result.Data, text)}, 0
	for key, value := range jsonspan.Members(record.Args) {
		if until := p.take(toolname.Words(string(jsonspan.Key(key))), value); until != 0 {
			end = until
		}
	}
	if end > p.from {
		p.size = end - p.from
	}
	p.got = amount(record.Result.Data, text, p.axis == "byte")
	return p
}

// take takes what an argument asks for, by the words of its name, and says where that ends; 0 if it does not.
func (p *portion) take(words []string, value []byte) (end int) {
	is := func(any ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(any, word) })
	}
	bytes := is("byte", "bytes", "chars", "characters", "length")
	// It says of what it is a number: "max_lines", "start_line", and not "max_retries", "start_date".
	counted := bytes || is("line", "lines", "row", "rows", "page", "results", "items", "entries", "records")
	if from, to, found := reading.Range(value); found && (counted || is("range")) {
		p.from = max(from-1, 0)
		return to
	}
	n, err := strconv.Atoi(jsonspan.Scalar(value))
	switch alone := len(words) == 1; {
	case is("cursor", "continuation"), is("token") && is("page", "next"):
		if p.cursor = jsonspan.Scalar(value); p.cursor != "" {
			p.axis = ""
		}
	case err != nil || !alone && !counted:
	case is("tail"):
		p.size, p.axis = n, ""
	case is("limit", "size", "max", "per", "head"):
		if p.size = n; bytes {
			p.axis = "byte"
		}
	case is("page"):
		p.axis, p.from = "page", n
	case is("offset", "skip"):
		p.from, p.loose = n, true
	case is("start", "begin"), is("from", "first") && !alone:
		p.from = max(n-1, 0)
	case is("end", "stop"), is("to", "last") && !alone:
		return n
	}
	return 0
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
