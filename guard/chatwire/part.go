package chatwire

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// contentOf is a result: its text, or, where it has parts, blocks: its text first, and then
// each part that the format has a block for. The text names what the others are.
func contentOf(message guard.Message, say func(string) json.RawMessage, show func(guard.Part) json.RawMessage) any {
	var blocks []json.RawMessage
	if len(message.Parts) == 0 {
		return message.Text
	}
	if strings.TrimSpace(message.Text) != "" {
		blocks = append(blocks, say(message.Text))
	}
	for _, part := range message.Parts {
		if block := show(part); block != nil {
			blocks = append(blocks, block)
		}
	}
	if blocks == nil {
		blocks = []json.RawMessage{say("-")} // neither format takes an empty list
	}
	return blocks
}

func isImage(part guard.Part) bool {
	return slices.Contains(words("images"), part.MediaType) && reachable(part)
}

func isPDF(part guard.Part) bool { return part.MediaType == "application/pdf" && reachable(part) }

// reachable reports a part that the provider can look at.
func reachable(part guard.Part) bool {
	return len(part.Data) > 0 || strings.HasPrefix(part.URI, "https://")
}

// partBlock is a part in the Messages format, which knows images and PDFs.
func partBlock(part guard.Part) json.RawMessage {
	kind := "image"
	switch {
	case isPDF(part):
		kind = "document"
	case !isImage(part):
		return nil
	}
	source := object("type", "url", "url", part.URI)
	if len(part.Data) > 0 {
		data := base64.StdEncoding.EncodeToString(part.Data)
		source = object("type", "base64", "media_type", part.MediaType, "data", data)
	}
	return object("type", kind, "source", source)
}

// partItem is a part in the Responses format, which knows images and files.
func partItem(part guard.Part) json.RawMessage {
	where := part.URI
	if len(part.Data) > 0 {
		where = "data:" + part.MediaType + ";base64," + base64.StdEncoding.EncodeToString(part.Data)
	}
	switch {
	case isImage(part):
		return object("detail", "auto", "image_url", where, "type", "input_image")
	case isPDF(part) && len(part.Data) > 0:
		return object("file_data", where, "filename", cmp.Or(part.Name, "document.pdf"), "type", "input_file")
	case isPDF(part):
		return object("file_url", where, "type", "input_file")
	}
	return nil
}

func inputText(text string) json.RawMessage { return object("text", text, "type", "input_text") }
