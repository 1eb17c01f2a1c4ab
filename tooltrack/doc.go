// Package tooltrack answers one question: what really happened?
//
// It is the vocabulary that every other package shares, and the ledger that they all believe. A
// [Tool] is described once; a [Call] is what a model proposed; a [Result] is what came of it; a
// [Record] ties the three to who asked and when. A [Ledger] writes a record before a tool runs and
// completes it afterwards, so that a crash in between leaves a record whose status is [Unknown]
// rather than no trace at all:
//
//	ledger := tooltrack.NewLedger(nil, nil) // in memory
//	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: messageID})
//	…
//	done, err := turn.Do(ctx, tool, call, nil, execute)
//
// [Turn.Begin] and [Turn.Finish] are the two halves of Do for those who run tools themselves.
//
// A call that changes something runs at most once per turn; [Turn.Begin] has the rule. A repeat is
// answered from the first record, and [Begun.Reason] says why. One table, results.txt, says what
// a tool's result tells about its call: a failure, or work that is not done yet. A look-up may
// find a rejected order, and reject_request succeeds when the request is rejected: so a bare word
// such as "failed" is weighed by the tool, its arguments and the words beside it. What can be
// read either way is a success in doubt, [Result.Doubtful]. [Evidence] sums a turn up. Only
// records are evidence; no text ever is.
//
// A Ledger and every [Store] are safe for concurrent use. The package runs no
// tool and retries nothing by itself: it remembers.
package tooltrack
