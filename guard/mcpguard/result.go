package mcpguard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// read is what came of a call that was answered: what the ledger keeps and the
// model reads, and the error that the tool reported.
func read(tool string, result *mcp.CallToolResult) ([]byte, error) {
	switch {
	case result == nil:
		return nil, &CallError{Tool: tool, Kind: ErrLost, Reason: "the server answered with nothing"}
	case result.NeedsInput():
		return nil, &CallError{Tool: tool, Kind: ErrInputRequired}
	}
	body := bodyOf(original(result))
	if result.IsError {
		return body, &CallError{Tool: tool, Kind: ErrFailed, Reason: string(body)}
	}
	return body, nil
}

// original is the result that a server with [ServerMiddleware] answers a repeat
// with, without the note before it: whoever asked again because the answer was
// lost has it now.
func original(result *mcp.CallToolResult) *mcp.CallToolResult {
	ruling, _ := result.Meta[MetaRuling].(map[string]any)
	if ruling["status"] != tooltrack.Succeeded.String() || len(result.Content) < 2 {
		return result
	}
	without := *result
	without.Content = result.Content[1:]
	return &without
}

// bodyOf is a result in one piece. Structured content stands first, since it
// holds the ids and the states that evidence is made of; a text that says
// anything else beside it is kept as its member "content".
func bodyOf(result *mcp.CallToolResult) []byte {
	text := textOf(result.Content)
	if result.StructuredContent == nil {
		return []byte(text)
	}
	structured, err := json.Marshal(result.StructuredContent)
	switch {
	case err != nil || string(structured) == "null":
		return []byte(text)
	case text == "":
		return structured
	case sameJSON(text, structured):
		return []byte(text) // the text keeps numbers as the server wrote them
	}
	return beside(structured, text)
}

// beside adds a text to structured content.
func beside(structured []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string always marshals
	var object map[string]json.RawMessage
	if json.Unmarshal(structured, &object) != nil || object == nil {
		return fmt.Appendf(nil, `{"structuredContent":%s,"content":%s}`, structured, quoted)
	}
	if _, taken := object["content"]; taken {
		return structured
	}
	if len(object) == 0 {
		return fmt.Appendf(nil, `{"content":%s}`, quoted)
	}
	return fmt.Appendf(nil, `%s,"content":%s}`, bytes.TrimSuffix(structured, []byte("}")), quoted)
}

// sameJSON reports whether a text is the structured content once more, as
// servers send it for the sake of older clients.
func sameJSON(text string, structured []byte) bool {
	var a, b any
	return json.Unmarshal([]byte(text), &a) == nil && json.Unmarshal(structured, &b) == nil && reflect.DeepEqual(a, b)
}

// textOf is the content in words. What is not text is named, with its type and
// size: a ledger keeps no pictures.
func textOf(contents []mcp.Content) string {
	parts := make([]string, 0, len(contents))
	for _, content := range contents {
		switch c := content.(type) {
		case *mcp.TextContent:
			parts = append(parts, c.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("[image %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("[audio %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.ResourceLink:
			parts = append(parts, fmt.Sprintf("[resource %s %s]", c.Name, c.URI))
		case *mcp.EmbeddedResource:
			parts = append(parts, resourceText(c.Resource))
		}
	}
	return strings.Join(parts, "\n")
}

// attach hands what is not text to the model, where the guard runs the turn.
func attach(ctx context.Context, result *mcp.CallToolResult) {
	if result == nil {
		return
	}
	for _, content := range result.Content {
		var part guard.Part
		switch c := content.(type) {
		case *mcp.ImageContent:
			part = guard.Part{MediaType: c.MIMEType, Data: c.Data}
		case *mcp.AudioContent:
			part = guard.Part{MediaType: c.MIMEType, Data: c.Data}
		case *mcp.ResourceLink:
			part = guard.Part{MediaType: c.MIMEType, URI: c.URI, Name: c.Name}
		case *mcp.EmbeddedResource:
			if c.Resource == nil || c.Resource.Blob == nil {
				continue // its text stands in the result
			}
			part = guard.Part{MediaType: c.Resource.MIMEType, URI: c.Resource.URI, Data: c.Resource.Blob}
		default:
			continue
		}
		guard.Attach(ctx, part) // one that has no room is still named in the text
	}
}

func resourceText(resource *mcp.ResourceContents) string {
	switch {
	case resource == nil:
		return "[resource]"
	case resource.Blob != nil:
		return fmt.Sprintf("[resource %s %s, %d bytes]", resource.URI, resource.MIMEType, len(resource.Blob))
	}
	return resource.Text
}
