// Package temporalguard runs guarded turns in Temporal, for turns that must outlive the
// machine they run on.
//
// [Activities] holds a guard, a model and an executor. Its Ask is a whole turn as one
// activity, named by the workflow's id: when a worker dies in the middle of it, Temporal runs
// it again elsewhere, and the ledger keeps any change from being made twice. [Converse] is a
// workflow around it in which a call that a person has to approve waits for a signal:
//
//	activities, err := temporalguard.New(g, model, executor, nil)
//	…
//	activities.Register(w) // a worker.Worker
//
//	// where people decide:
//	ledger.Answer(ctx, …)
//	client.SignalWorkflow(ctx, workflowID, "", temporalguard.SignalApproval, approval.ID)
//
// The signal carries the approval's id and nothing else: what was decided is read from the
// ledger, so nobody who can send signals can approve anything, and a signal that comes twice,
// or too early, does no harm. A timer ends the wait when an approval expires.
//
// Workflow code here has no clock, goroutine or database of its own. The guard's ledger has
// to be one that all workers share, such as that of package sqltrack.
package temporalguard
