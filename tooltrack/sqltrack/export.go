package sqltrack

import (
	"context"
	"io"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Export writes the records of a conversation, or of what else the scope names, as JSON
// lines, each with the hash of the one before: see [tooltrack.WriteExport]. Keep the sum
// that it returns elsewhere.
func (s *Store) Export(ctx context.Context, to io.Writer, scope tooltrack.Scope) (sum string, err error) {
	return tooltrack.WriteExport(to, scope, func(yield func(*tooltrack.Record, error) bool) {
		query := tooltrack.Query{Scope: scope, Limit: 500}
		for more := true; more; {
			page, err := s.Records(ctx, query)
			if err != nil {
				yield(nil, err)
			}
			for _, record := range page {
				if query.After = record.Seq; !yield(record, nil) {
					return
				}
			}
			more = len(page) == query.Limit
		}
	})
}
