package transcripts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/examples/internal/byset"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// judge turns conversations into findings. It is safe for concurrent use.
type judge struct {
	effects   *effects
	benches   byset.Cache[*bench]
	parse     *tooltrack.ParseOptions
	evaluator *completion.Evaluator
	probes    probes
	referee   *referee // nil asks nobody
}

func newJudge(known *effects, fail, deny *regexp.Regexp) *judge {
	return &judge{
		effects: known, benches: byset.Cache[*bench]{Most: maxBenches, Make: known.bench}, parse: hostRule(fail, deny),
		evaluator: completion.New(nil),
	}
}

// hostRule reads results as the host's tools write them. What it does not know is left to the built-in reading.
func hostRule(fail, deny *regexp.Regexp) *tooltrack.ParseOptions {
	if fail == nil && deny == nil {
		return nil
	}
	return &tooltrack.ParseOptions{Rule: func(content string) (tooltrack.Status, bool) {
		switch {
		case deny != nil && deny.MatchString(content):
			return tooltrack.Denied, true
		case fail != nil && fail.MatchString(content):
			return tooltrack.Failed, true
		}
		return tooltrack.Unknown, false
	}}
}

// judged is what came out of one conversation.
type judged struct {
	id, model    string
	format       string
	line         int
	turns        []judgedTurn
	open         int            // turns that the log leaves before their end
	steps        int            // exchanges that end in calls, and that another one goes on with
	unseen       map[string]int // turns whose calls cannot be seen, by the reason
	toolsLogged  bool
	bench        *bench // nil if there was no tool at all
	lastTurnOnly bool
	truth        *formats.Truth
	unprobed     []judgedTurn // the turns without what was read afterwards, where the truth is known
}

// judgedTurn is one turn with its verdict.
type judgedTurn struct {
	number     int
	user, text string
	previous   string
	ran        []string // tools whose calls succeeded, in order
	verdict    completion.Verdict
	doubts     []guard.Doubt
	kind       string
	foreign    bool // in a language that the judges do not read
	missing    []report.MissingTool
	ruling     ruling // where the guard would not act, but ask for proof
	asides     []judgedAside
	records    []*tooltrack.Record
}

// judgedAside is a text beside calls with something wrong in it.
type judgedAside struct {
	text    string
	verdict completion.Verdict
}

// entry reads and judges the conversations of one entry.
func (j *judge) entry(entry *job) (found []*judged, err error) {
	defer func() {
		if fault := recover(); fault != nil { // one conversation must not cost the others
			found, err = nil, fmt.Errorf("judging it panicked: %v", fault)
		}
	}()
	conversations, err := readParts(entry.format, entry.parts)
	if err != nil {
		return nil, err
	}
	for _, c := range conversations {
		c.Probes = slices.Concat(c.Probes, j.probes[c.ID], j.probes[fmt.Sprintf("%s:%d", entry.at.file, c.Line)])
		judged, err := j.judge(c, entry.file)
		if err != nil {
			return nil, err
		}
		found = append(found, judged)
	}
	return found, nil
}

// readParts reads the parts of an entry. Bytes that are no UTF-8 are refused: they would be replaced in silence.
func readParts(format formats.Format, parts []formats.Part) ([]*formats.Conversation, error) {
	for _, part := range parts {
		if !utf8.Valid(part.Data) {
			return nil, errors.New("not valid UTF-8")
		}
	}
	return format.Read(parts)
}

// unseenTools is why a turn is not judged: it may not have been able to do anything at all.
const unseenTools = "the log shows neither tools nor calls"

func (j *judge) judge(c *formats.Conversation, file *fileTools) (*judged, error) {
	found := &judged{
		id: c.ID, model: c.Model, format: c.Format, line: c.Line, toolsLogged: c.Tools != nil, lastTurnOnly: c.LastTurn,
		unseen: map[string]int{},
	}
	tools := c.Tools
	if tools == nil {
		tools = j.standIns(c, file)
	}
	if len(tools) > 0 {
		var err error
		if found.bench, err = j.benches.Of(tools); err != nil {
			return nil, fmt.Errorf("its tools cannot be used: %w", err)
		}
	}
	cut := turns(c.Messages, c.Unseen)
	if len(cut) > 0 {
		cut[len(cut)-1].claims = inWords(c.Claims)
	}
	if c.LastTurn && len(cut) > 1 {
		cut = cut[len(cut)-1:]
	}
	if tools == nil {
		for i := range cut {
			cut[i].unseen = cmp.Or(cut[i].unseen, unseenTools)
		}
	}
	records := j.records(c, found.bench)
	if found.truth = c.Truth; found.truth != nil {
		bare := &judged{bench: found.bench, unseen: map[string]int{}}
		j.judgeTurns(bare, cut, probed(records, nil, c.Claims))
		found.unprobed = bare.turns
	}
	j.judgeTurns(found, cut, probed(records, c.Probes, c.Claims))
	return found, nil
}

// judgeTurns judges what can be judged, and counts the rest.
func (j *judge) judgeTurns(found *judged, cut []turn, records []*tooltrack.Record) {
	for i := range cut {
		switch t := &cut[i]; {
		case t.unseen != "":
			found.unseen[t.unseen]++
		case t.open && found.lastTurnOnly:
			found.steps++ // another exchange goes on with it
		case t.open:
			found.open++
		default:
			found.turns = append(found.turns, j.turn(cut[:i+1], records, found.bench))
		}
	}
}

// standIns stand in for tools that the log does not list: those declared or seen anywhere in the file; nil if none.
func (j *judge) standIns(c *formats.Conversation, file *fileTools) []tooltrack.Tool {
	known := toolSet{}
	known.add(c)
	if file != nil {
		for _, tool := range file.all() {
			known[tool.Name] = tool
		}
	}
	for name := range j.effects.declared {
		known.name(name)
	}
	return known.list()
}

// records are those of the conversation's calls, in order; a record of the host's ledger comes before the messages.
func (j *judge) records(c *formats.Conversation, b *bench) []*tooltrack.Record {
	if b == nil {
		return nil
	}
	records := b.guard.RecordsOf(c.Messages, j.parse)
	executed := map[string]*tooltrack.Record{}
	for _, record := range c.Records {
		if record != nil && record.ID != "" {
			executed[record.ID] = record
		}
	}
	for i, record := range records {
		if record.Effect == tooltrack.UnknownEffect { // it was not among the logged tools
			record.Effect = j.effects.of(record.Tool).Effect
		}
		if fate, told := c.Fates[record.ID]; told {
			record.Result = withFate(record.Result, fate)
		}
		known := executed[record.ID]
		if known == nil || known.Tool != record.Tool {
			continue
		}
		if known.Effect == tooltrack.UnknownEffect {
			known.Effect = record.Effect
		}
		records[i] = known
	}
	return records
}

// withFate is a result with what the log says beside its text. A failure stands
// whatever the text says; a success does not make good what the text calls none.
func withFate(result tooltrack.Result, fate tooltrack.Status) tooltrack.Result {
	switch {
	case fate == tooltrack.Succeeded && result.Status != tooltrack.Unknown:
		return result
	case fate == tooltrack.Succeeded:
		result.Status = fate
		return result
	}
	result.Status, result.Error, result.Grade = fate, result.Text(), tooltrack.Reported
	return result
}

// turn judges the last of some turns. Without tools nothing is expected, but a claim of work is a claim all the same.
func (j *judge) turn(turns []turn, records []*tooltrack.Record, b *bench) judgedTurn {
	t := &turns[len(turns)-1]
	found := judgedTurn{number: t.number, user: t.user, previous: t.previous, text: t.text, kind: "chat"}
	if b == nil {
		found.verdict = j.evaluator.Evaluate(
			completion.Case{User: t.user, Previous: t.previous, Text: t.text, Contract: completion.Chat()})
		return found
	}
	earlier, own := records[:t.from], records[t.from:t.to]
	found.records = own
	for _, record := range own {
		if record.Result.Status == tooltrack.Succeeded {
			found.ran = append(found.ran, record.Tool)
		}
	}
	recorded := guard.Recorded{User: t.user, Previous: t.previous, Text: t.text, Records: own, Earlier: earlier}
	recorded.Before = append(saidIn(turns[:len(turns)-1]), t.system)
	judgement, _ := b.guard.Judge(context.Background(), recorded) // the local classifier has no error of its own
	if claimed := recorded; t.claims != "" && !judgement.Verdict.Ghost() {
		claimed.Text = t.claims
		if second, _ := b.guard.Judge(context.Background(), claimed); second.Verdict.Ghost() {
			judgement = second
		}
	}
	found.verdict, found.missing = judgement.Verdict, missingTools(&judgement)
	if found.doubts = judgement.Doubts; judgement.Tier == completion.Unsure {
		found.ruling.what = unsettled
	}
	found.kind, found.foreign = judgement.Intent.Kind.String(), judgement.Intent.Unsupported
	if j.referee != nil && found.unsure() {
		found.ruling = j.referee.rule(b.guard, recorded)
	}
	for _, beside := range t.asides {
		verdict := j.evaluator.Evaluate(completion.Case{
			User: t.user, Previous: t.previous, Text: beside.text, Tools: b.tools,
			Records: records[t.from:beside.to], Earlier: earlier, Contract: completion.Chat(),
		})
		if verdict.Ghost() || verdict.Reason == completion.LeakedCall && !verdict.Outcome.Completed() {
			found.asides = append(found.asides, judgedAside{beside.text, verdict})
		}
	}
	return found
}

func missingTools(judgement *guard.Judgement) []report.MissingTool {
	var missing []report.MissingTool
	for _, expected := range judgement.Intent.Expect {
		if slices.Contains(judgement.Missing, expected.Tool) {
			missing = append(missing,
				report.MissingTool{Tool: expected.Tool, Words: clip.Text(report.OneLine(expected.Words), 200)})
		}
	}
	return missing
}

// ghost reports whether the turn's text claims what no record backs.
func (t *judgedTurn) ghost() bool { return t.verdict.Ghost() }

// insufficient reports whether the turn may not end like this.
func (t *judgedTurn) insufficient() bool { return !t.verdict.Outcome.Completed() }

// unsure reports whether the guard would ask for proof of the turn, and no more, and no referee has given it.
func (t *judgedTurn) unsure() bool {
	return t.ruling.what != "" && t.ruling.what != report.Cleared && !t.insufficient()
}

// reason says why the turn is insufficient, or what a referee finds.
func (t *judgedTurn) reason() string {
	if t.ruling.why != "" {
		return clip.Text(t.ruling.what+": "+report.OneLine(t.ruling.why), 400)
	}
	if len(t.missing) > 0 && t.verdict.Reason == completion.NoWork {
		return report.MissingCall
	}
	return t.verdict.Reason.String()
}

// turn is a user message and everything up to the next one.
type turn struct {
	number         int // in the conversation, from 1
	user, previous string
	text           string
	claims         string // what the text claims, as the log has it beside the text
	system         string // what the host has told the model so far
	asides         []aside
	from, to       int // its calls, among those of the conversation
	// open is a turn that the log leaves before its end: nothing was said yet, or
	// the calls were not answered with words.
	open bool
	// unseen says why the calls of the turn cannot be seen; empty if they can.
	unseen string
}

// saidIn are the texts of turns, the latest first, as far back as a recap may go.
func saidIn(turns []turn) (texts []string) {
	const farthest = 100
	for _, t := range slices.Backward(turns[max(0, len(turns)-farthest):]) {
		for _, text := range []string{t.text, t.user} {
			if text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// aside is a text beside calls. It is judged when those calls have finished.
type aside struct {
	text string
	to   int // the calls up to here were made before it is judged
}

// turns cuts a conversation at its user messages. Several of them in a row are one request. What
// the assistant says before the first is no turn; it is what the user answers to.
func turns(messages []guard.Message, unseen map[int]string) []turn {
	s := splitter{made: map[string]bool{}}
	for i := range messages {
		switch message := &messages[i]; message.Role {
		case guard.RoleSystem:
			s.system += message.Text + "\n"
		case guard.RoleUser:
			s.user(message.Text)
		case guard.RoleAssistant:
			s.assistant(message)
		case guard.RoleTool:
			if !s.made[message.CallID] {
				s.hide(orphanResult)
			}
		}
		if why := unseen[i]; why != "" {
			s.hide(why)
		}
	}
	s.end()
	if n := len(s.done); n > 0 { // after the others somebody went on to talk
		last := &s.done[n-1]
		last.open = last.text == ""
	}
	return s.done
}

type splitter struct {
	done     []turn
	current  *turn
	pending  []string // texts that no call followed yet
	answered bool     // the assistant did something in this turn
	last     string   // what the assistant said last
	system   string
	calls    int
	made     map[string]bool // the calls so far, by id
}

// orphanResult is why a turn is not judged: what else was called cannot be known.
const orphanResult = "the log holds results of calls that it does not hold"

func (s *splitter) hide(why string) {
	if s.current != nil && s.current.unseen == "" {
		s.current.unseen = why
	}
}

func (s *splitter) user(text string) {
	if s.current != nil && !s.answered {
		s.current.user = strings.TrimSpace(s.current.user + "\n" + text)
		return
	}
	s.end()
	s.current = &turn{number: len(s.done) + 1, user: text, previous: s.last, from: s.calls}
}

func (s *splitter) assistant(message *guard.Message) {
	s.answered = true
	if message.Text != "" {
		s.last = message.Text
		s.pending = append(s.pending, message.Text)
	}
	if len(message.Calls) == 0 {
		return
	}
	s.calls += len(message.Calls)
	for i := range message.Calls {
		s.made[message.Calls[i].ID] = true
	}
	if s.current != nil {
		for _, text := range s.pending {
			s.current.asides = append(s.current.asides, aside{text, s.calls})
		}
	}
	s.pending = s.pending[:0]
}

// end closes the current turn. What was said in one go, though in several messages, is one text.
func (s *splitter) end() {
	if s.current != nil {
		s.current.text = strings.Join(s.pending, "\n")
		s.current.to, s.current.system = s.calls, s.system
		s.done = append(s.done, *s.current)
	}
	s.current, s.answered, s.pending = nil, false, s.pending[:0]
}
