package otelguard

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// errorType names the kind of an error, of which there are few: its text is
// neither safe nor countable.
func errorType(err error) attribute.KeyValue { return semconv.ErrorTypeKey.String(kindOf(err)) }

// errorKinds are the names of the guard's errors; the first that fits counts.
var errorKinds = []struct {
	err  error
	name string
}{
	{guard.ErrLoop, "loop"},
	{guard.ErrBudget, "budget"},
	{guard.ErrToolNotTriggered, "tool_not_triggered"},
	{guard.ErrInsufficientProgress, "insufficient_progress"},
	{guard.ErrDenied, "denied"},
	{guard.ErrHeld, "held"},
	{tooltrack.ErrOutcomeUnknown, "outcome_unknown"},
	{context.Canceled, "cancelled"},
	{context.DeadlineExceeded, "timeout"},
	{guard.ErrStopped, "stopped"},
	{guard.ErrHost, "host"},
	{guard.ErrProvider, "provider"},
}

func kindOf(err error) string {
	for _, kind := range errorKinds {
		if errors.Is(err, kind.err) {
			return kind.name
		}
	}
	return fmt.Sprintf("%T", err)
}

// textOf survives an error whose own method panics, as that of a typed nil does.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "an error that cannot be printed"
		}
	}()
	return err.Error()
}
