package guard

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// account says what is proven, for people: the error in one sentence, then what
// the ledger knows.
func (t *Turn) account(err error) string {
	return policy.HideSecrets(t.guard.texts.headline(err)) + "\n" + t.toldNow()
}

// toldNow is what the ledger holds of the turn. That nothing was changed is said
// of this turn only: the text may have spoken of an earlier one.
func (t *Turn) toldNow() string {
	told := t.told(t.withJobs()...)
	if told == completion.NothingChanged {
		return t.guard.texts.Nothing
	}
	return told
}

// proven is what stands in place of sentences that are left out: what is on record
// of this turn and, where that is nothing, what was changed before it.
func (t *Turn) proven() string {
	texts, now := &t.guard.texts, t.onRecord()
	before, records := tooltrack.Settled(t.earlier, t.records)
	if earlier := lastChanges(before); !changed(records) && t.toldNow() == texts.Nothing && len(earlier) > 0 {
		return now + "\n" + texts.RecordedEarlier + "\n" + t.told(earlier...)
	}
	return now
}

// onRecord is what the ledger holds of the turn, as it stands under its heading: where it
// only read, what it looked up. That nothing was changed is said to who asked for a change.
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

// lastChanges are the changes of earlier turns that succeeded, the last few.
func lastChanges(records []*tooltrack.Record) []*tooltrack.Record {
	var changes []*tooltrack.Record
	for _, record := range records {
		if record.Proves() && record.Effect.MayChange() {
			changes = append(changes, record)
		}
	}
	return changes[max(0, len(changes)-5):]
}

// told puts records into words. The wording may be the host's own. Tools quote
// the addresses that they could not reach, and keys with them: what looks like a
// secret is left out.
func (t *Turn) told(records ...*tooltrack.Record) string {
	texts := &t.guard.texts
	plain := texts.forPeople(withDoubts(records), t.guard.tools)
	told := completion.Case{User: t.input.User, Tools: t.describing(records), Records: plain}
	return policy.HideSecrets(texts.eachOnce(t.guard.evaluator.Account(told)))
}

// eachOnce tells a line once, with how often it would be told.
func (t *Texts) eachOnce(account string) string {
	lines := strings.Split(account, "\n")
	counts := make(map[string]int, len(lines))
	for _, line := range lines {
		counts[line]++
	}
	if len(counts) == len(lines) {
		return account
	}
	once := lines[:0]
	for _, line := range lines {
		switch n := counts[line]; {
		case n == 1 || line == "":
			once = append(once, line)
		case n > 1:
			once = append(once, line+" ("+t.times(n)+")")
			counts[line] = 0
		}
	}
	return strings.Join(once, "\n")
}

// forPeople returns the records without what is said to models and programmers: of
// a denial the fact is told and not the advice, of a panic that there was one.
func (t *Texts) forPeople(records []*tooltrack.Record, tools []tooltrack.Tool) []*tooltrack.Record {
	told := records
	for i, record := range records {
		denial := plainWords(t.factOf(record.Tool, record.Ruling.Rule, record.Ruling.Reason), tools)
		failure := plainWords(t.failureOf(record.Result), tools)
		bare := failure == "" && !record.Succeeded() && len(record.Result.Data) > 0
		if failure == record.Result.Error && !bare && (!record.Ruling.Denied || denial == record.Ruling.Reason) {
			continue
		}
		if &told[0] == &records[0] {
			told = slices.Clone(records)
		}
		plain := *record
		plain.Ruling.Reason, plain.Result.Error = denial, failure
		if bare {
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

// factOf is what people read of a denial. The resolver's words are fit for them; the
// rules of ours, which speak of arguments and limits, have a text each. Of a rule of
// the host's own it is what it says is so, without what the model is told to do about
// it, which stands after a semicolon.
func (t *Texts) factOf(tool, rule, reason string) string {
	if rule == ruleAmbiguous || rule == ruleNotFound {
		return cmp.Or(t.Reasons[rule], reason)
	}
	if text := t.reason(rule); text != "" {
		return text
	}
	if slices.Contains(valueRules, rule) {
		return argumentInWords(reason)
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

// describing are the tools that are needed to tell of some records. For a single one
// its own tool is enough, and the others need not be read.
func (t *Turn) describing(records []*tooltrack.Record) []tooltrack.Tool {
	if len(records) != 1 {
		return t.guard.tools
	}
	if tool := toolNamed(t.guard.tools, records[0].Tool); tool != nil {
		return []tooltrack.Tool{*tool}
	}
	return nil
}

// withDoubts returns the records with every change whose result reads like an
// error turned into one whose fate is unknown: people are told so, and what the
// result says to people.
func withDoubts(records []*tooltrack.Record) []*tooltrack.Record {
	for i, record := range records {
		if !record.Effect.MayChange() || !record.Succeeded() || record.Proves() {
			continue
		}
		doubtful := *record
		doubtful.Result = tooltrack.UnknownResult(record.Result.Text())
		records = append(append(slices.Clip(records[:i]), &doubtful), records[i+1:]...)
	}
	return records
}

// headline is an error as a user reads it.
func (t *Texts) headline(err error) string {
	switch e := err.(type) {
	case *ToolNotTriggeredError:
		return strings.TrimSpace(t.NotTriggered + " " + strings.ReplaceAll(t.Expected, "{tools}", inWords(e.Expected...)))
	case *InsufficientProgressError:
		return t.NotCompleted
	case *StoppedError:
		switch {
		case e.Refusal != "":
			return e.Refusal
		case e.Stop == StopFiltered:
			return t.Filtered
		case e.Stop == StopRefused:
			return t.Refused
		}
		return t.CutOff
	case *DeniedError:
		return t.NotAllowed + " " + t.factOf(e.Tool, e.Rule, e.Reason)
	case *ProviderError:
		return t.Unreachable
	case *UnjudgedError:
		return t.Unjudged
	case limitError:
		return strings.TrimSuffix(t.NotCompleted, ".") + ": " + t.reason(e.limit()) + "."
	}
	return t.Ended
}
