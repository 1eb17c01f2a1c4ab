package intent

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

var errandTools = []tooltrack.Tool{
	{Name: "find_rental_cars", Description: "Find cars for rent in a city.", Effect: tooltrack.Reads},
	{Name: "find_attractions", Description: "Search for attractions in a city.", Effect: tooltrack.Reads},
	{Name: "get_boiling_point", Description: "Get the boiling point of a substance.", Effect: tooltrack.Reads},
	{Name: "list_fjords", Description: "List the fjords of a country.", Effect: tooltrack.Reads},
	{Name: "send_money", Description: "Send money to a contact.", Effect: tooltrack.Changes},
}

// A word for a kind of a thing speaks of the thing, a sign of what it stands
// for, and a plural of its singular.
func TestKindsSignsAndPlurals(t *testing.T) {
	testRequests(t, errandTools, []requestCase{
		{"find me a convertible in Lisbon", "find_rental_cars"},
		{"can you find a museum in Lisbon", "find_attractions"},
		{"which fjord in Norway is the longest, list them", "list_fjords"},
		{"send $40 to Ines", "send_money"},
	})
}

var measureTools = []tooltrack.Tool{
	{Name: "get_price", Description: "Get the price of an article.", Effect: tooltrack.Reads},
	{Name: "get_height", Description: "Get the height of a building.", Effect: tooltrack.Reads},
	{Name: "get_weight", Description: "Get the weight of a parcel.", Effect: tooltrack.Reads},
}

// A phrase speaks of what it asks for, though none of its words does.
func TestPhrases(t *testing.T) {
	testRequests(t, measureTools, []requestCase{
		{"how much is this article", "get_price"},
		{"tell me how tall that building is", "get_height"},
		{"how heavy is the parcel", "get_weight"},
	})
}

// A synonym is as good as the tool's own word.
func TestSynonyms(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "get_elevation", Description: "Get the elevation of a place.", Effect: tooltrack.Reads},
		{Name: "get_probability", Description: "Get the probability of an event.", Effect: tooltrack.Reads},
	}
	testRequests(t, tools, []requestCase{
		{"what is the altitude of Quito", "get_elevation"},
		{"tell me the odds of a draw", "get_probability"},
	})
}

func TestLearningNamesTheAct(t *testing.T) {
	testRequests(t, errandTools, []requestCase{
		{"I am bored I want to find a museum in Lisbon", "find_attractions"},
		{"I'm visiting Lisbon soon and would like to find some attractions there", "find_attractions"},
	})
}
