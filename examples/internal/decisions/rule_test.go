package decisions

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
)

// TestRulesHaveWords: people do not read the names that rules have in logs. A new
// rule of proof may wait for its words; few may.
func TestRulesHaveWords(t *testing.T) {
	for reason := completion.NoWork; reason < completion.WorkDone; reason++ {
		require.Contains(t, rules, reason.String())
	}
	files, err := filepath.Glob("../../../guard/proof/*.go")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, rule := range regexp.MustCompile(`c\.(?:fault|textFault)\("([^"]+)"`).FindAllSubmatch(source, -1) {
			if name := string(rule[1]); !strings.HasSuffix(name, " ") { // the slot follows
				require.Contains(t, rules, name, file)
			}
			found++
		}
	}
	for _, slot := range []string{"amount", "count", "date", "time", "id", "name"} {
		require.Contains(t, rules, "another "+slot)
	}
	require.Greater(t, found, 8)
}
