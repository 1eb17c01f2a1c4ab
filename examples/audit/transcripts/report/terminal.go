package report

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/internal/clip"
)

//go:embed terminal.tmpl
var terminalSource string

// width is how long a line may be. The report is read in terminals, in mails and
// in the logs of builds; all of them have room for this much.
const width = 80

// WriteTerminal writes the report for people who read it where they started it. The page has room
// for more.
func WriteTerminal(out io.Writer, report *Report, kept *Keeper, options Options) error {
	parsed, err := template.New("terminal").Funcs(words).Parse(terminalSource)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := parsed.Execute(&text, &view{report, kept, options}); err != nil {
		return err
	}
	_, err = io.WriteString(screen.New(out), screen.Layout(text.String(), width))
	return err
}

// Called is what the turn did, as the log tells it. Repeats are counted.
func (f *Finding) Called() string {
	if len(f.Calls) == 0 {
		return "none"
	}
	var parts []string
	for i := 0; i < len(f.Calls); {
		call, same := f.Calls[i], i+1
		for same < len(f.Calls) && f.Calls[same] == call {
			same++
		}
		part := clip.Text(OneLine(call.Tool), 60) + " " + call.Status.String()
		if call.Sight != "" {
			part += ", " + string(call.Sight)
		}
		if same-i > 1 {
			part += fmt.Sprintf(" (%d×)", same-i)
		}
		parts = append(parts, part)
		i = same
	}
	return strings.Join(parts, ", ")
}
