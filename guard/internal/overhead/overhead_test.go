package overhead_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/internal/overhead"
)

const (
	messagesCall = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"delete_task",` +
		`"input":{"title":"Read book"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	messagesText = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"` + overhead.Text + `"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	itemsCall = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"delete_task","arguments":"{\"title\":\"Read book\"}","status":"completed"}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
	itemsText = `{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + overhead.Text + `","annotations":[]}]}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
)

const (
	geminiCall = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"call_1","name":"delete_task","args":{"title":"Read book"}}}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`
	geminiText = `{"candidates":[{"content":{"role":"model","parts":[{"text":"` + overhead.Text + `"}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`
	ollamaCall = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"delete_task","arguments":{"title":"Read book"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}`
	ollamaText = `{"model":"m","message":{"role":"assistant","content":"` + overhead.Text + `"},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}`
)

func formatTurn(name, path string, format chatwire.Format, call, text string) overhead.Turn {
	return overhead.TransportTurn(name, path, overhead.Answers(call, text), func(request guard.Request) ([]byte, error) {
		return format.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
	})
}

func turns() []overhead.Turn {
	return []overhead.Turn{
		overhead.ChatTransport(),
		formatTurn("Messages", "/v1/messages", chatwire.Messages, messagesCall, messagesText),
		formatTurn("Responses", "/v1/responses", chatwire.Responses, itemsCall, itemsText),
		formatTurn("Gemini", "/v1beta/models/m:generateContent", chatwire.Gemini, geminiCall, geminiText),
		formatTurn("Ollama", "/api/chat", chatwire.Ollama, ollamaCall, ollamaText),
	}
}

// TestTurns: what the benchmarks measure is a turn that ends as it should.
func TestTurns(t *testing.T) {
	for _, turn := range append(turns(), overhead.ModelTurn("a model", overhead.ChatModel())) {
		if err := turn.Run(); err != nil {
			t.Errorf("%s: %v", turn.Name, err)
		}
	}
}

// BenchmarkOverhead: each format costs about the same.
func BenchmarkOverhead(b *testing.B) { overhead.Compare(b, 1.3, turns()[0], turns()[1:]...) }
