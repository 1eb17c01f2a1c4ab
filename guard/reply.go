package guard

import (
	"context"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Reply is a finished turn. It is returned beside an error, too: then Text is
// empty, and Account says what is known to have happened.
type Reply struct {
	// Text is what may be shown: it passed the check, and holds no ids.
	Text string
	// Account is what the ledger proves, in words for people. It is set when the
	// model's own text did not pass.
	Account string
	// Err is the typed error of a turn whose account was delivered as text; see
	// [Options.DeliverAccount].
	Err error
	// Proof is what the text rests on, where the model was asked and its report was
	// accepted; nil otherwise.
	Proof *Proof
	// ProofMissing is true where the text was in doubt and no proof came: a program
	// that acts on replies should not take it for done.
	ProofMissing bool
	// Draft is what the model said, if that did not pass at once: the text that was asked
	// about, or else the first one that was corrected or refused. Do not show it to users:
	// it is proven only if it equals Text. With [Always] it is set for every text but small
	// talk, since each of them is asked about or comes through the report tool. It is empty
	// if the model's first text passed unasked.
	Draft string
	// Unproven are the sentences of the draft that no record clearly backs and no citation
	// proves. They are left out of Text, except in three cases: the model says that they
	// need no call (a fact, a text of its own); the model is no longer asked because it
	// never answers, and a record may be meant; or [Options.Lenient] or [Never] is set.
	Unproven []string
	// Verdict is the judgement of the last text.
	Verdict completion.Verdict
	// Intent is what was asked for.
	Intent intent.Intent
	// Records are all calls of the turn, denied ones included.
	Records []*tooltrack.Record
	// Execution says what it took.
	Execution Execution
	// Usage is that of all model calls of the turn, discarded ones and the guard's own
	// questions included.
	Usage Usage
	// Messages are those of this turn, to be appended to the conversation: the
	// user's, the calls with their results, the accepted text. Corrections and
	// texts that did not pass are not among them.
	Messages []Message
	// Turn is the name under which the calls are recorded.
	Turn string

	turn *Turn
}

// shownAs makes the text what the user has seen: of a stream, a sentence that was
// released before the model changed its answer cannot be unsaid.
func (r *Reply) shownAs(text string) {
	if text == r.Text {
		return
	}
	r.Text = text
	if last := len(r.Messages) - 1; last >= 0 && r.Messages[last].Role == RoleAssistant {
		r.Messages[last].Text, r.Messages[last].Raw = text, nil
	}
}

// Dispute records that the verdict about this turn was wrong, as a person found:
// an honest text that was refused or asked about, or a lie that passed. It is
// counted and logged, for tuning; nothing else changes.
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

// Summaries are what was done or tried, one for each call, for a user interface. A call
// that cannot be described is left out.
func (r *Reply) Summaries() []CallSummary {
	var earlier []*tooltrack.Record
	if r.turn != nil {
		earlier = r.turn.earlier
	}
	_, records := tooltrack.Settled(earlier, r.Records)
	return r.summaries(records)
}

func (r *Reply) summaries(records []*tooltrack.Record) []CallSummary {
	var all []CallSummary
	for _, record := range records {
		if summary, ok := r.summary(record); ok {
			all = append(all, summary)
		}
	}
	return all
}

func (r *Reply) summary(record *tooltrack.Record) (summary CallSummary, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	summary = CallSummary{Tool: record.Tool, Success: record.Proves(), Seen: record.Sight() == tooltrack.Confirmed}
	if len(record.Touched) > 0 {
		summary.Subject = record.Touched[0]
	}
	summary.Message = r.turn.told(record)
	return summary, true
}

// CallSummary is one call that was made, for a user interface.
type CallSummary struct {
	// Tool is the name of the tool, Success whether it did its work, and Seen whether that was read back.
	Tool    string `json:"action"`
	Success bool   `json:"success"`
	Seen    bool   `json:"seen,omitempty"`
	// Subject is the entity that the call was about; empty when that is not known.
	Subject tooltrack.Subject `json:"subject,omitzero"`
	// Message is for people: "Deleted: Read book", or the tool's own reason.
	Message string `json:"message"`
}

// Execution is what a turn took.
type Execution struct {
	// Executed is the number of successful calls.
	Executed int `json:"tool_calls_executed"`
	// Retried is how often the model was asked again for a missing tool.
	Retried int `json:"tool_calls_retried"`
	// Corrected is how often it was corrected for another reason.
	Corrected int `json:"corrections"`
	// ModelCalls is how often a model was asked in all, a referee included.
	ModelCalls int `json:"model_calls"`
	// ReadBacks is how often changes were read back; see [tooltrack.Confirm].
	ReadBacks int `json:"read_backs,omitempty"`
	// Latency is the time from beginning to end.
	Latency time.Duration `json:"-"`
}

// Proof is what an accepted text rests on, as the model said and the guard has
// checked.
type Proof struct {
	// Sentences are those that were in doubt, each with the calls behind it.
	Sentences []ProofSentence
	// NotDone are the requests of the user that were not done, as the model says itself.
	NotDone []string
	// Kept is true when the model's first text was shown as it was.
	Kept bool
}

// ProofSentence is one sentence that was in doubt, and the calls that show it.
type ProofSentence struct {
	proof.Shown
	cited []*tooltrack.Record
	reply *Reply
}

// Calls are the calls that show the sentence, for a user interface. A call that cannot be
// described is left out.
func (s ProofSentence) Calls() []CallSummary { return s.reply.summaries(s.cited) }
