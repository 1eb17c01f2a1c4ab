package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Unlimited is a number of calls without limit.
const Unlimited = -1

// Mode limits how many tool calls a turn may make. The limiter and the text for
// the prompt read the same fields, so they cannot disagree.
type Mode struct {
	// Name is what requests name it by, such as "quick_lookup".
	Name string
	// Calls is how many calls a turn may make in all. Zero means none, and
	// [Unlimited] any number.
	Calls int
	// Preferred is how many should do; the calls beyond are a fallback. Zero
	// means that no number is preferred.
	Preferred int
	// PerTool are further limits for single tools.
	PerTool map[string]int
	// NoneWhen says when no call is needed. Default: "the answer is already in
	// the conversation".
	NoneWhen string
	// Fallback says what the calls beyond the preferred are for. Default: "a
	// follow-up when the first result is not enough".
	Fallback string
	// Deeper names the mode to use when the limits are too narrow.
	Deeper string
}

// QuickLookup answers from the conversation or from one look, with a second one
// as fallback.
func QuickLookup() Mode {
	return Mode{Name: "quick_lookup", Calls: 2, Preferred: 1, Deeper: "research",
		Fallback: "a follow-up when the first result is not enough, such as opening a page that a search has found"}
}

// Research is for questions that need several sources.
func Research() Mode {
	return Mode{Name: "research", Calls: 12, PerTool: map[string]int{"web_search": 5},
		NoneWhen: "every sub-question is answered by sources that are already in the conversation"}
}

func indexModes(modes []Mode) (map[string]*Mode, faults) {
	var wrong faults
	index := make(map[string]*Mode, len(modes))
	for _, m := range modes {
		switch {
		case m.Name == "":
			wrong.add("a mode has no name")
		case m.Calls < Unlimited:
			wrong.add("mode %s: calls is %d; use a number from 0, or Unlimited", m.Name, m.Calls)
		case m.Preferred < 0 || m.Calls != Unlimited && m.Preferred > m.Calls:
			wrong.add("mode %s: preferred is %d; it must lie between 0 and calls (%d)", m.Name, m.Preferred, m.Calls)
		}
		for _, tool := range slices.Sorted(maps.Keys(m.PerTool)) {
			wrong.when(m.PerTool[tool] < 0, "mode %s: the limit of %s is %d; use a number from 0", m.Name, tool, m.PerTool[tool])
		}
		wrong.when(m.Name != "" && index[m.Name] != nil, "mode %s is given twice", m.Name)
		m.PerTool = maps.Clone(m.PerTool)
		index[m.Name] = &m
	}
	for _, m := range modes {
		wrong.when(m.Deeper != "" && index[m.Deeper] == nil, "mode %s: the deeper mode %q is not among the modes", m.Name,
			m.Deeper)
	}
	return index, wrong
}

// Guidelines is the text for the prompt: how many calls there are, when none is needed, what
// the fallback is for and where to go deeper.
func (m Mode) Guidelines() string {
	most := "- Maximum: " + plural(m.Calls, "tool call", "tool calls") + " per turn"
	switch m.Calls {
	case Unlimited:
		most = "- Maximum: no fixed number of tool calls per turn"
	case 0:
		most = "- Maximum: 0 tool calls per turn; answer without tools"
	}
	if m.Preferred > 0 {
		most += fmt.Sprintf(" (%d preferred)", m.Preferred)
	}
	text := "TOOL USAGE GUIDELINES:\n" + most + "\n"
	for _, tool := range slices.Sorted(maps.Keys(m.PerTool)) {
		text += "- " + tool + ": at most " + plural(m.PerTool[tool], "call", "calls") + " per turn\n"
	}
	if m.Calls != 0 {
		text += "- No tool call is needed when " + cmp.Or(m.NoneWhen, "the answer is already in the conversation") + "\n"
	}
	if m.Preferred > 0 && m.Preferred != m.Calls {
		text += fmt.Sprintf("- Calls beyond %d are a fallback: %s\n", m.Preferred,
			cmp.Or(m.Fallback, "a follow-up when the first result is not enough"))
	}
	if m.Deeper != "" {
		text += "- For anything deeper use " + m.Deeper + " mode\n"
	}
	return text
}

// Guidelines is the text of a mode of the set, the default one for an empty
// name. It is empty where there is no limit.
func (s *Set) Guidelines(mode string) (string, error) {
	m, err := s.mode(mode)
	if err != nil || m == nil {
		return "", err
	}
	return m.Guidelines(), nil
}

// mode finds the mode of a request; nil is no limit. An unknown name is an
// error.
func (s *Set) mode(name string) (*Mode, error) {
	if name = cmp.Or(name, s.defaultMode); name == "" {
		return nil, nil
	}
	mode := s.modes[name]
	if mode == nil {
		return nil, fmt.Errorf("mode %s is not among the modes; use one of %s", jsonspan.Quote([]byte(name)), s.modeNames())
	}
	return mode, nil
}

func (s *Set) modeNames() string { return list(slices.Sorted(maps.Keys(s.modes))) }

// limit adds a fault for every limit that one more call would break.
func (m *Mode) limit(r *review, request *Proposal) {
	tool, made, ofTool, hint := request.Call.Tool, 0, 0, ""
	for _, record := range request.History {
		if isCountedCall(record, request.Turn) {
			made++
			if record.Tool == tool {
				ofTool++
			}
		}
	}
	if m.Deeper != "" {
		hint = ", or use " + m.Deeper + " mode for more"
	}
	if m.Calls != Unlimited && made >= m.Calls {
		r.add("mode", "", "%s mode allows %s per turn, and %s made; answer with what you have%s",
			m.Name, plural(m.Calls, "tool call", "tool calls"), plural(made, "was", "were"), hint)
	}
	if most, limited := m.PerTool[tool]; limited && ofTool >= most {
		r.add("mode", "", "%s mode allows %s of %s per turn, and %s made; use what they returned%s",
			m.Name, plural(most, "call", "calls"), tool, plural(ofTool, "was", "were"), hint)
	}
}

// isCountedCall reports whether a record spent one of the turn's calls: it ran,
// is running, or may have run. Denied calls cost nothing.
func isCountedCall(record *tooltrack.Record, turn string) bool {
	return record != nil && !record.Ruling.Denied && record.Result.Status != tooltrack.Denied &&
		(turn == "" || record.Turn == turn)
}
