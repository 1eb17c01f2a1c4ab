package intent

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestLookUpsHarmNobody: that a clause names no thing, or has a verb for anything, is a
// reason not to insist on a change, and none for a tool that only answers.
func TestLookUpsHarmNobody(t *testing.T) {
	films := []tooltrack.Tool{
		{Name: "find_films", Description: "Finds films by director, genre or cast."}, {Name: "buy_tickets", Description: "Buys tickets, and finds the best seats."},
	}
	songs := []tooltrack.Tool{
		{Name: "lookup_music", Description: "Looks up songs by artist, album, genre and year."}, {Name: "play_media", Description: "Plays a song on a device."},
	}
	gates := []tooltrack.Tool{
		{Name: "close_gate", Description: "Closes a gate."}, {Name: "finish_shift", Description: "Ends a shift; closes the till."},
	}
	for _, c := range []struct {
		tools         []tooltrack.Tool
		message, tool string
		sure          bool
	}{
		{films, "I'm in the mood for a drama with Lena Olin. Can you find one for me?", "find_films", true},
		{films, "Want to watch a film by Agnes Varda. Find one?", "find_films", true},
		{songs, "Please find me something from the album Harbour", "lookup_music", true},
		{songs, "Find some songs by Nils Frahm, those from the album Harbour", "lookup_music", true},
		{gates, "close the north gate", "close_gate", true},
		{gates, "close", "close_gate", false},
		{gates, "Gus left, close", "close_gate", false},
		{gates, "put them in the north", "close_gate", false},
	} {
		in, _ := classifierFor(t, c.tools, nil).Classify(context.Background(), Utterance{User: c.message})
		if got := insists(in, c.tool); got != c.sure {
			t.Errorf("%q: sure %v, want %v: %+v", c.message, got, c.sure, in)
		}
	}
}

// TestAnIDNamesAThing: a verb and an id ask for the tool whose very verb it is, although
// another one speaks of that act, too; a mere "it" or number may be anything.
func TestAnIDNamesAThing(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "cancel_reservation", Description: "Cancels a reservation."},
		{Name: "modify_reservation", Description: "Changes a reservation, or cancels a night of it."},
	}, nil)
	for message, sure := range map[string]bool{
		"cancel HB2201": true, "Please cancel HB7455 and HB7456": true, "cancel hb-2201.": true,
		"cancel": false, "cancel it": false, "cancel 24": false, "cancel at 9:30": false, "don't cancel HB2201": false,
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		if got := insists(in, "cancel_reservation"); got != sure {
			t.Errorf("%q: sure %v, want %v: %+v", message, got, sure, in)
		}
	}
}

// TestAThingIsNamedBesideOthers: "every" and "all" beside a thing of a tool do not hide it,
// however common the verb; who points at something may mean any.
func TestAThingIsNamedBesideOthers(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "add_task", Description: "Add a task, reminder or event."}, {Name: "list_tasks", Description: "List tasks."},
		{Name: "update_task", Description: "Change a task, reminder or event."}, {Name: "complete_task", Description: "Complete a task."},
		{Name: "delete_task", Description: "Delete a task, reminder or event."},
	}, nil)
	for message, tool := range map[string]string{
		"set a reminder for june 5th every year": "add_task", "get rid of all my reminders for this week": "delete_task",
		"make this reminder a weekly event": "", "get rid of all of them": "", "put them on": "",
	} {
		in, _ := c.Classify(context.Background(), Utterance{User: message})
		for _, e := range in.Expect {
			if got := insists(in, e.Tool); got != (e.Tool == tool) {
				t.Errorf("%q: sure of %s %v, want %q: %+v", message, e.Tool, got, tool, in)
			}
		}
		if tool != "" && !in.Expects(tool) {
			t.Errorf("%q does not expect %s", message, tool)
		}
	}
}
