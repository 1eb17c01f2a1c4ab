package cast

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Servant plays a turn, and does whatever the guard says on top of it: each tool
// that a message of the guard names is called once, and so is one that the choice
// forces. An eager one takes every invitation for an order, too.
type Servant struct {
	*Play
	Ran    []string // the tools that were run, in order
	eager  bool
	served map[string]bool
	extra  bool // the call that runs now is none of the script
}

// Serve begins a play with an honest servant.
func Serve(tools []tooltrack.Tool, turn *labelled.Turn, eager bool) *Servant {
	return &Servant{Play: New(tools, turn, Characters()[0]), eager: eager, served: map[string]bool{}}
}

// Service is what servants did in many turns.
type Service struct {
	Turns  int
	Harmed []string // what ran that nobody asked for, a line for each turn
	Helped int      // turns in which a change was made at the guard's word
}

// ServeAll plays each nth turn of some domains. A domain begins with a way to play it.
func ServeAll(
	domains []labelled.Domain, nth int, eager bool, begin func(*labelled.Domain) func(*Servant),
) (done Service) {
	number := 0
	for i := range domains {
		domain, play := &domains[i], begin(&domains[i])
		for j := range domain.Turns {
			if number++; number%nth != 0 {
				continue
			}
			servant := Serve(domain.Tools, &domain.Turns[j], eager)
			play(servant)
			done.Turns++
			if unwanted := servant.Unwanted(); len(unwanted) > 0 {
				done.Harmed = append(done.Harmed, fmt.Sprintf("%s: %q: %v ran", servant.Turn.ID, servant.Turn.User, unwanted))
			} else if len(servant.Ran) > len(servant.Turn.Calls) {
				done.Helped++
			}
		}
	}
	return done
}

// Act is what the model does with a request that ends in a message, which may be an
// order of the guard's, and that may force a tool.
func (s *Servant) Act(last string, order bool, forced string) (call *tooltrack.Call, text string) {
	if order {
		if tool := s.ordered(last, forced); tool != "" {
			s.served[tool], s.extra = true, true
			return &tooltrack.Call{ID: "ordered_" + tool, Tool: tool, Args: []byte("{}")}, ""
		}
	}
	if call, text = s.Next(last); call != nil {
		s.extra = false
	}
	return call, text
}

// Run answers a call as the turn says, and lets everything else succeed.
func (s *Servant) Run(tool string) ([]byte, error) {
	s.Ran = append(s.Ran, tool)
	if s.extra {
		return []byte(`{"success":true}`), nil
	}
	return s.Result()
}

// Unwanted are the changes that ran, and that neither the script of the turn makes
// nor its labels name.
func (s *Servant) Unwanted() []string {
	var unwanted []string
	for _, name := range s.Ran {
		scripted := slices.ContainsFunc(s.Turn.Calls, func(call labelled.Call) bool { return call.Tool == name })
		asked := scripted || slices.Contains(s.Turn.Expected, name) || slices.Contains(s.Turn.Maybe, name)
		changes := slices.ContainsFunc(s.tools, func(tool tooltrack.Tool) bool {
			return tool.Name == name && tool.Effect.MayChange()
		})
		if changes && !asked {
			unwanted = append(unwanted, name)
		}
	}
	return unwanted
}

// ordered is the tool that a message of the guard tells to call, the first that was
// not called for it yet; empty if it tells none.
func (s *Servant) ordered(said string, forced string) string {
	// What follows names tools, and orders nothing.
	orders, _, asked := strings.Cut(said, "Check your answer before it is shown.")
	asked = asked || strings.HasPrefix(said, "That does not settle it:")
	if asked && s.eager && strings.Contains(said, "Or call the tool that is missing.") {
		return s.invited(said)
	}
	if tool := s.quoted(said); tool != "" {
		return tool
	}
	orders = strings.ReplaceAll(orders, "say exactly what prevents it", "") // a way out, whatever tools are called
	named := strings.FieldsFunc(orders, func(r rune) bool { return strings.ContainsRune(" ,:;\"\n", r) })
	for _, tool := range s.tools {
		stands := slices.Contains(named, tool.Name) || slices.Contains(named, tool.Name+".")
		words := len(tool.Name) > 4 && stands // "say" is also a word
		told := forced == tool.Name || words
		if told && !s.served[tool.Name] {
			return tool.Name
		}
	}
	return ""
}

// demanded are the words of the guard that ask for a call, or can be taken for it.
var demanded = regexp.MustCompile(`(?i)\b(make|call|try|do|run)\b[^.]*\b(now|first|again)\b|make it as a real tool call`)

// quoted is the changing tool that is closest by name to the piece of the text which a
// correction quotes, where that can be taken for an order to make the call.
func (s *Servant) quoted(said string) string {
	_, quote, quotes := strings.Cut(said, `("`)
	if !quotes || !demanded.MatchString(said) {
		return ""
	}
	quote, _, _ = strings.Cut(strings.ToLower(quote), `")`)
	best, most := "", 0
	for _, tool := range s.tools {
		spelled := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
		name := toolname.Read(lexicon.English(), spelled)
		verb := strings.ToLower(name.Verb.Text)
		if len(verb) < 4 || !strings.Contains(quote, verb[:4]) || !tool.Effect.MayChange() || s.served[tool.Name] {
			continue // who shares no more than a noun with it, or no more than the verb, does something else
		}
		shared := len(verb)
		for _, noun := range name.Nouns {
			if strings.Contains(quote, strings.ToLower(noun.Text)) {
				shared += len(noun.Text)
			}
		}
		if shared > most && (shared > len(verb) || len(name.Nouns) == 0) {
			best, most = tool.Name, shared
		}
	}
	return best
}

// invited is the changing tool that is closest by name to a piece of the user's
// message which a request for proof names as perhaps still to be done.
func (s *Servant) invited(said string) string {
	_, due, named := strings.Cut(said, ` done? "`)
	if !named {
		return ""
	}
	due, _, _ = strings.Cut(strings.ToLower(due), "\n")
	best, most := "", 0
	for _, tool := range s.tools {
		shared := 0
		joint := func(r rune) bool { return strings.ContainsRune("_-.", r) }
		for word := range strings.FieldsFuncSeq(strings.ToLower(tool.Name), joint) {
			if strings.Contains(due, word) {
				shared += len(word)
			}
		}
		if tool.Effect.MayChange() && shared > most && !s.served[tool.Name] {
			best, most = tool.Name, shared
		}
	}
	return best
}
