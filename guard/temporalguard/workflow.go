package temporalguard

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// SignalApproval is the signal that an approval was answered. It carries the approval's id,
// a string.
const SignalApproval = "bonafide.approval"

// Converse is a turn that may wait for people: it asks, and while calls are held it waits for
// the signal of one of their approvals, or for the first to expire, and goes on. A workflow
// of the host's own can do the same with [Wait].
//
// A turn may take an hour, and a worker that is not heard of for ten seconds is taken for
// dead. Hosts with other times write a workflow of their own.
func Converse(ctx workflow.Context, request Request) (Result, error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: time.Hour, HeartbeatTimeout: 10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: time.Minute},
	})
	var result Result
	err := workflow.ExecuteActivity(ctx, ActivityAsk, request).Get(ctx, &result)
	for err == nil && len(result.Held) > 0 {
		if err = Wait(ctx, result.Held); err != nil {
			return result, err
		}
		result = Result{}
		err = workflow.ExecuteActivity(ctx, ActivityResume, request).Get(ctx, &result)
	}
	return result, err
}

// Wait waits until an approval among those that are held is answered, or the first of them
// expires. Signals about other approvals are passed over: they came late, or twice.
func Wait(ctx workflow.Context, held []Held) error {
	waited, cancel := workflow.WithCancel(ctx)
	defer cancel()
	answered := false
	selector := workflow.NewSelector(ctx)
	selector.AddReceive(workflow.GetSignalChannel(ctx, SignalApproval), func(channel workflow.ReceiveChannel, _ bool) {
		var id string
		channel.Receive(ctx, &id)
		for _, one := range held {
			answered = answered || one.Approval == id
		}
	})
	if first := firstToExpire(held); first > 0 {
		selector.AddFuture(workflow.NewTimer(waited, first), func(workflow.Future) { answered = true })
	}
	selector.AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) { answered = true })
	for !answered {
		selector.Select(ctx)
	}
	return ctx.Err()
}

// firstToExpire is how long the first of the approvals can still be given, and a moment
// more; 0 if none expires.
func firstToExpire(held []Held) (first time.Duration) {
	for _, one := range held {
		if within := one.Within + time.Second; one.Within > 0 && (first == 0 || within < first) {
			first = within
		}
	}
	return first
}
