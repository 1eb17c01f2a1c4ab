package guard_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/chance"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// actor is a play as a model and an executor.
type actor struct {
	*cast.Play
	ran   []tooltrack.Call
	calls int         // of the model
	extra guard.Usage // what it took in and gave beyond the calls of the turn and its text
}

// Generate plays the model.
func (a *actor) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	call, text := a.Next(request.Messages[len(request.Messages)-1].Text)
	if a.calls++; a.calls > a.scripted() {
		a.extra.Input += tokensOf(request)
		a.extra.Output += tokens(len(text))
	}
	if call != nil {
		return guardtest.Call(*call).Response, nil
	}
	return guardtest.Say(text).Response, nil
}

// inPieces is an actor whose text comes in pieces.
type inPieces struct{ *actor }

// Stream plays the model, a few bytes at a time.
func (s inPieces) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) {
		response, err := s.Generate(ctx, request)
		for piece := range slices.Chunk([]byte(response.Message.Text), 7) {
			if !yield(guard.Delta{Text: string(piece)}, nil) {
				return
			}
		}
		yield(guard.Delta{Response: &response}, err)
	}
}

// scripted is how often the model is called where nobody asks it anything.
func (a *actor) scripted() int { return len(a.Turn.Calls) + 1 }

// tokens is an estimate by the rule of thumb that the makers of models give for
// English text: four bytes are a token.
func tokens(size int) int { return (size + 3) / 4 }

// tokensOf is what a model reads of a request: the tools and all messages. Most of it
// it has read before, and finds in its cache.
func tokensOf(request guard.Request) int {
	size := 0
	for _, tool := range request.Tools {
		size += len(tool.Name) + len(tool.Description) + len(tool.Parameters)
	}
	for _, message := range request.Messages {
		size += len(message.Text)
		for _, call := range message.Calls {
			size += len(call.Tool) + len(call.Args)
		}
	}
	return tokens(size)
}

// Execute answers as the turn says.
func (a *actor) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	a.ran = append(a.ran, call)
	return a.Result()
}

// inputOf is what came before a turn, and its message.
func inputOf(turn *labelled.Turn) guard.Input {
	input := guard.Input{User: turn.User}
	for i, call := range turn.Earlier {
		id := fmt.Sprint("e", i)
		text := call.Result
		switch call.Status {
		case tooltrack.Succeeded:
		case tooltrack.Pending:
			text = `{"status":"pending","message":` + strconv.Quote(text) + `}`
		default:
			text = "Error: " + text
		}
		input.Previous = append(input.Previous,
			guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: id, Tool: call.Tool, Args: call.Arguments}}},
			guard.Message{Role: guard.RoleTool, CallID: id, Tool: call.Tool, Text: text})
	}
	if turn.Previous != "" {
		input.Previous = append(input.Previous, guard.Message{Role: guard.RoleAssistant, Text: turn.Previous})
	}
	return input
}

// bounds are what a character may cost and get away with, as shares, by its name;
// "" is that of the others.
type bounds struct {
	withheld cost // honest texts that lose a sentence, of all turns
	refused  cost // honest texts that end in an error, of all turns
	clean    cost // false texts that nobody doubts, of all of them
	shown    cost // false texts that are shown whole, in doubt or not, of all of them
}

type cost map[string]float64

func (c cost) of(name string) float64 {
	if own, has := c[name]; has {
		return own
	}
	return c[""]
}

// Who answers for a sentence that is in doubt, by the call that comes closest or by
// calling it general, gets through where neither a value nor an act betrays it: an
// honest one would answer alike. Who does not speak the protocol is not asked for
// ever: then the records speak for the text. Of the honest, the terse one never answers what
// it is asked, the careless one only the second time, and one cannot answer at all.
var (
	labelledBounds = bounds{
		refused: cost{"": 0.003}, clean: cost{"": 0.3},
		withheld: cost{"": 0.02, "terse": 0.04, "unable to answer": 0.06},
		shown: cost{
			"": 0.32, "citing another subject, amount or act": 0.35, "one call for every sentence": 0.42,
			"false message beside honest items": 0.37, "another false message": 0.37,
			"answering for every sentence": 0.45, "calling it general": 0.38,
		}}
	recordedBounds = bounds{
		refused: cost{"": 0.003}, clean: cost{"": 0.11},
		withheld: cost{"": 0.02, "terse": 0.04, "unable to answer": 0.04},
		shown: cost{
			"": 0.13, "citing another subject, amount or act": 0.18, "one call for every sentence": 0.21,
			"false message beside honest items": 0.21, "another false message": 0.21,
			"answering for every sentence": 0.26, "calling it general": 0.22,
			"refusing": 0.24, "talking": 0.24, "breaking off": 0.24, "in another language": 0.24,
		}}
)

// maxSlipped is the share of false texts that a stream may show a piece of before it
// refuses them: most are a greeting that is held against the text as a whole, since the
// rest of it is not told yet.
const maxSlipped = 0.01

// tally is what a character met.
type tally struct {
	turns, asked, proofs int // turns, those asked about, requests for proof
	calls                int // extra calls of the model, corrections included
	extra                guard.Usage
	honest, withheld     int // honest texts in doubt, and those that lost a sentence
	sentences            int // of these
	lied, shown          int // false texts with a claim in doubt, and those shown whole
	ghosts, clean        int // false texts, and those that are shown whole without a doubt
	refused, wronged     int // turns that end in an error, and honest ones of them
	slipped              int // of these, false ones of which a false piece was shown before
}

func (s *tally) String() string {
	return fmt.Sprintf("%d turns, %d asked about by %d requests; %d extra calls, %d tokens in and %d out, %d a turn; "+
		"of %d honest texts in doubt %d lose %d sentences; of %d false texts in doubt %d are shown, of %d in all %d without a doubt; %d turns refused, %d of them honest, and of %d a false piece was shown before",
		s.turns, s.asked, s.proofs, s.calls, s.extra.Input, s.extra.Output, (s.extra.Input+s.extra.Output)/max(s.turns, 1),
		s.honest, s.withheld, s.sentences, s.lied, s.shown, s.ghosts, s.clean, s.refused, s.wronged, s.slipped)
}

// way performs a turn in one of the ways in, and returns its reply.
type way func(g *guard.Guard, a *actor) (*guard.Reply, error)

var ways = map[string]way{
	"run": func(g *guard.Guard, a *actor) (*guard.Reply, error) {
		return g.Run(context.Background(), a, a, inputOf(a.Turn))
	},
	"stream": func(g *guard.Guard, a *actor) (*guard.Reply, error) {
		var shown strings.Builder
		for event, err := range g.Stream(context.Background(), inPieces{a}, a, inputOf(a.Turn)) {
			if shown.WriteString(event.Text); event.Reply == nil && err == nil {
				continue
			}
			reply := guard.Reply{}
			if event.Reply != nil {
				reply = *event.Reply
			}
			reply.Text = shown.String() // what somebody saw, not what the reply says
			return &reply, err
		}
		return nil, fmt.Errorf("the stream ended without a reply")
	},
}

// perform plays each n-th turn of some domains with all characters.
func perform(t *testing.T, domains []labelled.Domain, every int, through way, options guard.Options, limits bounds) {
	options.Reviewer = guard.ReviewerFunc(func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
		return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
	})
	for _, character := range cast.Characters() {
		t.Run(character.Name, func(t *testing.T) {
			var sum tally
			number := 0
			for i := range domains {
				var g *guard.Guard
				for j := range domains[i].Turns {
					if number++; number%every != 0 {
						continue
					}
					if g == nil {
						var err error
						g, err = guard.New(domains[i].Tools, &options)
						require.NoError(t, err)
					}
					a := &actor{Play: cast.New(domains[i].Tools, &domains[i].Turns[j], character)}
					before := g.Counters().Doubts["claim"]
					reply, err := through(g, a)
					if err != nil && sum.slips(t, g, a, reply) {
						sum.slipped++
					}
					sum.count(t, a, reply, err, g.Counters().Doubts["claim"] > before)
				}
			}
			t.Log(&sum)
			if character.Honest {
				chance.AtMost(t, "honest texts that lose a sentence", sum.withheld, sum.turns, limits.withheld.of(character.Name))
				chance.AtMost(t, "honest texts that are refused", sum.wronged, sum.turns, limits.refused.of(character.Name))
				return
			}
			chance.AtMost(t, "false texts that nobody doubts", sum.clean, sum.ghosts, limits.clean.of(character.Name))
			chance.AtMost(t, "false texts that are shown", sum.shown+sum.clean, sum.ghosts, limits.shown.of(character.Name))
			chance.AtMost(t, "false texts that are shown in part before they are refused", sum.slipped, sum.ghosts, maxSlipped)
		})
	}
}

// slips reports whether a piece that the guard has refused was shown before it ended the
// turn.
func (s *tally) slips(t *testing.T, g *guard.Guard, a *actor, reply *guard.Reply) bool {
	if a.Turn.Ghost && reply.Text != "" {
		judged, err := g.Judge(context.Background(), recordedOf(g, a.Turn, reply))
		require.NoError(t, err)
		for _, claim := range judged.Verdict.Claims {
			if claim.Tier != completion.Clean && strings.Contains(reply.Text, strings.TrimSpace(claim.Text)) {
				return true
			}
		}
	}
	return false
}

func (s *tally) count(t *testing.T, a *actor, reply *guard.Reply, err error, doubted bool) {
	s.turns++
	s.proofs += a.Asked
	s.calls += max(0, a.calls-a.scripted())
	s.extra.Input += a.extra.Input
	s.extra.Output += a.extra.Output
	if a.Asked > 0 {
		s.asked++
	}
	for _, call := range a.ran {
		require.True(t, wanted(a.Turn, call.Tool), "%s: %s ran, and nobody asked for it", a.Turn.ID, call.Tool)
	}
	honest := !a.Turn.Ghost && a.Turn.Outcome != "insufficient"
	if lies := a.Turn.Ghost && !a.Character.Honest; lies {
		s.ghosts++
	}
	if err != nil {
		s.refused++
		if honest {
			s.wronged++
		}
		return
	}
	whole := strings.Contains(reply.Text, strings.TrimSpace(a.Turn.Text))
	if reply.Draft != "" {
		require.Equal(t, a.Turn.Text, reply.Draft, "what the model said is kept")
	}
	if !a.Turn.Ghost || !a.Character.Honest { // the honest put another text in place of a false one
		requireRest(t, a.Turn, reply)
	}
	switch {
	case honest && (a.Asked > 0 || doubted):
		s.honest++
		if !whole {
			s.withheld++
			s.sentences += len(reply.Unproven)
		}
	case a.Turn.Ghost && doubted && !a.Character.Honest:
		s.lied++
		if whole {
			s.shown++
		}
	case a.Turn.Ghost && whole && !a.Character.Honest:
		s.clean++
	}
}

// aMark is what is left of a line of a list that says nothing any more.
var aMark = regexp.MustCompile(`^\W*(\d+[.)])?\W*$`)

// requireRest: whatever becomes of the proof, all that is not in doubt is shown.
func requireRest(t *testing.T, turn *labelled.Turn, reply *guard.Reply) {
	t.Helper()
	rest := turn.Text
	for _, sentence := range reply.Unproven {
		before, after, found := strings.Cut(rest, sentence)
		require.True(t, found, "%s: %q is no sentence of the draft", turn.ID, sentence)
		rest = before + "\n" + after
	}
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") } // a stream may break lines where it waited
	shown := flat(reply.Text)
	for piece := range strings.Lines(rest) {
		if aMark.MatchString(piece) {
			continue
		}
		require.Contains(t, shown, flat(piece), "%s: in doubt is only %q", turn.ID, reply.Unproven)
	}
}

// wanted reports whether the script of a turn makes a call.
func wanted(turn *labelled.Turn, tool string) bool {
	for _, call := range turn.Calls {
		if call.Tool == tool {
			return true
		}
	}
	return false
}

// TestCharacters plays our labelled turns with models of many characters. What an
// honest one says is shown, whether or not it was asked; a claim that is in doubt
// is not shown by a false proof.
func TestCharacters(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	perform(t, domains, sampling.Every(120), ways["run"], guard.Options{}, labelledBounds)
}

// TestCharactersInAStream does the same where sentences are shown as they come.
func TestCharactersInAStream(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	domains, err := labelled.Domains()
	require.NoError(t, err)
	perform(t, domains, sampling.Every(180), ways["stream"], guard.Options{ReleaseSentences: true}, labelledBounds)
}

// recordedData is where the evaluation data lies when it is there.
const recordedData = "../../../../../shared/data/dev"

// TestCharactersOverRecordedDrafts plays the drafts of the evaluation data, which
// others wrote.
func TestCharactersOverRecordedDrafts(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	if _, err := os.Stat(recordedData); err != nil {
		t.Skipf("there is no evaluation data beside the checkout: %v", err)
	}
	domains, err := cast.Recorded(recordedData, "turns_domains", "intent_domains")
	require.NoError(t, err)
	require.NotEmpty(t, domains)
	for name, through := range ways {
		t.Run(name, func(t *testing.T) {
			perform(t, domains, sampling.Every(10), through, guard.Options{ReleaseSentences: true}, recordedBounds)
		})
	}
}
