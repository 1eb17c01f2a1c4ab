package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/internal/evaluation/cast"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// performance is a turn of ours, played to a guard.
type performance struct {
	*cast.Play
	guard         *guard.Guard
	asked, report string // the first request for proof, and the answer to it
	told          string // what the guard said of the text first
	reply         *guard.Reply
	err           error
}

// perform plays a turn by a character, with a guard that asks for proof once.
func perform(t *testing.T, domain *labelled.Domain, turn *labelled.Turn, character cast.Character) *performance {
	g, err := guard.New(domain.Tools, &guard.Options{
		Budgets: guard.Budgets{Proof: 1},
		Reviewer: guard.ReviewerFunc(func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
			return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
		})})
	require.NoError(t, err)
	p := &performance{Play: cast.New(domain.Tools, turn, character), guard: g}
	input := guard.Input{User: turn.User}
	if turn.Previous != "" {
		input.Previous = []guard.Message{{Role: guard.RoleAssistant, Text: turn.Previous}}
	}
	said := 0
	model := guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		last := request.Messages[len(request.Messages)-1].Text
		call, text := p.Next(last)
		if said++; said == len(turn.Calls)+2 {
			if p.told = last; strings.Contains(last, "Check your answer before") {
				p.asked, p.report = last, text
			}
		}
		if call != nil {
			return guardtest.Call(*call).Response, nil
		}
		return guardtest.Say(text).Response, nil
	})
	execute := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return p.Result() })
	p.reply, p.err = g.Run(t.Context(), model, execute, input)
	return p
}

// audited are the answers of a subcommand to some cases.
func audited[A any](t *testing.T, command string, cases []any) (answers []A) {
	var in, out, errs bytes.Buffer
	lines := json.NewEncoder(&in)
	for _, one := range cases {
		require.NoError(t, lines.Encode(one))
	}
	require.Zero(t, run([]string{command}, &in, &out, &errs), errs.String())
	decoder := json.NewDecoder(&out)
	for range cases {
		var answer A
		require.NoError(t, decoder.Decode(&answer))
		answers = append(answers, answer)
	}
	return answers
}

// auditCase is a turn as a log holds it, for every subcommand that reads one.
type auditCase struct {
	*labelled.Turn
	Tools  []tooltrack.Tool `json:"tools"`
	Report json.RawMessage  `json:"report,omitempty"`
}

// eachTurn hands on each n-th of our turns that nothing was called before.
func eachTurn(t *testing.T, every int, do func(*labelled.Domain, *labelled.Turn)) {
	domains, err := labelled.Domains()
	require.NoError(t, err)
	number := 0
	for i := range domains {
		for j := range domains[i].Turns {
			if number++; number%every == 0 && len(domains[i].Turns[j].Earlier) == 0 {
				do(&domains[i], &domains[i].Turns[j])
			}
		}
	}
}

// TestTurnsSayWhatTheGuardDoes: a living guard corrects or refuses exactly the turns that
// are told as ghosts or insufficient, and asks for proof of exactly those that are
// suspect.
func TestTurnsSayWhatTheGuardDoes(t *testing.T) {
	var cases []any
	var live []*performance
	eachTurn(t, 30, func(domain *labelled.Domain, turn *labelled.Turn) {
		cases = append(cases, auditCase{Turn: turn, Tools: domain.Tools})
		live = append(live, perform(t, domain, turn, cast.Characters()[0]))
	})
	count := map[string]int{}
	type answer struct {
		ID, Outcome    string
		Ghost, Suspect bool
		Missing        []string
	}
	for i, said := range audited[answer](t, "turns", cases) {
		p, acts := live[i], said.Ghost || said.Outcome == "insufficient_progress" || len(said.Missing) > 0
		switch {
		case p.asked != "":
			count["asked"]++
			require.True(t, said.Suspect && !said.Ghost, "%s: %q", said.ID, p.Turn.Text)
		case p.told != "":
			count["corrected"]++
			require.True(t, acts && !said.Suspect, "%s: %q: %s", said.ID, p.Turn.Text, p.told)
		default:
			count["passed"]++
			require.False(t, acts || said.Suspect, "%s: %q", said.ID, p.Turn.Text)
		}
	}
	require.Greater(t, min(count["asked"], count["corrected"], count["passed"]), 30, "%v", count)
}

// TestProofsSayWhatTheGuardAccepts: a report passes exactly where a living guard accepts
// it, and what is said to be shown is what its user reads.
func TestProofsSayWhatTheGuardAccepts(t *testing.T) {
	var cases []any
	var live []*performance
	number := 0
	speaks := slices.DeleteFunc(cast.Characters(), func(c cast.Character) bool { return !c.Speaks })
	eachTurn(t, 12, func(domain *labelled.Domain, turn *labelled.Turn) {
		number++
		p := perform(t, domain, turn, speaks[number%len(speaks)])
		if p.asked == "" || p.err != nil || !json.Valid([]byte(p.report)) {
			return
		}
		cases = append(cases, auditCase{Turn: turn, Tools: domain.Tools, Report: json.RawMessage(p.report)})
		live = append(live, p)
	})
	passed := 0
	for i, said := range audited[proofAnswer](t, "proofs", cases) {
		p := live[i]
		require.Equal(t, p.reply.Proof != nil, said.Passes, "%s: %s: %s", said.ID, p.report, said.Reason)
		require.Equal(t, said.Passes, said.Reason == "", said.ID)
		if said.Passes {
			passed++
			require.Equal(t, p.reply.Text, said.Shown, said.ID)
		}
	}
	require.Greater(t, min(passed, len(cases)-passed), 30, "of %d", len(cases))
}

// TestIntentSaysWhatTheGuardInsistsOn: the tools that are told as sure are those that a
// living guard demands of a model that says nothing.
func TestIntentSaysWhatTheGuardInsistsOn(t *testing.T) {
	var cases []any
	var live []*performance
	eachTurn(t, 40, func(domain *labelled.Domain, turn *labelled.Turn) {
		mute := *turn
		mute.Calls, mute.Text = nil, "Hm."
		cases = append(cases, auditCase{Turn: &mute, Tools: domain.Tools})
		live = append(live, perform(t, domain, &mute, cast.Characters()[0]))
	})
	count := map[string]int{}
	for i, said := range audited[intentAnswer](t, "intent", cases) {
		p := live[i]
		for _, tool := range said.Sure {
			require.Contains(t, p.told, tool, "%s: %q", said.ID, p.Turn.User)
		}
		switch {
		case len(said.Sure) > 0:
			count["insisted on"]++
		case p.asked != "":
			count["asked about"]++
			require.True(t, said.Due, "%s: %q", said.ID, p.Turn.User)
		default:
			count["passed"]++
			require.False(t, said.Due, "%s: %q", said.ID, p.Turn.User)
			require.Empty(t, p.told)
		}
	}
	require.Greater(t, min(count["insisted on"], count["asked about"], count["passed"]), 20, "%v", count)
}
