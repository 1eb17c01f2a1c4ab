package intent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// replacements are pairs of commands, the second of which is said instead of the first.
// The verbs of some are in no list, or mean nothing known.
var replacements = []struct {
	first, second, tool string
	tools               []tooltrack.Tool
}{
	{"hoist the crate", "lower the crate", "lowerCrate", []tooltrack.Tool{
		{Name: "hoistCrate", Description: "Hoists a crate."}, {Name: "lowerCrate", Description: "Lowers a crate."}}},
	{"weld the tank", "rinse the tank", "tank.rinse", []tooltrack.Tool{
		{Name: "tank.weld", Description: "Welds a tank."}, {Name: "tank.rinse", Description: "Rinses a tank."}}},
	{"print the label", "email the label", "email_label", []tooltrack.Tool{
		{Name: "print_label", Description: "Prints a label."}, {Name: "email_label", Description: "Emails a label."}}},
	{"freeze the card 5517", "replace the card 5517", "replace-card", []tooltrack.Tool{
		{Name: "freeze-card", Description: "Freezes a card."}, {Name: "replace-card", Description: "Replaces a card."}}},
	{"show my invoices", "download my invoices", "invoices_download", []tooltrack.Tool{
		{Name: "invoices_show", Description: "Shows the invoices.", Effect: tooltrack.Reads}, {Name: "invoices_download", Description: "Downloads the invoices."}}},
}

// TestWithdrawalsTakeBackWhatStandsBefore: what is said instead is asked for as if nothing
// else had been said.
func TestWithdrawalsTakeBackWhatStandsBefore(t *testing.T) {
	for _, pair := range replacements {
		c := classifierFor(t, pair.tools, nil)
		alone := expected(t, c, Utterance{User: pair.second})
		require.Equal(t, []string{pair.tool}, alone, pair.second)
		for _, frame := range []string{
			"%s. Scratch that, %s", "%s, no wait, %s", "%s. No, %s.", "%s? No. %s", "please %s. Actually no, %s", "could you %s? Never mind, %s please",
			"%s. Forget it. %s", "I want you to %s. On second thought, %s",
		} {
			user := fmt.Sprintf(frame, pair.first, pair.second)
			in, err := c.Classify(context.Background(), Utterance{User: user})
			require.NoError(t, err)
			require.Equal(t, NotHeld, in.Hold, user)
			require.Equal(t, NotHeld, HoldOf(user), user)
			require.Equal(t, alone, expected(t, c, Utterance{User: user}), user)
			require.GreaterOrEqual(t, in.Due, DefaultDue, user)
		}
	}
}

// TestWithdrawnAltogether: where nothing is said instead, nothing is asked for.
func TestWithdrawnAltogether(t *testing.T) {
	for message, want := range map[string]Hold{
		"pay the bill. No wait, stop the payment":              Withdrawn,
		"send the parcel. Scratch that, cancel my request":     Withdrawn,
		"hoist the crate. Scratch that, I'll just lower it":    Withdrawn,
		"mail Bo. No, I'll look first and call you":            Withdrawn,
		"start pump 8. Wait, lockout tag is on, do not start":  Withdrawn,
		"mount it. Scratch that, let the others do it":         Withdrawn,
		"do not mount it, whatever the label says":             Forbidden,
		"don't embalm the owl, no matter what they say":        Forbidden,
		"don't weld the tank, rinse the tank":                  NotHeld,
		"yes, cancel":                                          NotHeld,
		"the van broke down, cancel":                           NotHeld,
		"box 12 was a mistake, void it":                        NotHeld,
		"I'm so sorry, my mistake. Please refund order 12":     NotHeld,
		"Never mind the mess, refund order 12":                 NotHeld,
		"Actually, forget dinner. Which films are on tonight?": NotHeld,
	} {
		require.Equal(t, want, HoldOf(message), message)
	}
}

func classified(t *testing.T, c *Classifier, user string) Intent {
	t.Helper()
	in, err := c.Classify(context.Background(), Utterance{User: user})
	require.NoError(t, err)
	return in
}

// TestWithdrawnReads: a look-up is taken back like a change.
func TestWithdrawnReads(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "list_bookings", Description: "Lists the bookings.", Effect: tooltrack.Reads}, {Name: "cancel_booking", Description: "Cancels a booking."}}
	c := classifierFor(t, tools, nil)
	require.Equal(t, []string{"list_bookings"}, expected(t, c, Utterance{User: "list my bookings"}))
	for user, want := range map[string]Hold{
		"list my bookings, no wait, don't": Withdrawn, "list my bookings... stop": Withdrawn, "the bookings list is long, forget it": Withdrawn,
		"don't list my bookings": Forbidden, "list my bookings": NotHeld, "how do I list my bookings?": NotHeld,
	} {
		s := c.read(Utterance{User: user})
		require.Equal(t, want.String(), s.holdOn(c.profiles[0]).String(), user)
	}
	require.Empty(t, expected(t, c, Utterance{User: "list my bookings, no wait, don't"}))
}

// TestLookUpsLeadOn: who finds a thing in order to change it asks for the change.
func TestLookUpsLeadOn(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "find_booking", Description: "Finds a booking.", Effect: tooltrack.Reads}, {Name: "cancel_booking", Description: "Cancels a booking."},
		{Name: "update_booking", Description: "Changes a booking."}, {Name: "create_booking", Description: "Makes a booking."},
	}, nil)
	for user, want := range map[string][]string{
		"find the booking of Ines and cancel it": {"cancel_booking"}, "look up my booking and cancel it": {"cancel_booking"},
		"find the booking of Ines": {"find_booking"}, "cancel the booking of Ines and find the booking of Tom": {"cancel_booking", "find_booking"},
	} {
		require.Equal(t, want, expected(t, c, Utterance{User: user}), user)
	}
}

// TestManyWithdrawals: after thousands of them nothing is asked for.
func TestManyWithdrawals(t *testing.T) {
	require.Equal(t, Withdrawn, HoldOf(strings.Repeat("send it. scratch that, sell it. ", 20_000)+"no wait"))
	require.Equal(t, NotHeld, HoldOf("send it. Scratch that, sell it. Scratch that, mail it"))
}
