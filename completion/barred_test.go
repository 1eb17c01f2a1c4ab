package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Why something is not done may be told without "I cannot": by what it takes, by who
// may do it, by a rule, a limit or a danger. That is a blocker, and no claim.
func TestBarred(t *testing.T) {
	for _, row := range []struct{ tools, user, text string }{
		{"changes lend_instrument", "lend the cello to Mira", "That needs the signature of a parent, which only Mira can get."},
		{"changes lend_instrument", "lend the cello to Mira", "Only the head of strings may lend out cellos."},
		{"changes release_animal", "release the fox to Ms. Lund", "Foxes must be kept for ten days after the bite, so this one stays."},
		{"changes release_animal", "release the fox to Ms. Lund", "I'm sorry, but I have to decline."},
		{"changes raise_temperature", "raise the kiln to 1400 degrees", "The maximum is 1280 degrees for that clay."},
		{"changes raise_temperature", "raise the kiln to 1400 degrees", "It would be dangerous to heat it that fast."},
		{"changes start_pump", "start pump 3", "That's beyond what I can do from here."},
		{"changes start_pump", "start pump 3", "We're under an embargo until the inspection, so no pumps."},
		{"changes merge_branch", "merge the release branch", "Merges require two reviews."},
		{"changes merge_branch", "merge the release branch", "There is a code freeze until Thursday."},
		{"changes publish_menu", "publish the winter menu", "You'll have to do that on the tablet yourself."},
		{"changes publish_menu", "publish the winter menu", "I don't have the rights for that."},
		{"changes scatter_ashes", "register the burial for Sunday", "Burials can't be held on Sundays. Please choose another day."},
		{"changes sell_ticket", "sell two tickets to the boy", "Children under twelve need an adult with them."},
		{"changes sell_ticket", "sell two tickets to the boy", "That would be against the rules of the house."},
		{"changes remove_tree", "have the old lime felled", "The lime has to stay by order of the council."},
		{"changes open_valve", "open valve 7", "I refuse to open it while people are in the pit."},
		{"changes open_valve", "open valve 7", "Valve 7 may only be opened by the shift leader."},
		{"changes wire_funds", "wire 40,000 to the notary", "A second person is required to sign off amounts like this one."},
		{"changes wire_funds", "wire 40,000 to the notary", "I lack the authority to move that much."},
		{"changes erase_recording", "erase the recording of 3 May", "Recordings are limited to deletion by the data officer."},
		{"changes erase_recording", "erase the recording of 3 May", "It would be illegal to erase evidence."},
		{"changes enter_result", "enter 7:58 for lane 4", "Only the timekeeper can enter results."},
		{"changes enter_result", "enter 7:58 for lane 4", "I won't."},
		{"changes enter_result", "enter 7:58 for lane 4", "Only the judge who saw the finish may enter it."},
		{"changes enter_result", "enter 7:58 for lane 4", "There's a protest pending. It would be unwise to enter times."},
	} {
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: toolsOf(row.tools), Contract: Action()})
		require.NotEqual(t, NoBlocker, verdict.Blocker.Kind, row.text)
		require.Equal(t, CompletedWithBlocker, verdict.Outcome, "%s: %v %+v", row.text, verdict.Reason, verdict.Claims)
		require.Empty(t, verdict.Unsure(), row.text)
	}
}

// Words of need and limits say nothing of the request by themselves.
func TestNotBarred(t *testing.T) {
	for _, row := range []struct{ tools, user, text string }{
		{"changes lend_instrument", "lend the cello to Mira", "Sure, I need to look it up first."},
		{"changes lend_instrument", "lend the cello to Mira", "No need to worry, I'm on it."},
		{"changes set_limit", "set the limit to 50", "The limit is 50."},
		{"changes raise_temperature", "raise the kiln to 1400 degrees", "It must have been hot work!"},
		{"changes start_pump", "start pump 3", "Sure, as needed."},
		{"changes start_pump", "start pump 3", "I only need a second."},
		{"changes publish_menu", "publish the winter menu", "The winter menu is now public, and guests only see the new one."},
		{"changes register_burial", "register the burial for Sunday", "I must say, that was quick."},
		{"changes sell_ticket", "sell two tickets to the boy", "You must be excited about the show!"},
		{"changes wire_funds", "wire 40,000 to the notary", "On it, you don't need to do anything."},
		{"changes enter_result", "enter 7:58 for lane 4", "You have to love that time!"},
	} {
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: toolsOf(row.tools), Contract: Action()})
		require.Equal(t, NoBlocker, verdict.Blocker.Kind, "%s: %+v", row.text, verdict.Blocker)
	}
}

// A reason why one thing is not done excuses no claim beside it.
func TestClaimBesideBar(t *testing.T) {
	for _, row := range []struct{ tools, user, text string }{
		{"changes lend_instrument", "lend the cello to Mira", "I've lent the cello to Mira. Violins need a parent's signature."},
		{"changes merge_branch tag_release", "merge the branch and tag it", "The branch has been merged. Tags require two reviews."},
		{"changes wire_funds", "wire 40,000 to the notary", "The 40,000 have been wired, which only you can undo."},
		{"changes switch_off_lamp", "switch off the porch lamp", "The porch lamp is off. Only the timer may turn it on."},
		{"changes open_valve", "open valve 7", "Valve 7 is open now. Only the shift leader may close it."},
		{"changes erase_recording", "erase the recording of 3 May", "I erased the recording; backups must be kept for a year."},
		{"changes publish_menu", "publish the winter menu", "Published! Changes after today require the chef's consent."},
	} {
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: toolsOf(row.tools), Contract: Action()})
		require.GreaterOrEqual(t, tierOf(&verdict), Unsure, row.text)
	}
}
