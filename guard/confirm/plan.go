package confirm

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Plan is a [tooltrack.Confirm] that was read and can be used.
type Plan struct {
	// Confirm is what it was read from, with its defaults filled in.
	tooltrack.Confirm
	// Tool reads the state; empty where the host's function does.
	Tool   string
	args   []binding
	expect []condition
}

// New reads how a change can be seen. It knows no tools: [Plan.Arguments] and
// [Plan.References] say which names have to exist.
func New(declared *tooltrack.Confirm) (*Plan, error) {
	p := &Plan{Confirm: *declared}
	err := p.withDefaults()
	if err == nil && p.By == nil {
		p.Tool, p.args, err = readCall(p.Read)
	}
	if err == nil {
		p.expect, err = readConditions(p.Expect)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Plan) withDefaults() error {
	const maxTries, maxWithin, oneRead, between = 20, 10 * time.Minute, 5 * time.Second, 200 * time.Millisecond
	switch {
	case (p.Read == "") == (p.By == nil):
		return errors.New("give either Read or By")
	case strings.TrimSpace(p.Expect) == "":
		return errors.New(`there is no Expect; say what must hold, if only "exists"`)
	case p.When != tooltrack.WhenInDoubt && p.When != tooltrack.AlwaysConfirm && p.When != tooltrack.NeverConfirm:
		return fmt.Errorf(`the mode When is %q; use "always" or "never", or leave it out`, p.When)
	case p.Tries < 0 || p.Tries > maxTries:
		return fmt.Errorf("the number of Tries is %d; use 1 to %d, or leave it out", p.Tries, maxTries)
	case min(p.Delay, p.Within) < 0 || max(p.Delay, p.Within) > maxWithin:
		return fmt.Errorf("the Delay is %v, and Within %v; both must lie between 0 and %v", p.Delay, p.Within, maxWithin)
	case p.Tries == 0 && p.Delay > 0:
		p.Tries = 3
	case p.Tries > 1 && p.Delay == 0:
		p.Delay = between
	}
	p.Tries = max(p.Tries, 1)
	p.Within = cmp.Or(p.Within, oneRead+time.Duration(p.Tries)*p.Delay)
	return nil
}

// Arguments are the arguments that the tool which reads is given.
func (p *Plan) Arguments() (names []string) {
	for _, one := range p.args {
		names = append(names, one.name)
	}
	return names
}

// References are the arguments of the change that the form names.
func (p *Plan) References() (names []string) {
	for _, found := range regexp.MustCompile(`\$args\.([\w-]+)`).FindAllStringSubmatch(p.Read+" "+p.Expect, -1) {
		names = append(names, found[1])
	}
	return names
}

// Call is the call that reads a change back. It cannot be made where a value is missing
// that it needs.
func (p *Plan) Call(change *tooltrack.Record) (tooltrack.Call, error) {
	args := []byte{'{'}
	for i, one := range p.args {
		from, known := one.from.in(change)
		if !known {
			return tooltrack.Call{}, fmt.Errorf("$%s.%s is not there", one.from.of, one.from.path)
		}
		if i > 0 {
			args = append(args, ',')
		}
		args = append(append(jsonspan.AppendQuoted(args, one.name), ':'), from...)
	}
	return tooltrack.Call{Tool: p.Tool, Args: append(args, '}')}, nil
}

// String is the form as people and models read it.
func (p *Plan) String() string {
	return cmp.Or(p.Read, "a check of the host") + " shows: " + p.Expect
}
