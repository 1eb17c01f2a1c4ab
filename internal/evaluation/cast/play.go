package cast

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
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
	question    string // the last request for proof
	answers     []item // to the pieces of the text that were named
}

// New begins a play.
func New(tools []tooltrack.Tool, turn *labelled.Turn, character Character) *Play {
	return &Play{Turn: turn, Character: character, tools: tools}
}

// Next is what the model says to a request that ends in the given message: a
// call, or a text.
func (p *Play) Next(last string) (*tooltrack.Call, string) {
	if strings.Contains(last, "Check your answer before") || strings.Contains(last, "does not settle it") {
		p.question = last
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
