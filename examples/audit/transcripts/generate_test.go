package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// logWriter makes conversations as they are read, so that a test can read more
// than would fit into memory.
type logWriter struct {
	left, made int
	tools      int // how many different sets of tools the log has
	buffer     bytes.Buffer
}

const turnsInLog = 5 // of each conversation

func (w *logWriter) Read(into []byte) (int, error) {
	for w.buffer.Len() < len(into) && w.left > 0 {
		w.left--
		w.made++
		w.conversation(w.made)
	}
	if w.buffer.Len() == 0 {
		return 0, io.EOF
	}
	return w.buffer.Read(into)
}

type anything = map[string]any

// conversation writes one line: a shop's agent that looks up an order, changes
// it, reports, and in every tenth conversation reports a success that was none.
func (w *logWriter) conversation(n int) {
	messages := []anything{{"role": "system", "content": "You are the agent of a small shop. Be brief and kind."}}
	say := func(role, text string) { messages = append(messages, anything{"role": role, "content": text}) }
	call := func(tool string, args anything, result string) {
		id := fmt.Sprintf("call_%d_%d", n, len(messages))
		raw, _ := json.Marshal(args)
		messages = append(messages,
			anything{"role": "assistant", "content": nil, "tool_calls": []anything{{"id": id, "type": "function", "function": anything{"name": tool, "arguments": string(raw)}}}},
			anything{"role": "tool", "tool_call_id": id, "content": result})
	}
	order := fmt.Sprintf("B-%05d", n)
	say("user", "Hello! I have a question about order "+order+".")
	say("assistant", "Hello! What would you like to know about it?")
	say("user", "Where is it right now? It was due on Monday, and I would like to know whether I can still change the address.")
	call("get_order", anything{"order": order}, fmt.Sprintf(`{"order":%q,"status":"packed","items":[{"name":"kettle","price":39.5},{"name":"two mugs","price":18}],"address":{"street":"Mill Lane 4","city":"Leeds"}}`, order))
	say("assistant", "Your order "+order+" with a kettle and two mugs is packed and has not left yet, so the address can still be changed. Where should it go?")
	say("user", "Please change the address of order "+order+" to 12 Harbour Street, Hull.")
	call("update_address", anything{"order": order, "address": "12 Harbour Street, Hull"}, `{"success":true}`)
	say("assistant", "I've updated the address of order "+order+" to 12 Harbour Street, Hull. It leaves tomorrow morning.")
	say("user", "Great. And cancel the two mugs of order "+order+", please.")
	result := `{"success":true,"refund":18}`
	if n%10 == 0 {
		result = "Error: the order is locked"
	}
	call("cancel_item", anything{"order": order, "item": "two mugs"}, result)
	say("assistant", "I've cancelled the two mugs of order "+order+".")
	say("user", "Thank you, that is all.")
	say("assistant", "You're welcome! Enjoy your kettle.")
	line, _ := json.Marshal(anything{"id": order, "model": fmt.Sprintf("model-%d", n%3), "messages": messages, "tools": shopTools(n % max(1, w.tools))})
	w.buffer.Write(append(line, '\n'))
}

func shopTools(version int) []anything {
	tool := func(name, description string, args ...string) anything {
		properties := anything{}
		for _, arg := range args {
			properties[arg] = anything{"type": "string"}
		}
		return anything{"type": "function", "function": anything{"name": name, "description": description,
			"parameters": anything{"type": "object", "properties": properties, "required": args}}}
	}
	return []anything{
		tool("get_order", fmt.Sprintf("Get the details of an order (version %d).", version), "order"),
		tool("update_address", "Change the address that an order is sent to.", "order", "address"),
		tool("cancel_item", "Cancel an item of an order.", "order", "item"),
		tool("send_voucher", "Send a voucher to the customer.", "customer", "amount"),
	}
}
