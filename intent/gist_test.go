package intent

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// townTools have one field each.
var townTools = []tooltrack.Tool{
	{Name: "Stays_1_FindRoom", Description: "Search for a hotel room in a city by price, stars and number of guests."},
	{Name: "museum.opening_hours", Description: "Get the opening hours of a museum in a city."},
	{Name: "events.find_upcoming", Description: "Find upcoming concerts and other events in a city."},
	{Name: "country_info.currency", Description: "Get the currency of a country."},
	{Name: "country_info.language", Description: "Get the official languages of a country."},
}

func TestNeedsSaidBeforeTheRequest(t *testing.T) {
	testRequests(t, townTools, []requestCase{
		{"We will be four guests in Lyon, three stars at least. Could you find something for us?", "Stays_1_FindRoom"},
		{"My wife and I love jazz, and we'll be in Ghent on Friday. Is there anything upcoming, a concert maybe?", "events.find_upcoming"},
		{"We will be four guests in Lyon. The hotel was lovely last year.", ""},
		{"I was in Lyon last year. I had a wonderful time there.", ""},
		{"Hello! I hope you are well. How are you?", ""},
	})
}

func TestRequestsBesideOthers(t *testing.T) {
	testRequests(t, townTools, []requestCase{
		{"What's the currency of Morocco, what languages are official there, and when does the museum in Rabat open?", "country_info.currency country_info.language museum.opening_hours"},
		{"When does the city museum open, and which upcoming concerts are there in Bath?", "museum.opening_hours events.find_upcoming"},
		{"Tell me the official languages of Chad and its currency.", "country_info.language country_info.currency"},
	})
	state := []tooltrack.Tool{
		{Name: "us_president_in_year", Description: "Retrieves the name of the U.S. president in a given year."},
		{Name: "european_history.get_monarch", Description: "Gets the monarch of a European country in a given year."},
		{Name: "government.get_minister", Description: "Returns the current minister of a department in a country."},
		{Name: "polls.latest", Description: "Gets the latest opinion polls for a country."},
	}
	testRequests(t, state, []requestCase{
		{"In 1805, who was president of the United States, and who was the monarch of Sweden?", "us_president_in_year european_history.get_monarch"},
		{"Who's the current health minister of Denmark, and what are the newest opinion polls there?", "government.get_minister polls.latest"},
	})
	testRequests(t, taskTools, []requestCase{
		{"what's the difference between update and delete?", ""},
	})
}
