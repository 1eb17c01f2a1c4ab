package intent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// A request that shares a tool's words may ask for its opposite, for an act that it
// cannot do, or for something else altogether.
func TestWhatSpeaksAgainstATool(t *testing.T) {
	tools := map[string]tooltrack.Tool{
		"flight":  {Name: "book_flight", Description: "Books a flight between two cities on a date."},
		"upload":  {Name: "video.upload", Description: "Uploads a video file to the channel."},
		"quote":   {Name: "get_stock_price", Description: "Gets the current price of a stock by its symbol."},
		"results": {Name: "election.get_results", Description: "Gets the results of an election by country and year."},
		"lamp":    {Name: "control_light", Description: "Turns a light of a room on or off."},
		"status":  {Name: "order_status", Description: "Retrieves the status of an order by its id."},
		"museum":  {Name: "museum.opening_hours", Description: "Gets the opening hours of a museum."},
		"author":  {Name: "book.find_author", Description: "Finds the author of a book by its title."},
	}
	for _, tc := range []struct{ tool, user, want string }{
		{"flight", "Book me a flight from Oslo to Rome on Friday.", "book_flight"},
		{"flight", "Cancel my flight to Rome.", ""},
		{"upload", "Upload the video holiday.mp4.", "video.upload"},
		{"upload", "Download this video for me.", ""},
		{"quote", "What's the stock price of Acme?", "get_stock_price"},
		{"quote", "Buy 10 shares of Acme.", ""},
		{"results", "What were the results of the 2021 election in Norway?", "election.get_results"},
		{"results", "How do I register to vote?", ""},
		{"lamp", "Turn on the light in the kitchen.", "control_light"},
		{"status", "What's the status of order 7765?", "order_status"},
		{"museum", "When does the museum of modern art open?", "museum.opening_hours"},
		{"author", "Who is the author of the book 'Stoner'?", "book.find_author"},
	} {
		testRequests(t, []tooltrack.Tool{tools[tc.tool]}, []requestCase{{tc.user, tc.want}})
	}
}

// TestVerbsOfEverything: that one tool alone makes or changes something is no reason to
// expect it of anything. A verb that says what is done is, and so is the whole name.
func TestVerbsOfEverything(t *testing.T) {
	testRequests(t, []tooltrack.Tool{
		{Name: "add_crate", Description: "Adds a crate to the store."}, {Name: "list_crates", Description: "Lists the crates."},
		{Name: "update_crate", Description: "Changes a crate."}, {Name: "delete_crate", Description: "Deletes a crate."},
	}, []requestCase{
		{"make my bed", ""},
		{"add Grandpa to our phone plan", ""},
		{"add a crate of pears", "add_crate"},
		{"delete crate 4", "delete_crate"},
	})
}

// TestWhoeverIsPointedAt: "that one" is of the kind that was named before it, so that
// nobody is sure of a tool for another kind.
func TestWhoeverIsPointedAt(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "permit-open", Description: "Opens a permit."}, {Name: "permit-list", Description: "Lists the permits."},
		{Name: "album-drop", Description: "Drops an album."}, {Name: "album-list", Description: "Lists the albums."},
	}, nil)
	for _, message := range []string{"open a permit for the gate. and drop the one for the quay", "list the permits, then drop that one"} {
		for _, e := range c.read(Utterance{User: message}).intent().Expect {
			require.True(t, e.Tool != "album-drop" || e.Confidence < DefaultSureChange, "%s: %+v", message, e)
		}
	}
}
