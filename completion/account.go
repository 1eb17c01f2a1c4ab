package completion

import (
	"cmp"
	"strings"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/telling"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Wording is how the account speaks of one tool. "{title}" stands for the
// titles of what the call was about, "{tool}" for the tool's name in words,
// "{reason}" for why it did not work. An empty text leaves the built-in wording.
type Wording struct {
	// Done is said of a success: "Deleted: {title}".
	Done string
	// Failed is said of anything else: "Could not delete {title}: {reason}".
	Failed string
	// Denied, Pending and Unknown are said instead of Failed of a call that was not
	// allowed, is not done yet, or of which it is not known whether it worked.
	Denied, Pending, Unknown string
	// Listed is said of a listing, with "{entries}" for what it holds: "Your tasks: {entries}".
	Listed string
	// Empty is said of a listing that holds nothing: "Your task list is empty".
	Empty string
	// Seen follows Done in brackets, if the change was read back and is there: "confirmed".
	// A tool or a language with a Done of its own has none, unless it is set.
	Seen string
}

// failed is what is said of a call with a status that is no success.
func (w *Wording) failed(record *tooltrack.Record) string {
	switch {
	case record.Ruling.Denied || record.Result.Status == tooltrack.Denied:
		return cmp.Or(w.Denied, w.Failed)
	case record.Result.Status == tooltrack.Pending || record.Result.Status == tooltrack.Held:
		return cmp.Or(w.Pending, w.Failed)
	case record.Result.Status == tooltrack.Unknown:
		return cmp.Or(w.Unknown, w.Failed)
	}
	return w.Failed
}

// Account tells what the records of a turn prove, one line for each call that matters: changes, listings and
// failures. It names titles, never ids. It is what a user is shown when the model's own text does not pass.
func (e *Evaluator) Account(turn Case) string {
	c := newConversation()
	c.turn = &turn
	c.readTools()
	var lines []string
	for i, record := range turn.Records {
		if record == nil || telling.RetriedLater(turn.Records[i+1:], record) {
			continue
		}
		if line := e.accountLine(c, record); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return NothingChanged
	}
	return strings.Join(lines, "\n")
}

// NothingChanged is the account of records that hold nothing to tell.
const NothingChanged = "Nothing was changed."

// accountLine is the line of a record; empty for one that does not matter.
func (e *Evaluator) accountLine(c *conversation, record *tooltrack.Record) string {
	info := c.toolOf(record)
	tool := &telling.Tool{Reading: &info.Reading, Name: info.name}
	if info.tool != nil {
		tool.Subject = info.tool.Subject.Arg
	}
	wording, titles := e.wording[record.Tool], telling.Titles(record, tool, c.turn.User)
	switch {
	case !record.Succeeded():
		line, reason := telling.Failed(record, tool, titles)
		return telling.Fill(cmp.Or(wording.failed(record), e.spoken.failed(record), line), titles, reason, tool)
	case !c.turn.changes(record):
		return telling.Listing(record, tool, cmp.Or(wording.Listed, e.spoken.Listed), cmp.Or(wording.Empty, e.spoken.Empty))
	}
	told, seen, details := wording.Done, wording.Seen, []string(nil)
	if told == "" {
		told, seen = e.spoken.Done, cmp.Or(seen, e.spoken.Seen)
		details = reading.Details(record.Args, titles, c.turn.User, toolname.InWords)
	}
	if told == "" {
		told, seen = telling.Done(tool, titles), cmp.Or(seen, "confirmed")
	}
	if record.Sight() == tooltrack.Confirmed && seen != "" {
		details = append(details, telling.Fill(seen, titles, "", tool))
	}
	if told = telling.Fill(told, titles, "", tool); len(details) > 0 {
		told += " (" + strings.Join(details, ", ") + ")"
	}
	return told
}
