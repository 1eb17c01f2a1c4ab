package guard

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// configuration collects what is wrong with the options.
type configuration struct {
	tools     []string
	arguments map[string][]string // declared by each tool's schema; nil where it declares none
	faults    []error
}

// wrong notes an option that is not a name.
func (c *configuration) wrong(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

// fault notes a name that leads nowhere, with those that lead somewhere.
func (c *configuration) fault(where, name, what string, known []string) {
	message := fmt.Sprintf("%s: %q is not %s", where, clipped(name), what)
	if near := nearest(name, known); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	} else if len(known) > 0 {
		message += "; use one of " + strings.Join(known[:min(len(known), maxListed)], ", ")
	}
	c.faults = append(c.faults, errors.New(message))
}

// maxListed is how many known names a fault lists where none is near.
const maxListed = 20

func (c *configuration) tool(where, name string) {
	if !slices.Contains(c.tools, name) {
		c.fault(where, name, "a tool", c.tools)
	}
}

func (c *configuration) argument(where, tool, name string) {
	declared := c.arguments[tool]
	switch {
	case declared == nil || slices.Contains(declared, name):
	case len(declared) == 0:
		c.fault(where, name, "an argument of "+tool+", whose schema allows none", nil)
	default:
		c.fault(where, name, "an argument of "+tool, declared)
	}
}

// nearest is the known name that is most like another one; empty if none is.
func nearest(name string, known []string) string {
	best, distance := "", max(2, len(name)/3)+1
	for _, candidate := range known {
		if d := levenshtein.ComputeDistance(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// under puts the part that an error comes from before each of its lines.
func under(part string, err error) error {
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		return fmt.Errorf("%s: %w", part, err)
	}
	var faults []error
	for _, fault := range several.Unwrap() {
		faults = append(faults, under(part, fault))
	}
	return errors.Join(faults...)
}
