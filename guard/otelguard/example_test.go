package otelguard_test

import (
	"context"
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func ExampleNew() {
	spans := tracetest.NewInMemoryExporter() // yours goes to a collector
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	tools := []tooltrack.Tool{{Name: "delete_task", Description: "Delete a task of the user.", Effect: tooltrack.Changes}}
	model := guardtest.Script( // your model; this one lies first
		guardtest.Say("I've deleted Read book."),
		guardtest.Call(guardtest.Tool("delete_task", `{"title":"Read book"}`)),
		guardtest.Say("I've deleted Read book."),
	)
	executor := guardtest.Tools(map[string]guard.ExecutorFunc{"delete_task": guardtest.Returns(`{"success":true}`)})

	telemetry, err := otelguard.New(&otelguard.Options{TracerProvider: provider, Agent: "tasks", Model: "gpt-5-mini"})
	if err != nil {
		panic(err)
	}
	g, err := guard.New(tools, &guard.Options{Logger: telemetry.Logger(nil)})
	if err != nil {
		panic(err)
	}
	reply, err := telemetry.Run(context.Background(), g, model, executor, guard.Input{User: "delete the task Read book"})
	fmt.Println(reply.Text, err)
	for _, span := range spans.GetSpans() {
		fmt.Println("-", span.Name)
	}
	// Output:
	// I've deleted Read book. <nil>
	// - chat gpt-5-mini
	// - judge
	// - chat gpt-5-mini
	// - execute_tool delete_task
	// - chat gpt-5-mini
	// - judge
	// - invoke_agent tasks
}
