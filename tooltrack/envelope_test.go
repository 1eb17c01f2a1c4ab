package tooltrack_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// What a body says about the call itself, in the words that tools use.
func TestWhatABodySaysOfItsCall(t *testing.T) {
	const silent = "the tool gave no reason"
	cases := []struct {
		name, body string
		status     tooltrack.Status
		reason     string
	}{
		{"in progress", `{"status":"in_progress","eta":20}`, tooltrack.Pending, silent},
		{"queued", `{"status":"queued","request_id":"r1","message":"third in line"}`, tooltrack.Pending, "third in line"},
		{"a finished job", `{"status":"completed","job_id":"j1"}`, tooltrack.Succeeded, ""},
		{"pending false", `{"pending":false}`, tooltrack.Succeeded, ""},
		{"MCP error without content", `{"isError":true,"content":[]}`, tooltrack.Failed, silent},
		{"MCP error with a part that has no text", `{"isError":true,"content":[{"type":"image"}]}`, tooltrack.Failed, `{"type":"image"}`},
		{"an error that is true", `{"error":true,"message":"quota exceeded"}`, tooltrack.Failed, "quota exceeded"},
		{"an error that is a number", `{"error":404}`, tooltrack.Failed, "404"},
		{"space around everything", "{ \"note\" : \"a \\\" b\" , \"items\" : [ 1 , { \"ok\" : false } ] , \"ok\" : false , \"error\" : \" gone \" }", tooltrack.Failed, "gone"},
		{"brackets inside strings", `{"a":"}","b":["]","{"],"ok":false}`, tooltrack.Failed, silent},
		{"a string that ends in a backslash", `{"path":"C:\\","ok":false}`, tooltrack.Failed, silent},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := tooltrack.ResultOf([]byte(c.body), nil)
			if result.Status != c.status || result.Error != c.reason {
				t.Errorf("%s is %v %q, want %v %q", c.body, result.Status, result.Error, c.status, c.reason)
			}
		})
	}
}

func TestLeadingWordOfAMessage(t *testing.T) {
	for content, want := range map[string]tooltrack.Status{
		"Error": tooltrack.Failed, "error_code 7": tooltrack.Failed, "Error7": tooltrack.Failed, "FAILED@once": tooltrack.Failed, "failed{}": tooltrack.Failed,
		"Errora": tooltrack.Succeeded, "ErrorZ": tooltrack.Succeeded, "failedz": tooltrack.Succeeded, "fail": tooltrack.Succeeded, "Erro": tooltrack.Succeeded,
	} {
		if got := tooltrack.ParseResult(content, nil).Status; got != want {
			t.Errorf("%q is %v, want %v", content, got, want)
		}
	}
}
