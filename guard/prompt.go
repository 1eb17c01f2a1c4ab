package guard

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
)

// compose lays out the conversation with the system prompt.
func (t *Turn) compose(ctx context.Context) error {
	system, err := t.system()
	if err != nil {
		return err
	}
	if system != "" {
		system = t.redact(ctx, system)
	}
	t.layOut(system)
	return nil
}

// layOut is the conversation as the model sees it: the system prompt, what was said
// before, and the user's message.
func (t *Turn) layOut(system string) {
	t.messages = t.room[:0]
	if len(t.input.Previous) > 0 {
		t.messages = make([]Message, 0, len(t.input.Previous)+len(t.room))
	}
	if system != "" {
		t.messages = append(t.messages, Message{Role: RoleSystem, Text: system, Internal: true})
	}
	t.messages = append(t.messages, t.input.Previous...)
	t.first = len(t.messages)
	t.messages = append(t.messages, Message{Role: RoleUser, Text: t.input.User})
}

// system is the system prompt. Every part of it comes from the definition that
// is enforced, so that what the model is told and what happens cannot differ.
func (t *Turn) system() (string, error) {
	var parts []string
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	add(t.guard.options.System)
	add(t.input.System)
	add(t.guard.dateContext())
	if t.mode != nil {
		add(t.mode.Instructions)
	}
	limits, err := t.guard.policy.Guidelines(t.input.Mode)
	if err != nil {
		return "", err
	}
	add(limits)
	if t.mode != nil && t.mode.Contract != nil {
		add(contractText(*t.mode.Contract))
	}
	add(t.guard.argumentRules)
	if list := t.input.Checklist; list != nil {
		attempts := list.MaxAttempts
		if attempts == 0 {
			attempts = defaultAttempts
		}
		text, err := list.Prompt(t.fullHistory(0), max(t.attempt, 1), attempts)
		if err != nil {
			return "", fmt.Errorf("checklist: %w", err)
		}
		add(text)
	}
	return strings.Join(parts, "\n\n"), nil
}

// defaultAttempts is the last attempt of a checklist that names none; see
// [policy.Checklist].
const defaultAttempts = 5

// dateContext is the date as models are told it; empty without a window.
func (g *Guard) dateContext() string {
	if g.options.Dates == nil {
		return ""
	}
	return strings.TrimSpace(g.options.Dates.DateContext(g.now()))
}

// contractText says what a contract asks for: the requirements that a turn
// without a single call does not meet.
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

// describeRules prints the argument rules of all tools. Rules that go by the
// name of an argument are told only for tools that take it.
func (g *Guard) describeRules() string {
	var text strings.Builder
	for _, tool := range g.tools {
		if lines := g.policy.Describe(tool.Name); lines != "" {
			fmt.Fprintf(&text, "%s:\n%s", tool.Name, lines)
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "ARGUMENT RULES:\n" + text.String()
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
		fmt.Fprintf(&text, "The user asks for what these tools do, and they were not called: %s. Call them now. "+
			"If the user did not mean that or took it back, or if something prevents it, tell the user exactly that instead.",
			strings.Join(toolsOf(missing), ", "))
	}
	if dates != "" {
		text.WriteString("\n\n")
		text.WriteString(dates)
	}
	return text.String()
}
