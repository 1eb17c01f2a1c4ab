package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestAuditLog(t *testing.T) {
	rules := sampleRules(nil)
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	set := mustSet(t, sampleTools(), &Options{Rules: rules, Logger: logger, Modes: []Mode{{Name: "m"}}})
	cases := []struct {
		name, tool, raw, mode string
		want                  string
	}{
		{"approvals are silent", "web_search", `{"query":"cats"}`, "", ""},
		{"rewrite", "web_search", `{"query":"cats","max_results":50,"api_key":"hunter2"}`, "",
			`{"level":"INFO","msg":"tool call rewritten","tool":"web_search","call":"c1","owner":"ada","rule":"cap","reason":"max_results was 50 and was lowered to 20","arguments":"{\"api_key\":\"[redacted]\",\"max_results\":20,\"query\":\"cats\"}","original":"{\"query\":\"cats\",\"max_results\":50,\"api_key\":\"[redacted]\"}"}`},
		{"denial", "memory_write", `{"content":"my password=hunter2","namespace":"x"}`, "",
			`{"level":"WARN","msg":"tool call denied","tool":"memory_write","call":"c1","owner":"ada","rule":"one_of","reason":"namespace is \"x\"; use one of default, personal, research, notes_journal","arguments":"{\"content\":\"my password=[redacted]\",\"namespace\":\"x\"}"}`},
		{"bytes that are no arguments", "web_search", `{"password":"hunter2"`, "",
			`{"level":"WARN","msg":"tool call denied","tool":"web_search","call":"c1","owner":"ada","rule":"json","reason":"the arguments break off; send the whole JSON object","arguments":"[21 bytes that are no valid arguments]"}`},
		{"could not decide", "web_search", `{}`, "typo",
			`{"level":"ERROR","msg":"tool call could not be judged","tool":"web_search","call":"c1","owner":"ada","error":"mode \"typo\" is not among the modes; use one of m"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out.Reset()
			_, _ = set.Review(context.Background(), Proposal{Owner: "ada", Mode: c.mode, Call: tooltrack.Call{ID: "c1", Tool: c.tool, Args: json.RawMessage(c.raw)}})
			if got := strings.TrimSpace(out.String()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestRedact(t *testing.T) {
	long := strings.Repeat("日", 100)
	cases := []struct{ name, in, want string }{
		{"plain", ` { "a" : [1, "x", null, {"b": true}] } `, `{"a":[1,"x",null,{"b":true}]}`},
		{"secret names", `{"password":"p","apiKey":"k","X-Auth-Token":"t","db_password":{"a":1},"client.secret":["x"]}`, `{"password":"[redacted]","apiKey":"[redacted]","X-Auth-Token":"[redacted]","db_password":"[redacted]","client.secret":"[redacted]"}`},
		{"no secrets", `{"max_tokens":5,"keyboard":"x","pinned":true,"secretary":"Ann"}`, `{"max_tokens":5,"keyboard":"x","pinned":true,"secretary":"Ann"}`},
		{"nested secret", `{"a":{"token":"t"}}`, `{"a":{"token":"[redacted]"}}`},
		{"long value", `{"a":"` + long + `"}`, `{"a":"` + strings.Repeat("日", shownRunes) + `… (100 characters)"}`},
		{"URL with credentials", `{"url":"https://user:pw@example.com/?token=abc&x=1"}`, `{"url":"https://[redacted]example.com/?token=[redacted]&x=1"}`},
		{"bearer token", `{"h":"Authorization: Bearer abcdef1234567890"}`, `{"h":"Authorization: Bearer [redacted]"}`},
		{"well-known keys", `{"a":"key sk-abcdefghijklmnop and AKIAABCDEFGHIJKLMNOP"}`, `{"a":"key [redacted] and [redacted]"}`},
		{"web token", `{"a":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"}`, `{"a":"[redacted]"}`},
		{"private key", `{"a":"-----BEGIN RSA PRIVATE KEY-----\nMIIE"}`, `{"a":"[redacted]"}`},
		{"blank", ` `, ``},
		{"no JSON", `password=hunter2`, `[16 bytes that are no valid arguments]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := LoggableArgs([]byte(c.in)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	big := `{"a":[` + strings.Repeat(`"xxxxxxxxxx",`, 50_000) + `1]}`
	if got := LoggableArgs([]byte(big)); len(got) > 1<<15 {
		t.Errorf("a large call makes a log line of %d bytes", len(got))
	}
}
