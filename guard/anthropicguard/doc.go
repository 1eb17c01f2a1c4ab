// Package anthropicguard joins the guard to anthropic-sdk-go, the official Go
// client of Anthropic's Messages API. A new loop takes a [Model] and lets the
// guard run the turn:
//
//	client := anthropic.NewClient()
//	model := anthropicguard.NewModel(client, anthropic.ModelClaudeSonnet5, nil)
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//
// A loop that already exists, whatever it looks like, is guarded by one line
// where its client is made:
//
//	client := anthropic.NewClient(option.WithMiddleware(anthropicguard.Middleware(g, nil)))
//
// Thoughts and their signatures are sent back byte for byte, results stand where
// the API wants them and in the order of their calls, a failed call says
// is_error, and an answer that was paused goes on. A model that thinks first
// refuses to be forced to a tool, so it is asked in words. Tools that Anthropic
// runs by itself, such as web search, pass by: their calls never reach the
// client.
//
// A turn that does not pass ends in one of the guard's typed errors, which
// errors.As finds in the client's own, and which the client does not retry.
// An error of the API's stays an *anthropic.Error.
//
// The package lies in a module of its own, because the core knows no vendor's
// client. A Model is safe for concurrent use.
package anthropicguard
