// Package tooltrack answers one question: what really happened?
//
// It is the vocabulary that every other package shares, and the ledger that
// they all believe. A [Tool] is described once; a [Call] is what a model
// proposed; a [Result] is what came of it; a [Record] ties the three to who
// asked and when. A [Ledger] writes a record before a tool runs and completes
// it afterwards, so that a crash in between leaves a record whose status is
// [Unknown] rather than no trace at all:
//
//	ledger := tooltrack.NewLedger(nil, nil) // in memory
//	begun, err := ledger.Begin(ctx, scope, tool, call)
//	if err != nil {
//		return err // nothing was recorded, so nothing may run
//	}
//	if begun.Run {
//		body, err := execute(call)
//		begun.Record, err = ledger.Finish(ctx, begun.Record, tooltrack.ResultOf(body, err))
//	}
//
// A call that changes something runs at most once per turn: a repeat is
// answered from the first record. [Evidence] sums a turn up for those who
// judge it. Only records are evidence; no text ever is.
//
// A Ledger and every [Store] are safe for concurrent use. The package runs no
// tool, retries nothing and ingests nothing: it remembers.
package tooltrack
