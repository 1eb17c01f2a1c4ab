package policy

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The packages beside this one must not be imported: a policy that knows the
// others would have to change with them. Heavy dependencies stay out as well.
func TestImports(t *testing.T) {
	allowed := []string{
		"github.com/bonafide-go/bonafide/internal/jsonspan", "github.com/bonafide-go/bonafide/tooltrack",
		"github.com/stretchr/testify/require", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/santhosh-tekuri/jsonschema/v6/kind",
		"golang.org/x/net/idna", "golang.org/x/time/rate",
		"golang.org/x/text/cases", "golang.org/x/text/language", "golang.org/x/text/message", "golang.org/x/text/unicode/norm",
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(path, ".") && !slices.Contains(allowed, path) && path != "github.com/bonafide-go/bonafide/policy" {
				t.Errorf("%s imports %s", file.Name(), path)
			}
		}
	}
}
