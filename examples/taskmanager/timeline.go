package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TimelineEntry is one thing that the guard saw or did.
type TimelineEntry struct {
	AtMS int64  `json:"at_ms"`
	Kind string `json:"kind"`
	Tool string `json:"tool,omitempty"`
	Text string `json:"text"`
}

// The kinds of entries.
const (
	kindUnderstood = "understood"
	kindCalled     = "called"
	kindSaid       = "said"
	kindResolved   = "resolved"
	kindRewrote    = "rewrote"
	kindRefused    = "refused"
	kindExecuted   = "executed"
	kindFailed     = "failed"
	kindRepeated   = "not_repeated"
	kindJudged     = "judged"
	kindAskedAgain = "asked_again"
	kindAskedProof = "asked_for_proof"
	kindProof      = "proof"
	kindWithheld   = "withheld"
	kindShown      = "shown"
)

// recorder writes a turn's timeline, from around model and executor, and from the guard's log events.
type recorder struct {
	start    time.Time
	known    []resolver.Entry // for taking ids out of texts
	progress func(Progress)
	demo     bool // show what was withheld

	mu      sync.Mutex
	entries []TimelineEntry
	seen    int               // messages of the conversation that were looked at
	sent    map[string]string // arguments as the model sent them, by the call's id
	inModel time.Duration
	proving atomic.Bool // what the model says next is what its text rests on
}

// Progress is an event for those who wait.
type Progress struct {
	Event string `json:"event"` // thinking, calling, asking_again or asking_for_proof
	Tool  string `json:"tool,omitempty"`
}

// maxEntry is how much of a text an entry shows.
const maxEntry = 600

func (r *recorder) add(kind, tool, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text = resolver.Redact(oneLine(text, maxEntry), r.known)
	r.entries = append(r.entries,
		TimelineEntry{AtMS: time.Since(r.start).Milliseconds(), Kind: kind, Tool: tool, Text: text})
}

func (r *recorder) tell(p Progress) {
	if r.progress != nil {
		r.progress(p)
	}
}

// watch returns the model with the recorder before it.
func (r *recorder) watch(model guard.Model) guard.Model {
	return guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		began := r.asking(request)
		response, err := model.Generate(ctx, request)
		r.answered(began, response, err)
		return response, err
	})
}

// asking notes what stands in the conversation since the model was asked last: results of tools, and corrections.
func (r *recorder) asking(request guard.Request) time.Time {
	if r.seen == 0 {
		r.seen = len(request.Messages)
	}
	for _, message := range request.Messages[min(r.seen, len(request.Messages)):] {
		switch {
		case message.Role == guard.RoleTool: // what worked was noted when it ran
			if reason, denied := strings.CutPrefix(message.Text, "Error: the call was not run. "); denied {
				r.add(kindRefused, message.Tool, reason)
			}
		case message.Internal && message.Role != guard.RoleAssistant:
			first, _, _ := strings.Cut(message.Text, "\n")
			kind := kindAskedAgain
			if r.proving.Load() {
				kind = kindAskedProof
			}
			r.add(kind, request.Choice.Tool, first)
		}
	}
	r.seen = len(request.Messages)
	r.tell(Progress{Event: "thinking"})
	return time.Now()
}

func (r *recorder) answered(began time.Time, response guard.Response, err error) {
	r.mu.Lock()
	r.inModel += time.Since(began)
	r.mu.Unlock()
	if err != nil {
		r.add(kindFailed, "", "The model could not be asked.")
		return
	}
	for _, c := range response.Message.Calls {
		r.mu.Lock()
		r.sent[c.ID] = string(c.Args)
		r.mu.Unlock()
		r.add(kindCalled, c.Tool, describeArgs(c.Args))
	}
	text := response.Message.Text
	switch {
	case len(response.Message.Calls) > 0:
		r.proving.Store(false) // the missing call, instead of a proof
	case r.proving.Load():
		r.add(kindProof, "", describeProof(text))
		return
	}
	if text != "" {
		r.add(kindSaid, "", text)
	}
}

// describeProof is an answer to a request for proof in words; what is none stays as it is.
func describeProof(text string) string {
	message, is := proof.IsAnswer(text)
	if !is {
		return "“" + text + "”"
	}
	var answer map[string]any
	if json.Unmarshal([]byte(text), &answer) != nil {
		return "“" + text + "”"
	}
	var parts []string
	for _, letter := range slices.Sorted(maps.Keys(answer)) {
		if letter == "message" {
			continue
		}
		said := fmt.Sprint(answer[letter])
		if calls, cited := answer[letter].([]any); cited {
			said = "call " + strings.Trim(fmt.Sprint(calls), "[]")
		}
		parts = append(parts, letter+": "+said)
	}
	if len(parts) == 0 {
		parts = []string{"nothing was done or asked for"}
	}
	if message != "" {
		parts = append(parts, "and says instead: “"+message+"”")
	}
	return strings.Join(parts, "; ")
}

// run returns the executor with the recorder before it.
func (r *recorder) run(inner guard.Executor) guard.Executor {
	return guard.ExecutorFunc(func(ctx context.Context, c tooltrack.Call) ([]byte, error) {
		r.compare(c)
		body, err := inner.Execute(ctx, c)
		if result := tooltrack.ResultOf(body, err); result.Success() {
			r.add(kindExecuted, c.Tool, "It worked, and it is on record.")
		} else {
			r.add(kindFailed, c.Tool, result.Error)
		}
		return body, err
	})
}

// compare notes what was changed in a call before it ran.
func (r *recorder) compare(c tooltrack.Call) {
	r.mu.Lock()
	sent := r.sent[c.ID]
	r.mu.Unlock()
	if sent == string(c.Args) {
		return
	}
	var before, after map[string]any
	if json.Unmarshal([]byte(sent), &before) != nil || json.Unmarshal(c.Args, &after) != nil {
		return
	}
	for name, value := range after {
		switch {
		case before[name] == value:
		case name == "task_id":
			r.add(kindResolved, c.Tool, fmt.Sprintf("%q is one task of yours.", before[name]))
		default:
			r.add(kindRewrote, c.Tool, fmt.Sprintf("%s: %v became %v.", name, before[name], value))
		}
	}
}

// describeArgs prints arguments for people, in a stable order.
func describeArgs(args json.RawMessage) string {
	var values map[string]any
	if json.Unmarshal(args, &values) != nil {
		return "with arguments that are not JSON"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, fmt.Sprintf("%s: %v", name, values[name]))
	}
	return strings.Join(parts, ", ")
}

// finish completes the timeline: which text was shown, and which were not.
func (r *recorder) finish(reply *guard.Reply, guarded bool) []TimelineEntry {
	r.mu.Lock()
	said := -1
	for i := range r.entries {
		if r.entries[i].Kind == kindSaid {
			said = i
			if guarded {
				r.entries[i].Kind = kindWithheld
			}
		}
	}
	kept := said >= 0 && reply.Err == nil &&
		(!guarded || r.entries[said].Text == resolver.Redact(oneLine(reply.Text, maxEntry), r.known))
	if kept {
		r.entries[said].Kind = kindShown
	}
	for i := range r.entries {
		if r.entries[i].Kind == kindWithheld && !r.demo {
			r.entries[i].Text = "A text that nothing proves was not shown."
		}
	}
	r.mu.Unlock()
	switch {
	case reply.Err != nil:
		first, _, _ := strings.Cut(reply.Text, "\n")
		r.add(kindShown, "", first)
	case !kept && reply.Text != "": // another text than the model's own
		r.add(kindShown, "", reply.Text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries
}

type recorderKey struct{}

// requestWords are the kinds of requests.
var requestWords = map[string]string{
	"chat": "Small talk", "question": "A question", "analysis": "A request to look into something",
	"action": "A request to do something",
}

func (r *recorder) event(event string, found decisions.Attrs) {
	switch event {
	case "intent":
		needs := "; no tool is needed."
		if expected := found["expected"]; len(expected) > 0 {
			needs = "; it needs " + strings.Join(expected, " ") + "."
		}
		r.add(kindUnderstood, "", cmp.Or(requestWords[found.First("kind")], found.First("kind"))+needs)
	case "judged":
		if found.First("rule") != "none" {
			r.add(kindJudged, "", "Not good enough: "+decisions.Rule(found.First("rule"))+".")
		}
	case "call not repeated":
		r.add(kindRepeated, found.First("tool"), "It was done in this turn already; the first record answers.")
	case "proof asked for":
		r.proving.Store(true)
		r.tell(Progress{Event: "asking_for_proof"})
	case "proof not accepted":
		r.add(kindJudged, "", "This proves nothing: "+decisions.Rule(found.First("rule"))+".")
	case "proof did not come":
		r.add(kindJudged, "", "No proof came; what no record shows is left out.")
	case "asked again":
		r.tell(Progress{Event: "asking_again", Tool: found.First("choice")})
	}
}
