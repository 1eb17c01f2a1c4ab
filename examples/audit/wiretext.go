package main

import (
	"encoding/json"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// wireText is a text of a case as the bytes that a provider sent. A case can spell half of a surrogate pair,
// for which encoding/json would put a replacement character, and so another text. So it is read as the guard
// reads what is said: half a pair becomes the three bytes that a careless encoder sends, which are no UTF-8.
type wireText []byte

func (w *wireText) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil || text == "" {
		*w = nil
		return err
	}
	quoted := string([]rune(string(data))) // with a replacement character for each byte that is none, as json has it
	said := []byte(`{"messages":[{"role":"user","content":` + quoted + "}]}")
	request, err := chatwire.ChatCompletions.ParseRequest(said)
	if err == nil {
		*w = wireText(request.Messages[0].Text)
	}
	return err
}
