package completion

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// quiet is about 300 characters without a claim.
const quiet = "I can help you with that. There are two tasks with a similar name on your list, so I need to know which one you mean: " +
	"the one for Friday, or the one without a date? Please let me know, and I will take care of it right away. " +
	"If you would rather keep both of them, that is fine with me, too."

// report is about 2,000 characters with several claims, all backed.
var report = strings.Repeat("The shipping address of the order has been updated. "+quiet+"\n\n- **Name**: Call Anna\n- **Due**: Friday\n\n", 5)

func benchTools() []tooltrack.Tool {
	return append(assistant[:len(assistant):len(assistant)], tooltrack.Tool{Name: "update_shipping_address", Effect: tooltrack.Changes})
}

func benchRecords(n int) []*tooltrack.Record {
	var made []*tooltrack.Record
	for i := range n {
		spec := fmt.Sprintf(`list_tasks succeeded {"page":%d}`, i)
		if i%4 == 3 {
			spec = fmt.Sprintf(`update_shipping_address succeeded {"order_id":"W%d","street":"12 High Street"}`, 1000000+i)
		}
		made = append(made, record(spec, benchTools()))
	}
	return made
}

func BenchmarkQuiet300(b *testing.B) {
	evaluator := New(nil)
	turn := Case{User: deleteMilk, Text: quiet, Tools: benchTools()}
	b.ReportAllocs()
	for b.Loop() {
		evaluator.Evaluate(turn)
	}
}

// listedTurn is a text that presents nothing, behind a call that returned a long
// list.
func listedTurn() Case {
	listing := record("list_tasks succeeded {}", benchTools())
	listing.Result.Data = json.RawMessage("[" + strings.Repeat(`{"title":"Call Anna","due":"Friday"},`, 200) + `{"title":"Buy milk"}]`)
	return Case{User: deleteMilk, Text: quiet, Tools: benchTools(), Records: []*tooltrack.Record{listing}}
}

func BenchmarkQuietBesideList(b *testing.B) {
	evaluator := New(nil)
	turn := listedTurn()
	b.ReportAllocs()
	for b.Loop() {
		evaluator.Evaluate(turn)
	}
}

func BenchmarkReport2000(b *testing.B) {
	evaluator := New(nil)
	turn := Case{User: "Please update the shipping address.", Text: report, Tools: benchTools(), Records: benchRecords(20)}
	b.ReportAllocs()
	for b.Loop() {
		evaluator.Evaluate(turn)
	}
}

func BenchmarkLong100k(b *testing.B) {
	evaluator := New(nil)
	turn := Case{User: "Please update the shipping address.", Text: strings.Repeat(report, 100_000/len(report)), Tools: benchTools(), Records: benchRecords(20)}
	b.SetBytes(int64(len(turn.Text)))
	for b.Loop() {
		evaluator.Evaluate(turn)
	}
}

// patterns is the same reading as regular expressions, as they are usually
// written: one per pattern of claims, blockers, promises and leaks, over the
// verbs that the evaluator knows.
var patterns = func() []*regexp.Regexp {
	var forms []string
	for _, entry := range lexicon.English().Entries() {
		if !entry.Families.Empty() && entry.Form.Has(lexicon.Past|lexicon.Participle) {
			forms = append(forms, regexp.QuoteMeta(entry.Word))
		}
	}
	verbs := "(" + strings.Join(forms, "|") + ")"
	var made []*regexp.Regexp
	for _, pattern := range []string{
		`(?i)\bI(?:'ve| have)(?: \w+ly| now| just| also)* ` + verbs + `\b`,
		`(?i)\bI(?: just| also)? ` + verbs + `\b`,
		`(?i)\b(?:has|have) (?:\w+ )?been (?:\w+ )?` + verbs + `\b`,
		`(?i)\b(?:was|were) (?:\w+ly )?` + verbs + `\b`,
		`(?i)\b(?:is|are) now (?:\w+ )?` + verbs + `\b`,
		`(?im)^\W*(?:done|all set|success\w*|deleted|created|added)\b`,
		`(?i)\bI(?:'ve| have)? (?:searched|looked up|checked|found|retrieved|reviewed)\b`,
		`(?i)\b(?:error|failed|timed out|exception)\b`,
		`(?i)\b(?:cannot|can't|unable|couldn't|not able|not allowed|not possible)\b`,
		`(?i)\bplease (?:provide|confirm|let|share|tell|specify)\b`,
		`(?i)\b(?:I'll|I will|let me|I'm going to) (?:now )?\w+\b`,
		`(?i)<tool_call>|<invoke|<function|\[TOOL_CALLS\]|"function_call"|"tool_calls"`,
		"(?s)```(?:json|tool_code)?\\s*\\{.*?\"(?:name|tool|action)\"",
	} {
		made = append(made, regexp.MustCompile(pattern))
	}
	return made
}()

func BenchmarkQuiet300Regexp(b *testing.B) {
	for b.Loop() {
		for _, pattern := range patterns {
			pattern.FindAllStringIndex(quiet, -1)
		}
	}
}

func BenchmarkReport2000Regexp(b *testing.B) {
	for b.Loop() {
		for _, pattern := range patterns {
			pattern.FindAllStringIndex(report, -1)
		}
	}
}
