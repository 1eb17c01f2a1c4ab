package resolver

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/golden"
)

// household is a list as people keep it, with titles that are near one another.
var household = []string{
	"Read book", "Return book to library", "Book list", "Call mom", "Call Tom", "Call the dentist", "Buy milk", "Buy oat milk", "Buy milk and eggs", "Pay rent",
	"Pay invoice 12", "Pay invoice 13", "Pay invoice 1.5", "Meeting at 10:30", "Meeting at 11", "Learn C++", "Learn C#", "Learn C", "Fix the O'Brien report", "Don't forget keys",
	"L'eau de parfum", "Water the plants", "Water heater repair", "Annual budget review", "Annual report", "Quarterly report draft", "Plan trip to Zürich", "Plan trip to Geneva", "Crème brûlée for Anna", "Clean the kitchen",
	"Clean kitchen sink", "Cities of Europe", "Try new shoes", "Tie the boxes", "Making jam", "Berries for jam", "Wash dishes", "Wash the car", "Car insurance", "Insurance claim",
	"Send letter to Bob", "Send letters", "Write letter", "Monday briefing", "Tuesday briefing", "Open the gate", "Close the gate", "Task list", "The Last of Us", "Please",
	"A", "Go", "Yoga", "Piano lesson", "Violin lesson", "Lessons learned", "100% cotton shirts", "5* hotel in Rome", "日本語を勉強する", "東京へ行く", "🇫🇷 Paris trip", "🇩🇪 Berlin trip", "❤ letter", "Принести книгу",
}

// spoken are the ways in which people refer to it, with and without success.
var spoken = []string{
	"Read book", "read book", "READ  BOOK", "the read book task", "book", "books", "my book list", "list of books", "reading books", "raed book", "red book", "read bok", "rea book", "reed boook", "read", "library", "return library book", "returned the book",
	"mom", "call mom", "call tom", "call om", "phone mom", "call", "dentist", "call dentist", "call the dentsit", "denist", "milk", "oat milk", "milk and eggs", "eggs", "buy mlik", "by milk", "buy milk please", "please buy milk", "buy milk pls thank you", "the milk one", "buy the milk",
	"rent", "pay rnet", "pay", "invoice", "invoice 12", "invoice 14", "pay invocie 13", "invoice 1.5", "invoice 15", "invoice 1 5", "meeting", "meeting 10:30", "meeting 1030", "meeting at 10", "meting at 11", "meeting at 12",
	"c++", "C#", "learn c", "learn c+", "learn c ++", "lern c++", "learn java", "obrien", "o'brien report", "o’brien", "O brien", "dont forget keys", "don't forget the keys", "do not forget keys", "eau de parfum", "leau de parfum", "l’eau",
	"plants", "water", "water plant", "watering plants", "heater", "water heater", "waterheater", "annual", "annu budg revi", "annu budg", "anual budget review", "annual budget reviw", "annual bugdet reveiw", "budget", "report", "quarterly", "quart rep draf", "quarterly reports drafts",
	"zurich", "plan trip to zurich", "zürich", "trip", "plan trip", "plan trip to zurihc", "geneva trip plan", "genva", "creme brulee", "creme brulee for ana", "brulee", "kitchen", "clean kitchen", "clean kitchn sink", "cleaning the kitchen", "sink",
	"city of europe", "city", "europe cities", "trying new shoe", "shoe", "tied box", "tying boxes", "box", "make jam", "jam", "makes jam", "berry", "berry jam", "dish", "washed dishes", "wash", "car", "cars", "insurance", "car insurence", "insured car", "claims",
	"letter", "letters", "letter bob", "sent letter to bob", "send leter to bob", "writing letters", "monday", "mondy briefing", "tuesday briefing", "wednesday briefing", "briefing", "open gate", "close gate", "gate", "opne the gate", "clos the gate",
	"task list", "list", "the task", "task", "the last of us", "last of us", "us", "please", "please please", "a", "the", "go", "goes", "yoga", "yogas", "yga", "piano", "pian", "paino lesson", "lesson", "lessons", "violn lesson", "lessons lerned", "task called yoga", "the one named piano lesson", "entry titled go", "called", "my yoga thing",
	"100% cotton", "100 cotton shirts", "5* hotel", "5 hotel", "* hotel", "hotel*", "%", "*", "日本語", "日本語を勉強する", "東京", "京都へ行く", "🇫🇷", "🇫🇷 trip", "🇩🇪 paris", "paris trip", "❤", "❤ letter", "книгу", "принести книги", "",
	" ", "...", "\u200b", "xyzzy", "buy bread", "wash hands", "call dad", "sell milk", "read newspaper", "pay the gas bill", "clean the bathroom", "reda boko", "anual reprot", "quaterly raport draft", "insurence clam", "lettr to bbo", "mondya breifing",
}

// told is everything that a result says.
func told(m Match, err error) string {
	var ambiguous *AmbiguousError
	var missing *NotFoundError
	switch {
	case err == nil:
		return fmt.Sprintf("%s (%s, %d errors, %.2f)", m.Title, m.Tier, m.Errors, m.Score)
	case errors.As(err, &ambiguous):
		var titles []string
		for _, c := range ambiguous.Candidates {
			titles = append(titles, fmt.Sprintf("%s (%s %.2f)", c.Title, c.Tier, c.Score))
		}
		return "ambiguous: " + strings.Join(titles, " | ")
	case errors.As(err, &missing):
		var titles []string
		for _, e := range missing.Suggestions {
			titles = append(titles, e.Title)
		}
		return "none; close: " + strings.Join(titles, " | ")
	}
	return err.Error()
}

// missing reports whether nothing was found. What comes close may depend on how
// much there is to choose from.
func missing(told string) bool { return strings.HasPrefix(told, "none") }

// TestResolutions holds what many references mean in one list against a golden
// file: the tier, the errors and the score, the candidates and the suggestions.
// The one-shot, an index, and an index with a thousand other titles must agree.
func TestResolutions(t *testing.T) {
	entries := make([]Entry, len(household))
	for i, title := range household {
		entries[i] = Entry{ID: fmt.Sprintf("h%03d-%d", i, 7*i), Title: title}
	}
	index := New(entries, nil)
	crowded := entries[:len(entries):len(entries)]
	for i := range 1000 {
		crowded = append(crowded, Entry{ID: fmt.Sprintf("x%04d", i), Title: fmt.Sprintf("Qqq%dwx zzzv%dk", i*37, i*91)})
	}
	large := New(crowded, nil)
	var all strings.Builder
	for _, reference := range spoken {
		one := told(Resolve(reference, entries, nil))
		for name, many := range map[string]*Index{"an index": index, "a large index": large} {
			if got := told(many.Resolve(reference)); got != one && !(missing(got) && missing(one)) {
				t.Errorf("%q means %s at once, and %s in %s", reference, one, got, name)
			}
		}
		fmt.Fprintf(&all, "%q: %s\n", reference, one)
	}
	golden.Check(t, "resolutions.golden", all.String())
}
