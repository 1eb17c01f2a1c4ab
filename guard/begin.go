package guard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/match"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Begin opens a turn. If the message needs a tool that the guard does not have, the error is [ErrToolNotOffered],
// and no model is asked. If only the mode leaves the tool out, the model answers without it.
func (g *Guard) Begin(ctx context.Context, input Input) (*Turn, error) {
	if ctx == nil {
		return nil, ErrNoContext
	}
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) } // or of no width
	if strings.TrimFunc(input.User, blank) == "" {
		return nil, ErrNoMessage
	}
	t, err := g.open(ctx, input, input.User, nil, false)
	if err != nil {
		return nil, err
	}
	g.counters.understood(t.intent)
	fault := g.contained(ctx, "beginning", func() { err = t.prepare(ctx, true) })
	if fault != nil {
		if !g.options.Observe {
			return nil, unjudgedError(fault)
		}
		t.unread = fault
		t.layOut("")
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// prepare reads what the ledger knows and lays out the conversation. A turn that begins, and is not resumed, first
// meets what waits for a person.
func (t *Turn) prepare(ctx context.Context, begins bool) error {
	if err := t.recall(ctx); err != nil {
		return err
	}
	if begins {
		if err := t.meetHeld(ctx); err != nil {
			return err
		}
	}
	system, err := t.system()
	if err == nil {
		t.layOut(t.redact(ctx, system))
	}
	return err
}

// open prepares what every way in needs. A nil offer is all tools of the mode. Where only messages are known, calls
// are recorded if somebody has named the owner and the turn.
func (g *Guard) open(
	ctx context.Context, input Input, wanted string, offer []tooltrack.Tool, ownerless bool,
) (*Turn, error) {
	t := &Turn{guard: g, started: g.now()}
	t.userRequest = userRequest{input: input, wanted: wanted, named: input.Turn != "", ownerless: ownerless}
	if offer != nil {
		t.driver = messagesOnly
	}
	if t.input.Owner == "" {
		t.input.Owner = LocalOwner
	}
	if !t.named {
		t.input.Turn = tooltrack.NewTurn()
	}
	if err := t.setMode(offer); err != nil {
		return nil, err
	}
	t.previous = lastText(input.Previous)
	var err error
	t.unread = g.contained(ctx, "understanding", func() { err = t.understand(ctx) })
	if t.unread != nil { // nothing is asked for, and no text is judged
		t.intent, t.expected, t.asked = intent.Intent{}, nil, demands{threshold: never}
	}
	if err == nil && (offer == nil || t.named && !ownerless) {
		t.track, err = g.ledger.Open(t.input.scope())
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Turn) setMode(offer []tooltrack.Tool) error {
	t.offered = t.guard.tools
	if t.input.Mode != "" {
		if t.mode = t.guard.modes[t.input.Mode]; t.mode == nil {
			remedy := "; define it in Options.Modes"
			if near := nearest(t.input.Mode, keys(t.guard.modes)); near != "" {
				remedy = fmt.Sprintf("; did you mean %q?", near)
			}
			return wordedError(ErrUnknownMode, "there is no such mode: %.40q%s", t.input.Mode, remedy)
		}
		if len(t.mode.Tools) > 0 {
			t.offered = slices.DeleteFunc(slices.Clone(t.guard.tools), func(tool tooltrack.Tool) bool {
				return !slices.Contains(t.mode.Tools, tool.Name)
			})
		}
	}
	if offer != nil {
		t.offered = offer
	}
	return nil
}

// understand finds out what is asked for and what is due. A classifier that fails costs the expectation of tools,
// not the turn: the text is judged all the same.
func (t *Turn) understand(ctx context.Context) error {
	found, err := t.guard.classify(ctx, intent.Utterance{User: t.wanted, Previous: t.previous})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.guard.hostFault(ctx, "Options.Classifier", err)
	}
	if len(found.Expect) > maxExpected {
		tooMany := fmt.Errorf("%d tools are expected; the first %d count", len(found.Expect), maxExpected)
		t.guard.hostFault(ctx, "Options.Classifier", tooMany)
		found.Expect = found.Expect[:maxExpected]
	}
	if len(found.Expect) == 0 {
		if again, better := t.understandMentions(ctx); better {
			found = again
		}
	}
	t.chooseSibling(ctx, &found)
	t.intent = found
	if err := t.setContract(ctx); err != nil {
		return err
	}
	if t.guard.isHeard() {
		t.debug(ctx, "intent", "kind", found.Kind.String(), "expected", t.expected, "unsupported", found.Unsupported)
	}
	return nil
}

// maxExpected bounds the tools that one message can need.
const maxExpected = 64

// setContract says what is due. A mode with a contract of its own says it alone: what the words of the message
// expect is then known to the judge of texts, and demanded by nobody.
func (t *Turn) setContract(ctx context.Context) error {
	own := t.mode != nil && t.mode.Contract != nil
	t.contract = t.guard.options.contractFor(t.intent.Kind)
	asked := t.intent
	if own {
		t.contract, asked.Expect = *t.mode.Contract, nil
	}
	t.asked = t.guard.demandsOf(t.wanted, asked, t.offered, func(e intent.Expectation, tool *tooltrack.Tool) bool {
		return t.canResolve(ctx, e, tool)
	})
	t.asked.prompts = t.prompts()
	_, set := t.guard.options.Contracts[t.intent.Kind]
	t.asked.strict = t.asked.strict || own || set
	t.expected = nil
	lacks, lacking := func(tool string) bool { return toolNamed(t.offered, tool) == nil }, false
	for _, expected := range t.intent.Expect {
		tool := expected.Tool
		if !lacks(tool) || t.guard.options.Observe {
			t.expected = append(t.expected, tool)
			continue
		}
		switch {
		case own || !t.asked.isSureOf(tool):
		case t.driver >= foreignLoop || toolNamed(t.guard.tools, tool) != nil: // only a part is offered
			lacking = true
		default:
			return wordedError(ErrToolNotOffered, "the request needs %s, which is not offered; offered are %s",
				printable(tool, maxName), strings.Join(names(t.offered), ", "))
		}
	}
	if lacking {
		restrict(&t.asked)
	}
	return nil
}

// restrict leaves what the offered tools can meet. Where they can meet nothing, nothing is due: the model says what
// it likes, but not that it was done.
func restrict(d *demands) {
	d.wants = slices.DeleteFunc(slices.Clone(d.wants), func(w want) bool { return w.tool == nil })
	if len(d.wants) == 0 {
		d.threshold = never
	}
}

// prompts are the texts of the host's that this turn has.
func (t *Turn) prompts() (told match.Prompts) {
	told = match.Prompts{t.guard.options.System, t.input.System}
	for _, message := range t.input.Previous {
		if message.Role == RoleSystem {
			told = append(told, message.Text)
		}
	}
	return slices.DeleteFunc(told, func(text string) bool { return text == "" })
}

// recall reads what the ledger knows of the turn, the conversation and the task.
func (t *Turn) recall(ctx context.Context) (err error) {
	scope := t.input.scope()
	if t.named { // a replay meets what the first run did
		t.digest = digestOf(t.input)
		records, err := t.recordsIn(ctx, tooltrack.Scope{Owner: scope.Owner, Turn: scope.Turn})
		if err == nil {
			err = t.checkName(ctx, records)
		}
		if err != nil {
			return err
		}
		t.records = withCalls(records)
		t.traced = len(t.records) < len(records)
	}
	if scope.Conversation != "" {
		if t.earlier, err = t.others(ctx, tooltrack.Scope{Owner: scope.Owner, Conversation: scope.Conversation}); err != nil {
			return err
		}
	}
	if t.earlier = withCalls(t.earlier); len(t.earlier) == 0 {
		t.earlier = recordsOf(t.input.Previous, t.guard.tools, t.guard.options.Results)
	}
	t.attempt = t.input.Attempt
	if scope.Task != "" {
		if t.history, err = t.others(ctx, tooltrack.Scope{Owner: scope.Owner, Task: scope.Task}); err != nil {
			return err
		}
		if t.attempt == 0 {
			t.attempt = attempts(t.history)
		}
		t.history = withCalls(t.history)
	}
	return nil
}

// others are the records in a scope that belong to other turns.
func (t *Turn) others(ctx context.Context, scope tooltrack.Scope) ([]*tooltrack.Record, error) {
	records, err := t.recordsIn(ctx, scope)
	mine := func(record *tooltrack.Record) bool { return record.Turn == t.input.Turn }
	return slices.DeleteFunc(slices.Clone(records), mine), err
}

// noCall is the rule and the tool of the denied record that an attempt at a task leaves when it made no call.
// Attempts are counted from the ledger, which all replicas share, and one that was spent on talk is spent, too.
const noCall = "no_call"

// withCalls leaves the traces of attempts without calls out: they are evidence of nothing.
func withCalls(records []*tooltrack.Record) []*tooltrack.Record {
	return slices.DeleteFunc(slices.Clone(records), func(record *tooltrack.Record) bool {
		return record.Ruling.Denied && record.Ruling.Rule == noCall
	})
}

// attempts is the number of the attempt that this turn is.
func attempts(history []*tooltrack.Record) int {
	seen := map[string]bool{}
	for _, record := range history {
		seen[record.Turn] = true
	}
	return len(seen) + 1
}

// leaveTrace records an attempt that made no call. One whose model never answered was none.
func (t *Turn) leaveTrace(ctx context.Context) {
	if t.input.Task == "" || t.track == nil || t.spent.Calls == 0 || len(t.records) > 0 || t.traced {
		return
	}
	trace := &pending{tool: &tooltrack.Tool{Name: noCall}, call: tooltrack.Call{Tool: noCall}.WithID()}
	trace.deny(noCall, "the attempt made no call")
	if _, err := t.begin(ctx, trace, &tooltrack.CallOptions{Ruling: trace.ruling}); err != nil {
		t.guard.hostFault(ctx, "Ledger.Begin", err)
	}
}

// layOut is the conversation as the model sees it: the system prompt, what was said before, and the user's message.
func (t *Turn) layOut(system string) {
	t.messages = nil
	if system != "" {
		t.messages = append(t.messages, Message{Role: RoleSystem, Text: system, Internal: true})
	}
	t.messages = append(t.messages, t.input.Previous...)
	t.first = len(t.messages)
	t.messages = append(t.messages, Message{Role: RoleUser, Text: t.input.User})
}

// system is the system prompt. Every part of it comes from the definition that is enforced, so that what the model
// is told and what happens cannot differ.
func (t *Turn) system() (string, error) {
	parts := []string{t.guard.options.System, t.input.System, t.guard.dateContext()}
	if t.mode != nil {
		parts = append(parts, t.mode.Instructions)
	}
	limits, err := t.guard.policy.Guidelines(t.input.Mode)
	if err != nil {
		return "", err
	}
	parts = append(parts, limits)
	if t.mode != nil && t.mode.Contract != nil {
		parts = append(parts, contractText(*t.mode.Contract))
	}
	parts = append(parts, t.guard.argumentRules)
	if list := t.input.Checklist; list != nil {
		const last = 5 // of the attempts, where a checklist names none; see policy.Checklist
		text, err := list.Prompt(t.fullHistory(0), max(t.attempt, 1), cmp.Or(list.MaxAttempts, last))
		if err != nil {
			return "", fmt.Errorf("checklist: %w", err)
		}
		parts = append(parts, text)
	}
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return strings.Join(parts, "\n\n"), nil
}

// contractText says what a contract asks for: the requirements that a turn without a single call does not meet.
func contractText(contract completion.Contract) string {
	var text strings.Builder
	for _, requirement := range contract.Require {
		if unmet := requirement.Unmet(completion.Case{}, completion.Blocker{}); unmet != "" {
			fmt.Fprintf(&text, "- %s\n", unmet)
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "BEFORE YOUR FINAL ANSWER there must be:\n" + text.String()
}

// checkName refuses a name that stands for another message: a name makes a replay of its message harmless, but the
// records of another message would answer for its calls, which then do not run, and back what is said of them. So
// each record of a named turn holds a digest of the message. Records without one are older than digests, or were
// made by others.
func (t *Turn) checkName(ctx context.Context, records []*tooltrack.Record) error {
	other := func(record *tooltrack.Record) bool { return record.Message != "" && record.Message != t.digest }
	if !slices.ContainsFunc(records, other) {
		return nil
	}
	calls, tools := "1 call", map[string]bool{}
	if n := len(records); n != 1 {
		calls = fmt.Sprintf("%d calls", n)
	}
	for _, record := range records[:min(len(records), 3)] {
		tools[clipped(record.Tool)] = true
	}
	reused := wordedError(ErrTurnReused, "Input.Turn %q is the name of another message of this owner, with %s on "+
		"record (%s); set it to the id of this message, or leave it empty",
		clipped(t.input.Turn), calls, strings.Join(keys(tools), ", "))
	if !t.guard.options.Observe {
		return reused
	}
	t.guard.hostFault(ctx, "Input.Turn", reused)
	t.guard.counters.wouldHave("refusal of a turn's name")
	return nil
}

// digestOf is by what a message is known again, however its white space was handed on. Owner and turn are in it, so
// that equal messages of different people cannot be told from their records.
func digestOf(input Input) string {
	known := make([]byte, 0, 256)
	known = append(append(append(append(known, input.Owner...), 0), input.Turn...), 0)
	for word := range strings.FieldsSeq(input.User) {
		known = append(append(known, word...), ' ')
	}
	sum := sha256.Sum256(known)
	return hex.EncodeToString(sum[:16])
}
