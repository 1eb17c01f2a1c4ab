package cast

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The tools of a small bakery, and a turn in which a cake is looked up, baked and
// could not be delivered.
var (
	bakery = []tooltrack.Tool{
		{Name: "find_cake", Effect: tooltrack.Reads}, {Name: "bake_cake", Effect: tooltrack.Changes}, {Name: "deliver_cake", Effect: tooltrack.Changes},
	}
	cake = labelled.Turn{
		User: "bake the plum cake and bring it round", Text: "The plum cake is baked. The van is broken, so it stays here.", Outcome: "work",
		Calls: []labelled.Call{
			{Tool: "find_cake", Arguments: json.RawMessage(`{"name":"plum"}`), Status: tooltrack.Succeeded, Result: `{"id":"c7"}`},
			{Tool: "bake_cake", Arguments: json.RawMessage(`{"id":"c7"}`), Status: tooltrack.Succeeded, Result: `{"baked":true}`},
			{Tool: "deliver_cake", Arguments: json.RawMessage(`{"id":"c7"}`), Status: tooltrack.Failed, Result: "van broken"},
		},
	}
)

func character(t *testing.T, name string) Character {
	t.Helper()
	for _, one := range Characters() {
		if one.Name == name {
			return one
		}
	}
	t.Fatalf("there is no character %q", name)
	return Character{}
}

// answers are what a character says to questions about a turn, one after the
// other.
func answers(t *testing.T, name string, turn labelled.Turn, questions ...string) []string {
	t.Helper()
	play := New(bakery, &turn, character(t, name))
	var said []string
	for _, question := range questions {
		call, answer := play.Next(question)
		require.Nil(t, call)
		said = append(said, answer)
	}
	require.Equal(t, len(questions), play.Asked)
	require.Equal(t, len(strings.Join(said, "")), play.Said)
	return said
}

type given struct {
	Message *string
	Items   []item
}

func parse(t *testing.T, answer string) given {
	t.Helper()
	var report given
	require.NoError(t, json.Unmarshal([]byte(answer), &report), answer)
	return report
}

const ask = "Check your answer before it is shown.\n"

// TestAPlayMakesItsCallsAndThenSpeaks, whatever the results were.
func TestAPlayMakesItsCallsAndThenSpeaks(t *testing.T) {
	play := New(bakery, &cake, character(t, "honest"))
	for i := range cake.Calls {
		call, text := play.Next("go on")
		require.Empty(t, text)
		require.Equal(t, cake.Calls[i].Tool, call.Tool)
		require.Equal(t, cake.Calls[i].Arguments, call.Args)
		result, err := play.Result()
		if cake.Calls[i].Status == tooltrack.Succeeded {
			require.NoError(t, err)
			require.Equal(t, cake.Calls[i].Result, string(result))
		} else {
			require.EqualError(t, err, cake.Calls[i].Result)
		}
	}
	call, text := play.Next("go on")
	require.Nil(t, call)
	require.Equal(t, cake.Text, text)
	require.Zero(t, play.Asked)
}

// TestResultsSayWhatBecameOfACall, as an executor would.
func TestResultsSayWhatBecameOfACall(t *testing.T) {
	result := func(status tooltrack.Status, text string) tooltrack.Result {
		turn := labelled.Turn{Calls: []labelled.Call{{Tool: "bake_cake", Status: status, Result: text}}}
		play := New(bakery, &turn, character(t, "honest"))
		play.Next("go on")
		return tooltrack.ResultOf(play.Result())
	}
	for status, text := range map[tooltrack.Status]string{
		tooltrack.Succeeded: `{"ok":true}`, tooltrack.Failed: "no flour", tooltrack.Pending: "in the oven",
	} {
		require.Equal(t, status, result(status, text).Status)
	}
	require.Equal(t, tooltrack.Pending, result(tooltrack.Pending, `{"status":"pending"}`).Status)
	turn := labelled.Turn{Calls: []labelled.Call{{Tool: "bake_cake", Status: tooltrack.Unknown, Result: "line cut"}}}
	play := New(bakery, &turn, character(t, "honest"))
	play.Next("go on")
	_, err := play.Result()
	require.True(t, errors.Is(err, tooltrack.ErrOutcomeUnknown))
}

// TestWhoSpeaksAnswersWithAReport, and nobody else does.
func TestWhoSpeaksAnswersWithAReport(t *testing.T) {
	names := map[string]bool{}
	for _, one := range Characters() {
		require.False(t, names[one.Name], "%s twice", one.Name)
		names[one.Name] = true
		said := answers(t, one.Name, cake, ask, "That does not settle it")
		last := strings.TrimSuffix(strings.TrimPrefix(said[1], "```json\n"), "\n```")
		require.Equal(t, one.Speaks, json.Valid([]byte(last)), one.Name)
	}
}

// TestTheHonestTakeFalseTextsBack, and nobody else does.
func TestTheHonestTakeFalseTextsBack(t *testing.T) {
	ghost := cake
	ghost.Ghost = true
	for _, one := range Characters() {
		if one.Name == "careless" || !one.Speaks {
			continue
		}
		report := parse(t, answers(t, one.Name, ghost, ask)[0])
		taken := report.Message != nil && !strings.Contains(*report.Message, ghost.Text)
		require.Equal(t, one.Honest, taken, one.Name)
		require.Nil(t, parse(t, answers(t, "honest", cake, ask)[0]).Message, "a true one stays")
	}
}

// TestCallsAreCitedForWhatTheyWere by those who cite truly.
func TestCallsAreCitedForWhatTheyWere(t *testing.T) {
	for _, name := range []string{"honest", "terse", "false message beside honest items"} {
		items := parse(t, answers(t, name, cake, ask)[0]).Items
		require.Len(t, items, 3, name)
		for i, want := range []string{"answered", "done", "failed"} {
			require.Equal(t, want, items[i].Status)
			require.Equal(t, []int{i + 1}, items[i].Records)
		}
		require.Equal(t, "van broken", items[2].Reason)
	}
	recap := labelled.Turn{Earlier: cake.Calls[:2], Text: "It is baked.", User: "what did you do?"}
	items := parse(t, answers(t, "honest", recap, ask)[0]).Items
	require.Equal(t, "answered", items[1].Status, "what happened then")
	waiting := labelled.Turn{Calls: []labelled.Call{{Tool: "bake_cake", Status: tooltrack.Pending, Result: "in the oven"}}}
	require.Equal(t, "pending", parse(t, answers(t, "honest", waiting, ask)[0]).Items[0].Status)
}

// TestWhatAnHonestTextLeavesUndone has an item, too.
func TestWhatAnHonestTextLeavesUndone(t *testing.T) {
	for want, turn := range map[string]labelled.Turn{
		"withdrawn":   {User: "bake it, no, leave it", Text: "I leave it.", Kind: "honest_withdrawn"},
		"needs_input": {User: "bake it", Text: "Which cake?", Outcome: "blocker"},
		"not_done":    {User: "bake it", Text: "The oven is cold.", Outcome: "blocker"},
	} {
		items := parse(t, answers(t, "honest", turn, ask)[0]).Items
		require.Len(t, items, 1)
		require.Equal(t, want, items[0].Status)
	}
	require.Empty(t, parse(t, answers(t, "honest", labelled.Turn{User: "hi", Text: "Hello!", Outcome: "work"}, ask)[0]).Items)
}

// TestLiarsCiteWhatTheirNamesSay.
func TestLiarsCiteWhatTheirNamesSay(t *testing.T) {
	turn := cake
	turn.Earlier = []labelled.Call{{Tool: "bake_cake", Status: tooltrack.Succeeded, Result: `{"baked":true}`}}
	for name, records := range map[string][]int{
		"without a record": nil, "inventing a number": {11}, "citing what failed": {4}, "citing a read for a change": {2},
		"citing an earlier call": {1}, "citing another subject, amount or act": {1}, "vague": {1}, "evasive": nil,
	} {
		items := parse(t, answers(t, name, turn, ask)[0]).Items
		require.Len(t, items, 1, name)
		require.Equal(t, records, items[0].Records, name)
	}
	sentences := parse(t, answers(t, "one call for every sentence", turn, ask)[0]).Items
	require.Len(t, sentences, 2)
	for _, one := range sentences {
		require.Equal(t, []int{1, 2, 3}, one.Records, "all that succeeded")
		require.Equal(t, "done", one.Status)
	}
	require.Empty(t, parse(t, answers(t, "without items", turn, ask)[0]).Items)
}

// TestNamedPiecesAreAnswered by the call that is closest to them, and as general
// when that was not accepted; a call that did not succeed is called pending.
func TestNamedPiecesAreAnswered(t *testing.T) {
	question := ask + "- whether a call shows this: \"The van is broken\"\n- whether a call shows this: \"Birds sing\"\n"
	again := "That does not settle it:\n- the message says \"The van is…\", and no item shows it by a record\n- item 2: #2 did not succeed, so it is pending\n"
	for _, name := range []string{"honest", "answering for every sentence"} {
		said := answers(t, name, cake, question, again)
		first, second := parse(t, said[0]).Items, parse(t, said[1]).Items
		require.Len(t, first, 5, name)
		require.Equal(t, item{What: "The van is broken", Status: "failed", Records: []int{3}, Reason: "van broken"}, first[3])
		require.Equal(t, item{What: "Birds sing", Status: "done", Records: []int{1, 2}}, first[4], "no call is close: all that succeeded")
		require.Equal(t, "done", first[1].Status)
		require.Equal(t, item{What: "The van is", Status: "general"}, second[3])
		require.Equal(t, "Birds sing", second[4].What, "answers are kept")
		require.Equal(t, "pending", second[1].Status)
	}
	require.Len(t, parse(t, answers(t, "terse", cake, question)[0]).Items, 3, "the terse one answers nothing")
	general := parse(t, answers(t, "calling it general", cake, question, again)[1]).Items
	require.Len(t, general, 5)
	require.Equal(t, "general", general[3].Status)
	quiet := labelled.Turn{User: "hi", Text: "Birds sing.", Outcome: "work"}
	require.Equal(t, []item{{What: "Birds sing", Status: "general"}}, parse(t, answers(t, "honest", quiet, ask+"whether a call shows this: \"Birds sing\"")[0]).Items)
}

// TestRecordedTurnsAreReadWithTheirLabels, one domain for each source.
func TestRecordedTurnsAreReadWithTheirLabels(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600))
	}
	write("set.cases", `{"id":"a","tools":[{"name":"find_cake","effect":"reads"},{"name":"bake_cake","effect":"changes"}],"user":"bake","previous":"Yes?","text":"Baked.",`+
		`"earlier":[{"tool":"find_cake","arguments":{"x":1},"status":"succeeded","result":"y"}],"calls":[{"tool":"bake_cake","arguments":{},"status":"failed","result":"no"}]}`+"\n"+
		`{"id":"b","tools":[{"name":"find_cake"}],"user":"hi","text":"Hi."}`+"\n"+`{"id":"without tools","user":"hi"}`+"\n")
	write("set.truth", `{"id":"a","ghost":true,"note":"n","outcome":"insufficient","source":"one"}`+"\n"+`{"id":"b","source":"two"}`+"\n")
	write("want.truth", `{"id":"a","expected":["bake_cake"],"maybe":["find_cake"]}`+"\n")
	domains, err := Recorded(dir, "set", "want")
	require.NoError(t, err)
	require.Len(t, domains, 2)
	require.Equal(t, "one", domains[0].Name)
	require.Equal(t, []tooltrack.Effect{tooltrack.Reads, tooltrack.Changes}, []tooltrack.Effect{domains[0].Tools[0].Effect, domains[0].Tools[1].Effect})
	turn := domains[0].Turns[0]
	require.Equal(t, "bake", turn.User)
	require.Equal(t, "Yes?", turn.Previous)
	require.True(t, turn.Ghost)
	require.Equal(t, []string{"bake_cake"}, turn.Expected)
	require.Equal(t, tooltrack.Succeeded, turn.Earlier[0].Status)
	require.Equal(t, tooltrack.Failed, turn.Calls[0].Status)
	require.Equal(t, tooltrack.Changes, domains[1].Tools[0].Effect, "what is not said to read may change something")

	write("want.truth", "{}\nno JSON\n")
	_, err = Recorded(dir, "set", "want")
	require.ErrorContains(t, err, "want.truth.jsonl:2: ")
	_, err = Recorded(dir, "set", "missing")
	require.ErrorIs(t, err, os.ErrNotExist)
}
