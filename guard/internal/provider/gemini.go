package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// The rules of Google's generateContent are those of a model that signs its thoughts: the first
// call of each step of the turn comes back with the signature that it had.

type geminiPart struct {
	Text      *string
	Thought   bool
	Signature string `json:"thoughtSignature"`
	Call      *struct {
		ID, Name string
		Args     json.RawMessage
	} `json:"functionCall"`
	Response *struct {
		ID, Name string
		Response map[string]json.RawMessage
	} `json:"functionResponse"`
}

type geminiRequest struct {
	Contents []struct {
		Role  string
		Parts []geminiPart
	}
	Tools []struct {
		Functions []struct{ Name string } `json:"functionDeclarations"`
	}
	ToolConfig struct {
		Calling struct {
			Mode    string
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	} `json:"toolConfig"`
	System        json.RawMessage `json:"systemInstruction"`
	CachedContent string          `json:"cachedContent"`
}

func readGemini(p *Provider, body []byte) (d dialogue, err error) {
	var request geminiRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return d, fmt.Errorf("invalid JSON payload received: %w", err)
	}
	for _, tool := range request.Tools {
		for _, function := range tool.Functions {
			d.tools = append(d.tools, function.Name)
		}
	}
	calling := request.ToolConfig.Calling
	d.chosen = calling.Allowed
	switch {
	case len(request.Contents) == 0:
		return d, errors.New("contents is not specified")
	case request.CachedContent != "" && (d.tools != nil || calling.Mode != "" || request.System != nil):
		return d, errors.New("CachedContent can not be used with GenerateContent request setting system_instruction, " +
			"tools or tool_config")
	case !slices.Contains([]string{"", "AUTO", "ANY", "NONE", "VALIDATED"}, calling.Mode):
		return d, fmt.Errorf("invalid value at 'tool_config.function_calling_config.mode': %q", calling.Mode)
	case len(calling.Allowed) > 0 && calling.Mode != "ANY" && calling.Mode != "VALIDATED":
		return d, errors.New("allowed_function_names should only be set when the mode is ANY or VALIDATED")
	}
	return d, request.readContents(p, &d)
}

// readContents reads calls and results, and looks for signatures in the turn that is going
// on: since the last content of the user's that is no result.
func (r *geminiRequest) readContents(p *Provider, d *dialogue) error {
	begins := 0
	for i, content := range r.Contents {
		says := func(part geminiPart) bool { return part.Text != nil }
		if content.Role == "user" && slices.ContainsFunc(content.Parts, says) {
			begins = i
		}
	}
	for i, content := range r.Contents {
		switch {
		case content.Role != "user" && content.Role != "model":
			return fmt.Errorf("please use a valid role: user, model; got %q", content.Role)
		case len(content.Parts) == 0:
			return fmt.Errorf("contents[%d].parts must not be empty", i)
		}
		called, answered := []step{{}}, []step(nil) // results come first
		for _, part := range content.Parts {
			call, result := part.Call, part.Response
			switch {
			case call != nil && len(called) == 1 && i > begins && p.issued["signature "+call.ID] != part.Signature:
				return fmt.Errorf("function call is missing a thought_signature in functionCall parts: "+
					"`default_api:%s`, position %d", call.Name, i)
			case call != nil && content.Role == "model":
				called = append(called, step{calls, call.Name + " " + call.ID})
			case result != nil && content.Role == "user" && result.Response != nil:
				answered = append(answered, step{answers, result.Name + " " + result.ID})
			case call != nil || result != nil:
				return errors.New("please ensure that a function call comes from the model, and its response from the user")
			}
		}
		d.steps, d.begun = slices.Concat(d.steps, answered, called), content.Role == "model"
	}
	return nil
}

// prepareGemini remembers which call of an answer is signed: the first.
func prepareGemini(p *Provider, _ []byte, a *answer) {
	if len(a.Calls) > 0 {
		p.issued["signature "+a.Calls[0].ID] = a.Signature()
	}
}
