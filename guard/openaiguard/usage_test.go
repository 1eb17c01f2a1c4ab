package openaiguard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// counting is a model server whose n-th answer uses n times as many tokens as its first.
func counting(t *testing.T, texts ...string) (string, *int) {
	asked := new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Stream  bool
			Options struct {
				Usage bool `json:"include_usage"`
			} `json:"stream_options"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || *asked >= len(texts) {
			http.Error(w, "not now", http.StatusBadRequest)
			return
		}
		text, _ := json.Marshal(texts[*asked])
		*asked++
		n := *asked
		usage := fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}`, 100*n, 10*n, 110*n, 80*n, 4*n)
		if !request.Stream {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":%s}`, text, usage)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":null}],\"usage\":null}\n\n", text)
		fmt.Fprint(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n")
		if request.Options.Usage {
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":%s}\n\n", usage)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// deletedBefore is a turn in which the call has been made.
func deletedBefore() []openai.ChatCompletionMessageParamUnion {
	call := deletes("t1")
	return []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage("get rid of t1"),
		{OfAssistant: &openai.ChatCompletionAssistantMessageParam{ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: call.ID, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Tool, Arguments: string(call.Args)},
			},
		}}}},
		openai.ToolMessage(`{"success":true}`, call.ID),
	}
}

// TestUsageThatTheClientReads: an answer that was changed counts all that it took, with
// its details; one that is handed out as it came, after a discarded one or not, counts
// itself.
func TestUsageThatTheClientReads(t *testing.T) {
	const draft = "Good evening. The task t1 is gone."
	for name, c := range map[string]struct {
		answers []string
		text    string
		times   int64
	}{
		"passed":               {[]string{"Good evening."}, "Good evening.", 1},
		"kept":                 {[]string{draft, `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`}, draft, 1},
		"changed by the proof": {[]string{draft, `{"message":"Good evening.","items":[]}`}, "Good evening.", 1 + 2},
		"withheld":             {[]string{draft, "no", "no"}, "", 1 + 2 + 3},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", streamed ", streamed), func(t *testing.T) {
				g := newGuard(t, &guard.Options{Evaluator: guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
					verdict := completion.Verdict{Outcome: completion.CompletedWithWork, Reason: completion.NothingDue}
					if turn.Text == draft {
						verdict.Claims = []completion.Claim{{Text: "The task t1 is gone.", Tier: completion.Unsure, Doubt: 0.9}}
					}
					return verdict
				})})
				url, asked := counting(t, c.answers...)
				client := openai.NewClient(option.WithBaseURL(url+"/v1/"), option.WithAPIKey("k"), option.WithMiddleware(openaiguard.Middleware(g, nil)))
				params := openai.ChatCompletionNewParams{Model: "m", Messages: deletedBefore(), Tools: offered(tools())}
				var usage openai.CompletionUsage
				var text string
				if streamed {
					params.StreamOptions.IncludeUsage = openai.Bool(true)
					stream := client.Chat.Completions.NewStreaming(context.Background(), params)
					var all openai.ChatCompletionAccumulator
					for stream.Next() {
						chunk := stream.Current()
						if all.AddChunk(chunk); chunk.Usage.TotalTokens > 0 { // the accumulator drops the details
							usage = chunk.Usage
						}
					}
					if err := stream.Err(); err != nil {
						t.Fatal(err)
					}
					text = all.Choices[0].Message.Content
				} else {
					answer, err := client.Chat.Completions.New(context.Background(), params)
					if err != nil {
						t.Fatal(err)
					}
					usage, text = answer.Usage, answer.Choices[0].Message.Content
				}
				if c.text != "" && text != c.text || *asked != len(c.answers) {
					t.Fatalf("asked %d times, shown %q", *asked, text)
				}
				got := []int64{usage.PromptTokens, usage.CompletionTokens, usage.TotalTokens, usage.PromptTokensDetails.CachedTokens, usage.CompletionTokensDetails.ReasoningTokens}
				want := []int64{100 * c.times, 10 * c.times, 110 * c.times, 80 * c.times, 4 * c.times}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("the client reads %v, and not %v", got, want)
				}
			})
		}
	}
}

func offered(tools []tooltrack.Tool) []openai.ChatCompletionToolUnionParam {
	var offer []openai.ChatCompletionToolUnionParam
	for _, tool := range tools {
		offer = append(offer, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: tool.Name, Description: openai.String(tool.Description)}))
	}
	return offer
}
