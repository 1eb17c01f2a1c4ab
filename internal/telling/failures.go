package telling

import (
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Failures lists the changes that did not succeed, with their reasons; changes says of a
// record whether it may have changed something.
func Failures(records []*tooltrack.Record, changes func(*tooltrack.Record) bool) string {
	var failed []string
	for _, record := range records {
		if record != nil && !record.Succeeded() && record.Result.Status != tooltrack.Pending && changes(record) {
			failed = append(failed, fmt.Sprintf("%s (%s)", record.Tool, clip.Text(Why(record), 120)))
		}
	}
	return strings.Join(failed, "; ")
}
