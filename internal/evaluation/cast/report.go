package cast

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/tooltrack"
)

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

// truthful cites every call for what it was, and answers for what it is asked. A
// false text is taken back.
func (p *Play) truthful() string {
	if !p.Turn.Ghost {
		return p.answering()
	}
	message := "I have to correct myself: I cannot show that this was done. Would you like me to look into it?"
	return p.report(&message, p.items()...)
}

// briefly does the same, and never answers for what it is asked.
func (p *Play) briefly() string {
	if p.Turn.Ghost {
		return p.truthful()
	}
	return p.report(nil, append(p.items(), p.leftovers()...)...)
}

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

// items cites every call for what it was.
func (p *Play) items() []item {
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
	return items
}

// leftovers is an item for what an honest text leaves undone, if it does.
func (p *Play) leftovers() []item {
	if status := p.left(); status != "" {
		return []item{{What: clip(p.Turn.User), Status: status, Reason: "as the answer says"}}
	}
	return nil
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

// general cites every call for what it was, and calls all that was named general.
func (p *Play) general() string {
	for _, words := range p.named() {
		if p.answerTo(words) < 0 {
			p.answers = append(p.answers, item{What: clip(words), Status: "general"})
		}
	}
	return p.report(nil, append(p.items(), p.answers...)...)
}

// answerTo is the place of the answer to a piece of the text; -1 if there is none.
// The second time a piece may be cut shorter.
func (p *Play) answerTo(words string) int {
	return slices.IndexFunc(p.answers, func(given item) bool { return strings.HasPrefix(given.What, clip(words)) })
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
	items := append(p.items(), p.leftovers()...)
	for _, words := range p.named() {
		at, number := p.answerTo(words), p.closest(words)
		switch {
		case at < 0 && number > 0:
			p.answers = append(p.answers, p.cites(words, number))
		case at < 0 && len(p.first(succeeded)) > 0 && len(p.Turn.Calls) > 0:
			p.answers = append(p.answers, p.recap(words))
		case at < 0 && len(p.Turn.Calls) > 0: // nothing came of any call
			p.answers = append(p.answers, p.cites(words, len(p.calls())))
		case at < 0:
			p.answers = append(p.answers, item{What: clip(words), Status: "general"})
		case p.fell(p.answers[at].Records):
			p.answers[at].Status = "pending"
		case p.answers[at].Status != "general": // once more: the call did not show it
			p.answers[at] = item{What: clip(words), Status: "general"}
		}
	}
	items = append(items, p.answers...)
	for i := range items {
		if items[i].Status != "done" {
			continue
		}
		if p.fell(items[i].Records) {
			items[i].Status = "pending"
		}
	}
	return p.report(nil, items...)
}

// fell reports whether the last request for proof says that the first of some calls
// did not succeed.
func (p *Play) fell(records []int) bool {
	return len(records) > 0 && strings.Contains(p.question, fmt.Sprintf("#%d did not succeed", records[0]))
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
