package simmodel_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

const lampSchema = `{"type":"object","properties":{"state":{"type":"string"}}}`

// TestFormats: the same conversation in every format, whole and streamed, gets the
// same answers, as chatwire reads them.
func TestFormats(t *testing.T) {
	server := start(t, func(_ context.Context, request simmodel.Request) simmodel.Answer {
		if len(request.Results()) > 0 {
			return simmodel.Say("The lamp is on: " + request.Results()[0].Text)
		}
		if string(request.Schema("switch_lamp")) != lampSchema || request.Asked() != "light" || request.Choice != "auto" {
			return simmodel.Say("what?")
		}
		return simmodel.CallTool("switch_lamp", `{"state":"on"}`)
	}, nil)
	for _, f := range []struct {
		path, first, then string
		format            chatwire.Format
	}{
		{
			"responses", `{"model":"sim","input":"light","tools":[{"type":"function","name":"switch_lamp","parameters":` + lampSchema + `}]`,
			`{"model":"sim","input":[{"role":"user","content":[{"type":"input_text","text":"light"}]},{"type":"reasoning","id":"r"},` +
				`{"type":"function_call","call_id":"a","name":"switch_lamp","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"ok"}]`,
			chatwire.Responses,
		},
		{
			"messages", `{"model":"sim","max_tokens":9,"messages":[{"role":"user","content":"light"}],"tools":[{"name":"switch_lamp","input_schema":` + lampSchema + `}]`,
			`{"model":"sim","max_tokens":9,"messages":[{"role":"user","content":"light"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"switch_lamp","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"ok"}]}]}]`,
			chatwire.Messages,
		},
	} {
		for _, streamed := range []bool{false, true} {
			post := func(body string) guard.Response {
				t.Helper()
				if streamed {
					body += `,"stream":true`
				}
				response, err := http.Post(server.URL+f.path, "application/json", strings.NewReader(body+"}"))
				if err != nil {
					t.Fatal(err)
				}
				defer response.Body.Close()
				raw, err := io.ReadAll(response.Body)
				if err != nil || response.StatusCode != http.StatusOK {
					t.Fatalf("%s: %s %v", f.path, raw, err)
				}
				if !streamed {
					read, err := f.format.ParseResponse(raw)
					if err != nil {
						t.Fatalf("%s: %v", raw, err)
					}
					return read
				}
				read, err := f.format.ReadStream(bytes.NewReader(raw), nil)
				if err != nil || !read.Stop.Whole() {
					t.Fatalf("%s: %+v %v", raw, read, err)
				}
				return read
			}
			calls := post(f.first).Message.Calls
			if len(calls) != 1 || calls[0].Tool != "switch_lamp" || string(calls[0].Args) != `{"state":"on"}` || calls[0].ID == "" {
				t.Errorf("%s, stream %v: calls %+v", f.path, streamed, calls)
			}
			if said := post(f.then); said.Message.Text != "The lamp is on: ok" || said.Usage.Output == 0 {
				t.Errorf("%s, stream %v: said %+v", f.path, streamed, said)
			}
		}
		for _, bad := range []string{`{`, `{"model":"sim"}`, strings.Replace(f.then, `"ok"`, `3`, 1) + "}"} {
			response, err := http.Post(server.URL+f.path, "application/json", strings.NewReader(bad))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: %s: status %d", f.path, bad, response.StatusCode)
			}
		}
	}
}
