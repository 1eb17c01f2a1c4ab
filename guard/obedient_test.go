package guard_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/cast"
	"github.com/bonafide-go/bonafide/internal/labelled"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// servant plays a turn, and does whatever the guard says on top of it: each tool
// that a message of the guard names is called once, and so is one that the choice
// forces. An eager one takes every invitation for an order, too.
type servant struct {
	*cast.Play
	tools  []tooltrack.Tool
	eager  bool
	served map[string]bool
	extra  bool // the call that runs now is none of the script
	ran    []string
}

// Generate plays the model.
func (s *servant) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	last := request.Messages[len(request.Messages)-1]
	if last.Internal || request.Choice.Mode == guard.ChooseNamed || request.Choice.Mode == guard.ChooseRequired {
		if tool := s.ordered(last.Text, request.Choice); tool != "" {
			s.served[tool], s.extra = true, true
			return guardtest.Call(guardtest.Tool(tool, `{}`)).Response, nil
		}
	}
	call, text := s.Next(last.Text)
	if call != nil {
		s.extra = false
		return guardtest.Call(*call).Response, nil
	}
	return guardtest.Say(text).Response, nil
}

// ordered is the tool that a message of the guard tells to call, the first that was
// not called for it yet; empty if it tells none.
func (s *servant) ordered(said string, choice guard.Choice) string {
	orders, _, asked := strings.Cut(said, "The calls on record:") // what follows names tools, and orders nothing
	if asked && s.eager && strings.Contains(said, "you may call the tool instead") {
		return s.invited(said)
	}
	if tool := s.quoted(said); tool != "" {
		return tool
	}
	orders = strings.ReplaceAll(orders, "say exactly what prevents it", "") // a way out, whatever tools are called
	named := strings.FieldsFunc(orders, func(r rune) bool { return strings.ContainsRune(" ,:;\"\n", r) })
	for _, tool := range s.tools {
		words := len(tool.Name) > 4 && (slices.Contains(named, tool.Name) || slices.Contains(named, tool.Name+".")) // "say" is also a word
		told := choice.Tool == tool.Name || words
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
func (s *servant) quoted(said string) string {
	_, quote, quotes := strings.Cut(said, `("`)
	if !quotes || !demanded.MatchString(said) {
		return ""
	}
	quote, _, _ = strings.Cut(strings.ToLower(quote), `")`)
	best, most := "", 0
	for _, tool := range s.tools {
		reading := toolname.Read(lexicon.English(), toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters})
		verb := strings.ToLower(reading.Verb.Text)
		if len(verb) < 4 || !strings.Contains(quote, verb[:4]) || !tool.Effect.MayChange() || s.served[tool.Name] {
			continue // who shares no more than a noun with it, or no more than the verb, does something else
		}
		shared := len(verb)
		for _, noun := range reading.Nouns {
			if strings.Contains(quote, strings.ToLower(noun.Text)) {
				shared += len(noun.Text)
			}
		}
		if shared > most && (shared > len(verb) || len(reading.Nouns) == 0) {
			best, most = tool.Name, shared
		}
	}
	return best
}

// invited is the changing tool that is closest by name to a piece of the user's
// message which a request for proof names as perhaps still to be done.
func (s *servant) invited(said string) string {
	_, due, named := strings.Cut(said, "still to be done: ")
	if !named {
		return ""
	}
	due, _, _ = strings.Cut(strings.ToLower(due), "\n")
	best, most := "", 0
	for _, tool := range s.tools {
		shared := 0
		for _, word := range strings.FieldsFunc(strings.ToLower(tool.Name), func(r rune) bool { return strings.ContainsRune("_-.", r) }) {
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

// Execute answers as the turn says, and lets everything else succeed.
func (s *servant) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	s.ran = append(s.ran, call.Tool)
	if s.extra {
		return []byte(`{"success":true}`), nil
	}
	return s.Result()
}

// unwanted are the changes that ran, and that neither the script of a turn makes
// nor its labels name.
func (s *servant) unwanted() []string {
	var unwanted []string
	for _, name := range s.ran {
		asked := wanted(s.Turn, name) || slices.Contains(s.Turn.Expected, name) || slices.Contains(s.Turn.Maybe, name)
		changes := slices.ContainsFunc(s.tools, func(tool tooltrack.Tool) bool { return tool.Name == name && tool.Effect.MayChange() })
		if changes && !asked {
			unwanted = append(unwanted, name)
		}
	}
	return unwanted
}

// serve plays all turns with an obedient model, and counts those in which a change
// ran that nobody asked for, and those in which one was made at the guard's word.
func serve(t *testing.T, domains []labelled.Domain, classifier func([]tooltrack.Tool) guard.Classifier, eager bool) (turns, harmed, helped int) {
	for i := range domains {
		options := guard.Options{Classifier: classifier(domains[i].Tools), Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})}
		g, err := guard.New(domains[i].Tools, &options)
		require.NoError(t, err)
		for j := range domains[i].Turns {
			turn := &domains[i].Turns[j]
			s := &servant{Play: cast.New(domains[i].Tools, turn, cast.Characters()[0]), tools: domains[i].Tools, eager: eager, served: map[string]bool{}}
			_, _ = g.Run(context.Background(), s, s, inputOf(turn))
			turns++
			if unwanted := s.unwanted(); len(unwanted) > 0 {
				harmed++
				if eager || len(domains) > 4 {
					t.Logf("%s: %q: %v ran", turn.ID, turn.User, unwanted)
				}
			} else if len(s.ran) > len(turn.Calls) {
				helped++
			}
		}
	}
	return turns, harmed, helped
}

func byItself([]tooltrack.Tool) guard.Classifier { return nil }

// TestObedientModelsDoNoHarm: whoever does all that the guard says changes nothing
// that the user took back or never asked for. An invitation that names no tool may
// be taken for more, where a request is read wrongly.
func TestObedientModelsDoNoHarm(t *testing.T) {
	if raceEnabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	own, err := labelled.Domains()
	require.NoError(t, err)
	check := func(t *testing.T, domains []labelled.Domain, ordered, invited float64) {
		for eager, limit := range map[bool]float64{false: ordered, true: invited} {
			turns, harmed, helped := serve(t, domains, byItself, eager)
			t.Logf("eager %v: of %d turns %d are harmed, and %d helped", eager, turns, harmed, helped)
			require.LessOrEqual(t, float64(harmed)/float64(turns), limit, "eager %v", eager)
			require.Greater(t, helped, 10*harmed/2, "eager %v", eager)
		}
	}
	t.Run("own turns", func(t *testing.T) { check(t, own, 0, 0.003) })
	t.Run("recorded drafts", func(t *testing.T) {
		if _, err := os.Stat(recordedData); err != nil {
			t.Skipf("there is no evaluation data beside the checkout: %v", err)
		}
		recorded, err := cast.Recorded(recordedData, "turns_domains", "intent_domains")
		require.NoError(t, err)
		check(t, recorded, 0, 0.0075)
	})
	t.Run("a guard that is sure of everything does", func(t *testing.T) {
		turns, harmed, _ := serve(t, own[:4], certainOfAll, false)
		require.Greater(t, harmed, turns/4, "or this test sees no harm")
	})
}
