package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// The rules of Google's generateContent are those of a model that signs its thoughts: each result
// answers a call, and the first call of each step of the turn comes back with the signature that
// it had.

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

func checkGemini(p *Provider, body []byte) error {
	var request geminiRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return fmt.Errorf("invalid JSON payload received: %w", err)
	}
	if len(request.Contents) == 0 {
		return errors.New("contents is not specified")
	}
	var names []string
	for _, tool := range request.Tools {
		for _, function := range tool.Functions {
			names = append(names, function.Name)
		}
	}
	calling := request.ToolConfig.Calling
	if request.CachedContent != "" && (names != nil || calling.Mode != "" || request.System != nil) {
		return errors.New("CachedContent can not be used with GenerateContent request setting system_instruction, " +
			"tools or tool_config")
	}
	if !slices.Contains([]string{"", "AUTO", "ANY", "NONE", "VALIDATED"}, calling.Mode) {
		return fmt.Errorf("invalid value at 'tool_config.function_calling_config.mode': %q", calling.Mode)
	}
	if len(calling.Allowed) > 0 && calling.Mode != "ANY" && calling.Mode != "VALIDATED" {
		return errors.New("allowed_function_names should only be set when function_calling_config mode is ANY or VALIDATED")
	}
	for _, name := range calling.Allowed {
		if err := offered(names, name); err != nil {
			return err
		}
	}
	return request.checkContents(p)
}

// checkContents holds calls and results together, and looks for signatures in the turn
// that is going on: since the last content of the user's that is no result.
func (r *geminiRequest) checkContents(p *Provider) error {
	begins := 0
	for i, content := range r.Contents {
		says := func(part geminiPart) bool { return part.Text != nil }
		if content.Role == "user" && slices.ContainsFunc(content.Parts, says) {
			begins = i
		}
	}
	var open []geminiPart
	for i, content := range r.Contents {
		switch {
		case content.Role != "user" && content.Role != "model":
			return fmt.Errorf("please use a valid role: user, model; got %q", content.Role)
		case len(content.Parts) == 0:
			return fmt.Errorf("contents[%d].parts must not be empty", i)
		}
		calls, results, err := callsAndResults(content.Role, content.Parts)
		if err = cmp.Or(err, answersAll(open, results)); err != nil {
			return err
		}
		open = calls
		if len(calls) > 0 && i > begins && p.signed[calls[0].Call.ID] != calls[0].Signature {
			return fmt.Errorf("function call is missing a thought_signature in functionCall parts: "+
				"`default_api:%s`, position %d", calls[0].Call.Name, i)
		}
	}
	if len(open) > 0 || r.Contents[len(r.Contents)-1].Role == "model" {
		return errors.New("please ensure that the request ends with a user turn or a function response")
	}
	return nil
}

func callsAndResults(role string, parts []geminiPart) (calls, results []geminiPart, err error) {
	for _, part := range parts {
		switch {
		case part.Call != nil && role == "model":
			calls = append(calls, part)
		case part.Response != nil && role == "user":
			results = append(results, part)
		case part.Call != nil || part.Response != nil:
			err = errors.New("please ensure that function call turn comes from the model and its response from the user")
		}
	}
	return calls, results, err
}

func answersAll(calls, results []geminiPart) error {
	if len(calls) != len(results) {
		return errors.New("please ensure that the number of function response parts is equal to the number of " +
			"function call parts of the function call turn")
	}
	for i, call := range calls {
		result := results[i].Response
		if result.Name != call.Call.Name || result.ID != call.Call.ID || result.Response == nil {
			return fmt.Errorf("the function response %q does not belong to the call %q", result.Name, call.Call.Name)
		}
	}
	return nil
}

// prepareGemini remembers which call of an answer is signed: the first.
func prepareGemini(p *Provider, _ []byte, a *answer) {
	if len(a.Calls) > 0 {
		p.signed[a.Calls[0].ID] = a.Signature()
	}
}
