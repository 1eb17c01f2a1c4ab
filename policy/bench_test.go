package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// The benchmarks compare what a host would write by hand. Ratios within one run
// are what counts; absolute times depend on the machine.

const plainArgs = `{"query": "history of the suez canal", "max_results": 10}`

// payloads are calls whose max_results has to be lowered, from a short one to
// one with a page of text beside it.
var payloads = []struct{ name, raw string }{
	{"short", `{"query": "history of the suez canal", "max_results": 50}`},
	{"typical", `{"query": "history of the suez canal and its effect on shipping rates since 1956", "max_results": 50, "language": "en", "region": "eu-west", "safe": true, "sites": ["en.wikipedia.org", "britannica.com"], "freshness": "year"}`},
	{"page", `{"query": "history of the suez canal", "max_results": 50, "context": "` + strings.Repeat("The canal shortened the way from Europe to India by weeks. ", 40) + `"}`},
}

func benchSet(tb testing.TB) *Set {
	tb.Helper()
	set, err := New([]tooltrack.Tool{{Name: "web_search"}, {Name: "web_access"}}, &Options{Rules: sampleRules(nil), Strict: true})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func benchReview(b *testing.B, raw string, want DecisionKind) {
	set := benchSet(b)
	request := Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "web_search", Args: json.RawMessage(raw)}, Now: clockAt("2026-03-01")}
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		decision, err := set.Review(context.Background(), request)
		if err != nil || decision.Kind != want {
			b.Fatal(decision, err)
		}
	}
}

func BenchmarkReviewApprove(b *testing.B) { benchReview(b, plainArgs, Approve) }

func BenchmarkReviewRewrite(b *testing.B) {
	for _, payload := range payloads {
		b.Run(payload.name, func(b *testing.B) { benchReview(b, payload.raw, Rewrite) })
	}
}

// Arguments that were decoded before: the cost of the rules alone.
func BenchmarkReviewDecoded(b *testing.B) {
	set := benchSet(b)
	args, err := Decode([]byte(plainArgs))
	if err != nil {
		b.Fatal(err)
	}
	request := Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "web_search"}, Args: args, Now: clockAt("2026-03-01")}
	b.ReportAllocs()
	for b.Loop() {
		decision, err := set.Review(context.Background(), request)
		if err != nil || decision.Kind != Approve {
			b.Fatal(decision, err)
		}
	}
}

func BenchmarkJSONValid(b *testing.B) {
	for _, payload := range payloads {
		b.Run(payload.name, func(b *testing.B) {
			raw := []byte(payload.raw)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if !json.Valid(raw) {
					b.Fatal("invalid")
				}
			}
		})
	}
}

// The textbook way: decode into a map, check, change, encode. It does not see
// duplicate keys, surrogates or trailing text.
func BenchmarkDecodeCheckEncode(b *testing.B) {
	for _, payload := range payloads {
		b.Run(payload.name, func(b *testing.B) {
			raw := []byte(payload.raw)
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := decodeCheckEncode(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func decodeCheckEncode(raw []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var args map[string]any
	if err := decoder.Decode(&args); err != nil {
		return nil, err
	}
	query, ok := args["query"].(string)
	if n := utf8.RuneCountInString(strings.TrimSpace(query)); !ok || n < 2 || n > 500 {
		return nil, errors.New("query")
	}
	results, ok := args["max_results"].(json.Number)
	if n, err := results.Int64(); !ok || err != nil || n < 1 {
		return nil, errors.New("max_results")
	} else if n > 20 {
		args["max_results"] = 20
	}
	return json.Marshal(args)
}

// One schema, judged argument by argument and as a whole: that is what an extra
// keyword asks for, which changes nothing.
func BenchmarkSchema(b *testing.B) {
	const properties = `"type":"object","properties":{"query":{"type":"string","minLength":2,"maxLength":500},"max_results":{"type":"integer","minimum":1,"maximum":20}},"required":["query"]`
	for _, c := range []struct{ name, schema string }{{"single", `{` + properties + `}`}, {"whole", `{` + properties + `,"minProperties":0}`}} {
		b.Run(c.name, func(b *testing.B) {
			set, err := New([]tooltrack.Tool{{Name: "web_search", Parameters: json.RawMessage(c.schema)}}, nil)
			if err != nil {
				b.Fatal(err)
			}
			request := Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "web_search", Args: json.RawMessage(plainArgs)}}
			b.ReportAllocs()
			for b.Loop() {
				if decision, err := set.Review(context.Background(), request); err != nil || decision.Kind != Approve {
					b.Fatal(decision, err)
				}
			}
		})
	}
}

func BenchmarkURL(b *testing.B) {
	web := NewWeb(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := web.Check("https://en.wikipedia.org/wiki/Suez_Canal?x=1"); err != nil {
			b.Fatal(err)
		}
	}
}

// A sentence of an account, and an error that quotes a URL.
func BenchmarkHideSecrets(b *testing.B) {
	for name, text := range map[string]string{
		"plain":  "Deleted Read book. The call update_task failed: there is no task with that title; the nearest is Call mom.",
		"secret": `Post "https://api.example.com/v1/chat?alt=sse&key=abcdef": context deadline exceeded`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = HideSecrets(text)
			}
		})
	}
}
