package chatwire_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

func delta(inner string) string { return `{"index":0,"delta":{` + inner + `}}` }

func fragment(inner string) string { return delta(`"tool_calls":[{` + inner + `}]`) }

const finished = `{"index":0,"delta":{},"finish_reason":"tool_calls"}`

func TestAssembler(t *testing.T) {
	begin := func(place, name, arguments string) string {
		return fragment(fmt.Sprintf(`%s"function":{"name":%q,"arguments":%q}`, place, name, arguments))
	}
	more := func(place, arguments string) string {
		return fragment(fmt.Sprintf(`%s"function":{"arguments":%q}`, place, arguments))
	}
	cases := []struct {
		name   string
		chunks []string
		want   string
	}{
		{"text", []string{delta(`"role":"assistant","content":""`), delta(`"content":"Hel"`), delta(`"content":"lo"`), finished}, `"Hello"`},
		{"one call in pieces", []string{begin(`"index":0,"id":"a",`, "del", `{"id":`), more(`"index":0,`, `"1"}`), finished}, `del{"id":"1"}`},
		{"two calls, interleaved", []string{begin(`"index":0,"id":"a",`, "del", `{`), begin(`"index":1,"id":"b",`, "add", `[`), more(`"index":0,`, `}`), more(`"index":1,`, `]`), finished}, `del{} add[]`},
		{"the order is that of the indexes", []string{begin(`"index":1,"id":"b",`, "second", `{}`), begin(`"index":0,"id":"a",`, "first", `{}`), finished}, `first{} second{}`},
		{"by id, without indexes", []string{begin(`"id":"a",`, "del", `{`), begin(`"id":"b",`, "add", `{}`), more(`"id":"a",`, `}`), finished}, `del{} add{}`},
		{"one index, two ids", []string{begin(`"index":0,"id":"a",`, "del", `{}`), begin(`"index":0,"id":"b",`, "add", `{}`), finished}, `del{} add{}`},
		{"a piece of one index with two ids", []string{begin(`"index":0,"id":"a",`, "del", `{`), begin(`"index":0,"id":"b",`, "add", `{`), more(`"index":0,`, `}`), finished}, `!del{ !add{`},
		{"a bare piece belongs to the only call", []string{begin(`"id":"a",`, "del", `{`), more(``, `}`), finished}, `del{}`},
		{"a bare piece beside two calls", []string{begin(`"id":"a",`, "del", `{`), begin(`"id":"b",`, "add", `{}`), more(``, `}`), finished}, `!del{ !add{}`},
		{"whole calls without index and id", []string{begin(``, "del", `{}`), begin(``, "add", `{}`), finished}, `del{} add{}`},
		{"the name and the id come again", []string{begin(`"index":0,"id":"a",`, "del", `{`), begin(`"index":0,"id":"a",`, "del", `}`), finished}, `del{}`},
		{"empty ids and names in later pieces", []string{begin(`"index":0,"id":"a",`, "del", `{`), begin(`"index":0,"id":"",`, "", `}`), finished}, `del{}`},
		{"a name in pieces", []string{begin(`"index":0,"id":"a",`, "de", ``), begin(`"index":0,`, "l", ``), more(`"index":0,`, `{}`), finished}, `del{}`},
		{"the name comes last", []string{fragment(`"index":0,"id":"a","function":{"arguments":"{"}`), begin(`"index":0,`, "del", `}`), finished}, `del{}`},
		{"the name changes", []string{begin(`"index":0,"id":"a",`, "del", `{}`), begin(`"index":0,`, "add", ``), finished}, `!del{}`},
		{"two calls glued under one index", []string{begin(`"index":0,`, "del", `{"id":"1"}`), begin(`"index":0,`, "del", `{"id":"2"}`), finished}, `del{"id":"1"}{"id":"2"}`},
		{"indexes with gaps", []string{begin(`"index":7,"id":"b",`, "b", `{}`), begin(`"index":3,"id":"a",`, "a", `{}`), finished}, `a{} b{}`},
		{"a huge index", []string{begin(`"index":2000000000,"id":"b",`, "b", `{}`), finished}, `b{}`},
		{"an index that is none", []string{begin(`"index":"x","id":"b",`, "b", `{}`), finished}, `!b{}`},
		{"a negative index", []string{begin(`"index":-1,"id":"b",`, "b", `{}`), finished}, `!b{}`},
		{"the halves of a character in two pieces", []string{begin(`"index":0,"id":"a",`, "del", `{"id":"`), fragment(`"index":0,"function":{"arguments":"\ud83d"}`), fragment(`"index":0,"function":{"arguments":"\ude00\"}"}`), finished}, `del{"id":"😀"}`},
		{"another choice", []string{begin(`"index":0,"id":"a",`, "del", `{`), `{"index":1,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]}}`, more(`"index":0,`, `}`), finished}, `del{}`},
		{"the older function_call", []string{delta(`"function_call":{"name":"del","arguments":"{"}`), delta(`"function_call":{"arguments":"}"}`), finished}, `del{}`},
		{"the whole message at once", []string{`{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}`}, `"Hi"`},
		{"no end", []string{begin(`"index":0,"id":"a",`, "del", `{}`)}, `del{} cut`},
		{"cut", []string{begin(`"index":0,"id":"a",`, "del", `{"i`), `{"index":0,"delta":{},"finish_reason":"length"}`}, `del{"i cut`},
		{"refused", []string{delta(`"refusal":"I can't "`), delta(`"refusal":"do that."`), `{"index":0,"delta":{},"finish_reason":"stop"}`}, `refused`},
		{"a null delta", []string{`{"index":0,"delta":null}`, delta(`"content":"Hi"`), finished}, `"Hi"`},
		{"no chunk", nil, `error`},
		{"a chunk that is no JSON", []string{delta(`"content":"Hi"`), `{"index":0,"del`, finished}, `error`},
		{"an error in the middle", []string{begin(`"index":0,"id":"a",`, "del", `{}`), `{"error":{"message":"gone"}}`, finished}, `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			chunks := chatwire.ChatCompletions.Assemble()
			for _, chunk := range c.chunks {
				_, _ = chunks.Add([]byte(`{"object":"chat.completion.chunk","choices":[` + chunk + `]}`))
			}
			if got := summary(chunks.Response()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReadStream(t *testing.T) {
	chunk := func(choice string) string { return `{"choices":[` + choice + `]}` }
	cases := []struct{ name, stream, want string }{
		{"events", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\ndata: " + chunk(finished) + "\n\ndata: [DONE]\n\n", `"Hi"`},
		{"the marker stands for a finish reason", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\ndata: [DONE]\n\n", `"Hi"`},
		{"comments and other fields", ": wait\n\nevent: message\nid: 1\ndata: " + chunk(delta(`"content":"Hi"`)) + "\nretry: 1\n\n: wait\n\ndata:[DONE]\n", `"Hi"`},
		{"CRLF", "data: " + chunk(delta(`"content":"Hi"`)) + "\r\n\r\ndata: [DONE]\r\n\r\n", `"Hi"`},
		{"CR", "data: " + chunk(delta(`"content":"Hi"`)) + "\r\rdata: [DONE]\r\r", `"Hi"`},
		{"data in two lines", "data: {\"choices\":[\ndata: " + delta(`"content":"Hi"`) + "]}\n\ndata: [DONE]\n\n", `"Hi"`},
		{"usage at the end", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\ndata: [DONE]\n\n", `"Hi"`},
		{"no last empty line", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\ndata: [DONE]", `"Hi"`},
		{"broken off", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\n", `"Hi" cut`},
		{"broken off in an event", "data: " + chunk(delta(`"content":"Hi"`)) + "\n\ndata: {\"cho", `error`},
		{"a page instead", "<html></html>", `error`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := summary(chatwire.ChatCompletions.ReadStream(strings.NewReader(c.stream), nil)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			bytewise := iotest.OneByteReader(strings.NewReader(c.stream))
			if got := summary(chatwire.ChatCompletions.ReadStream(bytewise, nil)); got != c.want {
				t.Errorf("byte by byte: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReadStreamTellsTextAsItArrives(t *testing.T) {
	var said []string
	stream := "data: {\"choices\":[" + delta(`"content":"One "`) + "]}\n\ndata: {\"choices\":[" + delta(`"content":"two"`) + "]}\n\ndata: [DONE]\n\n"
	_, err := chatwire.ChatCompletions.ReadStream(strings.NewReader(stream), func(text string) bool { said = append(said, text); return true })
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(said, "|") != "One |two" {
		t.Errorf("said %q", said)
	}
}

func TestABrokenConnectionIsAnError(t *testing.T) {
	reader := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("data: {}\n\n")))
	if _, err := chatwire.ChatCompletions.ReadStream(reader, nil); err == nil {
		t.Error("a broken stream has an answer")
	}
}
