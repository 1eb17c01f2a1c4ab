package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/policy"
)

// callsCase is what a provider sent: a whole body or the chunks of a stream, at
// the level of the response or of one choice.
type callsCase struct {
	ID     string     `json:"id"`
	Mode   string     `json:"mode"`
	Level  string     `json:"level"`
	Raw    wireText   `json:"raw"`
	Base64 []byte     `json:"raw_b64"`
	Chunks []wireText `json:"chunks"`
}

type callsAnswer struct {
	ID      string       `json:"id"`
	Outcome string       `json:"outcome"`
	Calls   []callAnswer `json:"calls"`
	Leak    bool         `json:"leak,omitempty"`
	Reason  string       `json:"reason,omitempty"`
}

type callAnswer struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func startCalls() (answerer, error) {
	rules := assistant.Rules(nil, policy.OneOf(assistant.Namespaces...))
	g, err := guard.New(recordedTools(), &guard.Options{Policy: &policy.Options{Rules: rules, Strict: true}})
	if err != nil {
		return nil, err
	}
	return func(line []byte) (any, error) {
		asked, err := decode[callsCase](line)
		if err != nil {
			return nil, err
		}
		response, err := asked.read()
		if err != nil {
			return callsAnswer{ID: asked.ID, Outcome: "error", Reason: err.Error()}, nil
		}
		answer, err := judgeCalls(g, response)
		answer.ID = asked.ID
		return answer, err
	}, nil
}

// read puts together what the provider sent.
func (c *callsCase) read() (guard.Response, error) {
	if c.Mode == "stream" {
		return c.readStream()
	}
	raw := []byte(c.Raw)
	if c.Base64 != nil {
		raw = c.Base64
	}
	return chatwire.ChatCompletions.ParseResponse(c.body(raw))
}

// body is an answer, or an event, with the choice that a case may consist of.
func (c *callsCase) body(raw []byte) []byte {
	if c.Level != "choice" || string(bytes.TrimSpace(raw)) == "[DONE]" {
		return raw
	}
	return slices.Concat([]byte(`{"choices":[`), raw, []byte("]}"))
}

func (c *callsCase) readStream() (guard.Response, error) {
	assembler := chatwire.ChatCompletions.Assemble()
	if err := c.eachEvent(func(event []byte) error {
		_, err := assembler.Add(c.body(event))
		return err
	}); err != nil {
		return guard.Response{}, err
	}
	return assembler.Response()
}

// eachEvent visits the events of a stream, whose chunks are bare events, framed ones, or pieces cut anywhere.
func (c *callsCase) eachEvent(visit func(event []byte) error) error {
	var stream bytes.Buffer
	bare := len(c.Chunks) == 0 || !hasFraming(c.Chunks[0])
	for _, chunk := range c.Chunks {
		if bare {
			chunk = append([]byte("data: "), bytes.ReplaceAll(chunk, []byte("\n"), []byte("\ndata: "))...)
		}
		if hasFraming(chunk) && stream.Len() > 0 {
			stream.WriteString("\n\n")
		}
		stream.Write(chunk)
	}
	for event, err := range chatwire.Events(&stream) {
		if err == nil {
			err = visit(bytes.Clone(event))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func hasFraming(chunk []byte) bool {
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(chunk, []byte(field)) {
			return true
		}
	}
	return false
}

// judgeCalls asks the guard which calls may run. An answer without a word and
// without a call is a fault of the provider, not a success without content.
func judgeCalls(g *guard.Guard, response guard.Response) (callsAnswer, error) {
	message := response.Message
	if message.Text == "" && len(message.Calls) == 0 && response.Refusal == "" && response.Stop.Whole() {
		return callsAnswer{Outcome: "error", Reason: "the message is empty"}, nil
	}
	turn, err := g.Begin(context.Background(), guard.Input{Owner: "audit", User: "(not recorded)"})
	if err != nil {
		return callsAnswer{}, err
	}
	approved := turn.Take(context.Background(), response)
	answer := callsAnswer{Outcome: "none"}
	for _, call := range approved {
		answer.Calls = append(answer.Calls, callAnswer{call.Tool, call.Args})
	}
	switch {
	case len(message.Calls) == 0:
		answer.Leak = completion.FindLeak(message.Text, g.Tools()).Found()
	case len(approved) == 0:
		answer.Outcome, answer.Reason = "reject", whyRejected(turn)
	case len(approved) < len(message.Calls):
		answer.Outcome = "mixed"
	default:
		answer.Outcome = "execute"
	}
	return answer, nil
}

// whyRejected is why a turn ended before any call could run; of calls denied one by one the model is told.
func whyRejected(turn *guard.Turn) string {
	if turn.Open() {
		return "every call was denied"
	}
	if _, err := turn.Reply(); err != nil {
		return err.Error()
	}
	return ""
}
