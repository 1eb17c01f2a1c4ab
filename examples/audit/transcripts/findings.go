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
	if t.insufficient() {
		f := base
		f.Ghost, f.Outcome, f.Reason, f.Missing = t.ghost(), t.verdict.Outcome.String(), t.reason(), t.missing
		f.Claims = unbacked(t.text, &t.verdict)
		f.Text = excerpt(t.text, f.Claims)
		found = append(found, f)
	}
	for _, beside := range t.asides {
		f := base
		f.Aside, f.Outcome, f.Reason = true, beside.verdict.Outcome.String(), beside.verdict.Reason.String()
		f.Claims = unbacked(beside.text, &beside.verdict)
		f.Text = excerpt(beside.text, f.Claims)
		found = append(found, f)
	}
	return found
}

func unbacked(text string, verdict *completion.Verdict) []Claim {
	claims := []Claim{}
	for i := range verdict.Claims {
		if claim := &verdict.Claims[i]; !claim.Backed() {
			claims = append(claims, Claim{
				Sentence: clip(sentenceAround(text, claim.Text), 400), Clause: clip(claim.Text, 400), Kind: claim.Kind.String(), Why: claim.Fault,
			})
		}
	}
	return claims
}

// excerpt is a text up to the bound, or the part of a longer one that holds the
// first claim.
func excerpt(text string, claims []Claim) string {
	if len(text) <= maxQuoted || len(claims) == 0 {
		return clip(text, maxQuoted)
	}
	at := strings.Index(text, strings.TrimSuffix(claims[0].Clause, "…"))
	if at < maxQuoted/2 {
		return clip(text, maxQuoted)
	}
	from := at - maxQuoted/2
	for !utf8.RuneStart(text[from]) {
		from++
	}
	return "…" + clip(text[from:], maxQuoted)
}

// sentenceAround is the sentence of a text in which a clause stands.
func sentenceAround(text, clause string) string {
	at := strings.Index(text, clause)
	if at < 0 || clause == "" {
		return oneLine(clause)
	}
	from := 0
	for i := at - 1; i >= 0; i-- {
		if text[i] == '\n' || isStop(text[i]) && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
			from = i + 1
			break
		}
	}
	to := at + len(clause)
	for to < len(text) && text[to] != '\n' {
		if to++; isStop(text[to-1]) && (to == len(text) || text[to] == ' ' || text[to] == '\n') {
			break
		}
	}
	if endsSentence(clause) {
		to = at + len(clause)
	}
	return oneLine(text[from:to])
}

func isStop(b byte) bool { return b == '.' || b == '!' || b == '?' }

func endsSentence(clause string) bool { return isStop(clause[len(clause)-1]) }

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
