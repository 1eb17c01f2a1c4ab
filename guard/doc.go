// Package guard is the turn, enforced: it decides whether what a model says may
// be shown. What may not, it has the model put right, or else it says honestly
// what was done and what was not.
//
// Every agent loop ends a turn on one rule, "the model answered without tool
// calls". A [Guard] adds the missing half: the tools that the request needs were
// called, what the text claims is backed by recorded calls, and what failed is
// told. A text that does not pass is not shown; the model is asked again within
// a budget, and then the caller gets a typed error and an honest account:
//
//	g, err := guard.New(tools, nil)
//	...
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//	if errors.Is(err, guard.ErrToolNotTriggered) {
//		fmt.Println(reply.Account)
//	}
//
// The guard acts only when it is sure. Where words leave a doubt, it asks the
// model what its text rests on: a report that cites the calls on record, which
// code checks (package proof, [Options.Proof]). An honest model loses one call by
// it; a lying one has nothing to cite. Where no proof comes, only the sentences in
// doubt are left out. A text without such sentences ("On it!") then passes, although
// something may still be due: [Reply.ProofMissing] tells a program so.
//
// A [Model] asks a language model and an [Executor] runs a tool; both have one
// method. There are three ways in, and one judge behind them: [Guard.Run] is a
// whole loop, [Guard.Begin] gives a [Turn] that a loop of the host's own drives
// step by step (or, by [Turn.Model] and [Turn.Executor], a framework that hides
// its loop), and [Guard.Wrap] guards a model for a loop that knows nothing of
// turns. The last one sees messages only, and cannot promise that a change is
// recorded before it runs and runs at most once.
//
// [Options.Observe] gives the same verdicts and events and changes nothing: the
// first step in production.
//
// Code of the host's own may panic, hang, fail or return nonsense. No panic
// leaves this package, but that of a stream's consumer; nothing runs unrecorded
// and nothing passes unjudged. Where a turn cannot go on, a [*HostError] names
// the callback; where it can, [Counters.HostFaults] counts. What takes a context
// must return when it ends: a turn waits for all of it but tools, which are left
// alone after [Options.AbandonAfter], and a store, which is left alone ten seconds
// after the turn's context has ended. What takes none (clock, key, requirement,
// a log handler that ignores its context) is waited for without end.
//
// Memory is bounded: a turn under way takes at most 32 KiB, stacks included,
// besides its own messages and results (measured with 10,000 at once), and an
// ended one its records, as far as the ledger's store keeps them.
//
// A Guard is safe for concurrent use; a Turn belongs to one loop. The package
// knows no provider (see chatwire for the common wire format), keeps no
// conversation and stores nothing outside the ledger.
package guard
