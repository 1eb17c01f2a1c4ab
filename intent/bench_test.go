package intent

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// hundred is a message of about a hundred characters.
const (
	hundred      = "Could you please take the milk off my shopping list, I already have enough of it in the fridge now."
	hundredPlain = "Could you please archive the invoice of the Lisbon office, the one from last March with the odd total?"
	hundredTalk  = "The weather was lovely yesterday and we walked along the river until the sun had gone behind hills."
)

// fiftyTools are ten collections with five tools each.
func fiftyTools() []tooltrack.Tool {
	var tools []tooltrack.Tool
	for _, noun := range []string{"task", "invoice", "ticket", "contact", "document", "photo", "playlist", "vehicle", "project", "product"} {
		for _, verb := range []string{"create", "list", "update", "archive", "delete"} {
			tools = append(tools, tooltrack.Tool{Name: verb + "_" + noun, Description: fmt.Sprintf("%s a %s of the user, by its title, date or owner.", strings.ToUpper(verb[:1])+verb[1:], noun)})
		}
	}
	return tools
}

func benchmarkClassify(b *testing.B, tools []tooltrack.Tool, text string) {
	c := classifierFor(b, tools, nil)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Classify(ctx, Utterance{User: text}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	b.Run("5tools/request", func(b *testing.B) { benchmarkClassify(b, taskTools, hundred) })
	b.Run("5tools/talk", func(b *testing.B) { benchmarkClassify(b, taskTools, hundredTalk) })
	b.Run("50tools/request", func(b *testing.B) { benchmarkClassify(b, fiftyTools(), hundredPlain) })
	b.Run("50tools/nothing", func(b *testing.B) { benchmarkClassify(b, fiftyTools(), hundred) })
	b.Run("50tools/talk", func(b *testing.B) { benchmarkClassify(b, fiftyTools(), hundredTalk) })
}

// forty alternations, the usual way to write a keyword classifier.
func fortyPatterns() []*regexp.Regexp {
	verbs := []string{"add|create|insert|new|make", "list|show|display|view|what", "update|change|edit|modify|rename", "complete|finish|done|mark|tick", "delete|remove|erase|clear|drop"}
	nouns := []string{"tasks?", "to-?dos?", "reminders?", "items?", "events?", "meetings?", "lists?", "calendars?"}
	var patterns []*regexp.Regexp
	for _, verb := range verbs {
		for _, noun := range nouns {
			patterns = append(patterns, regexp.MustCompile(`(?i)\b(?:`+verb+`)\b.*\b(?:`+noun+`)\b`))
		}
	}
	return patterns
}

func BenchmarkRegexp(b *testing.B) {
	patterns := fortyPatterns()
	for _, text := range []string{hundred, hundredTalk} {
		b.Run(text[:9], func(b *testing.B) {
			for b.Loop() {
				for _, pattern := range patterns {
					pattern.MatchString(text)
				}
			}
		})
	}
}

// hundredTools are twice fifty.
func hundredTools() []tooltrack.Tool {
	tools := append(fiftyTools(), fiftyTools()...)
	for i := range tools[50:] {
		tools[50+i].Name += "_again"
	}
	return tools
}

func BenchmarkFromTools(b *testing.B) {
	tools := hundredTools()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FromTools(tools, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOverheadOfAMessage: a keyword classifier of forty alternations takes at least
// ten times as long as ours.
func BenchmarkOverheadOfAMessage(b *testing.B) {
	c, patterns, ctx := classifierFor(b, taskTools, nil), fortyPatterns(), context.Background()
	classify := func() {
		for range 10 {
			_, _ = c.Classify(ctx, Utterance{User: hundred})
		}
	}
	benchbound.Ratio(b, 1, classify, func() { match(patterns) })
}

func match(patterns []*regexp.Regexp) {
	for _, pattern := range patterns {
		pattern.MatchString(hundred)
	}
}

// What the benchmarks measure is what they say: a request expects its tool, and the others nothing.
func TestBenchmarksMeasureWhatTheySay(t *testing.T) {
	fifty, five := classifierFor(t, fiftyTools(), nil), classifierFor(t, taskTools, nil)
	require.Equal(t, []string{"archive_invoice"}, expected(t, fifty, Utterance{User: hundredPlain}))
	require.Empty(t, expected(t, fifty, Utterance{User: hundred}))
	require.NotEmpty(t, expected(t, five, Utterance{User: hundred}))
	for _, c := range []*Classifier{fifty, five} {
		require.Empty(t, expected(t, c, Utterance{User: hundredTalk}))
	}
}

// BenchmarkOverheadOfBuilding: a classifier for a hundred tools takes less time than eight
// rounds of forty patterns over one message.
func BenchmarkOverheadOfBuilding(b *testing.B) {
	tools, patterns := hundredTools(), fortyPatterns()
	build := func() {
		if _, err := FromTools(tools, nil); err != nil {
			b.Fatal(err)
		}
	}
	benchbound.Ratio(b, 8, build, func() { match(patterns) })
}
