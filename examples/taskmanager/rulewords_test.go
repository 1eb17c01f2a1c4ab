package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
)

// TestRulesHaveWords: people do not read the names that rules have in logs.
func TestRulesHaveWords(t *testing.T) {
	for reason := completion.NoWork; reason < completion.WorkDone; reason++ {
		require.Contains(t, ruleWords, reason.String())
	}
	found := 0
	for _, file := range []string{"item.go", "message.go"} {
		source, err := os.ReadFile("../../guard/proof/" + file)
		check(t, err)
		for _, rule := range regexp.MustCompile(`c\.(?:fault|textFault)\("([^"]+)"`).FindAllSubmatch(source, -1) {
			require.Contains(t, ruleWords, string(rule[1]))
			found++
		}
	}
	require.Greater(t, found, 20)
}
