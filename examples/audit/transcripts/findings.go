package transcripts

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/completion"
)

// place is where a conversation stands in the input.
type place struct {
	file string
	line int
}

// maxQuoted bounds how much of a text a finding repeats.
const maxQuoted = 4000

// findings are what is to be told about a turn: its text, and what it said
// beside its calls.
func (t *judgedTurn) findings(at place, c *judged) []Finding {
	if t.seen == nil {
		t.seen = []CallSeen{}
	}
	var found []Finding
	base := Finding{
		File: at.file, Line: at.line, Conversation: clip(c.id, 200), Model: c.model, Turn: t.number, Kind: t.kind, User: clip(t.user, maxQuoted),
		Calls: t.seen,
	}
	if t.insufficient() || t.unsure() {
		f := base
		f.Ghost, f.Unsure = t.ghost() && !t.unsure(), t.unsure()
		f.Outcome, f.Reason, f.Missing = t.verdict.Outcome.String(), t.reason(), t.missing
		f.Text, f.Claims = quote(t.text, &t.verdict)
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

// quote is a text up to the bound, or the part of a longer one that holds the
// first claim without a record, and those claims with their places in it.
func quote(text string, verdict *completion.Verdict) (string, []Claim) {
	claims, spans := []Claim{}, spansOf(text, verdict.Claims)
	from := -1
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if !doubted(claim) {
			continue
		}
		if from < 0 && spans[i].from >= 0 {
			from = spans[i].from
		}
		claims = append(claims, Claim{
			Sentence: clip(first(sentenceAround(text, spans[i]), oneLine(claim.Text)), 400), Clause: clip(claim.Text, 400), Kind: claim.Kind.String(), Why: claim.Fault,
			From: spans[i].from, To: spans[i].to,
		})
	}
	start, lead := 0, ""
	if len(text) > maxQuoted && from >= maxQuoted/2 {
		for start = from - maxQuoted/2; !utf8.RuneStart(text[start]); start++ {
		}
		lead = "…"
	}
	quoted := lead + clip(text[start:], maxQuoted)
	for i := range claims {
		claims[i].move(len(lead)-start, quoted)
	}
	return quoted, claims
}

// move shifts the place of a claim into the quoted piece of its text.
func (c *Claim) move(by int, quoted string) {
	if c.From >= 0 {
		c.From, c.To = c.From+by, c.To+by
	}
	if c.From < 0 || c.To > len(quoted) {
		c.From, c.To = -1, -1
	}
}

// doubted reports whether no record clearly backs a claim.
func doubted(claim *completion.Claim) bool { return !claim.Backed() }

// span is a piece of a text; from is -1 for one that is not there.
type span struct{ from, to int }

// spansOf are the places of claims in their text. Claims come in the order of the
// text, backed ones among them, so a clause that stands there twice is found
// where it is meant.
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

// sentenceAround is the sentence of a text in which a clause stands; nothing for
// a clause that does not stand there.
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
		return oneLine(text[from:to])
	}
	for to < len(text) && text[to] != '\n' {
		if to++; isStop(text[to-1]) && (to == len(text) || text[to] == ' ' || text[to] == '\n') {
			break
		}
	}
	return oneLine(text[from:to])
}

func isStop(b byte) bool { return b == '.' || b == '!' || b == '?' }

// oneLine is a text on one line, without control characters: what a log holds
// must not move the cursor of whoever reads the report.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}), " ")
}

// clip cuts a text at a character, and shows that it did.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
