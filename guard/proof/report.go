package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Status says what became of the thing that an [Item] is about.
type Status string

// The statuses. Done, Answered, Partial, Pending and Failed cite records; the
// others give a reason.
const (
	Done       Status = "done"        // something was changed
	Answered   Status = "answered"    // something was looked up
	Partial    Status = "partial"     // a part of it was done
	Pending    Status = "pending"     // it was accepted and is not done yet
	Failed     Status = "failed"      // it was tried; denied, timed-out and unknown calls count
	NotDone    Status = "not_done"    // it was not tried
	Withdrawn  Status = "withdrawn"   // the user took it back
	NeedsInput Status = "needs_input" // the user has to say more
	General    Status = "general"     // it tells of nothing that was done or looked up
)

var statuses = []Status{Done, Answered, Partial, Pending, Failed, NotDone, Withdrawn, NeedsInput, General}

// UnmarshalText reads a status however it is written: "Done", "not done", "needs-input".
func (s *Status) UnmarshalText(text []byte) error {
	*s = Status(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(string(text)))))
	return nil
}

// Cites reports whether an item of this status must name records.
func (s Status) Cites() bool {
	switch s {
	case Done, Answered, Partial, Pending, Failed:
		return true
	}
	return false
}

// Claims reports whether an item of this status says that something was
// achieved.
func (s Status) Claims() bool { return s == Done || s == Answered || s == Partial }

// open reports whether an item of this status says that nothing was tried.
func (s Status) open() bool { return s == NotDone || s == NeedsInput }

// Item is one thing that happened, or that was asked for.
type Item struct {
	// What names the thing in a few words.
	What string `json:"what"`
	// Status says what became of it.
	Status Status `json:"status"`
	// Records are the numbers of the calls that show it.
	Records Numbers `json:"records,omitempty"`
	// Reason says why it is not done, or more about it.
	Reason string `json:"reason,omitempty"`
}

// Report is what a text rests on.
type Report struct {
	// Message is the corrected text for the user; nil keeps the draft.
	Message *string `json:"message"`
	// Items are what the text rests on; none for small talk and advice.
	Items []Item `json:"items"`
}

// Limits of a report. A longer one is not read: it would not be checked by
// anybody who looks at it, either.
const (
	MaxReport = 1 << 20
	MaxItems  = 128
	maxWhat   = 1000
)

// ErrNoReport is what an answer without any report is: a text like any other.
var ErrNoReport = errors.New("there is no report in the answer")

// absent is ErrNoReport in words for the model.
type absent string

func (a absent) Error() string        { return string(a) }
func (a absent) Is(target error) bool { return target == ErrNoReport }

// Parse reads the answer to a request for proof: one JSON object with items. What
// stands around it is not for the user, so it may be there: a fence, a word of
// explanation, the model's thoughts. An answer that holds no such object is
// [ErrNoReport]; one that holds several, or one that cannot be read, is another error.
func Parse(answer string) (Report, error) {
	text := strings.TrimSpace(unthought(strings.TrimPrefix(strings.TrimSpace(answer), "\ufeff")))
	if text == "" {
		return Report{}, absent("the answer is empty; answer with one JSON object")
	}
	found := reportsIn([]byte(text))
	switch {
	case len(found) == 0 && len(text) <= MaxReport && jsonspan.KindOf([]byte(text)) == jsonspan.Object:
		return Report{}, absent(`the object lacks "items"; use an empty list if nothing was done or asked for`)
	case len(found) == 0:
		return Report{}, absent("the answer is not one JSON object; answer with the object alone")
	case len(found[0]) > MaxReport:
		return Report{}, fmt.Errorf("the answer has %d bytes; a report has at most %d", len(found[0]), MaxReport)
	case len(found) > 1:
		return Report{}, errors.New("the answer holds several JSON objects; answer with one")
	}
	return decode(found[0])
}

func decode(text []byte) (Report, error) {
	var raw struct {
		Message *string `json:"message"`
		Items   []Item  `json:"items"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return Report{}, fmt.Errorf("the answer is no JSON object of the given shape: %w", err)
	}
	if raw.Items == nil {
		return Report{}, errors.New(`the object lacks "items"; use an empty list if nothing was done or asked for`)
	}
	if len(raw.Items) > MaxItems {
		return Report{}, fmt.Errorf("there are %d items; at most %d are read", len(raw.Items), MaxItems)
	}
	report := Report{Message: raw.Message, Items: raw.Items}
	if report.Message != nil && strings.TrimSpace(*report.Message) == "" {
		report.Message = nil
	}
	return report, nil
}

// maxObjects is how many objects of an answer are looked at.
const maxObjects = 64

// reportsIn are the objects of a text that have items, whatever stands around them.
// One that breaks off is among them: it was meant as a report. So is an object that
// breaks off around one: what was to follow may have been the rest of it.
func reportsIn(text []byte) (found [][]byte) {
	var cut []byte
	for range maxObjects {
		at := bytes.IndexByte(text, '{')
		if at < 0 {
			break
		}
		end := jsonspan.SkipValue(text, at)
		if !hasItems(text[at:end]) {
			if cut == nil && end == len(text) && breaksOff(text[at:]) {
				cut = text[at:]
			}
			text = text[at+1:] // it may stand inside of this one
			continue
		}
		found, text = append(found, text[at:end]), text[end:]
	}
	if cut != nil && len(found) > 0 {
		return [][]byte{cut}
	}
	return found
}

// breaksOff reports whether a text begins like an object and ends before its end.
func breaksOff(text []byte) bool {
	inside := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(inside) > 0 && inside[0] == '"' && !json.Valid(text)
}

func hasItems(object []byte) bool {
	for name := range jsonspan.Members(object) {
		if jsonspan.EqualFoldASCII(jsonspan.Key(name), "items") {
			return true
		}
	}
	return false
}

// unthought takes away what a model thought before it answered, where its provider
// leaves that in the text.
func unthought(text string) string {
	const opens, closes = "<think>", "</think>"
	if !strings.HasPrefix(text, opens) {
		return text
	}
	if end := strings.LastIndex(text, closes); end >= 0 {
		return text[end+len(closes):]
	}
	return text
}

// Numbers are the records that an item cites. Models write them as 3, "3" and
// "#3".
type Numbers []int

// UnmarshalJSON reads a list of numbers, a single one, or null.
func (n *Numbers) UnmarshalJSON(data []byte) error {
	*n = nil
	if jsonspan.KindOf(data) != jsonspan.Array {
		return n.add(data)
	}
	for raw := range jsonspan.Elements(data) {
		if err := n.add(raw); err != nil {
			return err
		}
	}
	return nil
}

func (n *Numbers) add(raw []byte) error {
	text := strings.TrimPrefix(strings.Trim(string(raw), `" `), "#")
	if text == "null" || text == "" {
		return nil
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number != float64(int(number)) {
		return fmt.Errorf("records holds %.40q; use the numbers of the list", string(raw))
	}
	*n = append(*n, int(number))
	return nil
}
