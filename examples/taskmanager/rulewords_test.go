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
	source, err := os.ReadFile("../../guard/proof/check.go")
	check(t, err)
	rules := regexp.MustCompile(`c\.fault\("([^"]+)"`).FindAllSubmatch(source, -1)
	require.Greater(t, len(rules), 10)
	for _, rule := range rules {
		require.Contains(t, ruleWords, string(rule[1]))
	}
}
