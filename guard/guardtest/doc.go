// Package guardtest helps to test loops and guards without a model.
//
// [Script] is a model that answers from a script and remembers what it was asked; [Tools] is an
// executor that runs functions from a table and remembers what it ran:
//
//	model := guardtest.Script(
//		guardtest.Say("I've deleted it."),
//		guardtest.Call(guardtest.Tool("delete_task", `{"id":"1"}`)),
//		guardtest.Say("Deleted: Read book."),
//	)
//	executor := guardtest.Tools(map[string]guard.ExecutorFunc{
//		"delete_task": guardtest.Returns(`{"success":true}`),
//	})
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//
// [TestAdapters] runs one table of turns through a way into the guard: whole and streamed, honest
// and lying, against a real HTTP server that enforces the rules of the providers.
//
// Everything here is safe for concurrent use and meant for tests only.
package guardtest
