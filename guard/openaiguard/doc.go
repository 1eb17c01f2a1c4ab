// Package openaiguard joins the guard to openai-go, the official Go client, and
// through it to any server that speaks the same format: OpenAI, OpenRouter,
// Ollama, vLLM and others. A new loop takes a [Model] and lets the guard run the
// turn:
//
//	client := openai.NewClient()
//	model := openaiguard.NewModel(client, "gpt-5-mini", nil)
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//
// [Options.Responses] asks by the Responses API instead of chat completions.
//
// A loop that already exists, whatever it looks like, is guarded by one line
// where its client is made:
//
//	client := openai.NewClient(option.WithMiddleware(openaiguard.Middleware(g, nil)))
//
// That holds for client.Chat.Completions and for client.Responses, whole and
// streamed.
//
// The model sends and reads the bytes of the format itself, strictly (see
// package chatwire), and uses the client for everything else: address, keys,
// retries, options.
//
// It lies in a module of its own, because the client brings two cloud SDKs with
// it that the core can do without. A Model is safe for concurrent use.
package openaiguard
