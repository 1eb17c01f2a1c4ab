package chatwire

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListsAreThere: the code asks for lists by name, and a name that is misspelt would be an empty list.
func TestListsAreThere(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		if !strings.HasSuffix(name, "_test.go") {
			source.Write(data)
		}
	}
	for _, asked := range regexp.MustCompile(`(?:words|isOf|hasOf)\("([^"]+[a-z])"`).FindAllStringSubmatch(source.String(), -1) {
		require.NotEmpty(t, words(asked[1]), asked[1])
	}
	for list := range lists() {
		if !strings.HasPrefix(list, "status ") {
			require.Contains(t, source.String(), `"`+list+`"`, "nothing asks for this list")
		}
	}
	for _, status := range []string{"429", "503", "504", "401", "403", "402", "404", "400"} {
		require.NotEmpty(t, words("status "+status), status)
	}
}
