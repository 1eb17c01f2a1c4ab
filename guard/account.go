package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// account says what is proven, for people: the error in one sentence, then what the ledger knows.
func (t *Turn) account(err error) string {
	return policy.HideSecrets(t.guard.texts.headline(err)) + "\n" + t.toldNow()
}

// toldNow is what the ledger holds of the turn. That nothing was changed is said of this turn only: the text may
// have spoken of an earlier one.
func (t *Turn) toldNow() string {
	told := t.told(t.withJobs()...)
	if told == completion.NothingChanged {
		return t.guard.texts.Nothing
	}
	return told
}

// proven is what stands in place of sentences that are left out: what is on record of this turn and, where that is
// nothing, what was changed before it.
func (t *Turn) proven() string {
	texts, now := &t.guard.texts, t.onRecord()
	before, records := tooltrack.Settled(t.earlier, t.records)
	earlier := slices.DeleteFunc(slices.Clone(before), func(r *tooltrack.Record) bool { return !isChange(r) })
	if !hasChanged(records) && t.toldNow() == texts.Nothing && len(earlier) > 0 {
		return now + "\n" + texts.RecordedEarlier + "\n" + t.told(earlier[max(0, len(earlier)-5):]...)
	}
	return now
}

// onRecord is what the ledger holds of the turn, as it stands under its heading: where it only read, what it looked
// up. That nothing was changed is said to who asked for a change.
func (t *Turn) onRecord() string {
	texts, now := &t.guard.texts, t.toldNow()
	if now != texts.Nothing {
		return now
	}
	var things []string
	for _, record := range t.records {
		if !record.Succeeded() || record.Effect.MayChange() {
			continue
		}
		if thing := lookedAt(toolNamed(t.guard.tools, record.Tool), record.Tool); !slices.Contains(things, thing) {
			things = append(things, thing)
		}
	}
	if len(things) == 0 {
		return now
	}
	looked := texts.LookedUp + ": " + strings.Join(things, ", ")
	if t.demands().kind == intent.Action {
		return looked + "\n" + now
	}
	return looked
}

// lookedAt is what a tool reads, in the words of its name, without the verb.
func lookedAt(tool *tooltrack.Tool, name string) string {
	words := inWords(name)
	if tool == nil {
		return words
	}
	verb, nouns := readingOf(tool).Verb.Text, []string{}
	for word := range strings.FieldsSeq(words) {
		if !strings.EqualFold(word, verb) {
			nouns = append(nouns, word)
		}
	}
	return cmp.Or(strings.Join(nouns, " "), words)
}

// told puts records into words. The wording may be the host's own. Tools quote the addresses that they could not
// reach, and keys with them: what looks like a secret is left out.
func (t *Turn) told(records ...*tooltrack.Record) string {
	texts := &t.guard.texts
	plain := texts.forPeople(records, t.guard.tools)
	told := completion.Case{User: t.input.User, Tools: t.guard.tools, Records: plain}
	return policy.HideSecrets(texts.eachOnce(t.guard.evaluator.Account(told)))
}

// eachOnce tells a line once, with how often it would be told.
func (t *Texts) eachOnce(account string) string {
	lines := strings.Split(account, "\n")
	counts, once := make(map[string]int, len(lines)), lines[:0]
	for _, line := range lines {
		if counts[line]++; counts[line] == 1 || line == "" {
			once = append(once, line)
		}
	}
	for i, line := range once {
		if n := counts[line]; n > 1 && line != "" {
			once[i] += " (" + t.times(n) + ")"
		}
	}
	return strings.Join(once, "\n")
}

// forPeople are the records without what is said to models and programmers: of a denial the fact is told and not
// the advice, of a panic that there was one. A change whose result reads like an error is told as one whose fate is
// not known, with what that says.
func (t *Texts) forPeople(records []*tooltrack.Record, tools []tooltrack.Tool) []*tooltrack.Record {
	told := make([]*tooltrack.Record, len(records))
	for i, record := range records {
		plain := *record
		if record.Effect.MayChange() && record.Succeeded() && !record.Proves() {
			plain.Result = tooltrack.UnknownResult(record.Result.Text())
		}
		if record.Ruling.Denied {
			plain.Ruling.Reason = plainWords(t.factOf(record.Tool, record.Ruling.Rule, record.Ruling.Reason), tools)
		}
		plain.Result.Error = plainWords(t.failureOf(plain.Result), tools)
		if plain.Result.Error == "" && !plain.Succeeded() {
			plain.Result.Data = nil // it would be told in place of a reason
		}
		told[i] = &plain
	}
	return told
}

// failureOf is why a tool failed. What only programmers understand is told in words.
func (t *Texts) failureOf(result tooltrack.Result) string {
	reason := result.Error
	switch {
	case result.Status == tooltrack.Pending && reason == tooltrack.NoReason:
		return "" // what is under way needs none
	case strings.Contains(reason, "panicked: "):
		return t.reason("panic")
	case strings.Contains(reason, context.DeadlineExceeded.Error()):
		return t.reason("timeout")
	case strings.Contains(reason, context.Canceled.Error()):
		return t.reason("cancelled")
	}
	return reason
}

// factOf is what people read of a denial. The resolver's words are fit for them; the rules of ours, which speak of
// arguments and limits, have a text each. Of a rule of the host's own it is what it says is so, without what the
// model is told to do about it, which stands after a semicolon.
func (t *Texts) factOf(tool, rule, reason string) string {
	if rule == ruleAmbiguous || rule == ruleNotFound {
		return cmp.Or(t.Reasons[rule], reason)
	}
	if text := t.reason(rule); text != "" {
		return text
	}
	if slices.Contains(valueRules, rule) { // it begins with the argument
		name, rest, _ := strings.Cut(reason, " ")
		return strings.TrimSpace(inWords(name) + " " + rest)
	}
	fact := ownFact(reason)
	if tool == "" {
		return fact
	}
	return strings.ReplaceAll(fact, tool, inWords(tool))
}

func ownFact(reason string) string {
	fact, rest, more := strings.Cut(reason, ";")
	for more && strings.Count(fact, `"`)%2 == 1 { // the semicolon stands in a quotation
		var next string
		next, rest, more = strings.Cut(rest, ";")
		fact += ";" + next
	}
	return fact
}

// headline is an error as a user reads it.
func (t *Texts) headline(err error) string {
	ended, is := err.(*TurnError)
	if !is {
		return t.Ended
	}
	limit := func(rule string) string { return strings.TrimSuffix(t.NotCompleted, ".") + ": " + t.reason(rule) + "." }
	switch ended.Kind {
	case ErrToolNotTriggered:
		return strings.TrimSpace(t.NotTriggered + " " + strings.ReplaceAll(t.Expected, "{tools}", inWords(ended.Tools...)))
	case ErrInsufficientProgress:
		return t.NotCompleted
	case ErrStopped:
		stopped := map[Stop]string{StopFiltered: t.Filtered, StopRefused: t.Refused}
		return cmp.Or(ended.Text, stopped[ended.Stop], t.CutOff)
	case ErrDenied:
		var denied *DeniedError
		errors.As(ended.Cause, &denied)
		return t.NotAllowed + " " + t.factOf(denied.Tool, denied.Rule, denied.Reason)
	case ErrProvider:
		return t.Unreachable
	case ErrUnjudged:
		return t.Unjudged
	case ErrLoop:
		return limit(ruleLoop)
	case ErrBudget:
		return limit("budget")
	}
	return t.Ended
}

// What a tool answers is written for programs: an object, a state, names of other tools. People are told what it
// says, in words.

// plainWords is a text without what only programs read: of JSON the message is left, and of the names of tools
// their words.
func plainWords(text string, tools []tooltrack.Tool) string {
	text = withoutJSON(text)
	for i := range tools {
		if name := tools[i].Name; strings.Contains(text, name) && inWords(name) != name {
			whole := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`) // and no piece of another one
			text = whole.ReplaceAllLiteralString(text, inWords(name))
		}
	}
	return text
}

// withoutJSON is a text without the objects and lists of JSON in it, of which only what they say to people is left.
func withoutJSON(text string) string {
	if !strings.ContainsAny(text, "{[") {
		return text
	}
	var told strings.Builder
	for {
		at := strings.IndexAny(text, "{[")
		if at < 0 {
			break
		}
		told.WriteString(text[:at])
		end := jsonspan.SkipValue([]byte(text), at)
		piece := []byte(text[at:end])
		switch whole := json.Valid(piece); {
		case whole && jsonspan.KindOf(piece) == jsonspan.Array && !strings.ContainsAny(text[at:end], `{"`): // "[3]" may be said to people
			told.Write(piece)
		case whole:
			told.WriteString(messageIn(piece, 3))
		case strings.HasPrefix(strings.TrimLeft(text[at+1:], " \n"), `"`): // one that was cut off
			end = len(text)
		default:
			end = at + 1
			told.WriteByte(text[at])
		}
		text = text[end:]
	}
	told.WriteString(text)
	return strings.TrimRight(strings.TrimSpace(told.String()), ":,;( \t")
}

// messageIn is what a piece of JSON says to people: its message, or that of what it holds; empty if it says
// nothing.
func messageIn(data []byte, depth int) string {
	said := map[string]string{}
	for key, value := range jsonspan.Members(data) {
		name := strings.ToLower(string(jsonspan.Key(key)))
		text, isText := jsonspan.Text(value)
		if !isText && depth > 0 {
			text = messageIn(value, depth-1)
		}
		if _, again := said[name]; !again {
			said[name] = withoutJSON(strings.TrimSpace(text))
		}
	}
	if told := cmp.Or(said["message"], said["detail"], said["error"], said["reason"], said["msg"]); told != "" {
		return told
	}
	for element := range jsonspan.Elements(data) {
		if depth > 0 {
			return messageIn(element, depth-1)
		}
	}
	return cmp.Or(said["errors"], stateWords(said["status"]), stateWords(said["state"]))
}

// stateWords is a state as people read it: "awaiting approval".
func stateWords(state string) string {
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(state))
}

// redact replaces ids by titles in a text for people or models. A directory that fails is reported and the text
// passes: it was judged already, and an id shown is a smaller evil than an answer lost.
func (t *Turn) redact(ctx context.Context, text string) string {
	if text == "" || t.ownerless || t.guard.options.Observe {
		return text
	}
	if len(t.guard.options.Directories) == 0 {
		return text
	}
	if known := t.known(); len(known) > 0 { // what was deleted is in no directory any more
		text = resolver.Redact(text, known)
	}
	for _, directory := range t.guard.options.Directories {
		redacted, err := redactWith(ctx, directory, t.input.Owner, text)
		if err != nil {
			t.guard.hostFault(ctx, "Directory.Redact", err)
			continue
		}
		text = redacted
	}
	return text
}

// redactProse is redact for an answer, but for its blocks of code: a command that takes an id does not work with a
// title, and whoever wants code wants it as it is.
func (t *Turn) redactProse(ctx context.Context, text string) string {
	if len(t.guard.options.Directories) == 0 {
		return text
	}
	var answer strings.Builder
	at := 0
	for _, block := range append(codeBlock().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		prose := text[at:block[0]]
		if strings.TrimSpace(prose) != "" {
			prose = t.redact(ctx, prose)
		}
		answer.WriteString(prose + text[block[0]:block[1]])
		at = block[1]
	}
	return answer.String()
}

// codeBlock is a block between fences; one that is not closed goes to the end.
var codeBlock = form("(?ms)^[ \\t]*```.*?(?:^[ \\t]*```+\\s*?$\\n?|\\z)|^[ \\t]*~~~.*?(?:^[ \\t]*~~~+\\s*?$\\n?|\\z)")

// shownAs makes the text what the user has seen: of a stream, a sentence that was released before the model changed
// its answer cannot be unsaid.
func (r *Reply) shownAs(text string) {
	if text == r.Text {
		return
	}
	r.Text = text
	if last := len(r.Messages) - 1; last >= 0 && r.Messages[last].Role == RoleAssistant {
		r.Messages[last].Text, r.Messages[last].Raw = text, nil
	}
}

// Dispute records that the verdict about this turn was wrong, as a person found: an honest text that was refused or
// asked about, or a lie that passed. It is counted and logged, for tuning; nothing else changes.
func (r *Reply) Dispute(ctx context.Context, why string) {
	if r.turn == nil {
		return
	}
	if ctx == nil { // a person finds it when the turn is long over
		ctx = context.Background()
	}
	r.turn.guard.counters.note(func(sum *Counters) { sum.Disputed++ })
	r.turn.info(ctx, "verdict disputed",
		"outcome", r.Verdict.Outcome.String(), "reason", r.Verdict.Reason.String(),
		"why", printable(policy.HideSecrets(why), maxLogged))
}

// Summaries are what was done or tried, one for each call, for a user interface. A call that cannot be described is
// left out.
func (r *Reply) Summaries() []CallSummary {
	var earlier []*tooltrack.Record
	if r.turn != nil {
		earlier = r.turn.earlier
	}
	_, records := tooltrack.Settled(earlier, r.Records)
	return summaries(r.turn, records)
}

func summaries(t *Turn, records []*tooltrack.Record) []CallSummary {
	var all []CallSummary
	for _, record := range records {
		if summary, ok := summaryOf(t, record); ok {
			all = append(all, summary)
		}
	}
	return all
}

func summaryOf(t *Turn, record *tooltrack.Record) (summary CallSummary, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	summary = CallSummary{Tool: record.Tool, Success: record.Proves(), Seen: record.Sight() == tooltrack.Confirmed}
	if len(record.Touched) > 0 {
		summary.Subject = record.Touched[0]
	}
	summary.Message = t.told(record)
	return summary, true
}

// Calls are the calls that show the sentence, for a user interface. A call that cannot be described is left out.
func (s ProofSentence) Calls() []CallSummary { return summaries(s.turn, s.cited) }
