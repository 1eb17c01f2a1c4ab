package anthropicguard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/anthropicguard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/promisetable"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// clientOf is a client of a server on loopback, with its default retries.
func clientOf(address string, options ...option.RequestOption) anthropic.Client {
	return anthropic.NewClient(append([]option.RequestOption{
		option.WithBaseURL(address), option.WithAPIKey("test-key"),
	}, options...)...)
}

// params are what the requests of the tests hold beside the conversation.
func params(thinks bool) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{
		Model: "sim", MaxTokens: 4096,
		System: []anthropic.TextBlockParam{{Text: "Be brief.", CacheControl: anthropic.NewCacheControlEphemeralParam()}},
	}
	if thinks {
		p.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
	}
	return p
}

// toolParams are tools as a client offers them.
func toolParams(tools []tooltrack.Tool) []anthropic.ToolUnionParam {
	var list []anthropic.ToolUnionParam
	for _, tool := range tools {
		var schema anthropic.ToolInputSchemaParam
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			panic(err)
		}
		one := anthropic.ToolUnionParamOfTool(schema, tool.Name)
		one.OfTool.Description = anthropic.String(tool.Description)
		list = append(list, one)
	}
	list[len(list)-1].OfTool.CacheControl = anthropic.NewCacheControlEphemeralParam()
	return list
}

// loop is an agent loop as people write it, with no knowledge of a guard.
type loop struct {
	client   anthropic.Client
	params   anthropic.MessageNewParams
	executor guard.Executor
	streamed bool
}

// say sends a message and returns what the user reads.
func (l *loop) say(ctx context.Context, user string) (string, error) {
	l.params.Messages = append(l.params.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(user)))
	var read strings.Builder
	for {
		message, err := l.ask(ctx, &read)
		if err != nil {
			return read.String(), err
		}
		l.params.Messages = append(l.params.Messages, message.ToParam())
		var results []anthropic.ContentBlockParamUnion
		for _, block := range message.Content {
			if call, ok := block.AsAny().(anthropic.ToolUseBlock); ok {
				body, err := l.executor.Execute(ctx, tooltrack.Call{ID: call.ID, Tool: call.Name, Args: []byte(call.Input)})
				if err != nil {
					body = []byte(err.Error())
				}
				results = append(results, anthropic.NewToolResultBlock(call.ID, string(body), err != nil))
			}
		}
		switch {
		case len(results) > 0:
			l.params.Messages = append(l.params.Messages, anthropic.NewUserMessage(results...))
		case message.StopReason != anthropic.StopReasonPauseTurn:
			return read.String(), nil
		}
	}
}

func (l *loop) ask(ctx context.Context, read *strings.Builder) (*anthropic.Message, error) {
	if !l.streamed {
		message, err := l.client.Messages.New(ctx, l.params)
		if err != nil {
			return nil, err
		}
		for _, block := range message.Content {
			read.WriteString(block.Text)
		}
		return message, nil
	}
	stream := l.client.Messages.NewStreaming(ctx, l.params)
	var message anthropic.Message
	for stream.Next() {
		event := stream.Current()
		if err := message.Accumulate(event); err != nil {
			return nil, err
		}
		read.WriteString(event.Delta.Text)
	}
	return &message, stream.Err()
}

// openLoop is a loop whose client has the middleware.
func openLoop(thinks, streamed bool) func(s *guardtest.Setting) guardtest.Talk {
	return func(s *guardtest.Setting) guardtest.Talk {
		client := clientOf(s.Address, option.WithMiddleware(anthropicguard.Middleware(s.Guard, nil)))
		l := &loop{client: client, params: params(thinks), executor: s.Executor, streamed: streamed}
		l.params.Tools = toolParams(s.Tools)
		return l.say
	}
}

// openModel lets the guard run the turn.
func openModel(thinks, streamed bool) func(s *guardtest.Setting) guardtest.Talk {
	return func(s *guardtest.Setting) guardtest.Talk {
		model := anthropicguard.NewModel(clientOf(s.Address), "sim", &anthropicguard.Options{Params: params(thinks)})
		return guardtest.Conversation(s.Guard, model, s.Executor, streamed)
	}
}

func adapters() []guardtest.Adapter {
	messagesOnly := map[string]string{"written": "no: it does not run it", "once": "no: it does not run it"}
	var list []guardtest.Adapter
	for variant, how := range map[string][2]bool{
		"": {}, "streamed": {false, true}, "thinking": {true, false}, "thinking, streamed": {true, true},
	} {
		list = append(list,
			guardtest.Adapter{
				Name: "anthropicguard.Model", Variant: variant, Open: openModel(how[0], how[1]),
				Wire: true, Pauses: true, Streams: how[1],
			},
			guardtest.Adapter{
				Name: "anthropicguard.Middleware", Variant: variant, Open: openLoop(how[0], how[1]),
				Wire: true, Pauses: true, Streams: how[1], Except: messagesOnly,
			})
	}
	return list
}

func TestAdapters(t *testing.T) {
	promisetable.Check(t, guardtest.Promises(), guardtest.TestAdapters(t, adapters()...))
}
