// Command proxy puts a guard between agents in any language and their model:
//
//	go run ./examples/proxy -upstream https://api.openai.com
//
// and then http://127.0.0.1:8400/v1 as the base URL of the client. It speaks what
// the clients speak (chat completions, Responses and Messages, whole and
// streamed), learns the tools from the requests, and shows on its page which
// answers no call backs. Until -enforce is given it changes nothing.
//
// A request takes this way: a handler strips the proxy's own headers and hands it
// to a reverse proxy, whose transport is chatwire's. For a request that offers
// tools, that one asks the [gate], which chooses the guard for the set of tools,
// says whose turn it is, and follows what becomes of it: on the [board] that the
// page shows, and in the [reports] that the ledger keeps.
//
// What passes is the clients' own: keys are handed on and kept nowhere; texts are
// shown on the page, within bounds, and neither logged nor stored. The ledger
// keeps what the messages say of calls and their results.
package main
