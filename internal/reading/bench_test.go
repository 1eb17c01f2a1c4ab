package reading

import (
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

const report = "I've moved the viewing of Flat 12 to Friday, 14 March, at 15:30 and told Ms Okafor by mail. " +
	"The deposit of €1,250.00 has not arrived yet, so the contract TX-5519 stays a draft until it has.\n\n" +
	"- Keys: handed over\n- Meter readings: 4,211 kWh\n- Open: two lamps in the hall\n"

// BenchmarkRead reads a report of 2,000 characters; BenchmarkTokens only cuts it
// into words, which is the least that a reading costs.
func BenchmarkRead(b *testing.B) {
	text := strings.Repeat(report, 8)[:2000]
	into, reader := &Text{}, English()
	for b.Loop() {
		reader.Read(into, text)
	}
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat(report, 8)[:2000]
	var into []lexicon.Token
	for b.Loop() {
		into = lexicon.English().Tokenize(into[:0], text)
	}
}
