// Package stage is where the example agents perform: the model that a run asks,
// and the account of what happened.
//
// [Open] gives a [Source] of models: the simulated one of package simmodel, or a
// real one behind OPENAI_API_KEY and OPENAI_BASE_URL. A [Toolbox] runs tools by
// name, and a [Printer] shows each message as it passes between person, model,
// guard and tools:
//
//	source, err := stage.Open(*model, behaviour, nil)
//	…
//	defer source.Close()
//	printer := stage.NewPrinter(os.Stdout)
//	reply, err := printer.Run(ctx, g, source.Model(message, "lazy"), toolbox, input)
//
// Nothing in here decides anything: the guard does, and the examples check what
// it decided. A Source and a Toolbox are safe for concurrent use, a Printer is not.
package stage
