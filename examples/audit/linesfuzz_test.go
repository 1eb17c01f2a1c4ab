package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzLines feeds any bytes to every subcommand that answers line by line. Each
// line that is not blank gets one answer at most, and the answers are JSON.
func FuzzLines(f *testing.F) {
	for _, line := range []string{
		`{"id":"1","tool":"web_search","raw_arguments":"{\"query\":\"go\"}"}`,
		`{"id":"1","url":"http://127.0.0.1/","needs":"static"}`,
		`{"id":"1","mode":"message","level":"choice","raw":"{}"}`,
		`{"id":"1","titles":["a","b"],"reference":"a"}`,
		`{"id":"1","tools":[{"name":"x","effect":"reads"}],"user":"hello","text":"Hello!"}`,
		"{\"id\":\"1\",\n\n}",
	} {
		f.Add([]byte(line))
	}
	starts := map[string]func([]string) (answerer, error){
		"args": bare(startArgs), "urls": bare(startURLs), "calls": bare(startCalls), "resolve": bare(startResolve), "turns": bare(startTurns), "intent": startIntent,
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for name, start := range starts {
			answer, err := start(nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := answerLines(bytes.NewReader(input), &out, answer); err != nil {
				t.Fatal(err)
			}
			answers := strings.Count(out.String(), "\n")
			if lines := bytes.Count(input, []byte("\n")) + 1; answers > lines {
				t.Errorf("%s: %d answers to %d lines", name, answers, lines)
			}
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) || strings.Contains(line, `"error":"panic`) {
					t.Errorf("%s answers %s", name, line)
				}
			}
		}
	})
}
