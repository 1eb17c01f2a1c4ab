// Package guard decides whether what a model says at the end of a turn may be
// shown. If not, it has the model put it right, or says honestly what was done and
// what was not.
//
// Most agent loops end a turn when the model answers without tool calls. A [Guard]
// adds the missing checks: the tools that the request needs were called, what the
// answer claims is backed by recorded calls, and failures are told. An answer that
// does not pass is not shown. The model is asked again, within a budget; then the
// caller gets a typed error and an honest account:
//
//	g, err := guard.New(tools, nil)
//	...
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//	if errors.Is(err, guard.ErrToolNotTriggered) {
//		fmt.Println(reply.Account)
//	}
//
// The guard acts only when it is sure. When it is unsure, it asks the model which
// recorded calls the answer rests on, and checks the citations (package proof,
// [Options.Proof]). This costs an honest model one call; a lying one has nothing to
// cite. If no proof comes, only the sentences in doubt are left out. An answer
// without such sentences ("On it!") then passes, although something may still be
// due; [Reply.ProofMissing] tells your program so.
//
// A [Model] asks a language model, and an [Executor] runs a tool. Each has one
// method. There are three ways in, and all of them judge alike:
//
//   - [Guard.Run] is a whole loop.
//   - [Guard.Begin] gives a [Turn], which your own loop drives step by step. With
//     [Turn.Model] and [Turn.Executor], a framework that hides its loop drives it.
//   - [Guard.Wrap] guards a model for a loop that knows nothing of turns. It sees
//     messages only, so it cannot promise that a change is recorded before it runs
//     and runs at most once.
//
// Start with [Options.Observe]: it gives the same verdicts and events and changes
// nothing.
//
// Your own code may panic, hang, fail or return nonsense. No panic leaves this
// package, except that of a stream's consumer. Nothing runs unrecorded and nothing
// passes unjudged. If a turn cannot go on, a [*HostError] names the callback; if it
// can, [Counters.HostFaults] counts. A callback that takes a context must return
// when the context ends, because the turn waits for it. Two are left alone: a tool
// after [Options.AbandonAfter], and a store ten seconds after the turn's context
// has ended. A callback without a context (clock, key, requirement, log handler) is
// waited for without limit.
//
// Memory is bounded: a running turn takes at most 32 KiB, stacks included, besides
// its own messages and results (measured with 10,000 at once). A turn that has
// ended takes what the ledger's store keeps of it.
//
// A Guard is safe for concurrent use; a Turn belongs to one loop. The package knows
// no provider (see chatwire for the common wire formats), keeps no conversation and
// stores nothing outside the ledger.
package guard
