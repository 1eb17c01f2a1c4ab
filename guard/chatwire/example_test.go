package chatwire_test

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A body is read strictly: what cannot be used is an error, never an empty
// success.
func ExampleFormat_ParseResponse() {
	response, err := chatwire.ChatCompletions.ParseResponse([]byte(`{"choices":[{"finish_reason":"stop","message":{"role":"assistant","tool_calls":[
		{"id":"call_1","type":"function","function":{"name":"delete_task","arguments":"{\"id\":\"42\"}"}}]}}]}`))
	fmt.Println(response.Message.Calls[0].Tool, string(response.Message.Calls[0].Args), err)

	_, err = chatwire.ChatCompletions.ParseResponse([]byte(`{"error":{"message":"overloaded"}}`))
	var bad *chatwire.BodyError
	fmt.Println(errors.As(err, &bad), err)
	// Output:
	// delete_task {"id":"42"} <nil>
	// true the provider answered with an error: overloaded
}

// Pieces of a stream are joined by index, then id.
func ExampleAssembler() {
	assembler := chatwire.ChatCompletions.Assemble()
	for _, chunk := range []string{
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"delete_task","arguments":"{\"id\":"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"42\"}"}}]},"finish_reason":"tool_calls"}]}`,
	} {
		if _, err := assembler.Add([]byte(chunk)); err != nil {
			panic(err)
		}
	}
	response, err := assembler.Response()
	fmt.Println(response.Message.Calls[0].Tool, string(response.Message.Calls[0].Args), err)
	// Output: delete_task {"id":"42"} <nil>
}

func ExampleFormat_ParseResponse_messages() {
	response, err := chatwire.Messages.ParseResponse([]byte(`{"type":"message","role":"assistant","stop_reason":"tool_use",
		"content":[{"type":"text","text":"One moment."},{"type":"tool_use","id":"toolu_1","name":"delete_task","input":{"id":"42"}}]}`))
	fmt.Println(response.Message.Text, response.Message.Calls[0].Tool, string(response.Message.Calls[0].Args), err)
	// Output: One moment. delete_task {"id":"42"} <nil>
}

func ExampleFormat_ParseResponse_responses() {
	response, err := chatwire.Responses.ParseResponse([]byte(`{"object":"response","status":"completed",
		"output":[{"type":"function_call","call_id":"call_1","name":"delete_task","arguments":"{\"id\":\"42\"}"}]}`))
	fmt.Println(response.Message.Calls[0].Tool, string(response.Message.Calls[0].Args), err)
	// Output: delete_task {"id":"42"} <nil>
}

// Any HTTP client is guarded by its transport.
func ExampleTransport() {
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: chatwire.Transport(g, nil, nil)}
	fmt.Println(client.Transport != nil)
	// Output: true
}
