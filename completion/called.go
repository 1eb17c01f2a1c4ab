package completion

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// Called requires a successful call of a tool in this turn; with values, one for
// each of them, as an argument or a part of one: "was it sent to both?".
func Called(tool string, values ...string) Requirement {
	return RequirementFunc(func(turn Case, _ Blocker) string {
		if len(values) == 0 && !succeeded(turn.Records, tool) {
			return "a call of " + tool
		}
		return lacking("a call of "+tool+" for %s", values, turn.Records, func(record *tooltrack.Record) bool {
			return record.Tool == tool
		})
	})
}

// Covers requires that each member of a set was read as a whole by a tool, in
// this turn or an earlier one: "reviewed all 12 files" needs twelve reads. A
// result that says it was truncated is a part only.
func Covers(tool string, set ...string) Requirement {
	return RequirementFunc(func(turn Case, _ Blocker) string {
		records := append(append([]*tooltrack.Record{}, turn.Earlier...), turn.Records...)
		return lacking("a whole read of %s", set, records, func(record *tooltrack.Record) bool {
			return record.Tool == tool && !truncated(record)
		})
	})
}

// lacking names the values for which no successful record fits.
func lacking(format string, values []string, records []*tooltrack.Record, fits func(*tooltrack.Record) bool) string {
	var missing []string
	for _, value := range values {
		found := false
		for _, record := range records {
			found = found || record != nil && record.Proves() && fits(record) && holdsArgument(record.Args, value)
		}
		if !found {
			missing = append(missing, fmt.Sprintf(format, value))
		}
	}
	return strings.Join(missing, ", ")
}

// holdsArgument reports whether a value is one of the arguments, at any depth.
func holdsArgument(args json.RawMessage, value string) bool {
	var decoded any
	if json.Unmarshal(args, &decoded) != nil {
		return false
	}
	var holds func(any) bool
	holds = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			for _, member := range v {
				if holds(member) {
					return true
				}
			}
		case []any:
			for _, element := range v {
				if holds(element) {
					return true
				}
			}
		case string:
			return strings.EqualFold(v, value)
		default:
			return fmt.Sprint(v) == value
		}
		return false
	}
	return holds(decoded)
}

// truncated reports whether a result says that it is not all there is.
func truncated(record *tooltrack.Record) bool {
	var body struct {
		Truncated bool `json:"truncated"`
		HasMore   bool `json:"has_more"`
	}
	_ = json.Unmarshal(record.Result.Data, &body) // what is no object says nothing
	text := record.Result.Text()
	return body.Truncated || body.HasMore || strings.Contains(text, "[truncated]") || strings.Contains(text, "(truncated)")
}
