// Package simmodel is a language model that needs no key: an HTTP server on
// loopback that speaks chat completions, Responses and Messages, whole and
// streamed, so that a real client talks to it as it would to any provider.
//
// What it says is decided by a [Behaviour], a function from the conversation to
// an [Answer]. An example writes one for its own tools, healthy to begin with;
// the faults of real models are then asked for by name, and the same request
// always gets the same answer:
//
//	server, err := simmodel.Start(behaviour, nil)
//	…
//	defer server.Close()
//	request, err := http.NewRequest(http.MethodPost, server.URL+"/chat/completions", body)
//	request.Header = simmodel.Turn(message, simmodel.Faults{"leaked-call"})
//
// [Turn] also tells the server which message the person wrote, so that a
// behaviour can tell a correction by the guard from a new request: see
// [Request.Asked] and [Request.Corrections]. The faults of [WireFaults] belong to
// the format, not to any tools, and are played by [Distort] and the server
// itself; a behaviour knows its own.
//
// A Server is safe for concurrent use and keeps nothing between requests. It
// understands no language: that is the behaviour's business.
package simmodel
