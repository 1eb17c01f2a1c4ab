package lexicon_test

import (
	"fmt"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func ExampleLanguage_Tokenize() {
	text := "I've cancelled it."
	for _, token := range lexicon.English().Tokenize(nil, text) {
		if !token.Families().Empty() {
			fmt.Println(text[token.Start:token.End], "is a form of", token.Entry.Lemma)
			fmt.Println("past:", token.Form().Has(lexicon.Past))
			fmt.Println("family:", token.Families())
		}
	}
	// Output:
	// cancelled is a form of cancel
	// past: true
	// family: cancel
}

func ExampleLanguage_Phrasal() {
	english := lexicon.English()
	tokens := english.Tokenize(nil, "took the milk off")
	fmt.Println(english.Phrasal(tokens[0].Entry, tokens[3].Entry))
	// Output: delete
}

func ExampleLanguage_Stem() {
	fmt.Println(lexicon.English().Stem("went"), lexicon.English().Stem("widgets"))
	// Output: go widget
}
