package main

import (
	"bytes"
	"strings"
	"testing"
)

func answersOf(t *testing.T, subcommand, in string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run([]string{subcommand}, strings.NewReader(in), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestArgs(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"approved as sent", `{"id":"a","tool":"web_search","raw_arguments":"{\"query\": \"tides\"}"}`, `{"id":"a","decision":"approve","arguments":{"query":"tides"},"reason":""}`},
		{"rewritten", `{"id":"a","tool":"web_search","raw_arguments":"{\"query\":\"tides\",\"max_results\":40}"}`, `{"id":"a","decision":"rewrite","arguments":{"max_results":20,"query":"tides"},"reason":"max_results was 40 and was lowered to 20"}`},
		{"rejected", `{"id":"a","tool":"web_search","raw_arguments":"{}"}`, `{"id":"a","decision":"reject","reason":"query is missing; send it as a string"}`},
		{"bytes that are no text", `{"id":"a","tool":"web_search","raw_arguments_b64":"eyJxdWVyeSI6Iv8ifQ=="}`, `{"id":"a","decision":"reject","reason":"the arguments are not valid UTF-8; send UTF-8 text"}`},
		{"half a surrogate pair in the line", `{"id":"a","tool":"web_search","raw_arguments":"{\"query\":\"cats\ud800\"}"}`, `{"id":"a","decision":"reject","reason":"the arguments are not valid UTF-8; send UTF-8 text"}`},
		{"a replacement character that was sent", `{"id":"a","tool":"web_search","raw_arguments":"{\"query\":\"caf\ufffd\"}"}`, `{"id":"a","decision":"approve","arguments":{"query":"caf�"},"reason":""}`},
		{"own namespaces", `{"id":"a","tool":"memory_write","raw_arguments":"{\"content\":\"x\",\"namespace\":\"diary\"}","config":{"memory_namespaces":["diary"]}}`, `{"id":"a","decision":"approve","arguments":{"content":"x","namespace":"diary"},"reason":""}`},
		{"no namespace at all", `{"id":"a","tool":"memory_write","raw_arguments":"{\"content\":\"x\"}"}`, `{"id":"a","decision":"reject","reason":"namespace is missing; send it as a string"}`},
		{"namespace null", `{"id":"a","tool":"memory_write","raw_arguments":"{\"content\":\"x\",\"namespace\":null}"}`, `{"id":"a","decision":"reject","reason":"namespace is missing; send it as a string"}`},
		{"a list without namespaces", `{"id":"a","tool":"memory_write","raw_arguments":"{\"content\":\"x\",\"namespace\":\"default\"}","config":{"memory_namespaces":[]}}`, `{"id":"a","decision":"reject","reason":"namespace \"default\" is not one you may write to"}`},
		{"somebody else's memory", `{"id":"a","tool":"memory_query","raw_arguments":"{\"query\":\"x\",\"ownerId\":\"eve\"}"}`, `{"id":"a","decision":"reject","reason":"\"ownerId\" may not be chosen by the caller; leave it out"}`},
		{"own clock", `{"id":"a","tool":"create_task","raw_arguments":"{\"title\":\"x\",\"due_date\":\"tomorrow\"}","config":{"now":"2026-02-08T12:00:00Z"}}`, `{"id":"a","decision":"rewrite","arguments":{"due_date":"2026-02-09","title":"x"},"reason":"due_date was \"tomorrow\" and means Monday, 2026-02-09"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := answersOf(t, "args", c.in); got[0] != c.want {
				t.Errorf("got  %s\nwant %s", got[0], c.want)
			}
		})
	}
}

func TestURLs(t *testing.T) {
	cases := []struct {
		name, in string
		allowed  bool
	}{
		{"public", `{"id":"a","url":"https://example.com/","needs":"static"}`, true},
		{"loopback", `{"id":"a","url":"http://127.0.0.1/","needs":"static"}`, false},
		{"public answer", `{"id":"a","url":"http://a.example.com/","needs":"resolve","dns":{"a.example.com":[["93.184.215.14"]]}}`, true},
		{"mixed answers", `{"id":"a","url":"http://a.example.com/","needs":"resolve","dns":{"a.example.com":[["93.184.215.14","10.0.0.1"]]}}`, false},
		{"rebinding", `{"id":"a","url":"http://a.example.com/","needs":"resolve","dns":{"a.example.com":[["93.184.215.14"],["127.0.0.1"]]}}`, false},
		{"no answer", `{"id":"a","url":"http://a.example.com/","needs":"resolve","dns":{"a.example.com":[[]]}}`, false},
		{"unknown host", `{"id":"a","url":"http://a.example.com/","needs":"resolve"}`, false},
		{"international host", `{"id":"a","url":"http://bücher.example/","needs":"resolve","dns":{"xn--bcher-kva.example":[["93.184.215.14"]]}}`, true},
		{"redirects to public hosts", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["/login","https://b.example.com/x"]}`, true},
		{"redirect to loopback", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["https://b.example.com/","http://127.0.0.1/"]}`, false},
		{"redirect without a scheme", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["//localhost/"]}`, false},
		{"redirect to a file", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["file:///etc/passwd"]}`, false},
		{"redirect to an escaped host", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["http://%6cocalhost/"]}`, false},
		{"redirect to a host that resolves inside", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["https://b.example.com/"],"dns":{"b.example.com":[["10.0.0.1"]]}}`, false},
		{"ten redirects", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["/1","/2","/3","/4","/5","/6","/7","/8","/9","/10"]}`, true},
		{"eleven redirects", `{"id":"a","url":"https://a.example.com/","needs":"redirect","redirects":["/1","/2","/3","/4","/5","/6","/7","/8","/9","/10","/11"]}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := `{"id":"a","allowed":false,`
			if c.allowed {
				want = `{"id":"a","allowed":true,`
			}
			if got := answersOf(t, "urls", c.in); !strings.HasPrefix(got[0], want) {
				t.Errorf("got %s, want %s", got[0], want)
			}
		})
	}
}
