package intent

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// reserveSets are tools of several fields, each with a plain command for one of them.
var reserveSets = []struct {
	tools   []tooltrack.Tool
	tool    string
	command string
}{
	{[]tooltrack.Tool{
		{Name: "delete_ticket", Description: "Deletes a ticket."}, {Name: "archive_ticket", Description: "Archives a ticket."},
		{Name: "list_tickets", Description: "Lists tickets."},
	}, "delete_ticket", "delete the ticket about the boiler"},
	{[]tooltrack.Tool{
		{Name: "unlock-door", Description: "Unlocks a door."}, {Name: "lock-door", Description: "Locks a door."},
		{Name: "read-battery", Description: "Reads the battery of a lock."},
	}, "unlock-door", "unlock the cellar door"},
	{[]tooltrack.Tool{
		{Name: "order.refund", Description: "Refunds an order."}, {Name: "order.ship", Description: "Ships an order."},
		{Name: "order.get", Description: "Shows an order."},
	}, "order.refund", "refund the order 4410"},
	{[]tooltrack.Tool{
		{Name: "publishPost", Description: "Publishes a blog post."}, {Name: "unpublishPost", Description: "Unpublishes a blog post."},
		{Name: "banUser", Description: "Bans a user."},
	}, "publishPost", "publish the post about moss"},
}

// TestReservedCommandsAreNotSure: the guard must not insist on what waits for something, is
// only shown, or was taken back; it stays expected or due. What only goes along with a
// command changes nothing.
func TestReservedCommandsAreNotSure(t *testing.T) {
	frames := map[string]bool{ // whether the command stays sure
		"%": true, "please %": true, "%, it is urgent": true, "no, %": true, "now %": true,
		"% if you can": true, "when you have a minute, %": true, "%, the old one is broken": true, "one last thing: %": true,
		"%, then tell me if it worked": true, "% again": true, "%. Sorry for the hassle.": true,

		"if Ulla says so, %": false, "% as soon as the rain stops": false, "should Ulla object, %": false,
		"% when the bell rings": false, "%, but ask Ulla first": false, "% after Ulla has left": false,
		"Shorten this sentence: %": false, "the sign said: %": false, "diary entry: %": false, "Improve my style: please %": false,
		"% - just joking": false, "%, or maybe not": false, "%. Sorry, I meant another chat": false, "% (false alarm)": false,
		"%; withdraw my request": false, "% not": false, "I'm planning to %": false, "by no means %": false, "let her %": false, "have Ulla %": false,
		"I was going to ask you to % but Ulla did": false,
	}
	for frame, sure := range frames {
		for _, set := range reserveSets {
			c := classifierFor(t, set.tools, nil)
			message := strings.ReplaceAll(frame, "%", set.command)
			in, _ := c.Classify(context.Background(), Utterance{User: message})
			if got := commands(in, set.tool); got != sure || insists(in, set.tool) && !sure {
				t.Errorf("%q: a plain command %v, want %v: %+v", message, got, sure, in)
			}
			if in.Due < DefaultDue {
				t.Errorf("%q is not due: %+v", message, in)
			}
		}
	}
}

// commands reports whether a plain command asks for a tool, and nothing holds it back.
func commands(in Intent, tool string) bool {
	for _, e := range in.Expect {
		if e.Tool == tool && e.Hold == NotHeld && e.Command {
			return true
		}
	}
	return false
}

// insists reports whether a guard would insist on a tool.
func insists(in Intent, tool string) bool {
	for _, e := range in.Expect {
		if e.Tool == tool && e.Hold == NotHeld && e.Confidence >= DefaultSureChange {
			return true
		}
	}
	return false
}

// TestLaterCommandReplaces: of two commands that undo one another the later one counts,
// unless the message wants both, one after the other.
func TestLaterCommandReplaces(t *testing.T) {
	c := classifierFor(t, reserveSets[1].tools, nil)
	for message, sure := range map[string]bool{
		"unlock the attic door": true, "unlock the attic door and then lock the cellar door": true,
		"unlock the attic door, lock the cellar door afterwards": true,
		"unlock the attic door. Lock it":                         false, "unlock the attic door, I mean lock it": false,
		"unlock the attic door; or rather, lock it": false, "unlock the attic door. Correction: lock it": false,
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		if got := insists(in, "unlock-door"); got != sure {
			t.Errorf("%q: sure %v, want %v: %+v", message, got, sure, in)
		}
	}
}

// TestHoldsHaveADirection: a withdrawal takes back what stands before it, and what forbids
// one act says nothing of another beside it.
func TestHoldsHaveADirection(t *testing.T) {
	frames := map[string]bool{ // whether the command is free
		"scratch that. %": true, "on second thought, %": true, "I changed my mind: %": true, "forget what I said, %": true,
		"nope, %": true, "%, not the green one": true, "% without waking Ulla": true, "% instead of hesitating": true,
		"%, no need to call": true, "please % before you do anything else": true, "% and let me check the result": true,
		"%, as I asked you": true, "don't call Ulla, %": true,

		"%. Scratch that.": false, "%. On second thought, no": false, "%. I changed my mind": false, "%, nope": false,
		"don't %": false, "never %": false, "there is no need to %": false, "let's not %": false, "%, I'll do it myself": false,
		"%, but let me see it first": false, "please don't %": false, "%. Don't do it, don't % at all": false,
	}
	for frame, free := range frames {
		for _, set := range reserveSets {
			c := classifierFor(t, set.tools, nil)
			message := strings.ReplaceAll(frame, "%", set.command)
			in, _ := c.Classify(context.Background(), Utterance{User: message})
			if got := commands(in, set.tool); got != free {
				t.Errorf("%q: free %v, want %v: %+v", message, got, free, in)
			}
			if held := HoldOf(message) != NotHeld; held == free {
				t.Errorf("%q: held as a whole %v", message, held)
			}
		}
	}
}

// TestBarsHoldTheirOwnTool: of two tools in one message the forbidden one is held.
func TestBarsHoldTheirOwnTool(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "find_train", Description: "Finds a train."}, {Name: "cancel_hotel", Description: "Cancels a hotel."},
		{Name: "cancel_flight", Description: "Cancels a flight."}, {Name: "send_receipt", Description: "Sends a receipt."},
	}
	c := classifierFor(t, tools, nil)
	for message, want := range map[string][2]string{
		"cancel the flight, not the hotel":                    {"cancel_flight", "cancel_hotel"},
		"cancel the flight without sending a receipt":         {"cancel_flight", "send_receipt"},
		"don't cancel the flight, send the receipt":           {"send_receipt", "cancel_flight"},
		"send the receipt, no need to cancel the flight":      {"send_receipt", "cancel_flight"},
		"cancel the flight and please don't send the receipt": {"cancel_flight", "send_receipt"},
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		if !commands(in, want[0]) || commands(in, want[1]) || insists(in, want[1]) {
			t.Errorf("%q: want %v and not %v: %+v", message, want[0], want[1], in)
		}
	}
}

// TestTeachingKeepsTheCaps: examples lend a tool their words; they make nobody sure of what
// waits, is told or taken back, nor of messages that have none of their words.
func TestTeachingKeepsTheCaps(t *testing.T) {
	for _, set := range reserveSets {
		var examples []Example
		for _, frame := range []string{"%", "please %", "can you % now", "I need you to %", "% today", "kindly %", "I want to %", "go and %"} {
			examples = append(examples, Example{User: strings.ReplaceAll(frame, "%", set.command), Expected: []string{set.tool}})
		}
		examples = append(examples, Example{User: "hello there"}, Example{User: "what a day"})
		c := classifierFor(t, set.tools, &Options{Examples: examples})
		for frame, sure := range map[string]bool{
			"%": true, "please %": true, "kindly %": true,
			"% as soon as Ulla agrees": false, "the poster reads: %": false, "% (joking)": false, "I'm planning to %": false,
		} {
			message := strings.ReplaceAll(frame, "%", set.command)
			in, _ := c.Classify(context.Background(), Utterance{User: message})
			if got := insists(in, set.tool); got != sure {
				t.Errorf("%q, taught: sure %v, want %v: %+v", message, got, sure, in)
			}
		}
	}
	tools := append([]tooltrack.Tool{{Name: "delete_user", Description: "Deletes a user."}}, reserveSets[0].tools...)
	senseless := []Example{{User: "qqq", Expected: []string{"delete_user"}}, {User: "qqq x", Expected: []string{"delete_user"}},
		{User: "qqq y", Expected: []string{"delete_user"}}}
	message := Utterance{User: "delete the folder b.txt"}
	plain, _ := classifierFor(t, tools, nil).Classify(context.Background(), message)
	taught, _ := classifierFor(t, tools, &Options{Examples: senseless}).Classify(context.Background(), message)
	for _, e := range taught.Expect {
		if e.Tool == "delete_user" && (!plain.Expects(e.Tool) || insists(taught, e.Tool)) {
			t.Errorf("senseless examples expect %+v", e)
		}
	}
}

// TestActsAtAnotherTime: a tool that takes no time does at once what is to be done later.
func TestActsAtAnotherTime(t *testing.T) {
	c := classifierFor(t, reserveSets[1].tools, nil)
	for message, sure := range map[string]bool{
		"unlock the cellar door": true, "unlock the cellar door now": true, "unlock the cellar door at once": true,
		"unlock the cellar door at 6 pm": false, "unlock the cellar door in ten minutes": false,
		"unlock the cellar door tomorrow": false, "unlock the cellar door at 18:30": false,
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		if got := insists(in, "unlock-door"); got != sure {
			t.Errorf("%q: sure %v, want %v: %+v", message, got, sure, in)
		}
	}
}
