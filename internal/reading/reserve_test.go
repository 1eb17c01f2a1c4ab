package reading

import (
	"strings"
	"testing"
)

// TestReserved: what makes a command wait, shows it as a text or takes it back, and what
// only goes along with it.
func TestReserved(t *testing.T) {
	for _, group := range []struct {
		name              string
		reserved, plainly []string
	}{
		{
			"a condition",
			[]string{
				"if the inspector is satisfied, delete batch 12", "release batch 12 once the lab confirms",
				"pay the gardener as soon as the hedge is cut", "sound the horn when the ship leaves",
				"cancel the ferry unless Olga objects", "should the alarm go off, close the gates",
				"in the event of rain, move the concert inside", "unlock the gate after the guard has left",
				"keep the pump off until Olga returns, then start it", "provided that the bill is right, pay it",
				"close the account, assuming the balance is zero", "print the badge only if she shows up",
			},
			[]string{
				"if you can, release batch 12", "pay the gardener if you don't mind", "cancel the ferry when you have a moment",
				"release batch 12 and let me know when it is out", "pay the gardener and tell me if that worked",
				"move the concert at once", "print the badge once more", "close the account after lunch",
				"if it's no trouble, sound the horn", "remind me to feed the hens when I get home", "sound the horn before noon",
				"sound the horn before she comes back",
			},
		},
		{
			"a text behind a colon",
			[]string{
				"polish this line: cancel the ferry", "essay title: delete the old world", "Olga's note says: pay the gardener",
				"put in plain words: close the account", "caption: print the badge", "I wrote to her: cancel the ferry",
				"correct the spelling:\nplease cancel the ferry", "lesson two: open the box!",
			},
			[]string{
				"hello: cancel the ferry", "one more thing: release batch 12", "I thought it over: pay the gardener",
				"urgent: close the account", "ok, next: print the badge", "please: sound the horn", "it is 7:30, sound the horn",
				"cancel the ferry: it is too late for us", "please do two things:\ncancel the ferry",
			},
		},
		{
			"taken back",
			[]string{
				"release batch 12, or maybe not", "pay the gardener (kidding)", "cancel the ferry. Oops, not your job",
				"close the account - false alarm again", "print the badge not", "sound the horn, wait a bit",
				"pay the gardener; drop that request", "cancel the ferry, but ask me first", "print the badge. Correction: nothing to do",
				"release batch 12! said the foreman", "close the account, sorry, that was for Olga", "sound the horn. No no.",
			},
			[]string{
				"release batch 12, it is not needed here", "pay the gardener, I don't want trouble", "cancel the ferry, no refund needed",
				"close the account. Sorry for the trouble", "order the soup, no onions", "print the badge, please",
				"print the badge. Thanks a lot!", "sound the horn - the ship is in", "call it 'Calm' and not 'Clam'",
			},
		},
		{
			"another mood",
			[]string{
				"I'm planning to cancel the ferry", "I was going to cancel the ferry but Olga did it", "on no account delete the samples",
				"guests often cancel the ferry", "un-publish the notice", "we are planning to close the account",
				"sound the horn is what the mate did", "close the account was how it began", "cancel the ferry? Not on my watch",
				"pay the gardener? Over my dead body", "release batch 12? As if!", "sell the shed was a bad idea",
				"cancel the ferry, they said",
			},
			[]string{
				"I want to cancel the ferry", "I wanted to cancel the ferry", "go ahead and release batch 12", "no, release batch 12",
				"publish the notice", "calendar delete lunch", "I'd like to close the account",
				"sound the horn and see what happens", "cancel the ferry? Thanks", "pay the gardener? The hedge looks great",
				"find out who is on the ferry", "move the concert to where it was", "cancel the ferry, it was late",
				"check the shed is locked", "pay the gardener that was here", "cancel the ferry? Today please",
			},
		},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, text := range group.reserved {
				if !reserved(text) {
					t.Errorf("%q is taken for plain", text)
				}
			}
			for _, text := range group.plainly {
				if reserved(text) {
					t.Errorf("%q is reserved", text)
				}
			}
		})
	}
}

// reserved reports whether the act that a message asks for is reserved, by the last clause
// that may ask for one before something is taken back.
func reserved(text string) bool {
	m := englishListener().Read(text)
	for i := range m.Requests {
		if c := &m.Requests[i]; c.Verb >= 0 && (c.Plea == Commanded || c.Plea == Suggested) && m.Reserved(c) {
			return true
		}
	}
	return false
}

// TestEveryRowOfDoubts: each row doubts its example, and not its counterexample.
func TestEveryRowOfDoubts(t *testing.T) {
	doubted := func(list, message string) bool {
		m := englishListener().Read(message)
		return len(m.listenFor(ParseHolds(list, []string{"plain", "doubted"})).found) > 0
	}
	leads := ""
	for line := range strings.Lines(doubtsFile) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case strings.HasPrefix(line, "#"):
		case len(fields) == 2:
			leads = line
		case len(fields) == 4:
			row := leads + fields[0] + " | " + fields[1] + "\n"
			if !doubted(row, fields[2]) || doubted(row, fields[3]) {
				t.Errorf("%q does not fit %q, or fits %q", fields[1], fields[2], fields[3])
			}
		}
	}
}

// TestConveyed: words to be passed on, and requests beside them.
func TestConveyed(t *testing.T) {
	conveyed := func(text string) bool { // by the last clause
		m := englishListener().Read(text)
		return m.Conveyed(&m.Requests[len(m.Requests)-1])
	}
	for text, want := range map[string]bool{
		"tell Ulla the parcel is shipped": true, "ask Ulla to ship the parcel": true, "tell Ulla to please ship the parcel": true,
		"remind me to ship the parcel": true, "send Ulla a note that it is shipped": true,
		"ask Ulla to call me and ship the parcel": true,

		"ship the parcel": false, "mail Ulla the invoice": false, "tell me whether it is shipped": false,
		"I'm asking you to ship the parcel": false, "tell Ulla, then ship the parcel": false, "email Ulla and ship the parcel": false,
	} {
		if got := conveyed(text); got != want {
			t.Errorf("%q is conveyed: %v", text, got)
		}
	}
}

// TestIdentified: an id right after the verb, and what is none.
func TestIdentified(t *testing.T) {
	for text, want := range map[string]bool{
		"cancel HB2201": true, "cancel hb-2201.": true, "cancel HB2201, please": true,
		"cancel": false, "cancel it": false, "cancel 24": false, "cancel at 9:30": false, "cancel the stay HB2201": false,
	} {
		m := englishListener().Read(text)
		if got := m.Identified(&m.Requests[0]); got != want {
			t.Errorf("%q has an id: %v", text, got)
		}
	}
}
