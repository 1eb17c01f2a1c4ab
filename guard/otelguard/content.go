package otelguard

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
)

// The form in which the conventions want messages.
type message struct {
	Role         guard.Role `json:"role"`
	Parts        []part     `json:"parts"`
	FinishReason string     `json:"finish_reason,omitempty"`
}

type part struct {
	Type      string `json:"type"`
	Content   string `json:"content,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Response  string `json:"response,omitempty"`
}

// messages are the content of a span, as JSON. The earliest give way to the
// latest where there is not room for all.
func (t *Telemetry) messages(list []guard.Message, finish string) string {
	const most = 32
	if len(list) > most {
		list = list[len(list)-most:]
	}
	written := make([]message, len(list))
	for i, m := range list {
		written[i] = message{Role: m.Role, Parts: t.parts(m), FinishReason: finish}
	}
	data, _ := json.Marshal(written) // strings always marshal
	return string(data)
}

func (t *Telemetry) parts(m guard.Message) []part {
	parts := []part{}
	switch {
	case m.Role == guard.RoleTool:
		return append(parts, part{Type: "tool_call_response", ID: m.CallID, Response: t.clean(m.Text)})
	case m.Text != "":
		parts = append(parts, part{Type: "text", Content: t.clean(m.Text)})
	}
	for _, call := range m.Calls {
		args := t.cut(policy.LoggableArgs(call.Args))
		parts = append(parts, part{Type: "tool_call", ID: call.ID, Name: call.Tool, Arguments: args})
	}
	return parts
}

// clean is a text as it may leave the program.
func (t *Telemetry) clean(text string) string { return t.cut(policy.HideSecrets(text)) }

// cut keeps a text within its bound, at the end of a character.
func (t *Telemetry) cut(text string) string {
	return clip.Text(strings.ToValidUTF8(text, "\uFFFD"), t.options.MaxContent)
}
