package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A turn's name makes a replay of its message harmless, and another message under
// it harmful: the records of the first would answer for its calls, which then do
// not run, and back what is said of them. So each record of a named turn holds a
// digest of the message.

// checkName refuses a name that stands for another message. Records without a
// digest are older than digests, or were made by others than turns.
func (t *Turn) checkName(ctx context.Context, records []*tooltrack.Record) error {
	other := func(record *tooltrack.Record) bool { return record.Message != "" && record.Message != t.digest }
	if !slices.ContainsFunc(records, other) {
		return nil
	}
	calls, tools := "1 call", []string{}
	if n := len(records); n != 1 {
		calls = fmt.Sprintf("%d calls", n)
	}
	for _, record := range records {
		if tool := clipped(record.Tool); !slices.Contains(tools, tool) && len(tools) < 3 {
			tools = append(tools, tool)
		}
	}
	reused := wordedError(ErrTurnReused, "Input.Turn %q is the name of another message of this owner, with %s on "+
		"record (%s); set it to the id of this message, or leave it empty",
		clipped(t.input.Turn), calls, strings.Join(tools, ", "))
	if !t.guard.options.Observe {
		return reused
	}
	t.guard.hostFault(ctx, "Input.Turn", reused)
	t.guard.counters.wouldHave("refusal of a turn's name")
	return nil
}

// digestOf is by what a message is known again, however its white space was
// handed on. Owner and turn are in it, so that equal messages of different people
// cannot be told from their records.
func digestOf(input Input) string {
	known := make([]byte, 0, 256)
	known = append(append(append(append(known, input.Owner...), 0), input.Turn...), 0)
	for word := range strings.FieldsSeq(input.User) {
		known = append(append(known, word...), ' ')
	}
	sum := sha256.Sum256(known)
	return hex.EncodeToString(sum[:16])
}
