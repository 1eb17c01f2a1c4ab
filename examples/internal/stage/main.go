package stage

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
)

// Main is the main function of an example. It adds the flag -model to those
// that are declared, reads the command line, and plays until it is done or
// interrupted. An error ends the program with status 1.
func Main(play func(ctx context.Context, out io.Writer, model string) error) {
	model := flag.String("model", "",
		"a real model to use, with OPENAI_API_KEY and OPENAI_BASE_URL (default: a simulated one)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := play(ctx, screen.New(os.Stdout), *model)
	stop()
	if err != nil {
		fmt.Fprintf(screen.New(os.Stderr), "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}
