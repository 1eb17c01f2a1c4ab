package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// checkOllama checks a request of Ollama's own /api/chat. Its server is patient: what it cannot
// read is refused, and calls and results are not held together.
func checkOllama(_ *Provider, body []byte) error {
	var request struct {
		Model    string
		Messages []struct {
			Role, Content string
			ToolCalls     []struct {
				Function struct {
					Name      string
					Arguments map[string]any
				}
			} `json:"tool_calls"`
		}
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if request.Model == "" {
		return errors.New("model is required")
	}
	for _, message := range request.Messages {
		if !slices.Contains([]string{"system", "user", "assistant", "tool"}, message.Role) {
			return fmt.Errorf("invalid role: %s", message.Role)
		}
	}
	return nil
}
