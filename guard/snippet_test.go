package guard_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentationBeginsWithLinesToCopy: who looks a module up finds the lines
// that they need in its first paragraph.
func TestDocumentationBeginsWithLinesToCopy(t *testing.T) {
	for _, folder := range []string{"guard/anthropicguard", "guard/chatwire", "guard/mcpguard", "guard/openaiguard", "guard/otelguard"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(folder), "doc.go"), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		paragraphs := strings.Split(file.Doc.Text(), "\n\n")
		if len(paragraphs) < 2 || strings.Count("\n"+paragraphs[1], "\n\t") < 3 {
			t.Errorf("%s: the first paragraph is not followed by three lines to copy", folder)
		}
	}
}
