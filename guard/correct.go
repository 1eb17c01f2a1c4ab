package guard

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
)

// correct puts a correction behind the text that did not pass. Both are seen by
// the model only.
func (t *Turn) correct(ctx context.Context, message Message, found finding) {
	message.Internal = true
	correction := Message{Role: RoleUser, Text: found.verdict.Correction, Internal: true}
	if found.fault == faultMissing {
		correction = t.instruction(found.missing)
		t.choice = t.forced(ctx, found.missing)
		t.guard.counters.askedAgain.Add(1)
	} else {
		t.guard.counters.corrected.Add(1)
	}
	t.lastFault = &found
	t.retry = found.fault.String()
	if found.fault == faultOther {
		t.retry = found.verdict.Reason.String()
	}
	if message.Text != "" || len(message.Raw) > 0 {
		t.messages = append(t.messages, message)
	}
	t.messages = append(t.messages, correction)
	t.info(ctx, "asked again",
		"rule", found.fault.String(), "reason", found.verdict.Reason.String(), "choice", t.choice.String())
}

// instruction is the instruction for missing tools. It always leaves a way
// out: a model that must call a tool it cannot call would invent a reason
// or an argument.
func (t *Turn) instruction(missing []intent.Expectation) Message {
	role := RoleSystem
	if t.caps.NoLateSystem {
		role = RoleUser
	}
	return Message{Role: role, Text: forcedText(missing, t.guard.dateContext()), Internal: true}
}

func forcedText(missing []intent.Expectation, dates string) string {
	var text strings.Builder
	if len(missing) == 1 {
		fmt.Fprintf(&text, "The user asks for what the tool %s does, and it was not called. Call it now. "+
			"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead.",
			missing[0].Tool)
	} else {
		tools := make([]string, len(missing))
		for i, expected := range missing {
			tools[i] = expected.Tool
		}
		fmt.Fprintf(&text, "The user asks for what these tools do, and they were not called: %s. Call them now. "+
			"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead.",
			strings.Join(tools, ", "))
	}
	if dates != "" {
		text.WriteString("\n\n")
		text.WriteString(dates)
	}
	return text.String()
}

// forced is the strongest tool choice that is safe and that the model accepts:
// a named one, any, or none at all, which leaves the instruction to work alone.
func (t *Turn) forced(ctx context.Context, missing []intent.Expectation) Choice {
	t.forcedOn = nil
	for _, expected := range missing {
		if !t.certain(ctx, expected) {
			t.forcedOn = nil
			return Choice{}
		}
	}
	switch {
	case len(missing) == 1 && !t.caps.NoNamedChoice:
		return Choice{Mode: ChooseNamed, Tool: missing[0].Tool}
	case !t.caps.NoRequiredChoice:
		return Choice{Mode: ChooseRequired}
	}
	t.forcedOn = nil
	return Choice{}
}
