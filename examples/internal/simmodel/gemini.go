package simmodel

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// Gemini's generateContent and Ollama's /api/chat.

func geminiAnswer(request Request, answer Answer) any {
	parts := []map[string]any{}
	if answer.Text != "" || len(answer.Calls) == 0 {
		parts = append(parts, map[string]any{"text": answer.Text})
	}
	for i, call := range answer.Calls {
		function := map[string]any{"id": call.ID, "name": call.Name, "args": json.RawMessage(call.Arguments)}
		parts = append(parts, map[string]any{"functionCall": function})
		if i == 0 {
			parts[len(parts)-1]["thoughtSignature"] = "c2ln"
		}
	}
	count := usage(request, answer)
	content := map[string]any{"role": "model", "parts": parts}
	return map[string]any{
		"candidates": []any{map[string]any{"content": content, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{
			"promptTokenCount": count["prompt_tokens"], "candidatesTokenCount": count["completion_tokens"],
			"totalTokenCount": count["total_tokens"],
		},
	}
}

func ollamaAnswer(request Request, answer Answer) any {
	message := map[string]any{"role": "assistant", "content": answer.Text}
	var calls []any
	for _, call := range answer.Calls {
		function := map[string]any{"name": call.Name, "arguments": json.RawMessage(call.Arguments)}
		calls = append(calls, map[string]any{"function": function})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	count := usage(request, answer)
	return map[string]any{
		"model": "sim", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": true, "done_reason": "stop",
		"prompt_eval_count": count["prompt_tokens"], "eval_count": count["completion_tokens"],
	}
}

// serveGemini serves both methods of a model, which stand in the path.
func (s *Server) serveGemini(w http.ResponseWriter, r *http.Request) {
	f := formatOf(chatwire.Gemini, geminiAnswer)
	if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		f.whole = f.stream
	}
	s.complete(w, r, f)
}
