package telling

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Made lists the changes that succeeded, are under way or may have worked, and those that failed,
// with their reasons, for a model; open is true where one is not known to be over. Changes says
// whether a record may be one.
func Made(records []*tooltrack.Record, changes func(*tooltrack.Record) bool) (list, failures string, open bool) {
	var made, failed []string
	for _, record := range records {
		if record == nil || !changes(record) {
			continue
		}
		ended, isOpen := endOf(record)
		open = open || isOpen
		if one := record.Tool + ended; ended == "" {
			failed = append(failed, fmt.Sprintf("%s (%s)", record.Tool, clip.Text(Why(record), 120)))
		} else if !slices.Contains(made, one) {
			made = append(made, one)
		}
	}
	return strings.Join(made, "; "), strings.Join(failed, "; "), open
}

// endOf is how a call ended that may have worked; empty for one that did not.
func endOf(r *tooltrack.Record) (told string, open bool) {
	switch {
	case r.Succeeded():
		return " succeeded", false
	case r.Result.Status == tooltrack.Pending:
		return " was accepted and is not done yet", true
	case r.Result.Status == tooltrack.Unknown && !r.Ruling.Denied:
		return " may or may not have taken effect", true
	}
	return "", false
}

// RetriedLater reports whether a call that did not work was made again, with
// the same arguments, and worked.
func RetriedLater(later []*tooltrack.Record, record *tooltrack.Record) bool {
	return !record.Succeeded() && slices.ContainsFunc(later, func(other *tooltrack.Record) bool {
		return other != nil && other.Succeeded() && other.Tool == record.Tool && bytes.Equal(other.Args, record.Args)
	})
}
