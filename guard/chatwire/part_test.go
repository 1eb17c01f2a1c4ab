package chatwire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestPartsOfResults stand in the blocks of the formats that have some; what a
// provider would refuse is left out, and the text stays.
func TestPartsOfResults(t *testing.T) {
	png, pdf := guard.Part{MediaType: "image/png", Data: []byte("png")}, guard.Part{MediaType: "application/pdf", Data: []byte("pdf")}
	cases := []struct {
		name             string
		text             string
		parts            []guard.Part
		messages, output string
	}{
		{"none", "ok", nil, `"ok"`, `"ok"`},
		{
			"an image", "ok", []guard.Part{png},
			`[{"type":"text","text":"ok"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}}]`,
			`[{"text":"ok","type":"input_text"},{"detail":"auto","image_url":"data:image/png;base64,cG5n","type":"input_image"}]`,
		},
		{
			"an image by its address", "ok", []guard.Part{{MediaType: "image/webp", URI: "https://example.com/a"}},
			`[{"type":"text","text":"ok"},{"type":"image","source":{"type":"url","url":"https://example.com/a"}}]`,
			`[{"text":"ok","type":"input_text"},{"detail":"auto","image_url":"https://example.com/a","type":"input_image"}]`,
		},
		{
			"documents", "", []guard.Part{pdf, {MediaType: "application/pdf", URI: "https://example.com/b"}},
			`[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"}},{"type":"document","source":{"type":"url","url":"https://example.com/b"}}]`,
			`[{"file_data":"data:application/pdf;base64,cGRm","filename":"document.pdf","type":"input_file"},{"file_url":"https://example.com/b","type":"input_file"}]`,
		},
		{
			"what nobody takes", "ok", []guard.Part{{MediaType: "image/tiff", Data: []byte("x")}, {MediaType: "image/png", URI: "file:///etc/passwd"}, {MediaType: "audio/wav", Data: []byte("x")}, {}},
			`[{"type":"text","text":"ok"}]`, `[{"text":"ok","type":"input_text"}]`,
		},
		{"nothing at all", " ", []guard.Part{{}}, `[{"type":"text","text":"-"}]`, `[{"text":"-","type":"input_text"}]`},
	}
	for _, c := range cases {
		call := tooltrack.Call{ID: "a", Tool: "look", Args: []byte(`{}`)}
		request := guard.Request{Messages: []guard.Message{
			{Role: guard.RoleUser, Text: "look"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{call}},
			{Role: guard.RoleTool, CallID: "a", Text: c.text, Parts: c.parts},
		}}
		messages, err := chatwire.Messages.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
		if want := `{"type":"tool_result","tool_use_id":"a","content":` + c.messages + `}`; err != nil || !strings.Contains(string(messages), want) {
			t.Errorf("%s: %s, want %s", c.name, messages, want)
		}
		items, err := chatwire.Responses.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
		if want := `{"type":"function_call_output","call_id":"a","output":` + c.output + `}`; err != nil || !strings.Contains(string(items), want) {
			t.Errorf("%s: %s, want %s", c.name, items, want)
		}
		chat, err := chatwire.ChatCompletions.EncodeRequest(request, chatwire.EncodeOptions{Model: "m"})
		if err != nil || !json.Valid(chat) || strings.Contains(string(chat), "base64") {
			t.Errorf("%s: %s, %v", c.name, chat, err)
		}
	}
}

// TestResultsMarkedAsErrors are read and written as such, whatever their text.
func TestResultsMarkedAsErrors(t *testing.T) {
	body := `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[` + useJSON("a", "look", `{}`) + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"no"}]}]}`
	parsed, err := chatwire.Messages.ParseRequest([]byte(body))
	if err != nil || !parsed.Messages[2].Failed {
		t.Fatalf("%+v, %v", parsed, err)
	}
	written, err := chatwire.Messages.EncodeRequest(guard.Request{Messages: []guard.Message{
		parsed.Messages[0], parsed.Messages[1], {Role: guard.RoleTool, CallID: "a", Text: "fine", Failed: true},
	}}, chatwire.EncodeOptions{Model: "m"})
	if err != nil || !strings.Contains(string(written), `"content":"fine","is_error":true`) {
		t.Errorf("%s, %v", written, err)
	}
}
