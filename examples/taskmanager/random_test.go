package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestRandomTurns sends random messages to a model with random faults and holds
// every answer against the rows of the database and the records of the ledger.
func TestRandomTurns(t *testing.T) {
	turns := 1000 / sampling.Every(2)
	if raceEnabled { // one after the other: there is little to race
		turns = 150
	}
	w := newWorld(t, worldOptions{})
	random := rand.New(rand.NewPCG(2026, 2))
	g := gambler{world: w, random: random, conversations: map[string]string{}, lastRecord: map[string]int64{}}
	for i := range turns {
		g.turn(fmt.Sprintf("user-%d", i%25))
	}
	if g.changes < turns/5 || g.errors < turns/20 || g.withheld < turns/20 {
		t.Errorf("%d changes, %d errors and %d withheld texts in %d turns: the test tests little", g.changes, g.errors, g.withheld, turns)
	}
	if g.stale > max(1, turns/500) {
		t.Errorf("%d invented errors were shown because of an earlier one, want at most %d", g.stale, max(1, turns/500))
	}
	t.Logf("%d turns: %d rows changed, %d honest errors, %d texts withheld, %d lies shown", turns, g.changes, g.errors, g.withheld, g.lies)
}

type gambler struct {
	*world
	random                          *rand.Rand
	conversations                   map[string]string
	lastRecord                      map[string]int64
	changes, errors, withheld, lies int
	stale                           int // lies that an earlier failure makes look true
}

func pick[T any](g *gambler, from []T) T { return from[g.random.IntN(len(from))] }

// message is something that people say, about a task that is there as a rule.
func (g *gambler) message(tasks []Task) string {
	title := "Paint the fence"
	if len(tasks) > 0 && g.random.IntN(8) > 0 {
		title = pick(g, tasks).Title
	}
	return pick(g, []string{
		"delete " + title, "please remove " + title, "mark " + title + " as done", "complete " + title,
		"set " + title + " priority to " + pick(g, []string{"low", "medium", "high"}),
		fmt.Sprintf("add a task to wash car %d", g.random.IntN(1000)),
		fmt.Sprintf("add a task to wash car %d due %s", g.random.IntN(1000), pick(g, []string{"tomorrow", "next Monday", "next week", "2026-03-01", "2024-03-01", "2027-03-01"})),
		"add a task", "list my tasks", "show my completed tasks", "what's on my list", "hello", "thanks",
		fmt.Sprintf("delete %s and add a task to wash car %d", title, g.random.IntN(1000)),
	})
}

func (g *gambler) turn(user string) {
	g.t.Helper()
	before := g.tasks(user)
	known := g.lastRecord[user]
	m := message{user: user, text: g.message(before), conversation: g.conversations[user]}
	if g.random.IntN(4) == 0 {
		m.conversation = ""
	}
	for range g.random.IntN(3) {
		if fault := pick(g, simFaults); fault != "slow" {
			m.faults = append(m.faults, fault)
		}
	}
	a := g.say(m)
	g.conversations[user] = a.ConversationID
	g.judge(m, a, before, g.tasks(user), g.recordsAfter(user, known))
}

// recordsAfter are the records of the last turn.
func (g *gambler) recordsAfter(user string, seq int64) []*tooltrack.Record {
	g.t.Helper()
	records, err := g.service.ledger.Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: user}, After: seq})
	check(g.t, err)
	if len(records) > 0 {
		g.lastRecord[user] = records[len(records)-1].Seq
	}
	return records
}

// judge asserts what must hold after every turn.
func (g *gambler) judge(m message, a *answer, before, after []Task, records []*tooltrack.Record) {
	g.t.Helper()
	fail := func(format string, args ...any) {
		g.t.Helper()
		g.t.Errorf("%q with %v: %s\nanswer: %q", m.text, m.faults, fmt.Sprintf(format, args...), a.AssistantMessage)
	}
	if found := lies(a.AssistantMessage, len(a.ToolCalls), before, after); len(found) > 0 {
		g.lies++
		if stale := g.failedBefore(m); stale {
			g.stale++
		} else {
			fail("shown: %s", found)
		}
	}
	if found := damage(before, after, 2026); len(found) > 0 {
		fail("stored: %s", found)
	}
	c := changeOf(before, after)
	gone, added, changed := len(c.gone), len(c.added), len(c.changed)
	proven := map[string]int{}
	for _, record := range records {
		if record.Succeeded() {
			proven[record.Tool]++
		}
	}
	if gone != proven["delete_task"] || added != proven["add_task"] || changed > proven["update_task"]+proven["complete_task"] {
		fail("%d rows gone, %d added, %d changed; on record are %v", gone, added, changed, proven)
	}
	g.judgeActions(a, after, records, fail)
	if a.Error != nil {
		g.errors++
	}
	g.changes += gone + added + changed
	for _, entry := range a.Guard.Timeline {
		if entry.Kind == kindWithheld {
			g.withheld++
		}
		if uuidForm.MatchString(entry.Text) {
			fail("the timeline shows an id: %+v", entry)
		}
	}
}

// failedBefore reports whether a text that tells of a failure follows a call that
// did fail earlier in the conversation. Where the guard is not sure what is asked
// for, it takes the earlier failure for the one that is told: a known gap, which
// is counted.
func (g *gambler) failedBefore(m message) bool {
	g.t.Helper()
	if !slices.Contains(m.faults, "invented-error") || m.conversation == "" {
		return false
	}
	records, err := g.service.ledger.Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: m.user, Conversation: m.conversation}})
	check(g.t, err)
	return slices.ContainsFunc(records, func(r *tooltrack.Record) bool { return !r.Succeeded() })
}

// judgeActions asserts that every successful change is among the actions, with
// the right id, title and tool.
func (g *gambler) judgeActions(a *answer, after []Task, records []*tooltrack.Record, fail func(string, ...any)) {
	g.t.Helper()
	for _, record := range records {
		if !record.Succeeded() || !record.Effect.MayChange() {
			continue
		}
		right := slices.ContainsFunc(a.Actions, func(action ActionMetadata) bool {
			return action.Success && action.Action == record.Tool && len(record.Touched) > 0 &&
				action.TaskID == record.Touched[0].ID && action.TaskTitle == record.Touched[0].Title && action.TaskTitle != ""
		})
		if !right {
			fail("no action for the record %+v among %+v", record, a.Actions)
		}
	}
	if a.ActionMetadata != nil && a.ActionMetadata.Success && a.ActionMetadata.Action != "list_tasks" {
		row := slices.IndexFunc(after, func(task Task) bool { return task.ID == a.ActionMetadata.TaskID })
		if deleted := a.ActionMetadata.Action == "delete_task"; deleted != (row < 0) {
			fail("the action %+v does not fit the rows", a.ActionMetadata)
		}
		if row >= 0 && after[row].Title != a.ActionMetadata.TaskTitle {
			fail("the action is about %q, the row about %q", a.ActionMetadata.TaskTitle, after[row].Title)
		}
	}
	if a.Error != nil && !tellsError(a.AssistantMessage) {
		fail("an error without saying so")
	}
}

// tellsError reports whether an answer begins with a line that says that something went wrong.
func tellsError(answer string) bool {
	begins := func(words string) bool { return strings.HasPrefix(answer, words) }
	return slices.ContainsFunc([]string{
		"Technical error: Tool not triggered.", "What you asked for was not completed", "The assistant cannot be reached",
		"The answer was cut off", "The answer could not be checked", "This was not allowed:", "This was stopped",
	}, begins)
}
