package guard

import (
	"context"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Some agents end their turns by calling a tool that holds the answer. Its text
// is judged like any other; the call itself changes nothing and proves nothing.

// answerIn finds the call of an answer that is the answer, by [tooltrack.Tool]
// Answer. Beside other calls it is refused: what they will do is not known yet.
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

// takeAnswer judges an answer that came as a call. What is handed to a foreign
// loop is the call, with the text that passed.
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
		t.takeText(ctx, said)
	}
	if t.closed && t.err == nil && t.final == nil {
		t.final = &said
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
