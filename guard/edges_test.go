package guard

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Small functions at their edges: the limit and one beyond.

func TestBreaker(t *testing.T) {
	var b breaker
	fail := func(model string, times int) {
		for range times {
			b.failed(model)
		}
	}
	fail("m", breakerFailures-1)
	require.False(t, b.isOpen("m"), "it may still learn")
	fail("m", 1)
	require.False(t, b.isOpen("other"), "each model for itself")
	for i := range breakerRetry {
		require.True(t, b.isOpen("m"), "text %d", i)
	}
	require.False(t, b.isOpen("m"), "once in a while it is asked again")
	require.True(t, b.isOpen("m"), "and then not, until the next time")
	b.succeeded("m")
	require.False(t, b.isOpen("m"))
	fail("m", breakerFailures-1)
	require.False(t, b.isOpen("m"), "a success wipes the slate")

	for i := range breakerModels + 10 { // names that a client makes up do not grow without end
		b.failed(strings.Repeat("x", i))
		require.LessOrEqual(t, len(b.models), breakerModels)
	}
}

// TestOversizedAnswers: what is read at most, and one byte or call beyond.
func TestOversizedAnswers(t *testing.T) {
	calls := func(n, args, tool, id int) Message {
		made := make([]tooltrack.Call, n)
		made[n-1] = tooltrack.Call{Args: make([]byte, args), Tool: strings.Repeat("t", tool), ID: strings.Repeat("i", id)}
		return Message{Calls: made}
	}
	for name, c := range map[string]struct {
		message Message
		refused bool
	}{
		"text":                     {Message{Text: strings.Repeat("x", maxText)}, false},
		"too much text":            {Message{Text: strings.Repeat("x", maxText+1)}, true},
		"calls":                    {calls(maxTold, 0, 1, 1), false},
		"too many calls":           {calls(maxTold+1, 0, 1, 1), true},
		"arguments":                {calls(1, maxArguments, 0, 0), false},
		"arguments too long":       {calls(1, maxArguments+1, 0, 0), true},
		"arguments and names":      {calls(2, maxArguments-7, 3, 4), false},
		"arguments, a longer name": {calls(2, maxArguments-7, 4, 4), true},
		"arguments, a longer id":   {calls(2, maxArguments-7, 3, 5), true},
	} {
		t.Run(name, func(t *testing.T) {
			watching := &Turn{guard: &Guard{options: Options{Observe: true}}}
			require.NoError(t, watching.oversized(Response{Message: c.message}), "who only watches hands it on")
			guarding := &Turn{guard: &Guard{}}
			require.Equal(t, c.refused, guarding.oversized(Response{Message: c.message}) != nil)
		})
	}
}

func TestRedactionsAreHeldAgainstTheText(t *testing.T) {
	longest := len("ab")*8 + longestTitles
	require.True(t, isRedaction("ab", strings.Repeat("x", longest)))
	require.False(t, isRedaction("ab", strings.Repeat("x", longest+1)))
	require.False(t, isRedaction("ab", ""))
	require.False(t, isRedaction("ab", "\xff"))
	require.True(t, isRedaction("\xff", "\xff"), "broken before, broken after")
}

// TestTitlesInTexts: whole words, in any letter case, the longest first, and
// none that stands in every text.
func TestTitlesInTexts(t *testing.T) {
	entries := []resolver.Entry{{Title: "Book"}, {Title: "Book list"}, {Title: "ab"}, {Title: "abc"}, {Title: " Call mom "}}
	for text, want := range map[string]string{
		"delete book":                  "book",
		"delete Book list":             "Book list",
		"the booklet":                  "",
		"Book":                         "Book",
		"(book)":                       "book",
		"a book list and a book":       "book list|book",
		"a book, then call MOM":        "book|call MOM",
		"ab":                           "",
		"abc":                          "abc",
		"book2":                        "",
		"mybook":                       "",
		"the \u0130 of the book":       "book",
		"Book list, Book list and abc": "Book list|Book list|abc",
	} {
		var found []string
		for _, place := range titlesIn(text, entries) {
			found = append(found, text[place.from:place.to])
		}
		require.Equal(t, want, strings.Join(found, "|"), text)
	}
	from, to := longestTitle("one or two", []resolver.Entry{{Title: "two"}, {Title: "one"}})
	require.Equal(t, "two", "one or two"[from:to], "of two that are equally long, the first entry")
}

// TestRecordsStayInTheirOrder: a record is put where it began, or in the place
// of its earlier form.
func TestRecordsStayInTheirOrder(t *testing.T) {
	var turn Turn
	record := func(seq int64, tool string) *tooltrack.Record {
		return &tooltrack.Record{Seq: seq, Call: tooltrack.Call{Tool: tool}}
	}
	order := func() (tools string) {
		for _, r := range turn.records {
			tools += r.Tool
		}
		return tools
	}
	for _, c := range []struct {
		record *tooltrack.Record
		want   string
	}{
		{record(2, "b"), "b"}, {record(4, "d"), "bd"}, {record(1, "a"), "abd"}, {record(3, "c"), "abcd"},
		{record(1, "A"), "Abcd"}, {record(4, "D"), "AbcD"}, {record(3, "C"), "AbCD"},
		{record(0, "?"), "AbCD?"}, {record(0, "!"), "AbCD?!"},
	} {
		turn.remember(c.record)
		require.Equal(t, c.want, order())
	}
}

// TestNumbersOfRecords: earlier turns first, counted from one.
func TestNumbersOfRecords(t *testing.T) {
	record := func(seq int64) *tooltrack.Record { return &tooltrack.Record{Seq: seq} }
	turn := &Turn{ledgerView: ledgerView{
		earlier: []*tooltrack.Record{record(1), record(2)}, records: []*tooltrack.Record{record(5), record(6)},
	}}
	for seq, want := range map[int64]int{1: 1, 2: 2, 5: 3, 6: 4, 7: 0} {
		require.Equal(t, want, turn.number(record(seq)), "record %d", seq)
	}
	require.Contains(t, turn.repeatText(tooltrack.Begun{Record: record(1), Reason: "it succeeded"}), "identical to #1: it succeeded.")
	require.Contains(t, turn.repeatText(tooltrack.Begun{Record: record(7), Reason: "it succeeded"}), "identical to an earlier call: it succeeded.")
}

func TestThresholds(t *testing.T) {
	standard := Thresholds{}.withDefaults()
	require.Equal(t, Thresholds{intent.DefaultSureChange, intent.DefaultSureRead, intent.DefaultDue, 0.9}, standard)
	require.Equal(t, standard, Thresholds{Change: -1, Read: -0.1}.withDefaults())
	require.Equal(t, 0.01, Thresholds{Read: 0.01}.withDefaults().Read)
	limits := Thresholds{Change: 0.8, Read: 0.6}
	for _, c := range []struct {
		effect     tooltrack.Effect
		confidence float64
		want       bool
	}{
		{tooltrack.Changes, 0.8, true}, {tooltrack.Changes, 0.79, false}, {tooltrack.UnknownEffect, 0.79, false},
		{tooltrack.Reads, 0.6, true}, {tooltrack.Reads, 0.59, false}, {tooltrack.Verifies, 0.6, true},
	} {
		got := limits.isSure(intent.Expectation{Confidence: c.confidence}, &tooltrack.Tool{Effect: c.effect})
		require.Equal(t, c.want, got, "%v at %v", c.effect, c.confidence)
	}
	require.Equal(t, []string{"clean", "unsure", "sure", "tier(9)"}, []string{completion.Clean.String(), completion.Unsure.String(), completion.Sure.String(), completion.Tier(9).String()})
}

// TestNearestName: about one letter in three may be wrong, and two always.
func TestNearestName(t *testing.T) {
	known := []string{"delete_task", "add_task", "ls"}
	for name, want := range map[string]string{
		"delete_tsak": "delete_task", "deletetask": "delete_task", "add_tasks": "add_task", "frobnicate": "", "l": "ls", "xyzw": "",
		"del_task": "", "": "ls",
	} {
		require.Equal(t, want, nearest(name, known), name)
	}
	require.Empty(t, nearest("x", nil))
	require.Equal(t, "abcdef", nearest("abcdyz", []string{"abcdefghi", "abcdef"}), "two of six")
	require.Empty(t, nearest("abcxyz", []string{"abcdef"}), "three of six")
	require.Equal(t, "abcdefghi", nearest("abcdefxyz", []string{"abcdefghi"}), "three of nine")
	require.Empty(t, nearest("abcdewxyz", []string{"abcdefghi"}), "four of nine")
}

// TestNothingIsShownTwice: what is left to show of a text after a re-ask.
func TestNothingIsShownTwice(t *testing.T) {
	for name, c := range map[string]struct{ text, shown, want string }{
		"nothing shown":             {"Hi. Bye.", "", "Hi. Bye."},
		"it goes on":                {"Hi. Bye.", "Hi. ", "Bye."},
		"all of it":                 {"Hi. Bye.", "Hi. Bye.", ""},
		"another beginning":         {"Ho. Bye.", "Hi. ", "\n\nHo. Bye."},
		"a sentence in other order": {"Two. One. New.", "One. Two. ", "\n\nNew."},
		"only sentences shown":      {"Two. One.", "One. Two. More. ", ""},
		"the last one was shown":    {"New. One.", "One. Two. ", "\n\nNew. One."},
		"a text without a stop":     {"New", "One. ", "\n\nNew"},
		"a text without one, shown": {"One", "Zero. One. ", ""},
	} {
		require.Equal(t, c.want, unshown(c.text, c.shown), name)
	}
}

// TestWhatAnErrorSays: the reason, how often the model was asked, and the cause.
func TestWhatAnErrorSays(t *testing.T) {
	verdict := completion.Verdict{Reason: completion.Promise}
	for want, err := range map[string]error{
		"insufficient progress: the turn has used its 9 rounds":                   &TurnError{Kind: ErrInsufficientProgress, Reason: "the turn has used its 9 rounds", Verdict: verdict, Attempts: 2},
		"insufficient progress: " + completion.Promise.String() + ", asked twice": (&Turn{costs: costs{spent: spending{Calls: 2}}}).errorFor(finding{verdict: verdict}, "", nil),
		"the provider's answer is not whole: the provider refused: no":            stoppedError(Response{Stop: StopFiltered, Refusal: "no"}),
		"the provider's answer is not whole: it was " + StopCut.String():          stoppedError(Response{Stop: StopCut}),
	} {
		require.EqualError(t, err, want)
	}
}

// TestWhichCallAnswersForAnother: the same kind of thing where kinds are
// declared, almost any where the expectation is weak, the same act on the same
// thing where it is strong, and nothing but a change for a change.
func TestWhichCallAnswersForAnother(t *testing.T) {
	tool := func(name string, effect tooltrack.Effect, kind string) *tooltrack.Tool {
		return &tooltrack.Tool{Name: name, Effect: effect, Subject: tooltrack.SubjectArg{Kind: kind}}
	}
	deletes, reads := tool("delete_task", tooltrack.Changes, ""), tool("get_task", tooltrack.Reads, "")
	for _, c := range []struct {
		name         string
		wanted, used *tooltrack.Tool
		confidence   float64
		want         bool
	}{
		{"a read for a change", deletes, reads, 0.1, false},
		{"a change for a read", reads, deletes, 0.89, true},
		{"a change for a read, beyond doubt", reads, deletes, 0.9, false},
		{"another change, weakly expected", deletes, tool("send_mail", tooltrack.Changes, ""), 0.89, true},
		{"another change, beyond doubt", deletes, tool("send_mail", tooltrack.Changes, ""), 0.9, false},
		{"the same act in other words", deletes, tool("remove_task", tooltrack.Changes, ""), 0.9, true},
		{"the same act on another thing", deletes, tool("delete_mail", tooltrack.Changes, ""), 0.9, false},
		{"another act on the same thing", deletes, tool("create_task", tooltrack.Changes, ""), 0.9, false},
		{"another look at the same thing", reads, tool("list_tasks", tooltrack.Reads, ""), 0.9, true},
		{"another look at another thing", reads, tool("list_mails", tooltrack.Reads, ""), 0.9, false},
		{"the same kind", tool("delete_task", tooltrack.Changes, "task"), tool("archive_it", tooltrack.Changes, "task"), 0.99, true},
		{"another kind", tool("delete_task", tooltrack.Changes, "task"), tool("remove_task", tooltrack.Changes, "mail"), 0.1, false},
		{"a kind and none", tool("delete_task", tooltrack.Changes, "task"), tool("send_mail", tooltrack.Changes, ""), 0.1, true},
	} {
		require.Equal(t, c.want, canAnswerFor(c.wanted, c.used, c.confidence), c.name)
	}
}

// TestWhatIsInsistedOn: what the classifier is sure of, what a command names and
// the directories know, and nothing that the message holds back.
func TestWhatIsInsistedOn(t *testing.T) {
	g := &Guard{thresholds: Thresholds{Change: 0.9, Read: 0.8, Due: 0.5, Outcome: 0.9}}
	known := func(intent.Expectation, *tooltrack.Tool) bool { return true }
	unknown := func(intent.Expectation, *tooltrack.Tool) bool { return false }
	for name, c := range map[string]struct {
		user     string
		expected intent.Expectation
		resolves func(intent.Expectation, *tooltrack.Tool) bool
		sure     bool
		held     bool
	}{
		"sure":                            {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 0.9}, nil, true, false},
		"not sure":                        {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 0.89}, known, false, false},
		"a command, known":                {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 0.2, Command: true}, known, true, false},
		"a command, not known":            {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 0.2, Command: true}, unknown, false, false},
		"a command, nobody to ask":        {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 0.2, Command: true}, nil, false, false},
		"a read":                          {"list them", intent.Expectation{Tool: "list_tasks", Confidence: 0.8}, nil, true, false},
		"a tool that is not offered":      {"fly", intent.Expectation{Tool: "fly", Confidence: 0.9}, nil, true, false},
		"forbidden by the message":        {"don't delete it", intent.Expectation{Tool: "delete_task", Confidence: 1, Command: true}, known, false, true},
		"held back by the classifier":     {"delete it", intent.Expectation{Tool: "delete_task", Confidence: 1, Hold: intent.Supposed}, known, false, true},
		"a change that is only explained": {"how do I delete a task?", intent.Expectation{Tool: "delete_task", Confidence: 1}, nil, false, true},
		"a read that may explain":         {"how do I delete a task?", intent.Expectation{Tool: "list_tasks", Confidence: 1}, nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := g.demandsOf(c.user, intent.Intent{Kind: intent.Action, Expect: []intent.Expectation{c.expected}, Due: 0.3}, kernelTools, c.resolves)
			require.Equal(t, []bool{c.sure, c.held}, []bool{d.wants[0].sure, d.wants[0].held})
			require.Equal(t, max(0.3, c.expected.Confidence), d.due, "the surest tells what is due")
		})
	}
	never := &Guard{thresholds: Thresholds{Change: 2, Read: 2}}
	command := intent.Intent{Expect: []intent.Expectation{{Tool: "delete_task", Confidence: 1, Command: true}}}
	above := never.demandsOf("delete it", command, kernelTools, known)
	require.False(t, above.isSure(), "above 1 means never, whatever is known")
	for due, want := range map[float64]bool{0.999: true, 0.998: false, 1: true} {
		require.Equal(t, want, g.demandsOf("delete it", intent.Intent{Due: due}, kernelTools, nil).strict, due)
		require.False(t, g.demandsOf("don't delete it", intent.Intent{Due: due}, kernelTools, nil).strict)
	}
}

// TestWhatIsForbiddenHoldsBackNoMore: a message that forbids one thing and commands
// another is due, and its command is not denied; it is never insisted on.
func TestWhatIsForbiddenHoldsBackNoMore(t *testing.T) {
	g, err := New(kernelTools, nil)
	require.NoError(t, err)
	for user, back := range map[string]bool{
		"delete the task Read book, but don't delete Call mom": false,
		"don't touch the others, delete the task Read book":    false,
		"don't delete the task Read book":                      true,
		"delete the task Read book, no wait, don't":            true,
		"delete the task Read book, dry run only":              true,
	} {
		found, err := g.classifier.Classify(t.Context(), intent.Utterance{User: user})
		require.NoError(t, err)
		d := g.demandsOf(user, found, kernelTools, nil)
		require.Equal(t, back, d.isHoldingBack(), user)
		require.False(t, d.isSure(), user)
	}
}

// TestAKindIsNoEntry: for a change it is not enough that the kind of its object is
// named; a look-up may be about the kind itself.
func TestAKindIsNoEntry(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "cancel_order", Description: "Cancel an order", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "id", Kind: "order"}},
		{Name: "list_orders", Description: "List orders", Effect: tooltrack.Reads, Subject: tooltrack.SubjectArg{Arg: "id", Kind: "order"}},
	}
	g, err := New(tools, nil)
	require.NoError(t, err)
	turn, err := g.Begin(t.Context(), Input{User: "list my orders"})
	require.NoError(t, err)
	expected := intent.Expectation{Words: "cancel the order by phone"}
	require.False(t, turn.canResolve(t.Context(), expected, &tools[0]))
	require.True(t, turn.canResolve(t.Context(), intent.Expectation{Words: "list my orders"}, &tools[1]))
	require.False(t, turn.canResolve(t.Context(), intent.Expectation{Words: "list my bills"}, &tools[1]))
}
