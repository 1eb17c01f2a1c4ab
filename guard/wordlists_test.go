package guard_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wordListExceptions are the lists that still stand elsewhere.
var wordListExceptions = []exception{
	{"internal/telling/title.go", "names of members under which results hold a title"},
	{"examples/", "an example is a product of its own, and speaks of its own things"},
	{"guard/texts.go", "names of rules"},
	{"intent/answer.go", "names of groups in the data"},
	{"internal/reading/cue.go", "names of cues in the data"},
	{"internal/reading/role.go", "names of roles in the data"},
	{"policy/audit.go", "names of members that hold secrets"},
	{"policy/schemaread.go", "types of JSON Schema"},
	{"policy/secrets.go", "marks of secrets"},
	{"internal/evaluation/start/main.go", "tools of a program that is only started"},
	{"internal/toolname/implied.go", "nouns of jobs and of their states"},
	{"tooltrack/resultrules.go", "names of lines in the data"},
}

// TestWordsAreListedInOnePlace: a list of words in code is a reading of its own,
// and disagrees with the others sooner or later.
func TestWordsAreListedInOnePlace(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(name string, places *token.FileSet, file *ast.File) {
		if strings.HasPrefix(name, "internal/lexicon/") {
			return
		}
		for _, at := range wordLists(file) {
			if !allowed(wordListExceptions, used, name) {
				t.Errorf("%s holds a list of words; they belong into internal/lexicon/data", strings.TrimPrefix(places.Position(at).String(), "../"))
			}
		}
	})
	stale(t, wordListExceptions, used)
}

// manyWords is how many plain words make a list.
const manyWords = 8

// wordLists are the places where a text of nothing but plain words stands, or a
// list or table of them.
func wordLists(file *ast.File) (found []token.Pos) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.BasicLit:
			if text, ok := literal(n); ok {
				words := strings.Fields(text)
				sentence := len(words) < 2*manyWords && slices.ContainsFunc(words, ofSentence)
				if len(words) >= manyWords && !sentence && !slices.ContainsFunc(words, notPlain) {
					found = append(found, n.Pos())
				}
			}
		case *ast.CompositeLit:
			plain := 0
			for _, element := range n.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					element = pair.Key
				}
				if text, ok := literal(element); ok && !notPlain(text) {
					plain++
				}
			}
			if plain >= manyWords {
				found = append(found, n.Pos())
			}
		case *ast.CaseClause:
			plain := 0
			for _, element := range n.List {
				if text, ok := literal(element); ok && !notPlain(text) {
					plain++
				}
			}
			if plain >= manyWords {
				found = append(found, n.Pos())
			}
		}
		return true
	})
	return found
}

// ofSentence reports whether a word makes a sentence of a few others: messages
// are no lists.
func ofSentence(word string) bool {
	return slices.Contains([]string{"the", "an", "is", "be", "not", "can", "that"}, word)
}

func literal(e ast.Expr) (string, bool) {
	basic, ok := e.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}

// notPlain reports whether a text is anything but one word in small letters.
func notPlain(word string) bool {
	return len(word) < 2 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz'") != ""
}
