package completion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// growths are pieces of text that, repeated, make a judgement look at many
// claims, names, lists, quotations, marks or letters at once.
var growths = []string{
	"I've sent it. ", "I've sent the mail to Bob. ", "Done! ", "- deleted item 7\n", "1. Read book\n", "| a | b |\n", "I have deleted \"Read book\". ",
	"The order 551 was cancelled, ", "and then ", "because ", "I will send it. ", "Shall I send it? ", "I could not send it. ", "not ", "never ",
	"a", "word ", "123 ", "12.50 EUR ", "2026-06-12 ", "at 9 pm ", "bob@example.org ", "BK-5590 ", "https://example.org/a ", "(", "\"", "'", "`", "```\n",
	"**bold** ", "# Title\n", "> quoted\n", "{\"a\":1}", "[", "\\", "é", "買い物 ", "👍", "\u200b", "\n", "I've moved 3 of 7 files and deleted job-1, job-2 and job-3. ",
}

// hostileCase is a turn whose text is a piece, again and again.
func hostileCase(piece string, size int, records ...*tooltrack.Record) Case {
	return Case{User: "send it", Text: strings.Repeat(piece, size/len(piece)), Tools: []tooltrack.Tool{{Name: "send_mail", Effect: tooltrack.Changes}}, Records: records}
}

func mailRecords() []*tooltrack.Record {
	records := make([]*tooltrack.Record, 20)
	for i := range records {
		records[i] = &tooltrack.Record{Call: tooltrack.Call{Tool: "send_mail", Args: []byte(fmt.Sprintf(`{"to":"user%d@example.org"}`, i))}, Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
	}
	return records
}

// TestHostileTextsAreJudged: whatever a text is made of, a megabyte of it is judged.
func TestHostileTextsAreJudged(t *testing.T) {
	evaluator, records := New(nil), mailRecords()
	for _, piece := range growths {
		evaluator.Evaluate(hostileCase(piece, 32<<10, records...))
	}
	if verdict := evaluator.Evaluate(hostileCase("I've sent the mail to Bob. ", 1<<20)); len(verdict.Claims) == 0 {
		t.Error("a megabyte of lies holds no claim")
	}
}

// BenchmarkGrowth: four times the text takes about four times as long, whatever it is
// made of.
func BenchmarkGrowth(b *testing.B) {
	evaluator, records := New(nil), mailRecords()
	judge := func(turn Case) func() { return func() { evaluator.Evaluate(turn) } }
	for _, piece := range growths {
		b.Run(fmt.Sprintf("%.20q", piece), func(b *testing.B) {
			benchbound.Ratio(b, 10, judge(hostileCase(piece, 128<<10, records...)), judge(hostileCase(piece, 32<<10, records...)))
		})
	}
	const lie = "I've sent the mail to Bob. "
	b.Run("mere lies", func(b *testing.B) {
		benchbound.Ratio(b, 4, judge(hostileCase(lie, 1<<20)), judge(hostileCase(lie, 1<<20, records...)))
	})
}
