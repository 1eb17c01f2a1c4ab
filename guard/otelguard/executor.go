package otelguard

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Executor gives each tool that runs a span and counts what came of it. Calls
// that are denied do not run: they are events of the turn, by the logger.
func (t *Telemetry) Executor(inner guard.Executor) guard.Executor {
	if inner == nil {
		return nil // the guard says that there is none
	}
	return guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		attributes := []attribute.KeyValue{
			semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(call.Tool), semconv.GenAIToolCallID(call.ID),
			semconv.GenAIToolType("function"),
		}
		if t.options.Content {
			attributes = append(attributes, semconv.GenAIToolCallArgumentsKey.String(t.cut(policy.LoggableArgs(call.Args))))
		}
		ctx, span := t.tracer.Start(ctx, "execute_tool "+call.Tool, trace.WithAttributes(attributes...))
		defer span.End()
		body, err := inner.Execute(ctx, call)
		t.executed(ctx, span, call.Tool, body, err)
		return body, err
	})
}

func (t *Telemetry) executed(ctx context.Context, span trace.Span, tool string, body []byte, err error) {
	result := tooltrack.ResultOf(body, err)
	status := attribute.String("bonafide.status", result.Status.String())
	about := []attribute.KeyValue{semconv.GenAIToolName(tool), status}
	switch {
	case err != nil:
		about = append(about, errorType(err))
		t.failed(span, err)
	case result.Status == tooltrack.Failed: // by its body
		about = append(about, semconv.ErrorTypeKey.String("reported"))
		span.SetStatus(codes.Error, "")
	}
	span.SetAttributes(about...)
	if result.Doubtful != "" {
		span.SetAttributes(attribute.Bool("bonafide.doubtful", true))
	}
	if t.options.Content {
		span.SetAttributes(semconv.GenAIToolCallResultKey.String(t.clean(result.Text())))
	}
	t.instruments.calls.Add(ctx, 1, metric.WithAttributes(about...))
}
