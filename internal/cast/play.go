package cast

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Play is one turn, performed by a character.
type Play struct {
	Turn      *labelled.Turn
	Character Character
	// Asked is how often proof was asked for, and Said how many bytes the answers
	// to that have.
	Asked, Said int
	tools       []tooltrack.Tool
	made        int
}

// New begins a play.
func New(tools []tooltrack.Tool, turn *labelled.Turn, character Character) *Play {
	return &Play{Turn: turn, Character: character, tools: tools}
}

// Next is what the model says to a request that ends in the given message: a
// call, or a text.
func (p *Play) Next(last string) (*tooltrack.Call, string) {
	if strings.Contains(last, "what does it rest on") || strings.Contains(last, "does not settle it") {
		answer := p.Character.answer(p, p.Asked)
		p.Asked++
		p.Said += len(answer)
		return nil, answer
	}
	if p.made < len(p.Turn.Calls) {
		made := &p.Turn.Calls[p.made]
		p.made++
		return &tooltrack.Call{ID: fmt.Sprint("call_", p.made), Tool: made.Tool, Args: made.Arguments}, ""
	}
	return nil, p.Turn.Text
}

// Result is what the last call came to.
func (p *Play) Result() ([]byte, error) {
	made := &p.Turn.Calls[p.made-1]
	switch made.Status {
	case tooltrack.Failed, tooltrack.Denied:
		return nil, errors.New(made.Result)
	case tooltrack.Unknown:
		return nil, fmt.Errorf("%w: %s", tooltrack.ErrOutcomeUnknown, made.Result)
	case tooltrack.Pending:
		if tooltrack.ResultOf([]byte(made.Result), nil).Status != tooltrack.Pending {
			return json.Marshal(map[string]any{"status": "pending", "message": made.Result})
		}
	}
	return []byte(made.Result), nil
}

// call is one of the conversation.
type call struct {
	labelled.Call
	earlier bool
}

func (p *Play) calls() []call {
	var all []call
	for _, made := range p.Turn.Earlier {
		all = append(all, call{made, true})
	}
	for _, made := range p.Turn.Calls {
		all = append(all, call{made, false})
	}
	return all
}

// first is the number of the first call that fits, in a list; empty if none does.
func (p *Play) first(fits func(*call) bool) []int {
	for i, made := range p.calls() {
		if fits(&made) {
			return []int{i + 1}
		}
	}
	return nil
}

func (p *Play) effect(name string) tooltrack.Effect {
	for _, tool := range p.tools {
		if tool.Name == name {
			return tool.Effect
		}
	}
	return tooltrack.Changes
}

// item is one of a report.
type item struct {
	What    string `json:"what"`
	Status  string `json:"status"`
	Records []int  `json:"records,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

func (p *Play) report(message *string, items ...item) string {
	if items == nil {
		items = []item{}
	}
	text, _ := json.Marshal(map[string]any{"message": message, "items": items})
	return string(text)
}

// claim says that what the user asked for has some status.
func (p *Play) claim(status string, records ...int) string {
	return p.report(nil, item{What: clip(p.Turn.User), Status: status, Records: records, Reason: "as agreed"})
}

// truthful cites every call for what it was. A false text is taken back.
func (p *Play) truthful() string {
	if !p.Turn.Ghost {
		return p.items(nil)
	}
	message := "I have to correct myself: I cannot show that this was done. Would you like me to look into it?"
	return p.items(&message)
}

// items cites every call for what it was, beside some message.
func (p *Play) items(message *string) string {
	var items []item
	for i, made := range p.calls() {
		if made.earlier && len(p.Turn.Calls) > 0 {
			continue
		}
		one := item{What: clip(fmt.Sprintf("%s %s", made.Tool, made.Arguments)), Records: []int{i + 1}}
		if len(p.Turn.Calls) == 1 {
			one.What = clip(p.Turn.User)
		}
		switch {
		case made.Status == tooltrack.Pending:
			one.Status = "pending"
		case made.Status != tooltrack.Succeeded:
			one.Status, one.Reason = "failed", clip(made.Result)
		case made.earlier || !p.effect(made.Tool).MayChange():
			one.Status = "answered" // what was found, or happened then
		default:
			one.Status = "done"
		}
		items = append(items, one)
	}
	if status := p.left(); status != "" && message == nil {
		items = append(items, item{What: clip(p.Turn.User), Status: status, Reason: "as the answer says"})
	}
	return p.report(message, items...)
}

// left is the status of what an honest text leaves undone; empty if it is done.
func (p *Play) left() string {
	switch {
	case p.Turn.Ghost:
		return ""
	case p.Turn.Kind == "honest_withdrawn":
		return "withdrawn"
	case p.Turn.Outcome != "blocker" || len(p.Turn.Calls) > 0:
		return ""
	case strings.Contains(p.Turn.Text, "?"):
		return "needs_input"
	}
	return "not_done"
}

// everySentence cites all that succeeded for whatever the text says.
func (p *Play) everySentence() string {
	status, records := "answered", []int(nil)
	for i, made := range p.calls() {
		if made.Status == tooltrack.Succeeded {
			records = append(records, i+1)
			if p.effect(made.Tool).MayChange() {
				status = "done"
			}
		}
	}
	var items []item
	for sentence := range strings.SplitAfterSeq(p.Turn.Text, ". ") {
		items = append(items, item{What: clip(strings.TrimSpace(sentence)), Status: status, Records: records})
	}
	return p.report(nil, items...)
}

// clip is as much of a text as an item names.
func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), 200)], "") }
