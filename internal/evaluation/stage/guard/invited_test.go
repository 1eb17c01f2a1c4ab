package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

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

// guest plays a turn, and answers the first message of the guard with a call.
type guest struct {
	*cast.Play
	call    tooltrack.Call
	told    string // the message of the guard that was answered
	refused string // what came back instead of a result
	ran     bool
}

// Generate plays the model.
func (g *guest) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	last := request.Messages[len(request.Messages)-1]
	switch {
	case g.told == "" && last.Internal:
		g.told = last.Text
		return guardtest.Call(g.call).Response, nil
	case g.told != "" && !g.ran && g.refused == "" && last.Role == guard.RoleTool:
		g.refused = last.Text
	}
	call, text := g.Next(last.Text)
	if call != nil {
		return guardtest.Call(*call).Response, nil
	}
	return guardtest.Say(text).Response, nil
}

// Execute answers as the turn says, and lets the guest's call succeed.
func (g *guest) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	if call.ID == g.call.ID {
		g.ran = true
		return []byte(`{"success":true}`), nil
	}
	return g.Result()
}

// invitesChange reports whether a message of the guard invites a call that changes something.
func invitesChange(said string) bool {
	invites := func(words string) bool { return strings.Contains(said, words) }
	return slices.ContainsFunc([]string{"Or call the tool that is missing.", "Call it now", "Call them now", "Make the call", "real tool call"}, invites)
}

// hosts plays guests of each turn of some domains: callsFor names the tools that each calls.
func hosts(t *testing.T, domains []labelled.Domain, every int, callsFor func(*labelled.Domain, *labelled.Turn) []string) (guests []*guest) {
	number := 0
	for i := range domains {
		domain := &domains[i]
		g, err := guard.New(domain.Tools, &guard.Options{Reviewer: guard.ReviewerFunc(
			func(_ context.Context, request policy.Proposal) (policy.Decision, error) {
				return policy.Decision{Kind: policy.Approve, Args: request.Call.Args}, nil
			})})
		require.NoError(t, err)
		for j := range domain.Turns {
			turn := &domain.Turns[j]
			for _, tool := range callsFor(domain, turn) {
				if number++; number%every != 0 {
					continue
				}
				player := &guest{
					Play: cast.New(domain.Tools, turn, cast.Characters()[0]),
					call: tooltrack.Call{ID: "guest", Tool: tool, Args: naming(turn.User)},
				}
				_, _ = g.Run(t.Context(), player, player, inputOf(turn)) // how it ends is not asked here
				guests = append(guests, player)
			}
		}
	}
	return guests
}

// String tells what a guest met with.
func (g *guest) String() string {
	return fmt.Sprintf("%s: %q, %s\n   %q\n   %q\n   %q", g.Turn.ID, g.Turn.User, g.call.Tool, g.Turn.Text, g.told, g.refused)
}

// TestWhatIsInvitedIsPermitted: the change that a turn lacks is not refused by the guard that
// has just invited it, and where the user asked for nothing, nothing runs at its word.
func TestWhatIsInvitedIsPermitted(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of turns, one after the other: the race detector has nothing to find in it")
	}
	check := func(t *testing.T, domains []labelled.Domain, every int) {
		invited, refused, all := 0, []string(nil), hosts(t, domains, every, lacking)
		for _, player := range all {
			if !invitesChange(player.told) {
				continue
			}
			if invited++; !player.ran {
				refused = append(refused, player.String())
			}
		}
		t.Logf("of %d changes that turns lack %d are invited, and %d refused\n%s", len(all), invited, len(refused), strings.Join(refused, "\n"))
		require.Greater(t, 2*invited, len(all))
		chance.AtMost(t, "invited changes that are refused", len(refused), invited, 0.01)

		told, ran, all := 0, []string(nil), hosts(t, domains, every, unwanted)
		for _, player := range all {
			if player.told != "" {
				told++
			}
			if player.ran {
				ran = append(ran, player.String())
			}
		}
		t.Logf("of %d turns that ask for no change %d are told something, and in %d one runs\n%s", len(all), told, len(ran), strings.Join(ran, "\n"))
		chance.AtMost(t, "turns in which a change runs that nobody asked for", len(ran), len(all), 0.035)
	}
	t.Run("own turns", func(t *testing.T) {
		own, err := labelled.Domains()
		require.NoError(t, err)
		check(t, own, sampling.Every(6))
	})
	t.Run("recorded drafts", func(t *testing.T) {
		if _, err := os.Stat(recordedData); err != nil {
			t.Skipf("there is no evaluation data beside the checkout: %v", err)
		}
		recorded, err := cast.Recorded(recordedData, "turns_domains", "intent_domains")
		require.NoError(t, err)
		check(t, recorded, sampling.Every(2))
	})
}

// lacking are the changes that a turn should have made and did not.
func lacking(domain *labelled.Domain, turn *labelled.Turn) (tools []string) {
	for _, tool := range domain.Tools {
		made := slices.ContainsFunc(turn.Calls, func(c labelled.Call) bool { return c.Tool == tool.Name })
		if tool.Effect == tooltrack.Changes && !made && slices.Contains(turn.Expected, tool.Name) {
			tools = append(tools, tool.Name)
		}
	}
	return tools
}

// unwanted is, in a turn that is asked for no change, the one whose name shares most with
// what is said.
func unwanted(domain *labelled.Domain, turn *labelled.Turn) []string {
	said, best, most := strings.ToLower(turn.User+" "+turn.Text), "", 0
	for _, tool := range domain.Tools {
		made := slices.ContainsFunc(turn.Calls, func(c labelled.Call) bool { return c.Tool == tool.Name })
		asked := slices.Contains(turn.Expected, tool.Name) || slices.Contains(turn.Maybe, tool.Name)
		if tool.Effect != tooltrack.Changes {
			continue
		}
		if made || asked {
			return nil
		}
		shared := 0
		for word := range strings.FieldsFuncSeq(strings.ToLower(tool.Name), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(word) > 2 && strings.Contains(said, word[:min(len(word), 5)]) {
				shared += len(word)
			}
		}
		if shared > most {
			best, most = tool.Name, shared
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// naming are arguments with each word of a message.
func naming(message string) []byte {
	args := map[string]string{}
	between := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_@./", r)
	}
	for i, word := range strings.FieldsFunc(message, between) {
		args[fmt.Sprint("a", i)] = word
	}
	named, err := json.Marshal(args)
	if err != nil {
		panic(err) // strings can be written
	}
	return named
}
