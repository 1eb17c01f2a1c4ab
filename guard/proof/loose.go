package proof

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// An honest model may know well what its answer rests on, and say so in a form of its own:
// under other names, in a table, or in sentences with numbers in brackets. It is
// understood, and checked like any other.

//go:embed names.txt
var namesData string

// ourNames are the parts of a report and its statuses by what models call them.
var ourNames = readNames(namesData)

func readNames(data string) map[string]string {
	read := map[string]string{}
	for line := range strings.Lines(data) {
		ours, others, found := strings.Cut(line, ":")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		for other := range strings.FieldsSeq(others) {
			read[other] = ours
		}
	}
	return read
}

// shown is the status of what is said to be shown by calls: it is what these are.
const shown Status = "shown"

// nameOf is our name for a part or a status, as a model calls it: "Looked up", "done (by
// the tool)", "**Status**".
func nameOf(written string) string {
	written, _, _ = strings.Cut(written, "(")
	written = strings.ToLower(strings.Trim(strings.TrimSpace(written), ".!*_` ✓✔✅☑"))
	return ourNames[strings.NewReplacer(" ", "_", "-", "_").Replace(written)]
}

// Understand reads an answer to a request for proof in whatever form it comes: as [Parse]
// does, and otherwise under other names, as a list or a table, or as sentences that cite
// calls of the list. The error is that of Parse.
func Understand(answer string, list List) (Report, error) {
	report, err := Parse(answer)
	strange := func(item Item) bool {
		return item.What == "" || !slices.Contains(statuses, item.Status) || item.Status.Cites() && len(item.Records) == 0
	}
	if err == nil && !slices.ContainsFunc(report.Items, strange) || len(answer) > MaxReport {
		return report, err
	}
	text := strings.TrimSpace(unthought(strings.TrimSpace(answer)))
	read := loose{list: list}
	if at := strings.IndexByte(text, '{'); at >= 0 {
		read.objects(jsonspan.WithoutLastCommas(text[jsonFrom(text, at):]))
	} else if !read.table(text) && !read.members(text) {
		read.sentences(text)
	}
	if len(read.items) == 0 || len(read.items) > MaxItems || read.strange || len(read.messages) > 1 {
		return report, err
	}
	understood := Report{Items: read.items}
	for message := range read.messages {
		understood.Message = &message
	}
	return understood, nil
}

// jsonFrom is where JSON begins, of which the first object is known: it may be in a list.
func jsonFrom(text string, object int) int {
	before := strings.TrimRight(text[:object], " \t\r\n")
	if strings.HasSuffix(before, "[") {
		return len(before) - 1
	}
	return object
}

// loose is a report as it is understood so far.
type loose struct {
	list     List
	items    []Item
	messages map[string]bool
	report   map[string]any // the object that has them, if there is one: there are no two
	strange  bool           // something in it cannot be understood
}

func (l *loose) add(item Item) {
	same := func(other Item) bool {
		return other.What == item.What && other.Status == item.Status && slices.Equal(other.Records, item.Records)
	}
	item.What = strings.TrimSpace(item.What)
	if item.Status == "" && len(item.Records) > 0 {
		item.Status = shown
	}
	if item.What == "" || item.Status == "" {
		l.strange = true
	}
	if !slices.ContainsFunc(l.items, same) {
		l.items = append(l.items, item)
	}
}

// objects reads the JSON values that a text begins with. One that cannot be read may be
// the rest of those before it.
func (l *loose) objects(text string) {
	for strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		var value any
		decoder := json.NewDecoder(strings.NewReader(text))
		if decoder.Decode(&value) != nil {
			printed, whole := jsonspan.FromPrinted(text) // as Python prints it
			if !whole || json.Unmarshal(printed, &value) != nil {
				l.strange = true
				return
			}
			l.value(value, 0)
			return
		}
		l.value(value, 0)
		text = strings.TrimLeft(text[decoder.InputOffset():], " \t\r\n,")
	}
	l.strange = l.strange || strings.Contains(text, `{"`)
}

// maxNesting is how deep a report may lie inside of other values.
const maxNesting = 4

func (l *loose) value(value any, depth int) {
	switch v := value.(type) {
	case string:
		l.sentences(v)
	case []any:
		for _, element := range v {
			l.value(element, depth)
		}
	case map[string]any:
		parts := map[string]any{}
		for name, member := range v {
			if ours := nameOf(name); ours != "" && parts[ours] == nil {
				parts[ours] = member
			}
		}
		items, many := parts["items"].([]any)
		_, named := parts["what"].(string)
		switch {
		case many:
			l.strange = l.strange || l.report != nil && !reflect.DeepEqual(l.report, v)
			l.report = v
			l.message(parts["message"])
			l.value(items, depth+1)
		case named && (parts["status"] != nil || parts["records"] != nil):
			l.item(parts)
		case depth < maxNesting:
			for _, member := range v {
				if _, isText := member.(string); !isText {
					l.value(member, depth+1)
				}
			}
		}
	}
}

func (l *loose) message(value any) {
	text, isText := value.(string)
	if text = strings.TrimSpace(text); !isText || text == "" || text == "null" {
		return
	}
	if l.messages == nil {
		l.messages = map[string]bool{}
	}
	l.messages[text] = true
}

func (l *loose) item(parts map[string]any) {
	var one Item
	one.What, _ = parts["what"].(string)
	one.Reason, _ = parts["reason"].(string)
	one.Records = l.numbers(parts["records"])
	if written, isText := parts["status"].(string); isText && written != "" {
		one.Status = l.status(written)
	}
	l.add(one)
}

// status is what a word says became of something; a word that nobody knows is no status.
func (l *loose) status(written string) Status {
	status := Status(nameOf(written))
	if status != shown && !slices.Contains(statuses, status) {
		l.strange = true
	}
	return status
}

// numbers are those of records, however they are written: 3, "#3", "#3 and #4", {"id": 3}.
func (l *loose) numbers(value any) (numbers Numbers) {
	switch v := value.(type) {
	case float64:
		if l.strange = l.strange || v != float64(int(v)); !l.strange {
			return Numbers{int(v)}
		}
	case string:
		return numbersIn(v)
	case []any:
		for _, element := range v {
			numbers = append(numbers, l.numbers(element)...)
		}
	case map[string]any:
		for _, member := range v {
			numbers = append(numbers, l.numbers(member)...)
		}
	}
	return numbers
}

var (
	marked   = regexp.MustCompile(`#([0-9]{1,3})\b`)
	unmarked = regexp.MustCompile(`\b([0-9]{1,3})\b`)
)

// numbersIn are those in a text: the ones with a mark, or else all.
func numbersIn(text string) (numbers Numbers) {
	found := marked.FindAllStringSubmatch(text, -1)
	if found == nil {
		found = unmarked.FindAllStringSubmatch(text, -1)
	}
	for _, one := range found {
		number, _ := strconv.Atoi(one[1])
		numbers = append(numbers, number)
	}
	return numbers
}

// table reads a Markdown table whose first row names its columns.
func (l *loose) table(text string) bool {
	var columns []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.Count(line, "|") < 2 || strings.Trim(line, "|-: ") == "" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if columns == nil {
			for _, cell := range cells {
				columns = append(columns, nameOf(cell))
			}
			if !slices.Contains(columns, "what") {
				return false
			}
			continue
		}
		parts := map[string]any{}
		for i, cell := range cells[:min(len(cells), len(columns))] {
			parts[columns[i]] = strings.TrimSpace(cell)
		}
		l.item(parts)
	}
	return len(l.items) > 0
}

var memberLine = regexp.MustCompile(`^\s*([-*+]\s+)?\**"?([A-Za-z_ ]{2,20})"?\**\s*:\s*\**\s*(\S.*)$`)

// members reads items as lines, each with the name of a part: "- what: …", "  status: …".
func (l *loose) members(text string) bool {
	parts := map[string]any{}
	end := func() {
		if parts["what"] != nil {
			l.item(parts)
		}
		parts = map[string]any{}
	}
	for line := range strings.Lines(text) {
		found := memberLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil {
			continue
		}
		name := nameOf(found[2])
		if name == "" || name == "items" || name == "message" {
			continue
		}
		if parts[name] != nil || found[1] != "" && name == "what" {
			end()
		}
		parts[name] = strings.Trim(found[3], `"', `)
	}
	end()
	return len(l.items) > 0
}

// cites is how a sentence cites calls: [2], (#2, #3), call 2, record #2.
var cites = regexp.MustCompile(
	`\[(?:#?[0-9]{1,3}(?:\s*,\s*)?)+\]|\(?#[0-9]{1,3}(?:,? (?:and )?#[0-9]{1,3})*\)?|\(?\b(?i:by )?(?i:record|call)s? #?[0-9]{1,3}\b\)?`)

// failing are the roles of words by which a sentence tells that something did not work.
const failing = reading.RoleFail | reading.RoleError | reading.RoleUnable | reading.RoleTrouble

// sentences reads the sentences of a text that cite calls. One that denies something says
// that it was not done. Numbers of other things cite nothing: then there is no report.
func (l *loose) sentences(text string) {
	for _, sentence := range completion.Sentences(text) {
		said := text[sentence.Start:sentence.End]
		var numbers Numbers
		for _, cited := range cites.FindAllString(said, -1) {
			numbers = append(numbers, numbersIn(cited)...)
		}
		if len(numbers) == 0 {
			continue
		}
		if slices.ContainsFunc(numbers, func(number int) bool { return l.list.Record(number) == nil }) {
			l.strange = true
			return
		}
		one := Item{What: strings.Trim(cites.ReplaceAllString(said, ""), " \t\n.-*"), Status: shown, Records: numbers}
		k := knowledge{reader: reading.English()}
		switch {
		case k.read(one.What).Sentences != nil && k.page.Sentences[0].Roles&failing != 0:
			one.Status = Failed
		case k.hedged(said):
			one = Item{What: one.What, Status: NotDone, Reason: one.What}
		}
		l.add(one)
	}
}
