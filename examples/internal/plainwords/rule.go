// Package plainwords says what guard and proof find in words for people.
package plainwords

import (
	"cmp"
	_ "embed"
	"strings"
)

//go:embed rules.txt
var table string

// rules are the rows of the table by their names: in a few words, and explained.
var rules = func() map[string][2]string {
	rules := map[string][2]string{}
	for line := range strings.Lines(table) {
		if name, words, found := strings.Cut(line, "|"); found {
			short, long, _ := strings.Cut(words, "|")
			rules[strings.TrimSpace(name)] = [2]string{strings.TrimSpace(short), strings.TrimSpace(long)}
		}
	}
	return rules
}()

// Rule is what a rule found. A name without words stays as it is.
func Rule(name string) string { return cmp.Or(rules[name][0], name) }

// Explained is what a report says of a turn that ended with this reason; empty for others.
func Explained(reason string) string { return rules[reason][1] }
