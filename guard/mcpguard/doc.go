// Package mcpguard puts the tools of Model Context Protocol servers under a
// guard:
//
//	tools, err := mcpguard.Tools(ctx, session)
//	g, err := guard.New(tools, nil)
//	reply, err := g.Run(ctx, model, mcpguard.Executor(session), guard.Input{User: "delete Read book"})
//
// [Tools] reads what a server says about its tools: the hints become effects,
// the schemas become rules for arguments. [Executor] runs approved calls on the
// session. An error that the tool reports is a failure; a connection that is
// lost on the way leaves the outcome unknown, and the call is not repeated.
//
// [Servers] does the same for several servers under one guard, each with a
// prefix to its tools' names, and follows lists that change.
//
// A program that has a loop of its own and keeps it gets the ledger and the
// policy by one line where its client is made: every call is reviewed, written
// down before it is sent, and a change runs at most once in a turn (see
// [Middleware]). What the model says about it is not seen there:
//
//	client.AddSendingMiddleware(mcpguard.Middleware(nil))
//
// Those who write tools get the same on the other side, by [ServerMiddleware]:
//
//	server.AddReceivingMiddleware(mcpguard.ServerMiddleware(nil))
//
// Hints come from the server, and a server may lie. They decide only whether a
// call may be repeated and run beside others; see [Options.Describe].
//
// The package lies in a module of its own, because the core knows no protocol.
// Everything in it is safe for concurrent use.
package mcpguard
