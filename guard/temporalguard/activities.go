package temporalguard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Request is one user message, in the form that a history keeps. Its turn is named by the
// workflow's id.
type Request struct {
	// User is the message, and the rest says where it belongs, as in guard.Input.
	User         string          `json:"user"`
	Owner        string          `json:"owner,omitempty"`
	Conversation string          `json:"conversation,omitempty"`
	Task         string          `json:"task,omitempty"`
	Mode         string          `json:"mode,omitempty"`
	System       string          `json:"system,omitempty"`
	Previous     []guard.Message `json:"previous,omitempty"`
}

// Result is what came of a turn so far.
type Result struct {
	// Text is what may be shown. While the turn waits, it says what it waits for.
	Text string `json:"text"`
	// Held are the calls that a person has to approve; none when the turn has ended.
	Held []Held `json:"held,omitempty"`
	// Usage is what the turn has cost.
	Usage guard.Usage `json:"usage,omitzero"`
	// Turn is the name under which its calls are recorded.
	Turn string `json:"turn"`
}

// Held is one call that waits.
type Held struct {
	// Approval is the id of what is asked, Tool the tool, and Summary what the call would do.
	Approval string `json:"approval"`
	Tool     string `json:"tool"`
	Summary  string `json:"summary"`
	// Within is how long the approval can still be given; 0 is no limit.
	Within time.Duration `json:"within,omitempty"`
}

// Step is one call that a workflow itself decides on, beside those of the model.
type Step struct {
	// Owner and Conversation say where it belongs.
	Owner        string `json:"owner"`
	Conversation string `json:"conversation,omitempty"`
	// Call is the call. Its tool must be one of the guard's.
	Call tooltrack.Call `json:"call"`
}

// Options configure [Activities]. Nil is the default.
type Options struct {
	// Heartbeat is how often a running activity says that it lives. It should be well below
	// the heartbeat timeout of [Converse]. Default: 2 seconds.
	Heartbeat time.Duration
}

// Activities are what a worker runs: turns of one guard. They are safe for concurrent use.
type Activities struct {
	guard     *guard.Guard
	model     guard.Model
	executor  guard.Executor
	heartbeat time.Duration
}

// The names under which [Activities.Register] makes them known.
const (
	ActivityAsk      = "bonafide.Ask"
	ActivityDo       = "bonafide.Do"
	ActivityResume   = "bonafide.Resume"
	WorkflowConverse = "bonafide.Converse"
)

// New returns the activities of a guard.
func New(g *guard.Guard, model guard.Model, executor guard.Executor, options *Options) (*Activities, error) {
	switch {
	case g == nil:
		return nil, errors.New("the guard is nil; pass the one that judges the turns")
	case model == nil:
		return nil, guard.ErrNoModel
	case executor == nil:
		return nil, guard.ErrNoExecutor
	}
	a := &Activities{guard: g, model: model, executor: executor, heartbeat: 2 * time.Second}
	if options != nil && options.Heartbeat > 0 {
		a.heartbeat = options.Heartbeat
	}
	return a, nil
}

// Register makes the activities and the workflow known to a worker.
func (a *Activities) Register(registry worker.Registry) {
	registry.RegisterActivityWithOptions(a.Ask, activity.RegisterOptions{Name: ActivityAsk})
	registry.RegisterActivityWithOptions(a.Do, activity.RegisterOptions{Name: ActivityDo})
	registry.RegisterActivityWithOptions(a.Resume, activity.RegisterOptions{Name: ActivityResume})
	registry.RegisterWorkflowWithOptions(Converse, workflow.RegisterOptions{Name: WorkflowConverse})
}

// Ask runs a turn until it ends, or until calls of it wait for a person. Run again, it
// repeats no change.
func (a *Activities) Ask(ctx context.Context, request Request) (Result, error) {
	defer a.beat(ctx)()
	reply, err := a.guard.Run(ctx, a.model, a.executor, inputOf(ctx, request))
	return resultOf(reply, err)
}

// Resume goes on with a turn that waits, as far as people have decided. A worker that died
// after the turn had ended, and before it could say so, leaves no turn that waits: then the
// turn is run again, and answered from its records.
func (a *Activities) Resume(ctx context.Context, request Request) (Result, error) {
	defer a.beat(ctx)()
	input := inputOf(ctx, request)
	reply, err := a.guard.Resume(ctx, a.model, a.executor, ownerOf(input), input.Turn)
	if errors.Is(err, tooltrack.ErrNoPausedTurn) {
		reply, err = a.guard.Run(ctx, a.model, a.executor, input)
	}
	return resultOf(reply, err)
}

// Do runs one call under the ledger, in a turn of the workflow's id. After a retry a change
// that was made is answered by its record; one of unknown fate is an error that is not
// retried, since a person has to look.
func (a *Activities) Do(ctx context.Context, step Step) (*tooltrack.Record, error) {
	defer a.beat(ctx)()
	var tool *tooltrack.Tool
	for _, known := range a.guard.Tools() {
		if known.Name == step.Call.Tool {
			tool = &known
		}
	}
	if tool == nil {
		return nil, final(fmt.Errorf("%w: %q", guard.ErrUnknownTool, step.Call.Tool))
	}
	input := inputOf(ctx, Request{Owner: step.Owner, Conversation: step.Conversation})
	turn, err := a.guard.Ledger().Open(tooltrack.Scope{
		Owner: ownerOf(input), Conversation: input.Conversation, Turn: input.Turn + "/steps",
	})
	if err != nil {
		return nil, final(err)
	}
	begun, err := turn.Do(guard.NewContext(ctx, input), *tool, step.Call, nil, a.executor.Execute)
	if err == nil && begun.Record.Result.Status == tooltrack.Unknown {
		err = final(fmt.Errorf("%s: %w", step.Call.Tool, tooltrack.ErrOutcomeUnknown))
	}
	return begun.Record, err
}

// inputOf names the turn by the workflow.
func inputOf(ctx context.Context, request Request) guard.Input {
	return guard.Input{
		User: request.User, Owner: request.Owner, Conversation: request.Conversation, Task: request.Task,
		Mode: request.Mode, System: request.System, Previous: request.Previous,
		Turn: activity.GetInfo(ctx).WorkflowExecution.ID,
	}
}

func ownerOf(input guard.Input) string {
	if input.Owner == "" {
		return guard.LocalOwner
	}
	return input.Owner
}

// resultOf tells a turn that waits from one that failed.
func resultOf(reply *guard.Reply, err error) (Result, error) {
	var held *guard.TurnError
	if (reply != nil && errors.As(reply.Err, &held) || errors.As(err, &held)) && held.Kind == guard.ErrHeld {
		result := Result{Text: held.Account, Turn: held.Turn, Usage: reply.Usage}
		for _, approval := range held.Approvals {
			one := Held{Approval: approval.ID, Tool: approval.Call.Tool, Summary: approval.Summary}
			if !approval.Expires.IsZero() {
				one.Within = max(time.Second, time.Until(approval.Expires))
			}
			result.Held = append(result.Held, one)
		}
		return result, nil
	}
	if err != nil {
		if guard.AccountOf(err) != "" && !errors.Is(err, guard.ErrProvider) {
			err = final(err)
		}
		return Result{}, err
	}
	return Result{Text: reply.Text, Turn: reply.Turn, Usage: reply.Usage}, nil
}

// final is an error that trying again would not change. Its type is the kind of the turn's
// end, and its details are the account for people.
func final(err error) error {
	kind := fmt.Sprintf("%T", err)
	var ended *guard.TurnError
	if errors.As(err, &ended) {
		kind = ended.Kind.Error()
	}
	return temporal.NewNonRetryableApplicationError(err.Error(), kind, err, guard.AccountOf(err))
}

// beat says that an activity lives, until what it returns is called.
func (a *Activities) beat(ctx context.Context) (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(a.heartbeat)
	contain.Go("beating", func() {
		for {
			select {
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			case <-done:
				return
			}
		}
	}, func(*contain.Panic) { close(stopped) })
	return func() {
		tick.Stop()
		close(done)
		<-stopped
	}
}
