// Package chatwire guards loops that already speak with a model server, and reads and writes the
// formats that such servers speak, strictly. The formats are chat completions, which most servers
// know, OpenAI's Responses, Anthropic's Messages, Google's Gemini and Ollama's own; see [Format].
//
//	g, err := guard.New(tools, nil)
//	client := openai.NewClient(option.WithMiddleware(chatwire.Middleware(g, nil)))
//	other := &http.Client{Transport: chatwire.Transport(g, nil, nil)} // the same for any HTTP client
//
// [Middleware] and [Transport] rebuild the turn from the messages of each request, so they can
// judge, deny, rewrite and ask again, but they cannot promise what needs the executor: that a
// change is recorded before it runs, and runs at most once.
//
// A [Format] turns what a provider sent, whole or in pieces, into a [guard.Response],
// and a [guard.Request] into the body of a request; a [Model] does both for a client.
// Calls are counted and finish reasons are never trusted; a body that is not what
// it should be is an error, never an empty success; a call that cannot be read
// without guessing becomes a fault that the model is told about, and never runs.
//
// The shape of a request's body says what it is; its path does not matter. A request
// without tools for the client to run passes untouched, unless the provider keeps
// tools for it or calls MCP servers itself. A request with tools in a format that this
// package cannot judge is refused with [ErrUnguarded] and a hint, unless the host allows
// it. Calls that a provider ran by itself are read from its answer, and are evidence.
// With a guard that only observes, bytes pass as they come, and a copy is judged.
//
// A request of Responses may continue an earlier one by its id, or be part of a conversation that
// the provider keeps. For this, what was handed out is remembered, within bounds: in this process
// and, if the context names an owner (see [guard.NewContext]), in the guard's ledger, so that all
// replicas know it. A result whose call is not known has to be sent together with the call. A call
// that the client was not given, such as a denied one, is answered in the client's next request:
// the provider does not go on without an answer.
//
// All functions are safe for concurrent use; an assembler belongs to one stream.
// The package uses the standard library only.
package chatwire
