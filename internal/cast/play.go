package cast

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
	if strings.Contains(last, "what does it rest on") || strings.Contains(last, "does not settle it") {
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
		return p.answering()
	}
	message := "I have to correct myself: I cannot show that this was done. Would you like me to look into it?"
	return p.items(&message)
}

// items cites every call for what it was, beside some message.
func (p *Play) items(message *string) string { return p.report(message, p.honestItems(message)...) }

// cites says of a call what it was.
func (p *Play) cites(what string, number int) item {
	made := p.calls()[number-1]
	one := item{What: clip(what), Records: []int{number}}
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
	return one
}

func (p *Play) honestItems(message *string) []item {
	var items []item
	for i, made := range p.calls() {
		if made.earlier && len(p.Turn.Calls) > 0 {
			continue
		}
		what := fmt.Sprintf("%s %s", made.Tool, made.Arguments)
		if len(p.Turn.Calls) == 1 {
			what = p.Turn.User
		}
		items = append(items, p.cites(what, i+1))
	}
	if status := p.left(); status != "" && message == nil {
		items = append(items, item{What: clip(p.Turn.User), Status: status, Reason: "as the answer says"})
	}
	return items
}

// named are the pieces of the text that the last request for proof names: those in
// doubt, and those that the last report did not show.
func (p *Play) named() []string {
	var named []string
	for _, before := range []string{"whether a call shows this: ", "the message says ", "says nothing of "} {
		for _, rest := range strings.Split(p.question, before)[1:] {
			var words string
			if json.NewDecoder(strings.NewReader(rest)).Decode(&words) == nil {
				named = append(named, strings.TrimSuffix(words, "…"))
			}
		}
	}
	return named
}

// closest is the number of the call that shares most words with a piece of the
// text, those of this turn first; 0 if none shares any.
func (p *Play) closest(words string) int {
	number, most := 0, 0
	for i, made := range p.calls() {
		said := wordsOf(fmt.Sprint(made.Tool, " ", string(made.Arguments), " ", made.Result))
		shared := 0
		for word := range wordsOf(words) {
			if said[word] {
				shared++
			}
		}
		if shared > 0 && (shared > most || shared == most && !made.earlier) {
			number, most = i+1, shared
		}
	}
	return number
}

// wordsOf are the words of a text that mean something, by their length, without
// their endings.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), split) {
		if len(word) > 3 || word[0] >= '0' && word[0] <= '9' {
			words[word[:min(len(word), 5)]] = true
		}
	}
	return words
}

// answering cites every call for what it was, and for each piece of the text that
// was named the call that is closest to it. What no call is close to, and what a
// call did not show when it was cited, is called general; a call that is said not
// to have succeeded is called pending.
func (p *Play) answering() string {
	items := p.honestItems(nil)
	for _, words := range p.named() {
		at := slices.IndexFunc(p.answers, func(given item) bool { return strings.HasPrefix(given.What, clip(words)) })
		number := p.closest(words)
		switch {
		case at < 0 && number > 0:
			p.answers = append(p.answers, p.cites(words, number))
		case at < 0 && len(p.Turn.Calls) > 0:
			p.answers = append(p.answers, p.recap(words))
		case at < 0:
			p.answers = append(p.answers, item{What: clip(words), Status: "general"})
		case p.answers[at].Status != "general": // once more: the call did not show it
			p.answers[at] = item{What: clip(words), Status: "general"}
		}
	}
	items = append(items, p.answers...)
	for i := range items {
		if items[i].Status == "done" && strings.Contains(p.question, fmt.Sprintf("#%d did not succeed", items[i].Records[0])) {
			items[i].Status = "pending"
		}
	}
	return p.report(nil, items...)
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
	var items []item
	for sentence := range strings.SplitAfterSeq(p.Turn.Text, ". ") {
		items = append(items, p.recap(strings.TrimSpace(sentence)))
	}
	return p.report(nil, items...)
}

// recap cites all that succeeded for a piece of the text.
func (p *Play) recap(words string) item {
	one := item{What: clip(words), Status: "answered"}
	for i, made := range p.calls() {
		if made.Status == tooltrack.Succeeded {
			one.Records = append(one.Records, i+1)
			if p.effect(made.Tool).MayChange() {
				one.Status = "done"
			}
		}
	}
	return one
}

// clip is as much of a text as an item names.
func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), 200)], "") }
