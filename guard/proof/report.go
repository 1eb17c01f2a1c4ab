package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// Parse reads the answer to a request for proof: one JSON object and nothing
// else, except for the fence that many models put around JSON.
func Parse(answer string) (Report, error) {
	text := unfence(strings.TrimPrefix(strings.TrimSpace(answer), "\ufeff"))
	switch {
	case text == "":
		return Report{}, errors.New("the answer is empty; answer with one JSON object")
	case len(text) > MaxReport:
		return Report{}, fmt.Errorf("the answer has %d bytes; a report has at most %d", len(text), MaxReport)
	case text[0] != '{':
		return Report{}, errors.New("the answer is not one JSON object; answer with the object alone")
	}
	return decode([]byte(text))
}

func decode(text []byte) (Report, error) {
	var raw struct {
		Message *string `json:"message"`
		Items   []Item  `json:"items"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&raw); err != nil {
		return Report{}, fmt.Errorf("the answer is no JSON object of the given shape: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Report{}, errors.New("something follows the JSON object; answer with the object alone")
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

// unfence takes a code fence away that encloses the whole text.
func unfence(text string) string {
	inner, opened := strings.CutPrefix(text, "```")
	if !opened {
		return text
	}
	inner, closed := strings.CutSuffix(inner, "```")
	_, inner, lined := strings.Cut(inner, "\n")
	if !closed || !lined {
		return text
	}
	return strings.TrimSpace(inner)
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
