package transcripts

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// place is where a conversation stands in the input.
type place struct {
	file string
	line int
}

// Bounds on a finding: how much of a text it repeats, and how many calls it lists.
const (
	maxQuoted = 4000
	maxSeen   = 24
)

// findings are what is to be told about a turn: its text, and what it said beside its calls.
func (t *judgedTurn) findings(at place, c *judged) []report.Finding {
	if !t.insufficient() && !t.unsure() && len(t.asides) == 0 {
		return nil
	}
	seen := []report.CallSeen{}
	for _, record := range t.records[:min(len(t.records), maxSeen)] {
		seen = append(seen, report.CallSeen{
			Tool: record.Tool, Status: record.Result.Status, Grade: record.Result.Grade, Sight: record.Sight(),
		})
	}
	var found []report.Finding
	base := report.Finding{
		File: at.file, Line: at.line, Conversation: clip.Text(c.id, 200), Model: c.model, Turn: t.number, Kind: t.kind,
		User: clip.Text(t.user, maxQuoted), Calls: seen,
	}
	if t.insufficient() || t.unsure() {
		f := base
		f.Ghost, f.Unsure = t.ghost() && !t.unsure(), t.unsure()
		f.Outcome, f.Reason, f.Missing = t.verdict.Outcome.String(), t.reason(), t.missing
		f.Text, f.Claims = quote(t.text, &t.verdict)
		f.Doubts = t.dueDoubts()
		found = append(found, f)
	}
	for _, beside := range t.asides {
		f := base
		f.Aside, f.Outcome, f.Reason = true, beside.verdict.Outcome.String(), beside.verdict.Reason.String()
		f.Text, f.Claims = quote(beside.text, &beside.verdict)
		found = append(found, f)
	}
	return found
}

// quote is a text up to the bound, or the part with the first unbacked claim, and those claims with their places.
func quote(text string, verdict *completion.Verdict) (string, []report.Claim) {
	claims, spans := []report.Claim{}, spansOf(text, verdict.Claims)
	from := -1
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if !doubted(claim) {
			continue
		}
		if from < 0 && spans[i].from >= 0 {
			from = spans[i].from
		}
		sentence := cmp.Or(sentenceAround(text, spans[i]), report.OneLine(claim.Text))
		claims = append(claims, report.Claim{
			Sentence: clip.Text(sentence, 400), Clause: clip.Text(claim.Text, 400), Kind: claim.Kind.String(),
			Why: cmp.Or(claim.Fault, "no call clearly shows this"), Unsure: claim.Tier == completion.Unsure,
			From: spans[i].from, To: spans[i].trimmed(text),
		})
	}
	start, lead := 0, ""
	if len(text) > maxQuoted && from >= maxQuoted/2 {
		for start = from - maxQuoted/2; !utf8.RuneStart(text[start]); start++ {
		}
		lead = "…"
	}
	quoted := lead + clip.Text(text[start:], maxQuoted)
	for i := range claims {
		move(&claims[i], len(lead)-start, quoted)
	}
	return quoted, claims
}

// move shifts the place of a claim into the quoted piece of its text.
func move(c *report.Claim, by int, quoted string) {
	if c.From >= 0 {
		c.From, c.To = c.From+by, c.To+by
	}
	if c.From < 0 || c.To > len(quoted) {
		c.From, c.To = -1, -1
	}
}

// doubted reports whether no record clearly backs a claim.
func doubted(claim *completion.Claim) bool { return claim.Tier != completion.Clean }

// dueDoubts are what may still be due, as far as the guard is not sure of it.
func (t *judgedTurn) dueDoubts() []report.DueDoubt {
	var due []report.DueDoubt
	for _, doubt := range t.doubts {
		if doubt.Claim == nil {
			due = append(due, report.DueDoubt{
				Tool: doubt.Tool, Words: clip.Text(report.OneLine(doubt.Words), 200), Probability: doubt.Probability,
			})
		}
	}
	return due
}

// span is a piece of a text; from is -1 for one that is not there.
type span struct{ from, to int }

// trimmed is the end of a piece without the stops after its last word.
func (s span) trimmed(text string) int {
	to := s.to
	for to > s.from+1 && strings.IndexByte(" \n,;:.!", text[to-1]) >= 0 {
		to--
	}
	return to
}

// spansOf are the places of claims in their text. Claims come in the order of the text, backed
// ones among them, so a clause that stands there twice is found where it is meant.
func spansOf(text string, claims []completion.Claim) []span {
	spans := make([]span, len(claims))
	last := span{}
	for i := range claims {
		clause := claims[i].Text
		from := last.from
		if i > 0 && clause == claims[i-1].Text {
			from = last.to
		}
		at := strings.Index(text[from:], clause)
		if at < 0 {
			from, at = 0, strings.Index(text, clause)
		}
		if at < 0 || clause == "" {
			spans[i] = span{-1, -1}
			continue
		}
		last = span{from + at, from + at + len(clause)}
		spans[i] = last
	}
	return spans
}

// sentenceAround is the sentence of a text in which a clause stands; nothing for a clause that does not stand there.
func sentenceAround(text string, clause span) string {
	if clause.from < 0 {
		return ""
	}
	from, to := 0, clause.to
	for i := clause.from - 1; i >= 0; i-- {
		if text[i] == '\n' || isStop(text[i]) && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
			from = i + 1
			break
		}
	}
	if isStop(text[to-1]) {
		return report.OneLine(text[from:to])
	}
	for to < len(text) && text[to] != '\n' {
		if to++; isStop(text[to-1]) && (to == len(text) || text[to] == ' ' || text[to] == '\n') {
			break
		}
	}
	return report.OneLine(text[from:to])
}

func isStop(b byte) bool { return b == '.' || b == '!' || b == '?' }
