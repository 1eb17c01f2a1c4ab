package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// runVerify checks an export of sqltrack: whether any line was changed, left out or put
// elsewhere since it was written.
func runVerify(args []string, _ io.Reader, out, errs io.Writer) (int, error) {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	flags.SetOutput(errs)
	want := flags.String("sum", "", "the `sum` that Export returned: tells a file that was written anew as a whole")
	if err := flags.Parse(args); err != nil {
		return 2, nil // told already
	}
	file, err := os.Open(flags.Arg(0))
	if err != nil {
		return 2, fmt.Errorf("give one file, as in: audit verify -sum SUM FILE: %w", err)
	}
	defer file.Close()
	records, sum, err := tooltrack.VerifyExport(file)
	if err == nil && *want != "" && *want != sum {
		err = fmt.Errorf("the sum is %s, and not %s: %w", sum, *want, tooltrack.ErrBadExport)
	}
	if err != nil {
		return 1, fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	fmt.Fprintf(out, "%d records, as they were written; sum %s\n", records, sum)
	return 0, nil
}
