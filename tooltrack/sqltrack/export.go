package sqltrack

import (
	"context"
	"io"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// exportPage is how many records are read at once.
const exportPage = 500

// Export writes the records of a conversation, or of what else the scope names, as JSON
// lines, each with the hash of the one before: see [tooltrack.WriteExport]. Keep the sum
// that it returns elsewhere.
func (s *Store) Export(ctx context.Context, to io.Writer, scope tooltrack.Scope) (sum string, err error) {
	return tooltrack.WriteExport(to, scope, func(yield func(*tooltrack.Record, error) bool) {
		query := tooltrack.Query{Scope: scope, Limit: exportPage}
		for {
			page, err := s.Records(ctx, query)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, record := range page {
				if query.After = record.Seq; !yield(record, nil) {
					return
				}
			}
			if len(page) < exportPage {
				return
			}
		}
	})
}
