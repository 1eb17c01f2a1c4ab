package otelguard

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"

	"github.com/bonafide-go/bonafide/guard"
)

// errorType names the kind of an error, of which there are few: its text is
// neither safe nor countable.
func errorType(err error) attribute.KeyValue { return semconv.ErrorTypeKey.String(kindOf(err)) }

func kindOf(err error) string {
	if kind := limitKind(err); kind != "" {
		return kind
	}
	switch {
	case errors.Is(err, guard.ErrToolNotTriggered):
		return "tool_not_triggered"
	case errors.Is(err, guard.ErrInsufficientProgress):
		return "insufficient_progress"
	case errors.Is(err, guard.ErrDenied):
		return "denied"
	case errors.Is(err, guard.ErrHeld):
		return "held"
	case errors.Is(err, guard.ErrOutcomeUnknown):
		return "outcome_unknown"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, guard.ErrStopped):
		return "stopped"
	case errors.Is(err, guard.ErrHost):
		return "host"
	case errors.Is(err, guard.ErrProvider):
		return "provider"
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
