package lexicon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/benchbound"
)

// show writes tokens as word or word/kind, with a leading ' for quoted ones.
func show(text string, tokens []Token) string {
	kinds := [...]string{"", "/number", "/name", "/end", "/break", "/comma", "/quote", "/symbol"}
	var parts []string
	for _, token := range tokens {
		part := text[token.Start:token.End] + kinds[token.Kind]
		if token.Has(SentenceStart) {
			part = "^" + part
		}
		if token.Has(Quoted) {
			part = "~" + part
		}
		parts = append(parts, strings.ReplaceAll(part, "\n", "\\n"))
	}
	return strings.Join(parts, " ")
}

func TestTokenize(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"nothing", "  \t ", ""},
		{"words", "Delete the task", "^Delete the task"},
		{"two sentences", "Done. What next?", "^Done ./end ^What next ?/end"},
		{"a run of marks is one end", "Really?!... Yes", "^Really ?!.../end ^Yes"},
		{"endings are words", "I've sent Ann's mail, that'll do", "^I 've sent Ann 's mail ,/comma that 'll do"},
		{"curly endings", "I’ve moved it", "^I ’ve moved it"},
		{"negations stay whole", "don't can’t", "^don't can’t"},
		{"names with apostrophes", "O'Neill at five o'clock", "^O'Neill at five o'clock"},
		{"plural possessive", "the boys' room", "^the boys '/symbol room"},
		{"listed compounds stay whole", "my to-do list", "^my to-do list"},
		{"other compounds are cut", "a dog-friendly inn", "^a dog friendly inn"},
		{"double quotes", `add "call home" now`, `^add "/quote ~call ~home "/quote now`},
		{"single quotes", "add 'call home' now", "^add '/quote ~call ~home '/quote now"},
		{"quotes with an apostrophe inside", "add 'don't panic' now", "^add '/quote ~don't ~panic '/quote now"},
		{"a quote that never closes quotes nothing", "the event 'big day", "^the event '/quote big day"},
		{"curly quotes", "add “call home”", "^add “/quote ~call ~home ”/quote"},
		{"fences", "```go test``` ok", "```/quote ~^go ~test ```/quote ok"},
		{"addresses", "mail ann@example.com.", "^mail ann@example.com/name ./end"},
		{"links", "see https://example.com/a?b=c, please", "^see https://example.com/a?b=c/name ,/comma please"},
		{"files", "open main.go and /etc/hosts", "^open main.go/name and /etc/hosts/name"},
		{"times and dates", "at 3:30 p.m. on 29/03 or 2026-01-02", "^at 3:30/number p.m on 29/03/number or 2026-01-02/number"},
		{"abbreviations end no sentence", "call Dr. Ray", "^call Dr Ray"},
		{"initials end no sentence", "sent to J. Farrowby and E. T. Mokwele", "^sent to J Farrowby and E T Mokwele"},
		{"a letter may end a sentence", "take plan B. Then go", "^take plan B ./end ^Then go"},
		{"letters may be names of things", "open are A and B. C was done", "^open are A and B ./end ^C was done"},
		{"a letter may count", "A. Farrowby\nB. Mokwele", "^A ./end ^Farrowby \\n/break ^B ./end ^Mokwele"},
		{"a missing space ends a sentence", "Done.Next one", "^Done ./end ^Next one"},
		{"lists", "1. Milk\n- Bread", "^1/number ./end ^Milk \\n/break -/symbol ^Bread"},
		{"identifiers", "run delete_task(7)", "^run delete_task (/symbol 7/number )/symbol"},
		{"dashes", "wait - no — yes", "^wait -/comma no —/comma yes"},
		{"other scripts", "удали задачу 删除任务。", "^удали задачу 删除任务 。/end"},
		{"invisible characters", "del\u200bete it", "^del\u200bete it"},
		{"a quotation at the start", "“Read book” is gone", "“/quote ~^Read ~book ”/quote is gone"},
		{"a closing quote alone", "Read book” is gone", "^Read book ”/symbol is gone"},
		{"German quotes", "„Buch lesen“ ist weg", "„/quote ~^Buch ~lesen “/quote ist weg"},
		{"single curly quotes", "‘Read book’ is gone", "‘/quote ~^Read ~book ’/quote is gone"},
		{"a quotation after a quotation", "'a' 'b'", "'/quote ~^a '/quote '/quote ~b '/quote"},
		{"an at sign alone", "me@ home", "^me @/symbol home"},
		{"decimals", "costs 3.5 now", "^costs 3.5/number now"},
		{"an abbreviation before a line's end", "at 3 p.m.\nGo", "^at 3/number p.m ./end \\n/break ^Go"},
		{"two quotations", "`a` and `b`", "`/quote ~^a `/quote and `/quote ~b `/quote"},
		{"a path at the start", "/etc/hosts is open", "^/etc/hosts/name is open"},
		{"a slash between words", "and/or", "^and //symbol or"},
		{"a home folder", "in ~/notes", "^in ~/notes/name"},
		{"capitals before a dot", "see NASA.Gov or U.S.A today", "^see NASA.Gov/name or U.S.A today"},
		{"a dash at the end", "wait -", "^wait -/symbol"},
		{"a dash at the start", "- wait", "-/symbol ^wait"},
		{"an apostrophe and more than an ending", "rock'nroll'd", "^rock'nroll 'd"},
		{"broken bytes", "a\xff\xfeb", "^a \xff/symbol \xfe/symbol b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := show(c.text, English().Tokenize(nil, c.text)); got != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestFlags(t *testing.T) {
	text := "Ann reads NASA news, don't ask?"
	tokens := English().Tokenize(nil, text)
	for i, want := range []Flags{
		SentenceStart | Capital | Plain, Plain, Capital | Upper, Plain, Glued, 0, Plain, Glued | Asking,
	} {
		if got := tokens[i].Flags; got != want {
			t.Errorf("%q has flags %b, want %b", text[tokens[i].Start:tokens[i].End], got, want)
		}
	}
}

func TestCapitals(t *testing.T) {
	for word, want := range map[string]Flags{
		"ask": Plain, "Ask": Capital | Plain, "I": Capital | Plain, "OK": Capital | Upper, "iPhone": 0, "McKay": Capital,
		"X2": Capital, "x2": 0, "a_b": 0, "don't": 0, "Can't": Capital, "p.m": 0, "naïve": 0, "ABC—": Capital | Upper, "abc—": Plain,
	} {
		if got := English().Tokenize(nil, "we "+word)[1].Flags; got != want {
			t.Errorf("%q has flags %b, want %b", word, got, want)
		}
	}
}

func TestFlagsBeyondASCII(t *testing.T) {
	for word, want := range map[string]Flags{"Éclair": Capital, "ÉÈ": Capital, "éÉ": 0, "eÉ": 0, "É": Capital} {
		if tokens := English().Tokenize(nil, word); tokens[0].Flags&^(SentenceStart|Upper) != want {
			t.Errorf("%q has flags %b, want %b", word, tokens[0].Flags, want)
		}
	}
}

func TestInvisibleCharactersDoNotHideAWord(t *testing.T) {
	for _, invisible := range []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"} {
		tokens := English().Tokenize(nil, "del"+invisible+"ete")
		if len(tokens) != 1 || tokens[0].Entry == nil || tokens[0].Entry.Lemma != "delete" {
			t.Errorf("%q: got %v, want the entry of delete", invisible, tokens)
		}
	}
}

func TestFold(t *testing.T) {
	for word, want := range map[string]string{
		"": "", "abc": "abc", "aBc": "abc", "Don’t": "don't", "ÄB": "äb", "d\u02bcor": "d'or",
	} {
		if got := Fold(word); got != want || Fold(got) != got {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}

func TestWordsCarryMeaning(t *testing.T) {
	for i, token := range English().Tokenize(nil, "mail 7 ann@example.com , !") {
		if got, want := token.IsWord(), i < 3; got != want {
			t.Errorf("token %d of kind %d: %t", i, token.Kind, got)
		}
	}
}

func TestTokenizeAppends(t *testing.T) {
	english := English()
	tokens := english.Tokenize(nil, "one two")
	tokens = english.Tokenize(tokens, "three")
	if len(tokens) != 3 || tokens[2].Entry.Word != "three" {
		t.Errorf("got %d tokens, want the third one appended", len(tokens))
	}
}

func TestTokenizeDoesNotAllocate(t *testing.T) {
	english, tokens := English(), make([]Token, 0, 64)
	text := "Could you please take the “big” reminder off my to-do list? I've done it at 3:30 p.m., thanks."
	if n := testing.AllocsPerRun(100, func() { tokens = english.Tokenize(tokens[:0], text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// BenchmarkGrowth: hostile texts must not take more than linear time.
func BenchmarkGrowth(b *testing.B) {
	for _, piece := range []string{"'a", "a-", "a'", "\"a ", "`", "a.", "“", "a@", "1:", "x' 'y ", "\u200b", "’", "/a"} {
		tokenize := func(n int) func() {
			text := strings.Repeat(piece, n)
			return func() { English().Tokenize(nil, text) }
		}
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) { benchbound.Ratio(b, 12, tokenize(80_000), tokenize(20_000)) })
	}
}

func FuzzTokenize(f *testing.F) {
	for _, seed := range []string{"Add Milk, please. Now?", "I've done 'it' at 3:30 p.m.", "a-b'c.d@e/f", "“x” «y» `z`", "\xff'\u200b", "удали", "…?！"} {
		f.Add(seed)
	}
	english := English()
	f.Fuzz(func(t *testing.T, text string) {
		end := int32(0)
		for _, token := range english.Tokenize(nil, text) {
			if token.Start < end || token.End <= token.Start || int(token.End) > len(text) {
				t.Fatalf("token [%d,%d) after %d in a text of %d bytes", token.Start, token.End, end, len(text))
			}
			end = token.End
			if word := text[token.Start:token.End]; token.Entry != nil && english.Lookup(token.Entry.Word) != token.Entry {
				t.Fatalf("%q has an entry that is not listed", word)
			}
		}
	})
}

func BenchmarkTokenize(b *testing.B) {
	english, tokens := English(), make([]Token, 0, 64)
	text := "Could you please remove the milk from my shopping list and then add three loaves of bread for Saturday"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tokens = english.Tokenize(tokens[:0], text)
	}
}

// Marks, names and letters beyond ASCII take other ways than plain words.
func BenchmarkTokenizeMarks(b *testing.B) {
	english, tokens := English(), make([]Token, 0, 128)
	text := `I've cancelled order #4471 (it's gone). Your "big" to-do list: milk, eggs; mail ann@example.com at 3:30 p.m. — or don't! Ça va?`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tokens = english.Tokenize(tokens[:0], text)
	}
}

func TestLookupFindsAllWaysOfWriting(t *testing.T) {
	for _, entry := range English().Entries() {
		for _, word := range []string{entry.Word, strings.ToUpper(entry.Word), strings.ReplaceAll(entry.Word, "'", "’")} {
			if got := English().Lookup(word); got == nil || got.Number != entry.Number {
				t.Errorf("%q finds %v", word, got)
			}
		}
	}
	if English().Lookup("") != nil {
		t.Error("nothing finds something")
	}
}
