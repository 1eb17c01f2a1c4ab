package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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

func (m Mode) validate() error {
	switch {
	case m.Name == "":
		return fmt.Errorf("a mode has no name")
	case m.Calls < Unlimited:
		return fmt.Errorf("mode %s: calls is %d; use a number from 0, or Unlimited", m.Name, m.Calls)
	case m.Preferred < 0 || m.Calls != Unlimited && m.Preferred > m.Calls:
		return fmt.Errorf("mode %s: preferred is %d; it must lie between 0 and calls (%d)", m.Name, m.Preferred, m.Calls)
	}
	for _, tool := range slices.Sorted(maps.Keys(m.PerTool)) {
		if m.PerTool[tool] < 0 {
			return fmt.Errorf("mode %s: the limit of %s is %d; use a number from 0", m.Name, tool, m.PerTool[tool])
		}
	}
	return nil
}

func indexModes(modes []Mode) (map[string]*Mode, error) {
	var faults []error
	index := make(map[string]*Mode, len(modes))
	for _, mode := range modes {
		if err := mode.validate(); err != nil {
			faults = append(faults, err)
		}
		if _, twice := index[mode.Name]; twice && mode.Name != "" {
			faults = append(faults, fmt.Errorf("mode %s is given twice", mode.Name))
		}
		mode.PerTool = maps.Clone(mode.PerTool)
		index[mode.Name] = &mode
	}
	for _, mode := range modes {
		if _, known := index[mode.Deeper]; mode.Deeper != "" && !known {
			faults = append(faults, fmt.Errorf("mode %s: the deeper mode %q is not among the modes", mode.Name, mode.Deeper))
		}
	}
	return index, errors.Join(faults...)
}

func modeNames(modes map[string]*Mode) []string { return slices.Sorted(maps.Keys(modes)) }

// Guidelines is the text for the prompt: how many calls there are, when none is
// needed, what the fallback is for and where to go deeper.
func (m Mode) Guidelines() string {
	var text strings.Builder
	text.WriteString("TOOL USAGE GUIDELINES:\n")
	switch {
	case m.Calls == Unlimited:
		text.WriteString("- Maximum: no fixed number of tool calls per turn")
	case m.Calls == 0:
		text.WriteString("- Maximum: 0 tool calls per turn; answer without tools")
	default:
		fmt.Fprintf(&text, "- Maximum: %s per turn", plural(m.Calls, "tool call", "tool calls"))
	}
	if m.Preferred > 0 {
		fmt.Fprintf(&text, " (%d preferred)", m.Preferred)
	}
	text.WriteString("\n")
	for _, tool := range slices.Sorted(maps.Keys(m.PerTool)) {
		fmt.Fprintf(&text, "- %s: at most %s per turn\n", tool, plural(m.PerTool[tool], "call", "calls"))
	}
	if m.Calls != 0 {
		fmt.Fprintf(&text, "- No tool call is needed when %s\n",
			cmp.Or(m.NoneWhen, "the answer is already in the conversation"))
	}
	if m.Preferred > 0 && m.Preferred != m.Calls {
		fmt.Fprintf(&text, "- Calls beyond %d are a fallback: %s\n", m.Preferred,
			cmp.Or(m.Fallback, "a follow-up when the first result is not enough"))
	}
	if m.Deeper != "" {
		fmt.Fprintf(&text, "- For anything deeper use %s mode\n", m.Deeper)
	}
	return text.String()
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
	mode, found := s.modes[name]
	if !found {
		return nil, fmt.Errorf("mode %s is not among the modes; use one of %s", jsonspan.Quote([]byte(name)),
			list(modeNames(s.modes)))
	}
	return mode, nil
}

// limit adds a fault for every limit that one more call would break.
func (m *Mode) limit(r *review, request *Proposal) {
	tool := request.Call.Tool
	made, ofTool := 0, 0
	for _, record := range request.History {
		if isCountedCall(record, request.Turn) {
			made++
			if record.Tool == tool {
				ofTool++
			}
		}
	}
	if m.Calls != Unlimited && made >= m.Calls {
		r.add("mode", "", "%s mode allows %s per turn, and %s made; answer with what you have%s",
			m.Name, plural(m.Calls, "tool call", "tool calls"), plural(made, "was", "were"), m.hint())
	}
	if most, limited := m.PerTool[tool]; limited && ofTool >= most {
		r.add("mode", "", "%s mode allows %s of %s per turn, and %s made; use what they returned%s",
			m.Name, plural(most, "call", "calls"), tool, plural(ofTool, "was", "were"), m.hint())
	}
}

func (m *Mode) hint() string {
	if m.Deeper == "" {
		return ""
	}
	return ", or use " + m.Deeper + " mode for more"
}

// isCountedCall reports whether a record spent one of the turn's calls: it ran,
// is running, or may have run. Denied calls cost nothing.
func isCountedCall(record *tooltrack.Record, turn string) bool {
	return record != nil && !record.Ruling.Denied && record.Result.Status != tooltrack.Denied &&
		(turn == "" || record.Turn == turn)
}
