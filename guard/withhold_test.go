package guard

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
)

func doubtsAbout(words ...string) (doubts []Doubt) {
	for _, said := range words {
		doubts = append(doubts, Doubt{Claim: &completion.Claim{Text: said}, Words: said})
	}
	return doubts
}

// TestWhatIsWithheld: whole sentences go, each once, in the order of the text,
// and the rest stays as it was.
func TestWhatIsWithheld(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		doubts   []string
		unproven []string
		rest     string
	}{
		"the first sentence":              {"It is gone. Bye now.", []string{"It is gone"}, []string{"It is gone. "}, "Bye now."},
		"the last sentence":               {"Hello. It is gone.", []string{"It is gone"}, []string{"It is gone."}, "Hello."},
		"one in the middle":               {"Hello. It is gone. Bye.", []string{"It is gone."}, []string{"It is gone. "}, "Hello. Bye."},
		"a piece of a sentence":           {"Hello. By the way, it is gone now. Bye.", []string{"it is gone"}, []string{"By the way, it is gone now. "}, "Hello. Bye."},
		"the second piece of one":         {"A is gone and B too. Bye.", []string{"B too"}, []string{"A is gone and B too. "}, "Bye."},
		"across two sentences":            {"A is gone. B is gone. Bye.", []string{"A is gone. B is gone"}, []string{"A is gone. B is gone. "}, "Bye."},
		"up to the end of the first":      {"A is gone. B is here.", []string{"A is gone."}, []string{"A is gone. "}, "B is here."},
		"with the stop's white space":     {"A is gone. B is here.", []string{"A is gone. "}, []string{"A is gone. "}, "B is here."},
		"two claims in one sentence":      {"A is gone and B is gone. Bye.", []string{"A is gone", "B is gone"}, []string{"A is gone and B is gone. "}, "Bye."},
		"two claims, the later first":     {"A is gone. B is gone. Bye.", []string{"B is gone", "A is gone"}, []string{"A is gone. ", "B is gone. "}, "Bye."},
		"neighbours":                      {"A is gone. B is gone.", []string{"A is gone", "B is gone"}, []string{"A is gone. ", "B is gone."}, ""},
		"a line":                          {"Done:\n- A is gone\n- B is here", []string{"A is gone"}, []string{"- A is gone\n"}, "Done:\n- B is here"},
		"the whole of one sentence":       {"It is gone.", []string{"It is gone."}, []string{"It is gone."}, ""},
		"the whole, without its stop":     {"It is gone", []string{" It is gone "}, []string{"It is gone"}, ""},
		"the whole of many: no one's":     {"A is gone. B is gone.", []string{"A is gone. B is gone."}, nil, "A is gone. B is gone."},
		"words that are not there":        {"It is here.", []string{"It is gone"}, nil, "It is here."},
		"no words at all":                 {"It is here.", []string{"  "}, nil, "It is here."},
		"the same sentence a second time": {"It is gone. Yes. It is gone.", []string{"It is gone", "It is gone"}, []string{"It is gone. ", "It is gone."}, "Yes."},
		"one sentence, found twice":       {"It is gone. Yes.", []string{"It is gone", "It is gone"}, []string{"It is gone. "}, "Yes."},
	} {
		t.Run(name, func(t *testing.T) {
			unproven := unprovenIn(c.text, doubtsAbout(c.doubts...))
			require.Equal(t, c.unproven, unproven)
			require.Equal(t, c.rest, withhold(c.text, unproven))
		})
	}
	require.Empty(t, unprovenIn("It is gone.", []Doubt{{Words: "It is gone"}}), "a doubt about what is due names no sentence")
}

// TestListsLoseTheirMarks: of a line that loses all it says nothing is left, and of others
// what they say besides.
func TestListsLoseTheirMarks(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		doubts []string
		rest   string
	}{
		"numbers":             {"Today:\n1. A is gone.\n2. B is here.\n3. C is gone.", []string{"A is gone", "C is gone"}, "Today:\n2. B is here."},
		"all of them":         {"1. A is gone.\n2. B is gone.\n3. C is gone.\nBye.", []string{"A is gone", "B is gone", "C is gone"}, "Bye."},
		"dashes":              {"- A is gone.\n- B is here.", []string{"A is gone."}, "- B is here."},
		"brackets":            {"1) A is gone.\n(b) B is gone.\nBye.", []string{"A is gone", "B is gone"}, "Bye."},
		"boxes":               {"- [x] A is gone.\n- [ ] B is here.", []string{"A is gone"}, "- [ ] B is here."},
		"ticks":               {"✅ A is gone.\n✅ B is here.", []string{"A is gone"}, "✅ B is here."},
		"in bold":             {"1. **A** is gone.\n2. **B** is here.", []string{"A is gone"}, "2. **B** is here."},
		"indented":            {"- here:\n  - A is gone.\n  - B is here.", []string{"A is gone"}, "- here:\n  - B is here."},
		"a quotation":         {"> A is gone.\nBye.", []string{"A is gone"}, "Bye."},
		"two in one item":     {"1. A is gone. B is gone.\n2. Bye.", []string{"A is gone", "B is gone"}, "2. Bye."},
		"one of two":          {"1. A is gone. B is here.\n2. Bye.", []string{"A is gone"}, "1. B is here.\n2. Bye."},
		"a number of its own": {"It has 2 rooms.\n2. \nA is gone.", []string{"A is gone"}, "It has 2 rooms.\n2."},
		"a paragraph":         {"Hi.\n\nA is gone.\n\nBye.", []string{"A is gone"}, "Hi.\n\n\nBye."},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.rest, withhold(c.text, unprovenIn(c.text, doubtsAbout(c.doubts...))))
		})
	}
}

// TestSentenceEnd: a stop counts only with white space after it, a line end
// always, and what has not ended is no sentence yet.
func TestSentenceEnd(t *testing.T) {
	for text, want := range map[string]string{
		"":               "",
		".":              "",
		"Hi.":            "",
		"Hi. ":           "Hi. ",
		"Hi. Bye. ":      "Hi. ",
		"Hi!\tBye":       "Hi!\t",
		"Hi?\nBye":       "Hi?\n",
		"Use v1.2 now. ": "Use v1.2 now. ",
		"a\nb":           "a\n",
		"a\n":            "",
		"\nb":            "\n",
		". b":            ". ",
	} {
		require.Equal(t, want, text[:sentenceEnd(text)], "%q", text)
	}
	for text, want := range map[string]bool{
		"One.": false, "One. ": false, " One. \n": false, "One. Two": true, "One\nTwo": true, "": false, "\n\n": false,
	} {
		require.Equal(t, want, hasManySentences(text), "%q", text)
	}
}

// TestWhatStandsInPlaceOfIt: the rest of the text, that something was left out,
// and what is on record.
func TestWhatStandsInPlaceOfIt(t *testing.T) {
	texts := (*Texts)(nil).withDefaults()
	require.Equal(t, "Bye.\n\n"+texts.Withheld+"\n"+texts.Recorded+"\nDeleted: A", texts.withheld("Bye.", "Deleted: A"))
	require.Equal(t, texts.Withheld+"\n"+texts.Recorded+"\nDeleted: A", texts.withheld("", "Deleted: A"))
	require.Equal(t, texts.Withheld, texts.withheld("", ""))
	require.Equal(t, "Bye.\n\n"+texts.Withheld, texts.withheld("Bye.", ""))
}

// TestClaimsAreFoundBehindTheirMarks: Markdown and JSON are no part of a claim.
func TestClaimsAreFoundBehindTheirMarks(t *testing.T) {
	for text, claim := range map[string]string{
		"Fine. I've released **H-20**. Bye.": "I've released H-20",
		"Fine.\n- **Donor:** D-552\nBye.":    "- Donor: D-552",
		`Fine. {"job": "J-710"} is it. Bye.`: "job:  J-710",
	} {
		left := withhold(text, unprovenIn(text, []Doubt{{Claim: &completion.Claim{}, Words: claim}}))
		require.Equal(t, "Fine. Bye.", strings.Join(strings.Fields(left), " "), claim)
	}
	require.Empty(t, unprovenIn("Fine. Bye.", []Doubt{{Claim: &completion.Claim{}, Words: "**"}}))
}
