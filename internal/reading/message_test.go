package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

func listen(text string) *reading.Message {
	l := reading.NewListener(lexicon.English())
	l.Known = func(uint64) bool { return false }
	return l.Read(text)
}

var pleaNames = [reading.NumPleas]string{
	reading.Told: "told", reading.Commanded: "commanded", reading.Suggested: "suggested", reading.Inquired: "inquired",
	reading.Named: "named", reading.Wished: "wished", reading.Barred: "barred", reading.Pondered: "pondered", reading.Learned: "learned",
}

// Each request of a message is told by its plea, and by its verb if it has one.
func TestRequests(t *testing.T) {
	for text, want := range map[string][]string{
		"delete the old draft":                                  {"commanded delete"},
		"could you please cancel my order":                      {"commanded cancel"},
		"Would you mind cancelling my order?":                   {"commanded cancelling"},
		"I'd like to move the kickoff to Friday":                {"commanded move"},
		"I want the reminder deleted":                           {"commanded deleted"},
		"I want all events of March to be cleared":              {"commanded cleared"},
		"I need for you to send it":                             {"commanded send"},
		"the task about taxes should be deleted":                {"commanded deleted"},
		"please have the report sent to Kim":                    {"commanded sent"},
		"go ahead and delete it":                                {"commanded delete"},
		"help me find a cab":                                    {"commanded find"},
		"let's cancel it":                                       {"commanded cancel"},
		"I'm looking for a room in Rome":                        {"commanded looking"},
		"I was wondering whether you could book a table":        {"commanded book"},
		"move the kickoff to Friday and tell Bob":               {"commanded move", "commanded tell"},
		"the light is still on, turn it off":                    {"told", "commanded turn"},
		"Close the blinds. Then play some music.":               {"commanded Close", "commanded play"},
		"remind me to call Ann and send flowers":                {"commanded remind"},
		"don't forget to water the plants":                      {"commanded water"},
		"don't forget to deburr them":                           {"commanded forget"},
		"don't forget to":                                       {"commanded forget"},
		"you should add milk":                                   {"suggested add"},
		"calendar delete lunch":                                 {"suggested delete"},
		"kitchen lights off please":                             {"suggested off"},
		"I finished the report":                                 {"suggested finished"},
		"what do I have this afternoon":                         {"inquired"},
		"is my parcel shipped?":                                 {"inquired"},
		"did you delete it?":                                    {"inquired"},
		"I need to know when my train leaves":                   {"inquired know"},
		"how do I delete a note?":                               {"learned delete"},
		"tell me how to export it":                              {"learned tell"},
		"should I delete it?":                                   {"pondered delete"},
		"why does it fail":                                      {"pondered"},
		"don't send it":                                         {"barred send"},
		"I don't want to delete the reminder":                   {"barred delete"},
		"if I cancel, do I pay a fee?":                          {"barred", "inquired"},
		"let me know when it ships":                             {"barred know"},
		"I deleted some notes yesterday":                        {"barred"},
		"my list please":                                        {"named"},
		"new appointment on Monday":                             {"named"},
		"I need a cab to the station":                           {"wished"},
		"the drain must be unclogged":                           {"wished"},
		"it is raining":                                         {"told"},
		"Robo add milk to my list":                              {"commanded add"},
		"add a note \"delete the old files\" to my list please": {"commanded add"},
	} {
		var got []string
		m := listen(text)
		for _, request := range m.Requests {
			said := pleaNames[request.Plea]
			if request.Verb >= 0 {
				said += " " + m.Word(request.Verb)
			}
			got = append(got, said)
		}
		require.Equal(t, want, got, text)
	}
}

// A particle makes another verb of a verb, unless it opens a phrase of its own.
func TestRequestParticles(t *testing.T) {
	for text, want := range map[string]lexicon.Family{
		"get rid of the draft":             lexicon.Delete,
		"take the milk off my list":        lexicon.Delete,
		"check the weather in Oslo":        lexicon.Verify,
		"turn the heater on please":        lexicon.Enable,
		"make a change to my booking":      lexicon.Update,
		"kitchen lights on":                lexicon.Enable,
		"lights off please":                lexicon.Disable,
		"set the alarm up for 6 in Berlin": lexicon.Set,
	} {
		requests := listen(text).Requests
		require.Len(t, requests, 1, text)
		require.True(t, requests[0].Families.Has(want), "%s: %v", text, requests[0].Families)
	}
}

func TestForeignMessages(t *testing.T) {
	for _, foreign := range []string{
		"bitte lösche die alte Aufgabe", "alle vervollständigen", "leer mis tareas", "今天查看北京的新闻", "spacex是什么",
		"Danke schön", "Hapus pengingat", "Guten Morgen!", "Lösche die Erinnerung an den Zahnarzt", "Devolva a encomenda para a loja", "visualizza tutti i promemoria", "Mind mig om at gå i supermarkedet i dag", "bill 7. ach nein, der zahlt nicht, das ist mein Bruder",
	} {
		require.True(t, listen(foreign).Foreign, foreign)
	}
	for _, ours := range []string{
		"please delete the task Zahnarzt anrufen", "Thanks", "Thanks!", "Thanks a lot, thats all", "brilliant, ta!",
		"super stoked", "okie dokie", "José García", "order two crème brûlée", "John Smith, Jane Doe and Adam Lee.", "Mila Feld, 12.03.2016", "Laura Schilling",
		"call alvaro alfonso de miranda nieto", "pls delte teh metting w hr tmrw", "", "42",
	} {
		require.False(t, listen(ours).Foreign, ours)
	}
}

func TestOffers(t *testing.T) {
	for text, offered := range map[string]bool{
		"Shall I delete it?": true, "Do you want me to delete it?": true, "I can delete it.": true, "You asked to delete it.": false,
	} {
		m := listen(text)
		for i := range m.Tokens {
			if m.Word(i) == "delete" {
				require.Equal(t, offered, m.Offered(i), text)
			}
		}
	}
}

func FuzzMessage(f *testing.F) {
	for _, text := range []string{
		"delete it", "could you, please", "\"quoted\"", "to do to do", "if", "I", "what's", "don't don't don't", "a, b, and c", "\xff\x00", "add add add", "let me know if",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := listen(text)
		for _, r := range m.Requests {
			if r.From < 0 || r.To > len(m.Tokens) || r.From >= r.To || r.Verb >= r.To || r.Plea >= reading.NumPleas {
				t.Fatalf("%q: %+v", text, r)
			}
		}
	})
}

// TestAsksFact: a yes to some questions agrees to nothing.
func TestAsksFact(t *testing.T) {
	for text, want := range map[string][2]bool{
		"Did you already post it?": {true, true}, "Is it the green one?": {true, false}, "Have you got the parcel?": {true, true},
		"There are two keys. Does the small one fit?": {true, false}, "Was it paid in cash?": {true, true},
		"Shall I post it?": {}, "Is that correct?": {}, "Do you want to post it?": {}, "I can post it. Is it the green one?": {},
		"Are you ready to post it?": {}, "Which one?": {}, "Can it be posted?": {}, "": {},
	} {
		m := listen(text)
		fact, past := m.AsksFact()
		require.Equal(t, want, [2]bool{fact, past}, text)
	}
}
