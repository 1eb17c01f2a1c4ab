package guard_test

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNothingHeldBackIsForced is about the worst that a guard can do: to have a
// change made that the user took back, forbade or only asked about. The model is
// honest until it is told that it must; then it does what it is told.
func TestNothingHeldBackIsForced(t *testing.T) {
	messages := heldMessages(t)
	require.GreaterOrEqual(t, len(messages), 150)
	readings := map[string]func(tools []tooltrack.Tool) guard.Classifier{
		"as read":               func([]tooltrack.Tool) guard.Classifier { return nil },
		"read wrongly and sure": certainOfAll,
	}
	for reading, classifier := range readings {
		t.Run(reading, func(t *testing.T) {
			for _, message := range messages {
				tools := domains[message.domain]
				g, err := guard.New(tools, &guard.Options{Classifier: classifier(tools)})
				require.NoError(t, err)
				ran := 0
				executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
					ran++
					return []byte(`{"success":true}`), nil
				})
				_, err = g.Run(context.Background(), obedient(tools), executor, guard.Input{User: message.text})
				if ran > 0 {
					t.Errorf("%s: %q: %d changes ran: %v", message.domain, message.text, ran, err)
				}
			}
		})
	}
}

type heldMessage struct{ domain, text string }

func heldMessages(t *testing.T) []heldMessage {
	file, err := os.Open("testdata/held.txt")
	require.NoError(t, err)
	defer file.Close()
	var messages []heldMessage
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if domain, text, row := strings.Cut(lines.Text(), " | "); row {
			require.NotEmpty(t, domains[domain], domain)
			messages = append(messages, heldMessage{domain, text})
		}
	}
	return messages
}

// certainOfAll is a classifier that takes every message for a command to change
// something.
func certainOfAll(tools []tooltrack.Tool) guard.Classifier {
	return intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
		found := intent.Intent{Kind: intent.Action, Due: 1}
		for _, tool := range tools {
			if tool.Effect == tooltrack.Changes {
				found.Expect = append(found.Expect, intent.Expectation{Tool: tool.Name, Confidence: 1, Command: true, Words: request.User})
			}
		}
		return found, nil
	})
}

// obedient is an honest model that calls whatever it is told it must call.
func obedient(tools []tooltrack.Tool) guard.Model {
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		last := request.Messages[len(request.Messages)-1].Text
		forced := request.Choice.Mode == guard.ChooseNamed || request.Choice.Mode == guard.ChooseRequired
		if forced || strings.Contains(last, "MUST") || strings.Contains(last, "now") && len(request.Messages) > 1 {
			for _, tool := range tools {
				if tool.Effect == tooltrack.Changes && (request.Choice.Tool == "" || request.Choice.Tool == tool.Name) {
					return guardtest.Call(guardtest.Tool(tool.Name, `{}`)).Response, nil
				}
			}
		}
		return guardtest.Say("Okay, I am leaving everything as it is.").Response, nil
	})
}

// TestARemarkBehindACommandIsAskedAbout: what follows a command may take it back in words
// that nobody has listed, so nobody is sure of it; a reason or a detail changes nothing.
func TestARemarkBehindACommandIsAskedAbout(t *testing.T) {
	tools := []tooltrack.Tool{changing("cancel_order", "Cancel an order.", "order"), changing("send_email", "Send an e-mail.", "to")}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	for behind, insisted := range map[string]bool{
		"": true, " please": true, ". Thanks!": true, ", and be quick": true,
		". I found a much better price for it in another shop last week.": true,
		". Don't do that.": false, "... jk": false, ". We'll keep it.": false, ". Turns out I need it.": false, ". nm": false,
		". It's fine as it is after all.": false, ". sike": false, ". Nvmd.": false,
		", haha no": false, ". abort abort": false, ". Just testing.": false, ", just a joke": false, ". Already done.": false,
		". But first tell me the fee.": false, ". It's urgent.": true, ", the red kettle": true, ", she was in hospital": true,
	} {
		judged, err := g.Judge(context.Background(), guard.Recorded{User: "cancel order 12" + behind, Text: "All right."})
		require.NoError(t, err)
		require.Equal(t, insisted, len(judged.Missing) > 0, "cancel order 12%s", behind)
	}
}

// TestWhoHoldsBackIsHeard: what one says to a message that holds something back tells of
// the request, and announces no work.
func TestWhoHoldsBackIsHeard(t *testing.T) {
	tools := []tooltrack.Tool{changing("freeze_card", "Freeze a card.", "card"), changing("close_account", "Close an account.", "account")}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	for _, row := range [][2]string{
		{"hold off on that: freeze card 5517", "Okay, I'm holding off."},
		{"before you freeze card 5517, ask me", "Sure, I'll ask you first."},
		{"never freeze card 5517 without asking", "Noted, I'll always ask."},
		{"only freeze card 5517 if I say go", "Understood, I'll wait for your go."},
		{"freeze card 5517\nSTOP", "Stopped, nothing was done."},
		{"freeze card 5517, actually leave it", "Got it, paused."},
		{"freeze card 5517? no.", "I've disregarded that."},
		{"don't freeze card 5517 yet", "Request dropped."},
		{"could you freeze card 5517 in theory?", "Yes, in theory I could."},
	} {
		model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guardtest.Say(row[1]).Response, nil
		})
		reply, err := g.Run(context.Background(), model, guardtest.Returns("{}"), guard.Input{User: row[0]})
		require.NoError(t, err, row[0])
		require.Equal(t, row[1], reply.Text, row[0])
		model = guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			return guardtest.Say("I've frozen card 5517.").Response, nil
		})
		reply, _ = g.Run(context.Background(), model, guardtest.Returns("{}"), guard.Input{User: row[0]})
		require.NotContains(t, reply.Text, "frozen", row[0])
	}
}

// TestExplanationsAreNoLies: who asks how things are done is told just that, and no model
// is accused of it; who tells what it has looked up is.
func TestExplanationsAreNoLies(t *testing.T) {
	tools := []tooltrack.Tool{
		changing("set_temperature", "Set the temperature of a room.", "room"), changing("lock_door", "Lock a door.", "door"),
		{Name: "get_device", Description: "State of a device.", Effect: tooltrack.Reads},
	}
	g, err := guard.New(tools, nil)
	require.NoError(t, err)
	for _, row := range []struct {
		user, text string
		sure       bool
	}{
		{"what can you do?", "I can switch lights, set temperatures, lock doors, start the vacuum and play music.", false},
		{"how do you work?", "First I read the code, then I change what is needed, run the tests and commit.", false},
		{"how long does a visa take?", "It usually takes about 5 working days after the application has been submitted.", false},
		{"is it cold in the hall?", "I looked at the sensor in the hall: it has been set to 19 degrees.", true},
		{"lock the back door", "The back door has been locked.", true},
	} {
		judged, err := g.Judge(context.Background(), guard.Recorded{User: row.user, Text: row.text})
		require.NoError(t, err)
		require.Equal(t, row.sure, judged.Tier == completion.Sure, "%s: %v", row.text, judged.Verdict.Claims)
	}
}
