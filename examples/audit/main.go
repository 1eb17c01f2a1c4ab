// Audit replays recorded data through the components of the library.
//
//	audit transcripts [flags] FILE…
//	audit stop-hook [flags] < payload
//	audit SUBCOMMAND [flags] < cases.jsonl > answers.jsonl
//
// The first reads the logs of an agent and reports how often it claims what it did not do;
// the second judges the turn that a coding agent is about to end: see package transcripts.
//
// Every other subcommand reads one JSON object a line on standard input and
// answers one a line on standard output, matched by "id". A line that cannot be
// read is answered with {"id":…,"error":"…"} and the run goes on.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts"
	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, screen.New(os.Stderr)))
}

// A command is one subcommand. It returns the exit status, 0 when all went well, 1 when input or
// output broke off, 2 when it was called wrongly, and what is to be told of it.
type command struct {
	name    string
	summary string
	run     func(args []string, in io.Reader, out, errs io.Writer) (status int, err error)
}

// commands is the table of subcommands; each stands in a file of its own.
var commands = []command{
	{"transcripts", "how often the agent of these logs claims what it did not do", transcripts.Run},
	{"observe", "what a guard that only observes would have done, from its logs", runObserve},
	{"stop-hook", "whether the turn of a coding agent may end, for its Stop hook", transcripts.StopHook},
	{"intent-examples", "labelled messages to teach by, proposed from these logs, and what they gain",
		transcripts.Examples},
	{"verify", "whether an export of records is as it was written", runVerify},
	byLine("intent", "which tools a message asks for", startIntent),
	byLine("args", "what the standard rules say to the arguments of a call", bare(startArgs)),
	byLine("urls", "whether a web tool may open a URL", bare(startURLs)),
	byLine("resolve", "which title of a list a reference means", bare(startResolve)),
	byLine("turns", "whether a turn is really done, and what its text claims", bare(startTurns)),
	{"why", "how a turn came to its judgement, step by step, for people", runWhy},
	byLine("proofs", "whether a report of what a turn rests on is borne out", bare(startProofs)),
	byLine("calls", "which calls of a provider's message may run", bare(startCalls)),
}

// byLine is a subcommand that answers line by line: start reads its flags and
// returns the function that answers a line.
func byLine(name, summary string, start func(args []string) (answerer, error)) command {
	return command{name, summary, func(args []string, in io.Reader, out, _ io.Writer) (int, error) {
		answer, err := start(args)
		if err != nil {
			return 2, err
		}
		if err := answerLines(in, out, answer); err != nil {
			return 1, err
		}
		return 0, nil
	}}
}

// bare is the start of a subcommand without flags.
func bare(start func() (answerer, error)) func(args []string) (answerer, error) {
	return func(args []string) (answerer, error) {
		if len(args) > 0 {
			return nil, fmt.Errorf("it takes no argument, but got %q", args[0])
		}
		return start()
	}
}

func run(args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) == 0 {
		usage(errs)
		return 2
	}
	for _, command := range commands {
		if command.name != args[0] {
			continue
		}
		status, err := command.run(args[1:], in, out, errs)
		if errors.Is(err, flag.ErrHelp) { // it was given
			return 0
		}
		if err != nil {
			fmt.Fprintf(errs, "audit %s: %v\n", command.name, err)
		}
		return status
	}
	fmt.Fprintf(errs, "audit: there is no subcommand %q\n", args[0])
	usage(errs)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: audit SUBCOMMAND [flags] < cases.jsonl > answers.jsonl\n"+
		"       audit transcripts [flags] FILE…\n       audit stop-hook [flags] < payload")
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, command := range commands {
		fmt.Fprintf(table, "  %s\t%s\n", command.name, command.summary)
	}
	_ = table.Flush() // there is nowhere else to say so
}
