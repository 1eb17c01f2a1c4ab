package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
)

// fuzzFormat holds a reader against anything: it may refuse, but what it reads
// must be whole.
func fuzzFormat(f *testing.F, format Format, fixtures string) {
	f.Helper()
	files, err := filepath.Glob("../testdata/formats/" + fixtures)
	if err != nil || len(files) == 0 {
		f.Fatalf("no fixtures %s: %v", fixtures, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		for _, line := range bytes.Split(data, []byte("\n"))[:1] {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var taken []Part
		for i, line := range bytes.Split(data, []byte("\n")) {
			v := &Value{Line: i + 1, Data: line}
			if parts, ok := format.Take(v); ok {
				taken = append(taken, parts...)
			}
			if owner, _ := Recognise(v); owner == nil && (Shape(v) == "" || Hint(v) == "") {
				t.Errorf("nothing is said about %q", line)
			}
			// What another format would take, or nobody, must do no harm either.
			for _, key := range []string{"", Loose, "trace 1"} {
				whole(t, format, []Part{{Key: key, Line: 1, Data: line}})
			}
		}
		if len(taken) > 0 {
			whole(t, format, taken)
		}
	})
}

// whole checks what came of parts.
func whole(t *testing.T, format Format, parts []Part) {
	t.Helper()
	found, err := format.Read(parts)
	if err != nil {
		return
	}
	for _, c := range found {
		if c.Format == "" || c.Line == 0 {
			t.Errorf("format %q, line %d", c.Format, c.Line)
		}
		for i, message := range c.Messages {
			for _, call := range message.Calls {
				if call.ID == "" || message.Role != guard.RoleAssistant {
					t.Errorf("message %d of %s makes the call %+v", i, message.Role, call)
				}
			}
		}
		for i := range c.Unseen {
			if i < 0 || i >= len(c.Messages) {
				t.Errorf("unseen is message %d of %d", i, len(c.Messages))
			}
		}
		for _, tool := range c.Tools {
			if err := tool.Validate(); err != nil {
				t.Errorf("a tool that is none: %v", err)
			}
		}
	}
}

func FuzzChat(f *testing.F)       { fuzzFormat(f, chat, "chat-*") }
func FuzzAnthropic(f *testing.F)  { fuzzFormat(f, anthropic, "anthropic-*") }
func FuzzResponses(f *testing.F)  { fuzzFormat(f, responses, "responses-*") }
func FuzzGemini(f *testing.F)     { fuzzFormat(f, gemini, "gemini-*") }
func FuzzLangChain(f *testing.F)  { fuzzFormat(f, langchain, "langchain-*") }
func FuzzOTLP(f *testing.F)       { fuzzFormat(f, otlp{}, "open*-*") }
func FuzzClaudeCode(f *testing.F) { fuzzFormat(f, claudeCode{}, "claude_code-*") }
func FuzzCodex(f *testing.F)      { fuzzFormat(f, codex{}, "codex-*") }

func TestEveryFormatHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, format := range all {
		name := format.Name()
		if seen[name] || strings.TrimSpace(name) == "" {
			t.Errorf("%q", name)
		}
		seen[name] = true
	}
}
