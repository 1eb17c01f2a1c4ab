package guard

import (
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// judging is one judgement: what is asked for, the turn, and what the evaluator found in its text.
type judging struct {
	*demands
	turn    completion.Case
	verdict *completion.Verdict
	match   *match.Turn // the turn as its claims are held against its records, once it is needed
}

// excuse is why no more than a tier is held against a claim, whatever the evaluator says. That a request is dropped
// which the user took back is no claim of work. Where the user wants words, a text or an explanation, they may tell
// of acts that nobody did. What answers a question that no tool has to be called for may tell how things are done.
// What the host's prompts or an earlier turn tell may be told again.
func (j *judging) excuse(claim *completion.Claim) (rule string, most completion.Tier) {
	idle, aside, told := len(j.turn.Records) == 0, j.isAside(claim.Text), j.hostCoverage(claim.Text)
	switch {
	case aside && (isEmpty(claim.Text) || reading.Acknowledges(claim.Text)):
		return "held back, and no more said", completion.Clean
	case told == match.Covered:
		return "told by the host", completion.Clean
	case claim.Tier == completion.Unsure:
		return "", completion.Sure
	case aside:
		return "held back", completion.Unsure
	case idle && !j.isSure() && match.MayBeWords(claim.Text, j.turn.User):
		return "words are wanted", completion.Unsure
	case idle && j.due < j.threshold && reading.EndsAsking(j.turn.User) && !reading.TellsOwnDeed(claim.Text) &&
		!isBare(claim.Text):
		return "a question was asked", completion.Unsure
	case told == match.Mentioned:
		return "mentioned by the host", completion.Unsure
	case j.isToldBefore(claim):
		return "told before", completion.Unsure
	}
	return "", completion.Sure
}

// clearClaims takes back what a verdict holds against claims that are none or need no record, and says so in its
// steps.
func (j *judging) clearClaims() {
	verdict := j.verdict
	accused, cloned := verdict.Ghost(), false
	for i := range verdict.Claims {
		claim := &verdict.Claims[i]
		if claim.Tier == completion.Clean {
			continue
		}
		rule, most := j.excuse(claim)
		if rule == "" {
			continue
		}
		if !cloned { // they are the evaluator's
			verdict.Claims, verdict.Steps, cloned = slices.Clone(verdict.Claims), slices.Clip(verdict.Steps), true
		}
		step := completion.Step{Rule: rule, Words: claim.Text, Before: claim.Tier, After: most}
		verdict.Steps = append(verdict.Steps, step)
		verdict.Claims[i].Tier = most
	}
	fabricated := verdict.Reason == completion.FabricatedFailure && j.summaries != nil
	if accused && !verdict.Ghost() && (verdict.Reason == completion.UnbackedClaim || fabricated) {
		settleInFavour(verdict)
	}
}

// settleInFavour gives a verdict the outcome of a text whose doubt is settled in its favour.
func settleInFavour(verdict *completion.Verdict) {
	verdict.Outcome, verdict.Reason, verdict.Correction = completion.CompletedWithWork, completion.NothingDue, ""
	if verdict.Otherwise == completion.CompletedWithBlocker {
		verdict.Outcome, verdict.Reason = completion.CompletedWithBlocker, completion.Blocked
	}
}

// isEmpty reports whether a text says hardly anything of its own: "On it!", "Sure, give me a second". Where
// something may be due, such a text is no answer.
func isEmpty(text string) bool { return len(match.Content(text)) < 3 }

// isBare reports whether a text has no word that means something by itself: "ok", "so?".
func isBare(text string) bool { return len(match.Content(text)) == 0 }

// isAside reports whether, after a message that holds something back, and with nothing changed, a text tells of no
// act of an offered tool: "paused", "I've disregarded that" tell what became of the request. So does "I've dropped
// it" after a message that names nothing.
func (j *judging) isAside(text string) bool {
	turn := &j.turn
	if !j.isHoldingBack() || hasChanged(turn.Records) {
		return false
	}
	acts := reading.ActsIn(text)
	done := func(tool tooltrack.Tool) bool { return !isReading(&tool) && readingOf(&tool).Families.Overlaps(acts) }
	if !slices.ContainsFunc(turn.Tools, done) {
		return true
	}
	act, dropped := reading.English().ReadClauses(nil, text).Drops()
	return dropped && isEmpty(turn.User) && !reading.ActsIn(turn.User).Overlaps(act)
}

// isTellingDone reports whether a text tells something as done.
func isTellingDone(text string) bool { return reading.English().ReadClauses(nil, text).TellsDone() }

// withoutTold leaves out the look-ups that the host's prompts answer as the text does, and says whether the prompts
// at least hold its values: then a look-up is not insisted on.
func (j *judging) withoutTold(undone []want) (open []want, mentioned bool) {
	if !slices.ContainsFunc(undone, want.reads) {
		return undone, false
	}
	told := j.prompts.Cover(j.turn.Text, j.turn.User)
	if told == match.Covered && !j.isActing() {
		undone = nil
	}
	return undone, told != match.NotCovered
}

// hostCoverage is how far the host's prompts tell a statement of how things are. Where something was changed they
// may be out of date.
func (j *judging) hostCoverage(text string) match.Coverage {
	if len(j.prompts) == 0 || hasChanged(j.turn.Records) || j.isActing() || !match.IsState(text) {
		return match.NotCovered
	}
	return j.prompts.Cover(text, j.turn.User)
}

// What a summary tells as done may have been done.

// newHistorySummaries picks the messages that may be summaries: those of the system, and of the assistant where
// neither it nor the turn it ends has calls. What stands beside calls, or ends a turn with calls, are the model's
// own words about what is on record.
func newHistorySummaries(tools []tooltrack.Tool, before, after []Message) *historySummaries {
	var now, earlier []string
	calls := false
	for _, message := range before {
		switch {
		case message.Role == RoleSystem:
			now = append(now, message.Text)
		case message.Role == RoleUser && !message.Internal:
			calls = false
		case len(message.Calls) > 0 || message.Role == RoleTool:
			calls = true
		case message.Role == RoleAssistant && !calls:
			earlier = append(earlier, message.Text)
		}
	}
	for _, message := range after {
		if message.Role == RoleSystem || message.Role == RoleAssistant && len(message.Calls) == 0 {
			now = append(now, message.Text)
		}
	}
	if len(now)+len(earlier) == 0 {
		return nil
	}
	read := func(texts []string) func() match.Told {
		return sync.OnceValue(func() match.Told { return match.ReadTold(texts) })
	}
	return &historySummaries{tools, read(now), read(earlier)}
}

// isTold reports whether the conversation tells something as done: the act, and all that the words name beside it.
// Earlier turns count for those who look back.
func (s *historySummaries) isTold(words string, back bool) bool {
	return s != nil && (s.now().Tells(words) || back && s.before().Tells(words))
}

// isToldBefore reports whether a claim only tells again what the conversation tells.
func (d *demands) isToldBefore(claim *completion.Claim) bool {
	return d.summaries.isTold(claim.Text, claim.Earlier || d.kind != intent.Action)
}

// isDoubtToldBefore reports whether something in doubt is told by the conversation: no call of it is invited, since
// it may have been made.
func (d *demands) isDoubtToldBefore(doubt Doubt) bool {
	if doubt.Claim != nil {
		return d.isToldBefore(doubt.Claim)
	}
	return d.maybeMade(doubt.Tool)
}

// maybeMade reports whether the conversation tells as done what a tool is expected for: a part of the words that
// may ask for it.
func (d *demands) maybeMade(name string) bool {
	if d.summaries == nil {
		return false
	}
	tool := toolNamed(d.summaries.tools, name)
	return tool != nil && d.any(func(w want) bool {
		if w.Tool != name {
			return false
		}
		acts := readingOf(tool).Families
		for part := range strings.SplitSeq(w.Words, ",") { // "pay invoice 17, then email Tom"
			if (acts.Empty() || acts.Overlaps(reading.ActsIn(part))) && d.summaries.isTold(part, false) {
				return true
			}
		}
		return false
	})
}
