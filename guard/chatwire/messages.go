package chatwire

import "github.com/bonafide-go/bonafide/guard"

// anthropic is the Messages format. A message is a list of blocks: text, thoughts with their
// signatures, calls, results. Blocks are never taken apart where they can be kept: the provider
// refuses a thought that has changed by a byte.
type anthropic struct{}

// capabilities: the system prompt stands before the conversation, and a model
// that thinks first refuses to be forced.
func (anthropic) capabilities(r *Request) guard.Capabilities {
	return guard.Capabilities{NoLateSystem: true, NoNamedChoice: r.thinking, NoRequiredChoice: r.thinking}
}

func (anthropic) fault(err *BodyError) []byte {
	raw := err.Raw
	if len(raw) == 0 || raw[0] != '{' {
		raw = object("type", "api_error", "message", err.Provider)
	}
	return object("type", "error", "error", raw)
}

func (anthropic) refusal(told refusalError) []byte {
	return object("type", "error", "error", object("type", "invalid_request_error", "message", told.Message,
		"code", told.Code, "expected_tools", told.expected(), "account", given(told.Account)))
}
