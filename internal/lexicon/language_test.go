package lexicon

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnglishIsWhole(t *testing.T) {
	for _, entry := range English().Entries() {
		if entry.Word != Fold(entry.Word) || English().Lookup(entry.Word).Number != entry.Number || int(entry.ID) >= English().Lemmas() {
			t.Errorf("entry %q cannot be found by its own word", entry.Word)
		}
	}
	require.Equal(t, Boilerplate, Class(1)<<(len(classNames)-1))
	require.Equal(t, Adverb, Form(1)<<(len(formNames)-1))
	for i, name := range classNames {
		class := Class(1) << i
		if !slices.ContainsFunc(English().Entries(), func(e *Entry) bool { return e.Class.Has(class) }) {
			t.Errorf("no word of the class %s", name)
		}
	}
}

func TestParsingIsDeterministic(t *testing.T) {
	for range 3 {
		again, err := Parse("en", words)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range English().Entries() {
			other := again.Lookup(entry.Word)
			if other == nil || other.Lemma != entry.Lemma || other.ID != entry.ID || other.Form != entry.Form || other.Families != entry.Families ||
				other.Primary != entry.Primary || other.Group != entry.Group || len(other.Related().Kinds) != len(entry.Related().Kinds) {
				t.Fatalf("%q is read as %+v, then as %+v", entry.Word, entry, other)
			}
		}
	}
}

func TestEveryFamilyHasAnEnglishVerb(t *testing.T) {
	require.Len(t, familyNames, numFamilies)
	for f := NoFamily + 1; f < numFamilies; f++ {
		if !slices.ContainsFunc(English().Entries(), func(e *Entry) bool { return e.Families.Has(f) && e.Form.Has(Base) }) {
			t.Errorf("no verb asks for %s", f)
		}
	}
}

func TestLookup(t *testing.T) {
	cases := []struct {
		word, lemma string
		form        Form
		family      Family
	}{
		{"cancel", "cancel", Base, Cancel}, {"cancelled", "cancel", Past | Participle, Cancel}, {"canceled", "cancel", Past | Participle, Cancel},
		{"CANCELLING", "cancel", Gerund, Cancel}, {"cancels", "cancel", Third, Cancel}, {"cancellation", "cancellation", Noun, Cancel},
		{"sent", "send", Past | Participle, Send}, {"wrote", "write", Past, Write}, {"written", "write", Participle, Write},
		{"booked", "book", Past | Participle, Book}, {"book", "book", Base | Noun, Book}, {"books", "book", Third | Plural, Book},
		{"refunded", "refund", Past | Participle, Refund}, {"refunds", "refund", Third | Plural, Refund},
		{"exchanged", "exchange", Past | Participle, Exchange}, {"transferred", "transfer", Past | Participle, Transfer},
		{"deleting", "delete", Gerund, Delete}, {"applies", "apply", Third, Apply}, {"modified", "modify", Past | Participle, Update},
		{"committed", "commit", Past | Participle, Commit}, {"refactored", "refactor", Past | Participle, Refactor},
		{"meetings", "meeting", Plural, NoFamily}, {"people", "person", Plural, NoFamily}, {"set", "set", Base | Past | Participle, Set},
	}
	for _, c := range cases {
		entry := English().Lookup(c.word)
		if entry == nil {
			t.Errorf("%q is not listed", c.word)
			continue
		}
		if entry.Lemma != c.lemma || entry.Form&c.form != c.form || c.family != NoFamily && !entry.Families.Has(c.family) {
			t.Errorf("%q is %q, forms %b, families %s; want %q, %b, %s", c.word, entry.Lemma, entry.Form, entry.Families, c.lemma, c.form, c.family)
		}
	}
	for _, word := range []string{"", "setter", "addressed to", "xyzzy"} {
		if entry := English().Lookup(word); entry != nil {
			t.Errorf("%q is listed as %q", word, entry.Word)
		}
	}
}

func TestFunctionWords(t *testing.T) {
	cases := []struct {
		word  string
		class Class
	}{
		{"don't", Negation | Auxiliary}, {"dont", Negation | Auxiliary}, {"can’t", Negation | Modal}, {"not", Negation}, {"never", Negation},
		{"I", FirstPerson}, {"my", FirstPerson | Possessive | Determiner}, {"you", SecondPerson}, {"they", ThirdPerson}, {"could", Modal},
		{"'ve", Auxiliary}, {"'ll", Modal}, {"please", Politeness}, {"what", Question}, {"if", Condition}, {"yes", Affirmation},
		{"no", Refusal | Determiner}, {"tomorrow", Time}, {"third", Ordinal}, {"off", Particle | Preposition}, {"want", Desire}, {"maybe", Hedge},
	}
	for _, c := range cases {
		if entry := English().Lookup(c.word); entry == nil || entry.Class&c.class != c.class {
			t.Errorf("%q is %+v, want the classes %b", c.word, entry, c.class)
		}
	}
}

func TestPhrasal(t *testing.T) {
	english := English()
	cases := []struct {
		verb, particle string
		want           Family
	}{
		{"take", "off", Delete}, {"took", "off", Delete}, {"checked", "off", Complete}, {"set", "up", Create}, {"calling", "off", Cancel},
		{"send", "back", Return}, {"sent", "back", Return}, {"log", "in", Login},
	}
	for _, c := range cases {
		if got := english.Phrasal(english.Lookup(c.verb), english.Lookup(c.particle)); !got.Has(c.want) {
			t.Errorf("%s %s is %s, want %s", c.verb, c.particle, got, c.want)
		}
	}
	for _, c := range [][2]string{{"take", "in"}, {"delete", "off"}, {"take", "xyzzy"}, {"xyzzy", "off"}} {
		if got := english.Phrasal(english.Lookup(c[0]), english.Lookup(c[1])); !got.Empty() {
			t.Errorf("%s %s is %s, want none", c[0], c[1], got)
		}
	}
}

func TestExpression(t *testing.T) {
	cases := []struct {
		text   string
		class  Class
		length int
	}{
		{"go ahead and do it", Affirmation, 2}, {"Yes please", Affirmation, 2}, {"that's fine", Affirmation, 3}, {"I'd like", 0, 0},
		{"no thank you", Refusal, 3}, {"go home", 0, 0}, {"go", 0, 0}, {"what if", Condition, 2},
	}
	for _, c := range cases {
		class, length := English().Expression(English().Tokenize(nil, c.text))
		if class != c.class || length != c.length {
			t.Errorf("%q is %b over %d tokens, want %b over %d", c.text, class, length, c.class, c.length)
		}
	}
}

func TestCues(t *testing.T) {
	language, err := Parse("xx", "[verbs]\nnone: tell show\n[cues]\ntelling: tell show\nquiet: hush")
	if err != nil {
		t.Fatal(err)
	}
	telling, quiet := language.Cue("telling"), language.Cue("quiet")
	if !language.Lookup("tell").Is(telling) || !language.Lookup("show").Is(telling) || language.Lookup("tell").Is(quiet) || !language.Lookup("hush").Is(quiet) {
		t.Error("words are not of the cues that list them")
	}
	if none := language.Cue("nonsense"); none != 0 || language.Lookup("tell").Is(none) {
		t.Error("a cue that does not exist is met")
	}
}

func TestStem(t *testing.T) {
	for _, group := range [][]string{
		{"widget", "widgets"}, {"shader", "shaders"}, {"grep", "grepped", "grepping"}, {"tokenize", "tokenized", "tokenizing"}, {"proxy", "proxies", "proxied", "proxying"},
		{"cancel", "cancelled", "canceled"}, {"box", "boxes"}, {"go", "went", "gone"}, {"bus", "buses"},
		{"frobnicate", "frobnicates", "frobnicated", "frobnicating"}, {"spoofe", "spoofes", "spoofed"},
	} {
		for _, word := range group[1:] {
			if got, want := English().Stem(word), English().Stem(group[0]); got != want {
				t.Errorf("stem of %q is %q, that of %q is %q", word, got, group[0], want)
			}
		}
	}
	for _, word := range []string{"tennis", "gas", "king", "red", "glass", "status"} {
		if got := English().Stem(word); got != word {
			t.Errorf("stem of %q is %q, want the whole word", word, got)
		}
	}
}

func TestInflect(t *testing.T) {
	cases := []struct{ word, forms string }{
		{"widget", "widgets widgeted widgeting"}, {"grep", "greps grepped grepping"}, {"proxy", "proxies proxied proxying"},
		{"cancel", "cancels cancelled canceled cancelling"}, {"go", "goes went gone going"},
	}
	for _, c := range cases {
		made := English().Inflect(nil, c.word)
		for _, form := range append(strings.Fields(c.forms), c.word) {
			if !slices.Contains(made, form) {
				t.Errorf("forms of %q are %v, %q is missing", c.word, made, form)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"section", "[nonsense]\nword", `line 2: there is no section "nonsense"`},
		{"no section", "word", `line 1: there is no section ""`},
		{"family", "[verbs]\n\nblorb: go", `line 3: "blorb" is no key of the section "verbs"`},
		{"class", "[words]\nblorb: go", `"blorb" is no key of the section "words"`},
		{"expression class", "[expressions]\nblorb: go on", `"blorb" is no key of the section "expressions"`},
		{"form", "[irregular]\ngo: perfect=gone", `"perfect=gone" is not of the kind form=word/word`},
		{"rule", "[endings]\npast: ed", `"ed" is not of the kind FROM>TO`},
		{"stem rule", "[stems]\ned", `"ed" is not of the kind FROM>TO`},
		{"ending of no form", "[endings]\nblorb: >s", `"blorb" is no key of the section "endings"`},
		{"cue given twice", "[cues]\nx: a\nx: b", `cue "x" is given twice`},
		{"phrase of one word", "[phrases]\nspeed: how fast, fast", `"fast" is not a phrase`},
		{"phrasal verb of one word", "[phrasal verbs]\ndelete: take", `"take" is not a verb and a particle`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse("xx", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A contributor's file needs no code: another language with its own endings.
func TestParseAnotherLanguage(t *testing.T) {
	german, err := Parse("de", `
[irregular]
gehen: third=geht past=ging participle=gegangen
[nouns]
aufgabe: aufgabe
[verbs]
delete: löschen
none: gehen
[words]
negation: nicht
`)
	if err != nil {
		t.Fatal(err)
	}
	tokens := german.Tokenize(nil, "Nicht LÖSCHEN, er ging")
	if !tokens[0].Class().Has(Negation) || !tokens[1].Families().Has(Delete) || tokens[4].Entry.Lemma != "gehen" {
		t.Errorf("got %+v", tokens)
	}
	if german.Groups()[german.Lookup("Aufgabe").Group] != "aufgabe" {
		t.Errorf("group is %q", german.Groups()[1])
	}
}

const small = `
[endings]
third: >s
[verbs]
create: make
build: make
none: lend loan zip
[phrasal verbs]
create: make up
build: make up, make out
[alike]
lend loan
lend borrow
[phrases]
speed: how fast
[expressions]
refusal: no way
[words]
refusal: no
[nouns]
-: alpha
[cues]
one: alpha
two: alpha beta
`

func TestRelations(t *testing.T) {
	language, err := Parse("xx", small)
	require.NoError(t, err)
	alike := func(word string) (words []string) {
		for _, entry := range language.Lookup(word).Related().Alike {
			words = append(words, entry.Word)
		}
		return words
	}
	require.Equal(t, []string{"loan", "borrow"}, alike("lend"))
	require.Equal(t, []string{"lend"}, alike("loan"))
	require.True(t, language.Lookup("borrows").Form.Has(Third), "a verb that is only alike is listed")
	require.Empty(t, alike("zip"))
	require.Empty(t, alike("xyzzy"))
	require.Equal(t, Create, language.Lookup("make").Primary)
	require.Equal(t, FamiliesOf(Create, Build), language.Lookup("makes").Families)
	require.Equal(t, FamiliesOf(Create, Build), language.Phrasal(language.Lookup("makes"), language.Lookup("up")))
	require.Equal(t, FamiliesOf(Build), language.Phrasal(language.Lookup("make"), language.Lookup("out")))
	require.True(t, language.Phrasal(nil, language.Lookup("up")).Empty())

	tokens := language.Tokenize(nil, "no way, how fast")
	var begins, ends []bool
	for i := range tokens {
		begins, ends = append(begins, tokens[i].BeginsExpression()), append(ends, tokens[i].EndsPhrase())
	}
	require.Equal(t, []bool{true, false, false, false, false}, begins)
	require.Equal(t, []bool{false, false, false, false, true}, ends)
}

func TestCueNumbers(t *testing.T) {
	language, err := Parse("xx", small)
	require.NoError(t, err)
	one, two := language.Cue("one"), language.Cue("two")
	require.Equal(t, []Cue{1, 2, 0}, []Cue{one, two, language.Cue("three")})
	alpha, beta := language.Lookup("alpha"), language.Lookup("beta")
	require.True(t, alpha.Is(one) && alpha.Is(two) && beta.Is(two) && !beta.Is(one) && !alpha.Is(0))
	// A word that only a cue lists is nothing yet; one of the nouns is a noun.
	require.Zero(t, beta.Form)
	require.True(t, alpha.Form.Has(Noun))
}

func FuzzParse(f *testing.F) {
	f.Add("[endings]\npast: e>ed Cy>Cied >*ed\n[verbs]\ndelete: drop+ purge\n[expressions]\nrefusal: no way, not at all")
	f.Add("[irregular]\nx: past=/y\n[nouns]\n-: x\n[phrasal verbs]\ndelete: take off")
	f.Fuzz(func(t *testing.T, text string) {
		language, err := Parse("xx", text)
		if err == nil {
			language.Tokenize(nil, text)
			language.Stem(Fold(text))
		}
	})
}

func TestFamilies(t *testing.T) {
	set := FamiliesOf(Create, Drop, NoFamily, Family(250))
	if set.Len() != 2 || !set.Has(Create) || !set.Has(Drop) || set.Has(Delete) || set.String() != "create+drop" {
		t.Errorf("the set is %s", set)
	}
	if !set.Overlaps(FamiliesOf(Drop)) || set.Overlaps(FamiliesOf(Delete)) || !set.Without(set).Empty() || set.Union(FamiliesOf(Delete)).Len() != 3 {
		t.Error("set operations are wrong")
	}
	if Family(250).String() != "family(250)" {
		t.Errorf("an unknown family is %s", Family(250))
	}
}

func TestSynonyms(t *testing.T) {
	language, err := Parse("xx", "[endings]\nplural: >s\n[nouns]\n-: sofa\n[synonyms]\nsofa couch settee\nsettle settee")
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"sofas": "couch settee", "couch": "sofa settee", "settee": "sofa couch settle", "settle": "settee", "chair": ""} {
		var got []string
		for _, entry := range language.Lookup(word).Related().Synonyms {
			got = append(got, entry.Word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q may stand for %v, want %s", word, got, want)
		}
	}
}

func TestPhraseKinds(t *testing.T) {
	language, err := Parse("xx", "[endings]\nplural: >s\n[nouns]\n-: store\n[phrases]\nspeed: how fast\nvelocity: how fast\nsupermarket: grocery store, big grocery store")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"how fast": "speed velocity", "tell me How Fast": "speed velocity", "fast": "", "so fast": "", "how fast is": "",
		"two grocery stores": "supermarket", "a big grocery store": "supermarket", "grocery": "", "": "",
	} {
		var got []string
		for _, entry := range language.PhraseKinds(language.Tokenize(nil, text)) {
			got = append(got, entry.Word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q ends in a phrase for %v, want %s", text, got, want)
		}
	}
}

func TestKindsAndContrasts(t *testing.T) {
	english := English()
	names := func(entries []*Entry) (words []string) {
		for _, entry := range entries {
			words = append(words, entry.Word)
		}
		return words
	}
	if got := names(english.Lookup("sedans").Related().Kinds); !slices.Contains(got, "car") || !slices.Contains(got, "vehicle") {
		t.Errorf("a sedan is a kind of %v", got)
	}
	if got := names(english.Lookup("$").Related().Kinds); !slices.Contains(got, "money") {
		t.Errorf("$ stands for %v", got)
	}
	if got := english.Lookup("the").Related().Kinds; got != nil {
		t.Errorf("the is a kind of %v", names(got))
	}
}
