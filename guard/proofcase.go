package guard

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// lettersFor are what a request for proof asks about, the gravest doubts first among those
// beyond the bound, in the order of the text: whole sentences, and the requests that may be
// due. Where nothing is in doubt, they are all sentences that report something.
func (r *userRequest) lettersFor(draft string, doubts []Doubt) []proof.Letter {
	gravest := slices.Clone(doubts)
	slices.SortStableFunc(gravest, func(a, b Doubt) int { return cmp.Compare(b.Probability, a.Probability) })
	gravest = gravest[:min(len(gravest), proof.MaxLetters)]
	var letters []proof.Letter
	pieces := match.Pieces(draft)
	for _, sentence := range sentencesIn(draft, gravest) {
		letters = append(letters, proof.Letter{
			Text: sentence, Header: headerOf(pieces, sentence), Grave: isGrave(sentence, gravest),
		})
	}
	for _, doubt := range doubts {
		if doubt.Claim == nil {
			tool := toolNamed(r.offered, doubt.Tool)
			letters = append(letters, proof.Letter{
				Text: doubt.Words, Due: true, Insisted: r.asked.surelyDue(doubt),
				Changes: tool != nil && tool.Effect == tooltrack.Changes,
			})
		}
	}
	if len(letters) == 0 {
		letters = wholeText(draft)
	}
	return proof.Lettered(letters)
}

// sentencesIn are the sentences of a text that doubts are about; where a doubt is about the
// text as a whole, all that report something.
func sentencesIn(text string, doubts []Doubt) []string {
	sentences := unprovenIn(text, doubts)
	if len(sentences) == 0 && slices.ContainsFunc(doubts, func(d Doubt) bool { return d.Claim != nil }) {
		for _, letter := range wholeText(text) {
			sentences = append(sentences, letter.Text)
		}
	}
	return sentences
}

// isGrave reports whether a doubt about a sentence is so strong that it is not shown without
// proof, whatever the model says of it.
func isGrave(sentence string, doubts []Doubt) bool {
	const grave = 0.7
	return slices.ContainsFunc(doubts, func(d Doubt) bool {
		sure := d.Claim != nil && (d.Claim.Tier == Sure || d.Probability >= grave)
		return sure && strings.Contains(sentence, strings.TrimSpace(d.Words))
	})
}

// wholeText are the sentences of a text that report something, or all.
func wholeText(text string) (letters []proof.Letter) {
	for _, sentence := range completion.Sentences(text) {
		if sentence.Reports {
			letters = append(letters, proof.Letter{Text: text[sentence.Start:sentence.End]})
		}
	}
	if len(letters) == 0 && strings.TrimSpace(text) != "" {
		letters = []proof.Letter{{Text: text}}
	}
	return letters
}

// headerOf is the header of the table that a sentence is a row of; empty if it is none.
func headerOf(pieces []match.Piece, sentence string) string {
	for i := range pieces {
		if piece := &pieces[i]; piece.Header != "" && strings.Contains(piece.Text(), strings.TrimSpace(sentence)) {
			return piece.Header
		}
	}
	return ""
}

// proofCase is what an answer about a text that waits for its proof is held against.
func (t *Turn) proofCase(ctx context.Context, p *proving) proof.Case {
	situation, asked := t.situation(p.draft.Message.Text), t.demands()
	return proof.Case{
		User: situation.User, Previous: situation.Previous, Draft: situation.Text,
		Before: textsBefore(t.input.Previous), Reported: t.reported(),
		Now: t.guard.now(), Tools: situation.Tools, Read: t.guard.readings(), List: p.list, Letters: p.letters,
		Acting: t.asked.isActing(t.offered), // where calls are forbidden, a claim is not more credible
		Doubts: func(message string) []string {
			situation.Text = message
			verdict := t.guard.evaluate(ctx, situation)
			asked.believe(situation, &verdict)
			asked.retell(&verdict)
			var doubts []Doubt
			for i := range verdict.Claims {
				if claim := &verdict.Claims[i]; claim.Tier != completion.Clean {
					doubts = append(doubts, Doubt{Claim: claim, Words: claim.Text})
				}
			}
			return sentencesIn(message, doubts)
		},
	}
}

// textsBefore are the texts of messages, the latest first, as far back as a recap may go.
func textsBefore(messages []Message) (texts []string) {
	const farthest = 200
	for _, message := range slices.Backward(messages) {
		if said := message.Role == RoleUser || message.Role == RoleAssistant; said && message.Text != "" {
			texts = append(texts, message.Text)
		}
		if len(texts) == farthest {
			break
		}
	}
	return texts
}

// open are the pieces of the message that a report has to speak of: all that may be due
// where no call can be it, and otherwise what is asked for beyond doubt, of which is
// told by which call it was done.
func (d *demands) open(doubts []Doubt, nothing bool) (words []string) {
	for _, doubt := range doubts {
		if doubt.Claim == nil && (nothing || d.surelyDue(doubt)) {
			words = append(words, doubt.Words)
		}
	}
	return words
}

// surelyDue reports whether a doubt is about a tool that is expected beyond doubt.
func (d *demands) surelyDue(doubt Doubt) bool {
	at := slices.IndexFunc(d.expected, func(e intent.Expectation) bool { return e.Tool == doubt.Tool })
	return doubt.Claim == nil && at >= 0 && d.sure[at] && !d.maybeMade(doubt.Tool)
}

// nothingFor reports whether no call on record can be what may be due: none changed
// anything, and none read anything where no more than that is due.
func nothingFor(doubts []Doubt, tools []tooltrack.Tool, records []*tooltrack.Record) bool {
	reads := onlyReadsDue(doubts, tools)
	return !slices.ContainsFunc(records, func(record *tooltrack.Record) bool {
		return record.Succeeded() && (reads || record.Effect.MayChange())
	})
}

func (t *Turn) nothingFor(doubts []Doubt) bool {
	_, records := t.settledRecords()
	return nothingFor(doubts, t.offered, records)
}

// shown is what a user reads of an answer that holds: its text without what it calls not
// done, and a line for what is not done and not told. To JSON nothing is added: a program
// reads it, and finds the same in [Reply.Proof].
func (g *Guard) shown(result proof.Result) string {
	text := result.Text
	if isJSON(text) {
		return text
	}
	if len(result.Withdrawn) > 0 {
		text = withhold(text, result.Withdrawn)
		if text == "" && len(result.NotDone) == 0 {
			text = g.texts.Nothing
		}
	}
	for _, what := range result.NotDone {
		what = strings.ReplaceAll(plainWords(what, g.tools), " :", ":")
		text = strings.TrimSpace(text + "\n\n" + g.texts.notDone(strings.TrimPrefix(what, ": ")))
	}
	return text
}
