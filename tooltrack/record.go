package tooltrack

import (
	"encoding/json"
	"time"
)

// Scope says who asked for a call, and in which turn. Owner is always needed; a single-user
// program may use a fixed name such as "local".
type Scope struct {
	// Owner is the user or tenant. Nothing of one owner is ever shown to another.
	Owner string `json:"owner,omitempty"`
	// Conversation groups turns.
	Conversation string `json:"conversation,omitempty"`
	// Task groups turns that work on one thing, for checklists across turns.
	Task string `json:"task,omitempty"`
	// Turn names one user message, through re-asks, restarts and replays.
	Turn string `json:"turn,omitempty"`
}

// Subject is an entity that a call was about.
type Subject struct {
	// Kind is what sort of entity it is: "task".
	Kind string `json:"kind,omitempty"`
	// ID is its name for programs, and Title its name for people.
	ID    string `json:"id,omitempty"`
	Title string `json:"title,omitempty"`
}

// Ruling is what was decided about a call before it could run. The zero value
// is a call that was approved as sent.
type Ruling struct {
	// Denied is true when the call was not allowed to run.
	Denied bool `json:"denied,omitempty"`
	// Rewritten holds the arguments as the model sent them, when other ones ran.
	Rewritten json.RawMessage `json:"rewritten_from,omitempty"`
	// Rule names what decided, and Reason says why in words for the model.
	Rule   string `json:"rule,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Record is one proposed call and all that is known of it. Records handed out by a [Store] are
// shared and must not be modified.
type Record struct {
	// Seq numbers the records of an owner in the order in which they were begun, and Cursor in
	// the order in which they were completed; 0 until then.
	Seq    int64 `json:"seq,omitempty"`
	Cursor int64 `json:"cursor,omitempty"`
	Scope
	Call
	// Effect is the tool's effect when the call was made.
	Effect Effect `json:"effect"`
	// Implied is what the words of the tool imply; nil is nothing. No store keeps it.
	Implied *Implied `json:"-"`
	// Ruling is what was decided before the call ran.
	Ruling Ruling `json:"ruling,omitzero"`
	// Result is Unknown until the call is finished.
	Result Result `json:"result"`
	// Key names the call for "at most once"; empty for calls that may repeat. Digest identifies
	// tool and arguments where the host chose the key.
	Key    string `json:"key,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Occurrence counts deliberate repeats of the same change within a turn, and Attempt the
	// tries of one occurrence; both begin at 1.
	Occurrence int `json:"occurrence,omitempty"`
	Attempt    int `json:"attempt,omitempty"`
	// Retried marks a call that was made because the guard asked again, for RetryReason.
	Retried     bool   `json:"retried"`
	RetryReason string `json:"-"`
	// Message is a digest of the message that the turn answers, by which its turn is known again;
	// empty where nobody gave one.
	Message string `json:"message,omitempty"`
	// Began and Finished are when the record was written and completed; a zero Finished is a
	// call that is running or was cut off.
	Began    time.Time `json:"began,omitzero"`
	Finished time.Time `json:"finished,omitzero"`
	// Touched are the entities the call was about.
	Touched []Subject `json:"touched,omitempty"`
}

// Done reports whether the record was completed.
func (r *Record) Done() bool { return !r.Finished.IsZero() }

// Held reports whether the call waits for a person's approval.
func (r *Record) Held() bool { return r.Result.Status == Held && !r.Done() }

// Succeeded reports whether the record is evidence of work.
func (r *Record) Succeeded() bool {
	return r.Result.Status == Succeeded && !r.Ruling.Denied && !r.Contradicted()
}

// Proves reports whether the call did its work and nothing in its result speaks against it.
func (r *Record) Proves() bool { return r.Succeeded() && r.Result.Doubtful == "" }

// implying is the record with what its tool's words imply, where a store has not kept it.
func (r *Record) implying(implied *Implied) *Record {
	if r == nil || r.Implied != nil || implied == nil {
		return r
	}
	known := *r
	known.Implied = implied
	return &known
}

// asked is the call of the record, for those who read about it.
func (r *Record) asked() *asked { return (&Tool{Effect: r.Effect, Implied: r.Implied}).asked(r.Call) }

// shown is the status that a record is evidence of.
func (r *Record) shown() Status {
	if r.Succeeded() && !r.Proves() {
		return Unknown
	}
	return asSeen([]*Record{r})[0].Result.Status
}

// recordJSON is the wire form; its names are stable.
type recordJSON struct {
	recordFields
	RetryReason *string `json:"retry_reason"`
}

type recordFields Record // without the methods

// MarshalJSON writes retry_reason, null when there was none, beside the rest. Arguments that are
// not JSON, as a denied call may have them, are written as a JSON string.
func (r Record) MarshalJSON() ([]byte, error) {
	wire := recordJSON{recordFields: recordFields(r)}
	wire.Ruling.Rewritten = jsonOf(r.Ruling.Rewritten)
	wire.Result.Data = jsonOf(r.Result.Data)
	if wire.Args = jsonOf(r.Args); wire.Args == nil {
		wire.Args = json.RawMessage("{}")
	}
	if r.RetryReason != "" {
		wire.RetryReason = &r.RetryReason
	}
	return json.Marshal(wire)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Record) UnmarshalJSON(data []byte) error {
	var wire recordJSON
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*r = Record(wire.recordFields)
	if wire.RetryReason != nil {
		r.RetryReason = *wire.RetryReason
	}
	return nil
}
