// Audit replays recorded data through the components of the library.
//
//	audit SUBCOMMAND [flags] < cases.jsonl > answers.jsonl
//
// Each subcommand reads one JSON object a line on standard input and answers
// one a line on standard output, matched by "id". A line that cannot be read
// is answered with {"id":…,"error":"…"} and the run goes on.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// A command is one subcommand: it reads its own flags and returns the function
// that answers a line.
type command struct {
	name    string
	summary string
	start   func(args []string) (answerer, error)
}

// commands is the table of subcommands; each stands in a file of its own.
var commands = []command{
	{"intent", "which tools a message asks for", startIntent},
	{"args", "what the standard rules say to the arguments of a call", startArgs},
	{"urls", "whether a web tool may open a URL", startURLs},
	{"resolve", "which title of a list a reference means", startResolve},
	{"turns", "whether a turn is really done, and what its text claims", startTurns},
	{"calls", "which calls of a provider's message may run", startCalls},
}

// run exits with 0 when every line was read, 1 when input or output broke off,
// and 2 when it was called wrongly.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) == 0 {
		usage(errs)
		return 2
	}
	for _, command := range commands {
		if command.name != args[0] {
			continue
		}
		answer, err := command.start(args[1:])
		if err != nil {
			fmt.Fprintf(errs, "audit %s: %v\n", command.name, err)
			return 2
		}
		if err := answerLines(in, out, answer); err != nil {
			fmt.Fprintf(errs, "audit %s: %v\n", command.name, err)
			return 1
		}
		return 0
	}
	fmt.Fprintf(errs, "audit: there is no subcommand %q\n", args[0])
	usage(errs)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: audit SUBCOMMAND [flags] < cases.jsonl > answers.jsonl")
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, command := range commands {
		fmt.Fprintf(table, "  %s\t%s\n", command.name, command.summary)
	}
	table.Flush()
}
