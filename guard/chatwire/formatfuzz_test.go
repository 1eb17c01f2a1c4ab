package chatwire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// fuzzed are the formats that only Format reads.
var fuzzed = []chatwire.Format{chatwire.Gemini, chatwire.Ollama}

const (
	geminiAsked = `{"contents":[{"role":"user","parts":[{"text":"delete it"}]},{"role":"model","parts":[{"functionCall":{"name":"delete_task","args":{"id":"1"}},"thoughtSignature":"c2ln"}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"delete_task","response":{"output":"ok"}}}]}],"tools":[{"functionDeclarations":[{"name":"delete_task","parameters":{"type":"OBJECT","minProperties":"1"}}],"googleSearch":{}}],` +
		`"tool_config":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["delete_task"]}},"generationConfig":{"responseMimeType":"application/json"}}`
	geminiSaid = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hm","thought":true},{"functionCall":{"name":"x","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"c"}]}},` +
		`{"executableCode":{"code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`
	ollamaAsked = `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"x","arguments":{}}}]},{"role":"tool","tool_name":"x","content":"ok"}],"tools":[{"type":"function","function":{"name":"x"}}],"format":"json"}`
	ollamaSaid  = `{"message":{"role":"assistant","content":"Hi","thinking":"hm","tool_calls":[{"function":{"name":"x","arguments":{"a":1}}}]},"done":true,"done_reason":"stop","eval_count":1}`
)

// FuzzParseFormatRequest: what is added can be read again, and the tools stay.
func FuzzParseFormatRequest(f *testing.F) {
	f.Add([]byte(geminiAsked))
	f.Add([]byte(ollamaAsked))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range fuzzed {
			request, err := format.ParseRequest(body)
			if err != nil {
				continue
			}
			rebuilt, err := request.With(guard.Request{Messages: append(request.Messages, guard.Message{Role: guard.RoleUser, Text: "again"}), Report: true})
			if err != nil {
				continue
			}
			again, err := format.ParseRequest(rebuilt)
			if err != nil {
				t.Fatalf("the rebuilt request cannot be read: %v\n%s\n%s", err, body, rebuilt)
			}
			if again.Messages[len(again.Messages)-1].Text != "again" || again.Choice.Mode == guard.ChooseNone || again.Structured {
				t.Fatalf("%s\nbecame %s", body, rebuilt)
			}
		}
	})
}

// FuzzParseFormatResponse: a body is an error or an answer that can be replayed.
func FuzzParseFormatResponse(f *testing.F) {
	f.Add([]byte(geminiSaid))
	f.Add([]byte(ollamaSaid))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range fuzzed {
			response, err := format.ParseResponse(body)
			checkResponse(t, response, err)
			if err == nil && len(response.Message.Raw) > 0 && !json.Valid(response.Message.Raw) {
				t.Fatalf("%q would be replayed", response.Message.Raw)
			}
		}
	})
}

// FuzzReadFormatStream: how the bytes arrive never changes the answer.
func FuzzReadFormatStream(f *testing.F) {
	f.Add([]byte("data: "+geminiSaid+"\n\ndata: "+geminiSaid+"\n\n"), uint8(3))
	f.Add([]byte(ollamaSaid+"\n"+ollamaSaid+"\n"), uint8(1))
	f.Fuzz(func(t *testing.T, stream []byte, size uint8) {
		for _, format := range fuzzed {
			response, err := format.ReadStream(bytes.NewReader(stream), nil)
			checkResponse(t, response, err)
			if a, b := summary(response, err), summary(format.ReadStream(&slowReader{stream, int(size%16) + 1}, nil)); a != b {
				t.Fatalf("how the bytes arrive changes the answer:\n%s\n%s", a, b)
			}
		}
	})
}
