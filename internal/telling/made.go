package telling

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Made lists the changes that succeeded or are under way, for a model; changes says of a
// record whether it may have changed something.
func Made(records []*tooltrack.Record, changes func(*tooltrack.Record) bool) (list string, pending bool) {
	var made []string
	for _, record := range records {
		if record == nil || !changes(record) {
			continue
		}
		one := record.Tool + " succeeded"
		switch {
		case record.Result.Status == tooltrack.Pending:
			one, pending = record.Tool+" was accepted and is not done yet", true
		case !record.Succeeded():
			continue
		}
		if !slices.Contains(made, one) {
			made = append(made, one)
		}
	}
	return strings.Join(made, "; "), pending
}

// RetriedLater reports whether a call that did not work was made again, with
// the same arguments, and worked.
func RetriedLater(later []*tooltrack.Record, record *tooltrack.Record) bool {
	return !record.Succeeded() && slices.ContainsFunc(later, func(other *tooltrack.Record) bool {
		return other != nil && other.Succeeded() && other.Tool == record.Tool && bytes.Equal(other.Args, record.Args)
	})
}
