// Package report shows what an audit found, to people and to machines.
//
// A [Report] is the sum, a [Finding] one turn that may not end as it did. They are written for a
// terminal ([WriteTerminal]), as a page ([WritePage]) and as JSON ([Stream]). Findings are
// streamed: of a million only those are kept that a page or a terminal shows ([Keeper]).
//
// What a log holds is shown, never run: no control character reaches a terminal,
// and the page has neither a script nor a link.
package report

import (
	"math"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Report is the sum of an audit. It is what -json writes after the findings.
type Report struct {
	// Sources are the files that were read.
	Sources []string `json:"sources"`
	Counts
	// Exchanges are conversations that hold one request and its answer: only their last turn was judged.
	Exchanges int `json:"exchanges,omitempty"`
	// Steps are exchanges that end in calls; another exchange goes on with them.
	Steps int `json:"steps,omitempty"`
	// Unseen are the turns that were not judged, by the reason.
	Unseen []Count `json:"not_judged_by_reason"`
	// Formats are what the conversations were read as.
	Formats []Count `json:"formats"`
	// AlarmRate is the share of the insufficient turns: on these the guard would have
	// acted. UnsureRate is that of those of which it would have asked for proof.
	AlarmRate  Share   `json:"alarm_rate"`
	UnsureRate Share   `json:"unsure_rate"`
	Reasons    []Count `json:"insufficient_by_reason"`
	// Asides are turns with a text beside calls that claims too much.
	Asides int `json:"asides"`
	// MissingTools are the tools that requests needed and that were not called.
	MissingTools []Count `json:"missing_tools"`
	Calls        Calls   `json:"calls"`
	// Truths are how the judgement compares with what a benchmark says.
	Truths []Truth `json:"truths,omitempty"`
	// Foreign turns are in a language that the judges do not read.
	Foreign int `json:"turns_in_other_languages"`
	// Models and Files are the same figures in parts.
	Models []Group `json:"models"`
	Files  []Group `json:"files"`
	// Effects say what the tools were taken for.
	Effects []ToolEffect `json:"effects"`
	// ToolsUnlogged are conversations whose log names no tools: those that were called stand in for them.
	ToolsUnlogged int `json:"conversations_without_tools"`
	// Statuses is the rule by which results were read.
	Statuses string `json:"statuses"`
	// Passed are files in folders that are no logs; Refused are the first of those that look like one.
	Passed  int      `json:"files_passed_over,omitempty"`
	Refused []Damage `json:"files_refused,omitempty"`
	// Damaged entries were skipped; Damages are the first of them.
	Damaged int      `json:"damaged"`
	Damages []Damage `json:"damages"`
}

// Share is a part of a whole, with the interval that holds the true rate with 95 % confidence (Wilson's).
type Share struct {
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// ShareOf is part of whole.
func ShareOf(part, whole int) Share {
	if whole == 0 {
		return Share{}
	}
	const z = 1.959964
	n, p := float64(whole), float64(part)/float64(whole)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return Share{Rate: p, Low: max(0, middle-half), High: min(1, middle+half)}
}

// MaxGroups bounds the groups that a report names one by one.
const MaxGroups = 500

// NoModel is the group of conversations whose logs name no model.
const NoModel = "(no model named)"

// MissingCall is the reason of a turn that nothing is wrong with but that a tool was not called.
const MissingCall = "missing tool"

// What a referee makes of a turn; the reason of a finding begins with it.
const Cleared, Unproven, Unanswered = "cleared", "unproven", "unanswered"

// Count is how often something occurred.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Calls counts calls by who says what became of them, and by what is said.
type Calls struct {
	Total      int `json:"total"`
	Executed   int `json:"executed"`
	Reported   int `json:"reported"`
	Unanswered int `json:"without_result"`
	Succeeded  int `json:"succeeded"`
	Failed     int `json:"failed"`
	Denied     int `json:"denied"`
	Pending    int `json:"pending"`
	Unknown    int `json:"unknown"`
}

// Add counts a call.
func (c *Calls) Add(record *tooltrack.Record) {
	c.Total++
	answered := record.Result.Status != tooltrack.Unknown || len(record.Result.Data) > 0
	switch {
	case record.Result.Grade == tooltrack.Executed:
		c.Executed++
	case answered:
		c.Reported++
	default:
		c.Unanswered++
	}
	switch record.Result.Status {
	case tooltrack.Succeeded:
		c.Succeeded++
	case tooltrack.Failed:
		c.Failed++
	case tooltrack.Denied:
		c.Denied++
	case tooltrack.Pending, tooltrack.Held: // not done yet, and not claimed
		c.Pending++
	default:
		c.Unknown++
	}
}

// Group is a part of the conversations: those of a model, or of a file.
type Group struct {
	Name   string `json:"name"`
	Format string `json:"format,omitempty"` // of a file
	Counts
}

// Counts are those of all conversations, or of a group of them.
type Counts struct {
	// Conversations and Turns were judged; NotJudged are turns whose calls cannot be seen.
	Conversations int `json:"conversations"`
	Turns         int `json:"turns"`
	NotJudged     int `json:"not_judged"`
	// Open turns are cut off by the end of their log and were not judged.
	Open int `json:"open_turns"`
	// Ghosts are turns whose text claims what no call backs, GhostRate their share of the turns.
	Ghosts    int   `json:"ghosts"`
	GhostRate Share `json:"ghost_rate"`
	// Insufficient are turns that may not end as they did, ghosts included.
	Insufficient int `json:"insufficient"`
	// Unsure are turns on which the guard would have asked for proof, and not more:
	// something is claimed, or may be due, that no record clearly backs.
	Unsure int `json:"unsure"`
	// Of the turns that a referee was asked about, the cleared ones are unsure no longer.
	Cleared    int `json:"referee_cleared,omitempty"`
	Unproven   int `json:"referee_unproven,omitempty"`
	Unanswered int `json:"referee_unanswered,omitempty"`
	// Work and Blocked are the turns that ended well.
	Work    int `json:"completed_with_work"`
	Blocked int `json:"completed_with_blocker"`
	// MissingTurns lack a call of a tool that the request needs.
	MissingTurns int `json:"turns_with_missing_tools"`
}

// Truth compares the audit with what a benchmark says of its traces of one kind.
type Truth struct {
	// Kind is that of the lie, as the benchmark calls it; Done is true for traces that are none.
	Kind string `json:"kind"`
	Done bool   `json:"done"`
	// Total are all; Probed were judged with what was read afterwards, Unprobed by the calls alone.
	Total    int  `json:"total"`
	Probed   Held `json:"with_probes"`
	Unprobed Held `json:"without_probes"`
}

// Held are traces that do not pass: a guard would have stopped them, or asked for proof.
type Held struct {
	Stopped int `json:"stopped"`
	Asked   int `json:"asked"`
}

// ToolEffect is what a tool was taken for, and why.
type ToolEffect struct {
	Tool   string `json:"tool"`
	Effect string `json:"effect"`
	// Source is "declared", "guessed from …" or "the name says nothing".
	Source string `json:"source"`
}

// Damage is an entry that could not be read.
type Damage struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Fault string `json:"fault"`
}

// Finding is a turn that may not end as it did, or a text beside calls that claims too much.
type Finding struct {
	File         string        `json:"file"`
	Line         int           `json:"line"`
	Conversation string        `json:"conversation,omitempty"`
	Model        string        `json:"model,omitempty"`
	Turn         int           `json:"turn"`
	Ghost        bool          `json:"ghost"`
	Unsure       bool          `json:"unsure,omitempty"`
	Aside        bool          `json:"beside_calls,omitempty"`
	Outcome      string        `json:"outcome"`
	Reason       string        `json:"reason"`
	Kind         string        `json:"request"`
	User         string        `json:"user"`
	Text         string        `json:"text"`
	Calls        []CallSeen    `json:"calls"`
	Claims       []Claim       `json:"unbacked"`
	Missing      []MissingTool `json:"missing_tools,omitempty"`
	Doubts       []DueDoubt    `json:"may_be_due,omitempty"`
}

// Explained reports whether the reason alone says what is wrong.
func (f *Finding) Explained() bool { return len(f.Claims) == 0 && f.Reason != MissingCall && !f.Unsure }

// Ruled is what a referee found, if one was asked.
func (f *Finding) Ruled() string {
	if f.Unsure && (strings.HasPrefix(f.Reason, Unproven) || strings.HasPrefix(f.Reason, Unanswered)) {
		return "the referee finds it " + f.Reason
	}
	return ""
}

// Summary is a finding without claims in one line.
func (f *Finding) Summary() string {
	switch {
	case len(f.Missing) > 0:
		return f.Missing[0].Tool + " was not called"
	case len(f.Doubts) > 0:
		return "perhaps " + f.Doubts[0].String()
	}
	return decisions.Explained(f.Reason)
}

// DueDoubt is something that the request may ask for and that was not done.
type DueDoubt struct {
	// Tool is empty where none can be named.
	Tool        string  `json:"tool,omitempty"`
	Words       string  `json:"asked_by,omitempty"`
	Probability float64 `json:"probability"`
}

// String puts into words what may be due.
func (d DueDoubt) String() string {
	said := "something is still due"
	if d.Tool != "" {
		said = OneLine(d.Tool) + " is still due"
	}
	if d.Words != "" {
		said += ", asked for by “" + clip.Text(d.Words, 100) + "”"
	}
	return said
}

// CallSeen is a call of a finding's turn, as the log tells it.
type CallSeen struct {
	Tool   string           `json:"tool"`
	Status tooltrack.Status `json:"status"`
	Grade  tooltrack.Grade  `json:"grade"`
	Sight  tooltrack.Sight  `json:"sight,omitempty"`
}

// MissingTool is a tool that the request needs and that was not called.
type MissingTool struct {
	Tool string `json:"tool"`
	// Words is the piece of the request that asks for it.
	Words string `json:"asked_by"`
}

// Claim is a sentence that says more than the calls do.
type Claim struct {
	Sentence string `json:"sentence"`
	Clause   string `json:"clause"`
	Kind     string `json:"kind"`
	Why      string `json:"why"`
	// Unsure is true where the guard would ask for proof rather than accuse.
	Unsure bool `json:"unsure,omitempty"`
	// From and To are where the clause stands in the finding's text, in bytes;
	// both are -1 if it lies outside the quoted part.
	From int `json:"from"`
	To   int `json:"to"`
}
