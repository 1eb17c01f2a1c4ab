package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// reportName is the tool by which a model ends its turn where proof is always asked for, unless the host has a tool
// of that name.
const reportName = "report"

// maxTools is how many tools the large providers take.
const maxTools = 128

const reportDescription = "End your turn with this tool instead of a plain text. The user reads the texts of its " +
	"parts, one after the other. A part says first what it rests on, and then its text: the calls that show it, by " +
	"tool and, where it was called more than once, by the how-manieth call of it in this turn (\"refund_order 2\"); " +
	"or \"no call\" for greetings, advice and text of your own; " +
	"or \"not done\" where it tells that something was not done."

var reportParameters = json.RawMessage(`{"type":"object","properties":{` +
	`"parts":{"type":"array","items":{"type":"object","properties":{` +
	`"calls":{"type":"array","items":{"type":"string"},` +
	`"description":"the calls that show the text, or \"no call\", or \"not done\""},` +
	`"text":{"type":"string","description":"what the user reads"}},"required":["calls","text"]}}},"required":["parts"]}`)

// withReport adds the report tool, the last one, to the tools of a request where it is offered.
func (t *Turn) withReport(tools []tooltrack.Tool, choice Choice) []tooltrack.Tool {
	options := &t.guard.options
	if options.Proof != Always || options.Observe || options.Referee != nil || t.caps.NoTools ||
		len(t.offered) >= maxTools || choice.Mode != ChooseAuto || toolNamed(t.offered, reportName) != nil {
		return tools
	}
	t.reporting = true
	return append(slices.Clip(tools), tooltrack.Tool{
		Name: reportName, Description: reportDescription, Parameters: reportParameters, Effect: tooltrack.Reads,
	})
}

// splitReport takes reports out of an answer. Beside other calls they mean nothing yet: the turn goes on, and the
// faults of those calls stay with them. Where the tool was never offered, a call of it is one of a tool that is not
// there.
func (c *conversation) splitReport(response Response) (rest Response, report *tooltrack.Call) {
	if !c.reporting {
		return response, nil
	}
	var others []tooltrack.Call
	var faults []CallFault
	for i := range response.Message.Calls {
		call := &response.Message.Calls[i]
		if call.Tool == reportName {
			if report == nil {
				report = call
			}
			continue
		}
		if reason, broken := faultOf(response.Faults, i); broken {
			faults = append(faults, CallFault{Call: len(others), Reason: reason})
		}
		others = append(others, *call)
	}
	if report == nil || len(others) == 0 {
		return response, report
	}
	response.Message.Calls, response.Message.Raw, response.Raw = others, nil, nil
	response.Faults = faults
	return response, nil
}

// takeReport takes the end of a turn that came as a call of the report tool.
func (t *Turn) takeReport(ctx context.Context, response Response, call tooltrack.Call) {
	if t.proving == nil {
		t.proving = &proving{}
		t.guard.counters.note(func(sum *Counters) { sum.ProofsAsked++ })
	}
	p := t.proving
	p.list, p.faults, p.letters, p.report = proof.NewList(t.earlier, t.evidence()), nil, nil, true
	parts, err := proof.ReadReport(call.Args)
	if len(response.Faults) > 0 { // a call that cannot be read ends no turn
		err = errors.New(response.Faults[0].Reason)
	}
	// What it says is kept, whatever is wrong with what it rests on.
	said := cmp.Or(proof.TextOf(parts), strings.TrimSpace(response.Message.Text))
	var result proof.Result
	var reasons []string
	if said == "" {
		reasons = []string{err.Error()}
	} else {
		p.draft = Response{Message: Message{Role: RoleAssistant, Text: said}, Usage: response.Usage}
		p.found = t.judge(ctx, said)
		t.judged(ctx, p.found)
		if err := ctx.Err(); err != nil { // the judgement may not be one
			t.fail(err)
			return
		}
		p.letters = t.lettersFor(said, p.found.doubts) // until its parts are read
		result, reasons = t.checkParts(ctx, parts, err)
		if p.found.isRefused() {
			reasons = append(reasons, p.found.verdict.Correction)
		}
	}
	t.messages = append(t.messages, t.settleProof(ctx, response, result, reasons)...)
}

// checkParts checks a report: each part is a letter, and so is what may be due.
func (t *Turn) checkParts(ctx context.Context, parts []proof.Part, unread error) (proof.Result, []string) {
	p := t.proving
	if unread != nil {
		return proof.Result{Text: p.draft.Message.Text}, []string{unread.Error()}
	}
	answer := proof.Answer{Letters: map[string]proof.Basis{}}
	var letters []proof.Letter
	for i, part := range parts {
		letter := proof.Letter{Name: "part " + strconv.Itoa(i+1), Text: strings.TrimSpace(part.Text)}
		letter.Doubt = gravest(letter.Text, p.found.doubts)
		basis, err := part.Basis(p.list)
		if err != nil {
			return proof.Result{Text: p.draft.Message.Text}, []string{letter.Name + ": " + err.Error()}
		}
		letters = append(letters, letter)
		answer.Letters[letter.Name] = basis
	}
	p.letters = letters
	return t.faultsOf(ctx, answer)
}

// isRefused reports whether a text is not shown, whatever is cited for it. What is due, a report accounts for.
func (f *finding) isRefused() bool {
	return f.fault == faultLeaked || f.fault == faultClaim || f.fault == faultOther
}

// Some agents end their turns by calling a tool that holds the answer. Its text is judged like any other; the call
// itself changes nothing and proves nothing.

// answerIn finds the call of an answer that is the answer, by [tooltrack.Tool] Answer. Beside other calls it is
// refused: what they will do is not known yet.
func (r *userRequest) answerIn(response Response) (text string, found bool, faults []CallFault) {
	for i, call := range response.Message.Calls {
		tool := toolNamed(r.offered, call.Tool)
		if tool == nil || tool.Answer.Arg == "" {
			continue
		}
		if len(response.Message.Calls) > 1 {
			faults = append(faults, CallFault{i, "the answer stands beside other calls; give it alone, after they have run"})
			continue
		}
		args, err := policy.Decode(call.Args)
		if err != nil {
			return "", false, nil // the review says what is wrong with it
		}
		if value := args.Value(tool.Answer.Arg); value.Kind() == policy.String {
			return value.Text(), true, nil
		}
	}
	return "", false, faults
}

// takeAnswer judges an answer that came as a call. What is handed to a foreign loop is the call, with the text that
// passed.
func (t *Turn) takeAnswer(ctx context.Context, response Response, text string) {
	if t.answering == nil {
		t.answering = &response.Message.Calls[0]
	}
	said := response
	said.Message = Message{Role: RoleAssistant, Text: text}
	said.Raw = nil
	if t.proving != nil && isProofAnswer(text) {
		t.takeProof(ctx, said)
	} else {
		t.answering = &response.Message.Calls[0]
		t.takeText(ctx, said, false)
	}
}

// asAnswer puts an accepted text back into the call that the model gave it by.
func (t *Turn) asAnswer(response Response) Response {
	tool := toolNamed(t.offered, t.answering.Tool)
	sent, err := policy.Decode(t.answering.Args)
	if err != nil {
		return response
	}
	call := *t.answering
	call.Args = withArgument(sent, tool.Answer.Arg, t.reply.Text)
	response.Message = Message{Role: RoleAssistant, Calls: []tooltrack.Call{call}}
	response.Raw = nil
	return response
}
