package reading

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func TestClauses(t *testing.T) {
	for _, row := range []struct {
		text    string
		shape   Shape
		actor   Actor
		mood    Mood
		negated bool
	}{
		{"I've moved the booking.", ActivePerfect, Us, Stated, false},
		{"I moved the booking.", ActivePast, Us, Stated, false},
		{"The booking has been moved.", PassivePerfect, Unnamed, Stated, false},
		{"The booking was moved by you.", PassivePast, You, Stated, false},
		{"The booking is moved.", PassivePresent, Unnamed, Stated, false},
		{"Moved to Friday.", Fragment, Unnamed, Stated, false},
		{"Order cancelled.", Fragment, Other, Stated, false},
		{"The door is open.", Copula, Other, Stated, false},
		{"I couldn't move the booking.", Bare, Us, Possible, true},
		{"No booking was moved.", PassivePast, Unnamed, Stated, true},
		{"I have changed nothing.", ActivePerfect, Us, Stated, true},
		{"I will move the booking.", Bare, Us, Future, false},
		{"Move the booking.", Bare, Unnamed, Ordered, false},
		{"Have you moved the booking?", ActivePerfect, Unnamed, Asked, false},
		{"Now that the booking is moved, relax.", PassivePresent, Unnamed, Presupposed, false},
		{"The list no longer contains it.", Present, Other, Stated, false},
		{"Deletion complete", Verbless, Unnamed, Stated, false},
		{"I've double-checked the booking.", ActivePerfect, Us, Stated, false},
		{"I double-checked the booking.", ActivePast, Us, Stated, false},
		{"The door is no longer blocked.", PassivePresent, Unnamed, Stated, false},
		{"The door is **not** locked.", PassivePresent, Unnamed, Stated, true},
		{"The door stays locked.", Present, Other, Stated, false},
		{"All set!", Verbless, Unnamed, Stated, false},
		{"Backup of `crm` taken.", Fragment, Other, Stated, false},
		{"Run **904** is under way.", Copula, Other, Stated, false},
		{"Both flights now include a bag.", Present, Other, Stated, false},
		{"We are fully booked.", PassivePresent, Other, Stated, false}, // it tells nothing that we did
		{"I have sold you nothing.", ActivePerfect, Us, Stated, true},
		{"I've told nobody so far.", ActivePerfect, Us, Stated, true},
		{"I've sent it to nobody.", ActivePerfect, Us, Stated, true},
		{"I've sent it to Nora without a note.", ActivePerfect, Us, Stated, false},
		{"Let me know.", Bare, Unnamed, Ordered, false},
		{"The notes of May have been deleted.", PassivePerfect, Unnamed, Stated, false},
		{"Order 551 is cancelled.", PassivePresent, Unnamed, Stated, false},
		{"Order is cancelled.", PassivePresent, Unnamed, Stated, false},
		{"Order 551: cancelled.", Fragment, Other, Stated, false},
		{"Access has been revoked for Bob.", PassivePerfect, Unnamed, Stated, false},
		{"Done! Transfer of 50 EUR to the savings account was made.", Fragment, Unnamed, Stated, false},
		{"Transfer of 50 EUR to the savings account was made.", PassivePast, Unnamed, Stated, false},
		{"Email to Jane has been sent.", PassivePerfect, Unnamed, Stated, false},
		{"Type hints are in for all functions.", Copula, Other, Stated, false},
		{"Rain sounds are playing in the bedroom.", Progressive, Other, Stated, false},
		{"All MFA factors for Sam Lee have been reset.", PassivePerfect, Unnamed, Stated, false},
		{"The page says orders are open.", Present, Other, Stated, false},
		{"The page contains three entries and is complete.", Present, Other, Stated, false},
		{"The order remains as is.", Present, Other, Stated, false},
		{"The bus departs at 8:20 am.", Present, Other, Stated, false},
		{"Consider it done!", Verbless, Unnamed, Stated, false},
		{"All set, you won't hear from them.", Verbless, Unnamed, Stated, false},
		{"I've sent Bob a message saying \"Are you coming?\"", ActivePerfect, Us, Stated, false},
		{"Have you sent Bob \"Are you coming\"?", ActivePerfect, Unnamed, Asked, false},
		{"Make sure lights are off.", Bare, Unnamed, Ordered, false},
		{"Verify backups were taken.", Bare, Unnamed, Ordered, false},
		{"Order the book that is cancelled.", Bare, Unnamed, Ordered, false},
		{"Check the order is open.", Bare, Unnamed, Ordered, false},
		{"Check if 551 is open.", Bare, Unnamed, Ordered, false},
		{"Book it, the room is free.", Bare, Unnamed, Ordered, false},
	} {
		read := English().Read(nil, row.text)
		require.NotEmpty(t, read.Clauses, row.text)
		c := read.Clauses[0]
		require.Equal(t, row.shape, c.Shape, row.text)
		require.Equal(t, row.actor, c.Actor, row.text)
		require.Equal(t, row.mood, c.Mood, row.text)
		require.Equal(t, row.negated, c.Negated, row.text)
	}
}

// What others say, what is only thought and what depends on something is not
// stated.
func TestMoods(t *testing.T) {
	for text, want := range map[string]Mood{
		"The page claims that the task was deleted.":          Reported,
		"I hope it was deleted.":                              Reported,
		"If you confirm, it is deleted.":                      Conditional,
		"Press Delete, and the task is deleted.":              Conditional,
		"I can confirm that the task was deleted.":            Stated,
		"As requested, the task was deleted.":                 Stated,
		"As the task was deleted, I stopped.":                 Stated,
		"It was late as the task was deleted.":                Presupposed,
		"I am happy to inform you that I have deleted it.":    Stated,
		"I am happy that it was deleted.":                     Reported,
		"The task is locked, so it was deleted by the owner.": Stated,
	} {
		read := English().Read(nil, text)
		require.Equal(t, want, read.Clauses[len(read.Clauses)-1].Mood, text)
	}
}

// One value has one key, however it is written.
func TestValues(t *testing.T) {
	first := func(text string, kind Kind) Value {
		for _, v := range English().Values(nil, text) {
			if v.Kind == kind && !v.Has(Merged) {
				return v
			}
		}
		t.Fatalf("%q has no value of kind %d", text, kind)
		return Value{}
	}
	for _, row := range []struct {
		a, b string
		kind Kind
	}{
		{"at 9 pm", `{"time":"21:00"}`, Clock}, {"9:30pm", "21:30", Clock}, {"noon", "12:00", Clock},
		{"12 June", "2026-06-12", Date}, {"June 12", "2026-06-12T09:00:00Z", Date}, {"on the 12th of June", "6/12", Date},
		{"Friday", "2026-06-12", Weekday}, {"1,500.00", "1500", Number}, {"€61.20", "61.2", Number}, {"two tasks", "2", Number},
		{"BK-5590", "bk5590", ID}, {"cancelled", "CANCELLED", Word}, {"bookings", "booking", Word}, {`"caf\u00e9"`, "café", Word},
		{"Jane", "jane", Word}, {"Mary", "mary", Word}, {"Mondays", "Monday", Weekday}, {"Jan 12", "2026-01-12", Date},
	} {
		require.Equal(t, first(row.a, row.kind).Key, first(row.b, row.kind).Key, "%s and %s", row.a, row.b)
	}
	require.NotEqual(t, first("12 June", Date).Key, first("21 June", Date).Key)
	require.NotEqual(t, first("BK-5590", ID).Key, first("BK-5591", ID).Key)

	for _, v := range English().Values(nil, "cancelled because of “no longer needed.” Done") {
		require.Equal(t, Word, v.Kind, "a stop before a quotation mark joins nothing")
	}

	for _, v := range English().Values(nil, "i.e. it hadn't, won’t and wouldn't") {
		require.False(t, v.IsContent() || v.Kind != Word, "%q: half a contraction and an abbreviation name nothing", v.String())
	}
	file := first("see report.go", ID)
	require.Equal(t, "report.go", file.String())

	var days []float64 // a day belongs to the month after it, where the one before has its own
	for _, v := range English().Values(nil, "late on 11 Feb, 3 March and 6 June") {
		if v.Kind == Date {
			days = append(days, v.Number)
		}
	}
	require.Equal(t, []float64{211, 303, 606}, days)
}

func TestTheRolesOfTheDataFile(t *testing.T) {
	known := append(slices.Clone(roleNames), "currencies", "opposites", "months", "weekdays", "times")
	for line := range strings.Lines(english) {
		key, words, found := strings.Cut(strings.TrimSpace(line), ":")
		if strings.HasPrefix(key, "#") || key == "" {
			continue
		}
		require.True(t, found, line)
		trait, isTrait := strings.CutSuffix(key, " trait")
		number, err := strconv.Atoi(key)
		require.True(t, slices.Contains(known, key) || isTrait && slices.Contains(traitNames, trait) || err == nil && number > 0, line)
		for _, word := range strings.Fields(words) {
			_, minutes, _ := strings.Cut(word, "=")
			_, err := strconv.Atoi(minutes)
			require.True(t, key != "times" || err == nil, line)
		}
	}
}

// TestWhatTheLexiconTellsIsNotRepeated: a role that a word has from the lexicon does
// not stand in the data file, too, where it could become another.
func TestWhatTheLexiconTellsIsNotRepeated(t *testing.T) {
	r := English()
	for _, entry := range lexicon.English().Entries() {
		told := r.rolesOf(entry.Word)
		require.Zero(t, told&r.shared(entry, told), entry.Word)
	}
	for _, text := range []string{"I couldnt move it.", "It hasnt been moved.", "You needn't move it.", "I did not move it."} {
		read := r.Read(nil, text)
		require.True(t, read.Clauses[0].Negated, text)
	}
}

// FuzzRead reads any text: every clause lies in its sentence and every sentence
// in the text, in order; and its values are those that are found without tokens.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"I've moved BK-5590 to Sunday 16 March, 20:30.", "```\ncode\n```\n| a | b |", "\xff\xfe 12:99 2026-99-99 1/2/3",
		"tests/test_dates.py::test_leap, e-mail Anna's reSent.First to a_b@c.org — naïve-plan", strings.Repeat("and ", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := English().Read(nil, text)
		without := valueScan{reader: English(), text: text}
		if without.scan(0, len(text)); !slices.Equal(without.values, read.Values) {
			t.Fatalf("values %v, without tokens %v", read.Values, without.values)
		}
		end := 0
		for i := range read.Sentences {
			s := &read.Sentences[i]
			if s.Start < end || s.End > len(text) || s.Start > s.End {
				t.Fatalf("sentence %d is %d to %d after %d", i, s.Start, s.End, end)
			}
			end = s.Start
		}
		for i := range read.Clauses {
			c := &read.Clauses[i]
			s := &read.Sentences[c.Sentence]
			if c.From < s.From || c.To > s.To || c.Start > c.End || c.FirstValue > c.LastValue || c.LastValue > len(read.Values) {
				t.Fatalf("clause %d leaves its sentence", i)
			}
		}
	})
}

// A currency makes a number money, before it and after it.
func TestMoney(t *testing.T) {
	for text, want := range map[string]bool{
		"EUR 400": true, "400 EUR": true, "€400": true, "400 €": true, "CHF\u00a0400": true, "room 400": false, "400 rooms": false,
	} {
		for _, v := range English().Values(nil, text) {
			if v.Kind == Number {
				require.Equal(t, want, v.Has(Money), text)
			}
		}
	}
}

func TestRolesAreNamed(t *testing.T) {
	require.Equal(t, RoleThink, Role(1)<<(len(roleNames)-1))
}

// Short figures are read as the standard library reads them.
func TestParseFigure(t *testing.T) {
	for _, figure := range []string{
		"0", "7", "4,211", "1,250.00", "9.3", "0.1", "0.07", "3.", "123456789012345", "1234567890123456", "1.2.3", "1.2.", "1x",
		"99.999", "8.04", "1234567.1234567", "1,234,567.125",
	} {
		want, failed := strconv.ParseFloat(strings.ReplaceAll(figure, ",", ""), 64)
		got, err := parseFigure(figure)
		require.Equal(t, failed != nil, err != nil, figure)
		if err == nil {
			require.Equal(t, want, got, figure)
		}
	}
}

// TestAnnounces: who says what comes next announces it; how things are at the moment,
// and what depends on the reader, is no announcement.
func TestAnnounces(t *testing.T) {
	for text, announces := range map[string]bool{
		"I will now look at the last one.":            true,
		"Let me see whether it fits.":                 true,
		"Hold on while I move it.":                    true,
		"Give me a second, I'll open the board.":      true,
		"Looking that up for you, one sec…":           true,
		"Moving it now…":                              true,
		"Will move it.":                               true,
		"None at the moment.":                         false,
		"A second one is on order.":                   false,
		"Customs has a hold on it.":                   false,
		"The gate won't let me in.":                   false,
		"Let me know what you think.":                 false,
		"We'll wait for the bell.":                    false,
		"Let me explain why that is.":                 false,
		"I won't move it.":                            false,
		"Wait for the bell, then the gate is opened.": false,
	} {
		read := English().Read(nil, text)
		require.Equal(t, announces, read.Announces(&read.Sentences[0]), text)
	}
}

func TestWishesAreFrames(t *testing.T) {
	for text, want := range map[string]bool{
		"Good luck with the talk!":       true,
		"Welcome back, order cancelled.": false, "Good luck, I've sent the slides.": false, "Luck was with us.": false,
	} {
		read := English().Read(nil, text)
		require.Equal(t, want, read.IsFrame(&read.Sentences[0], 0), text)
	}
}

func TestContrasted(t *testing.T) {
	for before, want := range map[string]bool{
		"I cancelled order 551, not ": true, "Order 551 was sent rather than order ": true, "K-21 went out instead of ": true,
		"Shipped, unlike ": true, "I could not find order ": true, "I cancelled order ": false, "Not a word. I sent ": false, "": false,
		"more than ": false, "one of ": false,
	} {
		require.Equal(t, want, Contrasted(before), before)
	}
}

func TestFramesOfAnAnswer(t *testing.T) {
	for text, want := range map[string]bool{
		"Hi Oona!": true, "Hello there!": true, "No problem!": true, "Have a lovely evening!": true, "I hope this helps!": true,
		"Is there anything else I can help with?": true, "Let me know if you need anything else.": true, "How can I help?": true,
		"Hi, order cancelled.": false, "Hello Order Forty Two": false, "Let me know the number, so that I can help.": false,
		"It is booked, let me know if you need anything else.": false, "Which one do you need help with?": false, "I have a room for you.": false,
	} {
		read := English().Read(nil, text)
		require.Equal(t, want, read.IsFrame(&read.Sentences[0], 0), text)
	}
}
