package jsonspan_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

var benchTexts = []struct{ name, text string }{
	{"flat", `{"id":"8c2f-7","status":"done"}`},
	{"unsorted", `{"to":"bob@example.org","subject":"Minutes","body":"Here are the minutes of today's meeting.","amount":100.0}`},
	{"nested", `{"query": "history of the suez canal", "max_results": 50, "sites": ["en.wikipedia.org", {"b": 1, "a": 2}], "freshness": "year"}`},
}

func BenchmarkAppendCanonical(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			text, room := []byte(c.text), make([]byte, 0, 256)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, fault := jsonspan.AppendCanonical(room, text); fault != nil {
					b.Fatal(fault)
				}
			}
		})
	}
}

// BenchmarkDecodeEncode is the textbook way, which neither sees duplicate keys
// nor knows that 100.0 is 100.
func BenchmarkDecodeEncode(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			text := []byte(c.text)
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				decoder := json.NewDecoder(bytes.NewReader(text))
				decoder.UseNumber()
				var value any
				if err := decoder.Decode(&value); err != nil {
					b.Fatal(err)
				}
				if _, err := json.Marshal(value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
