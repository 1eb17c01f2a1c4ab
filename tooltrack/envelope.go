package tooltrack

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// envelope collects what the members of a body say about the call itself. Every
// occurrence of a member counts, so a second "success":true cannot undo a first
// "success":false.
type envelope struct {
	options   *ParseOptions
	asked     *asked
	isText    bool
	failed    *ResultRule // a row that says so
	waiting   *ResultRule
	maybe     *ResultRule // of a status that may be an entity's own
	state     string      // the status that it is about
	isState   bool        // the member is called a state
	text      *ResultRule
	doubt     string // what leaves it in doubt; weakly, where nothing else is told
	weak      bool
	partly    string // what was not done, where the rest was
	inside    string // a failure inside of what wraps the answer
	succeeded bool   // it says so itself
	gateway   bool
	answers   bool // it tells something beside its error
	fault     []byte
	message   []byte
	thing
	tally
}

// thing is how much of an entity a body carries beside a status.
type thing struct {
	titled  bool     // it has a name for people, as an entity has
	named   bool     // it has an id, which may be that of a job
	wrapped bool     // the answer stands in a member of its own, so what is beside it is the envelope's
	carries int      // members that belong to an entity, not to an envelope; lists and objects count double
	words   bool     // it has other members than a message
	denies  []string // members that deny something, such as "deleted"
	affirms []string // members that affirm something
	refused string   // a member that says that something was turned down
	finds   bool     // it tells what a check has found, so its errors are findings
	faulty  bool     // and what it has found is no good
	known   bool     // it carries the id of something else that the call names
}

// tally is what a body counts: of a batch a part may have failed.
type tally struct {
	undone  string // a member that counts what was not done
	none    string // one that counts none of what was
	counted bool   // one that counts some, or none, of what was
	some    bool   // one that counts some
}

// plainlyEntity is how much of an entity a body must carry for its pending status
// to be the entity's beyond doubt: an order has an address and items.
const plainlyEntity = 2

// maxLayers bounds how deep a body may be wrapped: a string in a string, the text
// of a content part.
const maxLayers = 3

// Rows for what no single member says.
var (
	testsFailed = &ResultRule{Name: "failed tests", Then: Failed, own: &ownRule{within: "tail", matches: failedCount}}
	failedCount = regexp.MustCompile(
		`(?i)(?:^|[,.;:=()\[\]\s])\d*[1-9]\d*[,.;:=()\[\]\s]+(?:failed|failing|failures|errors)(?:$|[,.;:=()\[\]\s])`)
	// cutOff is an object whose end is missing, and whose beginning says failure.
	cutOff = &ResultRule{Name: "cut off", Then: Failed}
)

// judge reads a body: a JSON object, an object inside a string, a list of content
// parts, or a text.
func (e *envelope) judge(data json.RawMessage, layers int) {
	data = bytes.TrimSpace(data)
	isChange := e.asked.call.Tool != "" &&
		(e.asked.effect == Changes || e.asked.effect == UnknownEffect && !e.asked.Repeats)
	switch kind := jsonspan.KindOf(data); {
	case kind == jsonspan.String:
		text, _ := jsonspan.Text(data)
		e.unwrap(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\uFEFF")), layers)
	case kind == jsonspan.Object:
		e.readObject(data, layers)
	case kind == jsonspan.Array:
		e.readList(data, layers)
		if isChange && string(data) == "[]" {
			e.doubt = "an empty list"
		}
	case isChange && string(data) == "false":
		e.doubt = "the value false"
	}
}

// unfenced is a text without the marks of a block of code around it.
func unfenced(text string) string {
	inside, found := strings.CutSuffix(strings.TrimPrefix(text, "```"), "```")
	if !found || !strings.HasPrefix(text, "```") {
		return text
	}
	_, block, _ := strings.Cut(inside, "\n")
	return strings.TrimSpace(block)
}

// unwrap reads what a string holds: an object as JSON or as a runtime prints it,
// a list of content parts, or a text.
func (e *envelope) unwrap(text string, layers int) {
	text = unfenced(text)
	inner := []byte(text)
	kind := jsonspan.KindOf(inner)
	switch {
	case kind != jsonspan.Object && kind != jsonspan.Array && kind != jsonspan.String || layers == 0:
	case json.Valid(inner):
		e.judge(inner, layers-1)
		return
	case kind == jsonspan.Object:
		if converted, ok := jsonspan.FromPrinted(text); ok {
			e.judge(converted, layers-1)
			return
		}
		if e.alone(inner).failed != nil { // the end is missing, and the members that are there say failure
			e.isText, e.text = true, cutOff
			return
		}
	}
	e.isText = true
	if e.readText(text); e.text == nil && e.asked.effect == Verifies && testsFailed.isIn(text) {
		e.text = testsFailed
	}
}

// alone reads the members of an object that belongs to no known call.
func (e *envelope) alone(object []byte) *envelope {
	each := &envelope{options: e.options, asked: unknownCall}
	for key, value := range jsonspan.Members(object) {
		each.read(strings.ToLower(string(jsonspan.Key(key))), value)
	}
	return each
}

func (e *envelope) readObject(data []byte, layers int) {
	for key, value := range jsonspan.Members(data) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		e.read(name, value)
		switch {
		case layers == 0:
		case name == "content":
			e.readContent(value, layers)
		case name == "structuredcontent", name == "result" && isRPC(data):
			e.judge(value, layers-1)
		default:
			e.readInside(name, value)
		}
	}
	if !e.words && layers > 0 {
		e.readMessage(data, layers)
	}
}

// isRPC reports the envelope of JSON-RPC, in which a result of the Model Context
// Protocol travels.
func isRPC(data []byte) bool {
	for key := range jsonspan.Members(data) {
		if string(key) == "jsonrpc" {
			return true
		}
	}
	return false
}

// readInside reads what a member wraps: the answer of a service behind a gateway, the
// fields of a GraphQL mutation, the items of a batch. A failure there is the call's, but
// for the error of a thing that was looked up.
func (e *envelope) readInside(name string, value []byte) {
	kind := jsonspan.KindOf(value)
	switch {
	case kind == jsonspan.Object && isWord(name, "inner"):
		inner := &envelope{options: e.options, asked: e.asked}
		for key, member := range jsonspan.Members(value) {
			field := strings.ToLower(string(jsonspan.Key(key)))
			inner.read(field, member)
			if name == "data" && jsonspan.KindOf(member) == jsonspan.Object && !e.asked.isLookup() {
				e.note(field, e.alone(member)) // the answer of one mutation
			}
		}
		if !inner.isLookedUpFailure(inner.whose()) {
			e.note(name, inner)
		}
	case kind == jsonspan.Array && isWord(name, "list") && e.asked.mayDo() && !e.asked.isLookup():
		e.readBatch(value)
	}
}

// note keeps a failure that stands inside of a member.
func (e *envelope) note(name string, inner *envelope) {
	if inner.failed != nil && inner.failed.Then == Failed {
		e.inside = "an error in its " + name
		e.gateway = e.gateway || inner.gateway
		if e.fault == nil {
			e.fault = inner.fault
		}
		if e.message == nil {
			e.message = inner.message
		}
	}
}

// readBatch counts the items of a batch that failed.
func (e *envelope) readBatch(list []byte) {
	items, failures := 0, 0
	for element := range jsonspan.Elements(list) {
		items++
		each := e.alone(element)
		if each.failed != nil || each.maybe != nil && each.maybe.Then == Failed && !e.asked.does(spaced(each.state)) {
			if failures++; e.fault == nil {
				e.fault = each.fault
			}
		}
	}
	switch {
	case failures == 0:
	case failures == items:
		e.inside = "nothing but failures"
	default:
		e.partly = "failures among its items"
	}
}

// readMessage reads a body that is nothing but a message as that message.
func (e *envelope) readMessage(data []byte, layers int) {
	for _, name := range phrases("messages") {
		for key, value := range jsonspan.Members(data) {
			if strings.EqualFold(string(jsonspan.Key(key)), name) && jsonspan.KindOf(value) == jsonspan.String {
				e.judge(value, layers-1)
				return
			}
		}
	}
}

// readList reads the content parts of a Model Context Protocol result, or a batch.
func (e *envelope) readList(data []byte, layers int) {
	parts, elements := 0, 0
	for element := range jsonspan.Elements(data) {
		elements++
		for key, value := range jsonspan.Members(element) {
			if string(key) == "type" && jsonspan.KindOf(value) == jsonspan.String {
				parts++
				break
			}
		}
		if parts < elements {
			break
		}
	}
	switch {
	case elements > 0 && parts == elements:
		e.isText = e.readContent(data, layers)
	case e.asked.mayDo() && !e.asked.isLookup():
		if e.readBatch(data); e.asked.call.Tool == "" { // it may have been looked up
			if e.inside != "" {
				e.doubt = "a list of failures"
			}
			e.inside, e.partly = "", ""
		}
	}
}

// readContent looks into the parts of a Model Context Protocol result. It reports
// whether they hold a text.
func (e *envelope) readContent(parts []byte, layers int) bool {
	var texts []string
	for part := range jsonspan.Elements(parts) {
		for key, value := range jsonspan.Members(part) {
			if string(key) == "text" {
				text, _ := jsonspan.Text(value)
				texts = append(texts, strings.TrimSpace(text))
			}
		}
	}
	if len(texts) == 0 {
		return false
	}
	if inner := []byte(texts[0]); len(texts) == 1 && jsonspan.KindOf(inner) == jsonspan.Object && json.Valid(inner) {
		e.judge(inner, layers-1)
		return false
	}
	e.readText(strings.Join(texts, "\n"))
	return true
}

func (e *envelope) read(key string, value []byte) {
	isFault := key == "error" || key == "errors"
	switch key {
	case "success", "ok", "succeeded":
		e.succeeded = e.succeeded || strings.EqualFold(strings.Trim(string(value), `"`), "true")
	case "error", "errors", "errormessage", "error_message":
		if hasContent(value) {
			e.fault = value
		} else if isFault {
			return // a service that always sends it says nothing by it
		}
	case "message", "detail", "details", "msg", "reason", "content":
		e.message = value
	}
	e.answers = e.answers || !isFault && hasContent(value)
	e.weigh(key, value)
	for row := range rowsFor(key, e.options) {
		if !row.isAbout(value) {
			continue
		}
		if e.apply(row, key); e.maybe == row {
			e.state, e.isState = jsonspan.Scalar(value), key == "state"
		}
	}
}

// weigh notes what a member says about whose status the body has.
func (e *envelope) weigh(key string, value []byte) {
	kind, is := jsonspan.KindOf(value), words().kinds[key]
	wraps := is["wrap"] && kind == jsonspan.Object || key == "content" && kind == jsonspan.Array
	mark(&e.titled, is["title"] && kind == jsonspan.String)
	mark(&e.named, is["id"] && kind != jsonspan.Null)
	mark(&e.wrapped, wraps)
	mark(&e.words, !isMessage(key, kind) && !is["beside"])
	some := isNonZeroNumber(value) || kind == jsonspan.Array && hasContent(value)
	switch {
	case is["finding"] && kind == jsonspan.Bool:
		e.finds, e.faulty = true, e.faulty || isNo(value)
	case is["fault"] && some:
		e.faulty = true
	}
	e.count(key, value, is, some)
	if is["envelope"] || kind == jsonspan.Null {
		return
	}
	e.carries++
	if kind == jsonspan.Object || kind == jsonspan.Array {
		e.carries++
	} else {
		e.compare(key, value, kind)
	}
}

// mark sets what one of several members may set.
func mark(flag *bool, set bool) { *flag = *flag || set }

// count notes what a member counts.
func (e *envelope) count(key string, value []byte, is map[string]bool, some bool) {
	does := is["counter"] || e.asked.does(key)
	zero := jsonspan.KindOf(value) == jsonspan.Number && !isNonZero(value)
	switch {
	case is["undone"] && some && !e.asked.does(key):
		e.undone = key
	case some && (does || is["tally"]):
		e.counted, e.some = true, true
	case zero && does:
		e.counted, e.none = true, key
	case is["tally"] && (zero || string(value) == "[]"):
		e.counted = true
	}
}

// compare notes what a member says about what the call was to do.
func (e *envelope) compare(key string, value []byte, kind jsonspan.Kind) {
	switch {
	case isNo(value):
		e.denies = append(e.denies, key)
	case isWord(key, "refusal") && string(value) == "true":
		e.refused = key
	case string(value) == "true":
		e.affirms = append(e.affirms, key)
	case kind == jsonspan.String && strings.HasSuffix(key, "id"):
		e.known = e.known || e.asked.hasOtherSubject(key, value)
	}
}

func isMessage(key string, kind jsonspan.Kind) bool {
	return kind == jsonspan.String && slices.Contains(phrases("messages"), key)
}

func (e *envelope) apply(row *ResultRule, key string) {
	switch {
	case row.has("change") && (!e.asked.mayDo() || e.asked.isLookup()):
	case row.has("gateway"):
		e.gateway = true
	case row.leaves() == "partly":
		e.partly = article(row.Name) + " " + key
	case row.leaves() == "doubt":
		e.doubt, e.weak = article(row.Name), row.has("weak")
	case row.has("entity"):
		if e.maybe != nil && e.maybe.Then == Failed && row.Then == Failed && row.has("coded") != e.maybe.has("coded") {
			e.failed = row // a thing has one state, and no code beside it
		}
		if e.maybe == nil || row.Then == Failed {
			e.maybe = row
		}
	case row.Then == Pending:
		e.waiting = row
	case row.Then != Succeeded:
		if e.failed == nil || e.failed.has("explains") {
			e.failed = row
		}
	}
}

// readText looks for the first row that a text fits; one that says more than a
// doubt wins.
func (e *envelope) readText(text string) {
	for row := range textRows(e.options) {
		switch {
		case row.has("change") && (!e.asked.mayDo() || e.asked.isLookup()), !row.isIn(text):
		case row.leaves() == "doubt":
			e.doubt, e.weak = article(row.Name), false
		case row.leaves() == "partly":
			e.partly = article(row.Name)
		default:
			e.text = row
			return
		}
	}
}

func article(name string) string {
	if strings.IndexByte("aeiou", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}
