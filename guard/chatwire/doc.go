// Package chatwire guards loops that already speak with a model server, and reads
// and writes the formats that such servers speak, strictly. The formats are chat
// completions, which most servers know, OpenAI's Responses, Anthropic's Messages,
// Google's Gemini and Ollama's own; see [Format].
//
//	g, err := guard.New(tools, nil)
//	client := openai.NewClient(option.WithMiddleware(chatwire.Middleware(g, nil)))
//	other := &http.Client{Transport: chatwire.Transport(g, nil, nil)} // the same for any HTTP client
//
// [Middleware] and [Transport] rebuild the turn from the messages of each request,
// so they can judge, deny, rewrite and ask again, but they cannot promise what
// needs the executor: that a change is recorded before it runs, and runs at most
// once.
//
// A [Format] turns what a provider sent, whole or in pieces, into a [guard.Response],
// and a [guard.Request] into the body of a request.
// Calls are counted and finish reasons are never trusted; a body that is not what
// it should be is an error, never an empty success; a call that cannot be read
// without guessing becomes a fault that the model is told about, and never runs.
//
// What a request is follows from the shape of its body, whatever its path. One
// that offers nothing for the client to run passes untouched, unless the provider
// keeps tools for it or asks servers of the MCP. One that offers tools in a format this package
// cannot judge is refused with [ErrUnguarded] and a hint, unless the host allows
// it. What a provider ran by itself is read from its answer, and is evidence. A guard
// that only observes holds nothing: bytes pass as they come, and a copy is judged.
//
// Responses may go on from an earlier one by its id, or be part of a conversation
// that the provider keeps. What was handed out is remembered for that, within
// bounds: in this process and, where the context names an owner (see
// [guard.NewContext]), in the guard's ledger, so that the replicas of a program
// know it, too. A result whose call is not known has to be sent together with the
// call. Calls that the client was not given are answered in its next request,
// since the provider goes on with nothing before that.
//
// All functions are safe for concurrent use; an assembler belongs to one stream.
// The package uses the standard library only.
package chatwire
