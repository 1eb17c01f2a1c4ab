package play_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const recipes = "../.."

// TestTheTextsShowTheCode: what the README and the guide show of a recipe stands in
// it, line by line.
func TestTheTextsShowTheCode(t *testing.T) {
	files, err := filepath.Glob(recipes + "/*/*.go")
	require.NoError(t, err)
	files = append(files, "loop.go")
	var code strings.Builder
	for _, file := range files {
		code.WriteString("\n" + read(t, file))
	}
	guide := read(t, recipes+"/../../.github/docs/guide.md")
	_, section, found := strings.Cut(guide, "\n## Frameworks\n")
	require.True(t, found, "the guide has a section on frameworks")
	section, _, _ = strings.Cut(section, "\n## ")
	for name, text := range map[string]string{"README": read(t, recipes+"/README.md"), "guide": section} {
		blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, blocks, name)
		for _, block := range blocks {
			assert.Contains(t, flat(code.String()), "\n"+flat(block[1]), "the %s shows what no recipe has", name)
		}
	}
}

// TestTheREADMENamesTheVersions of go.mod, and every recipe.
func TestTheREADMENamesTheVersions(t *testing.T) {
	mod, readme := read(t, recipes+"/go.mod"), read(t, recipes+"/README.md")
	for folder, module := range map[string]string{
		"eino":        "github.com/cloudwego/eino",
		"genkit":      "github.com/firebase/genkit/go",
		"langchaingo": "github.com/tmc/langchaingo",
		"go-openai":   "github.com/sashabaranov/go-openai",
		"any-llm-go":  "github.com/mozilla-ai/any-llm-go",
	} {
		required := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(module) + ` (v\S+)$`).FindStringSubmatch(mod)
		require.NotNil(t, required, module)
		assert.Regexp(t, `(?m)^\| \[.*\| `+regexp.QuoteMeta(required[1])+` \|.*\(`+folder+`/`, readme)
		assert.Contains(t, readme, "go run -C examples/recipes ./"+folder+"\n")
	}
}

// flat is a text without indentation.
func flat(text string) string { return regexp.MustCompile(`(?m)^\t+`).ReplaceAllString(text, "") }

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(file))
	require.NoError(t, err)
	return string(text)
}
