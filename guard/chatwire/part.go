package chatwire

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// contentOf is a result with parts, as blocks: its text first, and then each part
// that the format has a block for. The text names what the others are.
func contentOf(message guard.Message, say func(string) json.RawMessage, show func(guard.Part) any) []json.RawMessage {
	var blocks []json.RawMessage
	if strings.TrimSpace(message.Text) != "" {
		blocks = append(blocks, say(message.Text))
	}
	for _, part := range message.Parts {
		if block := show(part); block != nil {
			blocks = append(blocks, rawBlock(block))
		}
	}
	if blocks == nil {
		blocks = []json.RawMessage{say("-")} // neither format takes an empty list
	}
	return blocks
}

// imageTypes are the images that providers take. A request with any other is
// refused whole. Sources: the API references of Anthropic and OpenAI.
var imageTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

func isImage(part guard.Part) bool {
	return slices.Contains(imageTypes, part.MediaType) && reachable(part)
}

func isPDF(part guard.Part) bool { return part.MediaType == "application/pdf" && reachable(part) }

// reachable reports a part that the provider can look at.
func reachable(part guard.Part) bool {
	return len(part.Data) > 0 || strings.HasPrefix(part.URI, "https://")
}

// partBlock is a part in the Messages format, which knows images and PDFs.
func partBlock(part guard.Part) any {
	kind := "image"
	switch {
	case isPDF(part):
		kind = "document"
	case !isImage(part):
		return nil
	}
	type source struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type,omitempty"`
		Data      string `json:"data,omitempty"`
		URL       string `json:"url,omitempty"`
	}
	from := source{Type: "base64", MediaType: part.MediaType, Data: base64.StdEncoding.EncodeToString(part.Data)}
	if len(part.Data) == 0 {
		from = source{Type: "url", URL: part.URI}
	}
	return struct {
		Type   string `json:"type"`
		Source source `json:"source"`
	}{kind, from}
}

// partItem is a part in the Responses format, which knows images and files.
func partItem(part guard.Part) any {
	where := part.URI
	if len(part.Data) > 0 {
		where = "data:" + part.MediaType + ";base64," + base64.StdEncoding.EncodeToString(part.Data)
	}
	switch {
	case isImage(part):
		return map[string]string{"type": "input_image", "image_url": where, "detail": "auto"}
	case isPDF(part) && len(part.Data) > 0:
		name := part.Name
		if name == "" {
			name = "document.pdf"
		}
		return map[string]string{"type": "input_file", "filename": name, "file_data": where}
	case isPDF(part):
		return map[string]string{"type": "input_file", "file_url": where}
	}
	return nil
}

func inputText(text string) json.RawMessage {
	return rawBlock(map[string]string{"type": "input_text", "text": text})
}
