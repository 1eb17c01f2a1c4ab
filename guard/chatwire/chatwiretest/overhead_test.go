package chatwiretest_test

import (
	"fmt"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/chatwire/chatwiretest"
)

const (
	messagesCall = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"call_1","name":"delete_task",` +
		`"input":{"title":"Read book"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	messagesText = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"` + chatwiretest.Text + `"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`
	itemsCall = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"delete_task","arguments":"{\"title\":\"Read book\"}","status":"completed"}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
	itemsText = `{"id":"resp_2","object":"response","created_at":1,"status":"completed","model":"m","error":null,"incomplete_details":null,` +
		`"output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + chatwiretest.Text + `","annotations":[]}]}],` +
		`"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`
)

func turns() []chatwiretest.Turn {
	return []chatwiretest.Turn{
		chatwiretest.ChatTransport(),
		chatwiretest.TransportTurn("Messages", "/v1/messages", chatwiretest.Answers(messagesCall, messagesText), func(request guard.Request) ([]byte, error) {
			return chatwire.EncodeMessagesRequest(request, chatwire.MessagesOptions{Model: "m"})
		}),
		chatwiretest.TransportTurn("Responses", "/v1/responses", chatwiretest.Answers(itemsCall, itemsText), func(request guard.Request) ([]byte, error) {
			return chatwire.EncodeResponsesRequest(request, chatwire.ResponsesOptions{Model: "m"})
		}),
	}
}

// TestOverhead: each format costs about the same.
func TestOverhead(t *testing.T) { chatwiretest.Within(t, 1.3, turns()...) }

func ExampleOverhead() {
	_, err := chatwiretest.Overhead(chatwiretest.ChatTransport())
	fmt.Println(err)
	_, err = chatwiretest.Overhead(chatwiretest.ModelTurn("a model", chatwiretest.ChatModel()))
	fmt.Println(err)
	// Output:
	// <nil>
	// <nil>
}
