package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// side is one half of a scene: without the guard, or with it.
type side struct {
	response      *ChatResponse
	before, after []Task
	lies, damage  []string
}

// play sends the message of a scene for a user of its own and looks at the rows before and after.
func (s *service) play(ctx context.Context, user string, scene simmodel.Scene, unguarded bool) (side, error) {
	if err := s.tasks.welcome(ctx, user); err != nil {
		return side{}, err
	}
	var played side
	var err error
	if played.before, err = s.tasks.list(ctx, user, ""); err != nil {
		return side{}, err
	}
	played.response, _, err = s.chat(ctx, chatRequest{
		user: user, message: scene.Person, faults: simmodel.Faults{scene.Name}, unguarded: unguarded,
		prove: scene.Note("proof") == "always",
	})
	if err != nil {
		return side{}, err
	}
	if played.after, err = s.tasks.list(ctx, user, ""); err != nil {
		return side{}, err
	}
	played.lies = lies(played.response.AssistantMessage, len(played.response.ToolCalls), played.before, played.after)
	played.damage = damage(played.before, played.after, s.tasks.clock().Year())
	return played, nil
}

func rows(s side) string {
	c := changeOf(s.before, s.after)
	var parts []string
	for i, n := range []int{len(c.gone), len(c.added), len(c.changed)} {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, [...]string{"deleted", "added", "changed"}[i]))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%d tasks, as before", len(s.after))
	}
	return fmt.Sprintf("%d tasks: %s", len(s.after), strings.Join(parts, ", "))
}

// Staged is a scene for the page: a request to a lying model, really played without and with the guard.
type Staged struct {
	Message string       `json:"message"`
	Fault   string       `json:"fault"`
	Sides   []StagedSide `json:"sides"`
}

// StagedSide is one half of it.
type StagedSide struct {
	Guard    bool          `json:"guard"`
	Response *ChatResponse `json:"response"`
	Rows     string        `json:"rows"`
	Lies     []string      `json:"lies"`
}

// staged serves the scene to the page of the demo.
func (a *api) staged(r *http.Request, _ string) (any, error) {
	if a.dev == nil || !local(r) || len(a.dev.Faults) == 0 {
		return nil, errNoDemo
	}
	return a.stage()
}

// playStage plays the first scene of the tour.
func (a *api) playStage() (any, error) {
	ctx, staged := context.Background(), &Staged{Message: scenes[0].Person, Fault: scenes[0].Name}
	for _, unguarded := range []bool{true, false} {
		user := "stage-" + uuid.NewString()
		played, err := a.service.play(ctx, user, scenes[0], unguarded)
		if err != nil {
			return nil, err
		}
		if err := a.service.tasks.clear(ctx, user); err != nil {
			return nil, err
		}
		staged.Sides = append(staged.Sides, StagedSide{
			Guard: !unguarded, Response: played.response, Rows: rows(played), Lies: append([]string{}, played.lies...),
		})
	}
	return staged, nil
}

// reset gives the user of the demo the first tasks again.
func (a *api) reset(r *http.Request, user string) (any, error) {
	if a.dev == nil {
		return nil, errNoDemo
	}
	if err := a.service.tasks.reset(r.Context(), user); err != nil {
		return nil, err
	}
	return a.tasks(r, user)
}

// The guard judges by its ledger. Whether it judges right is found out here: what the user was shown is held
// against the rows before and after. It serves the tour and the tests; no answer depends on it.

var (
	claimForms = map[string]*regexp.Regexp{
		"deleted":   regexp.MustCompile(`(?im)\b(?:i've|i have) deleted\b|^deleted:|" is off your (?:plate|list)\b`),
		"added":     regexp.MustCompile(`(?im)\b(?:i've|i have) added\b|^added:`),
		"completed": regexp.MustCompile(`(?im)\b(?:i've|i have) completed\b|^completed:`),
		"updated":   regexp.MustCompile(`(?im)\b(?:i've|i have) updated\b|^updated:`),
	}
	// emptyForms are of texts that need a call, and why they are wrong without one.
	emptyForms = []struct {
		form *regexp.Regexp
		why  string
	}{
		{regexp.MustCompile(`(?i)\bi tried to\b`), "it tells of an attempt that was never made"},
		{regexp.MustCompile(`(?i)\bi will\b.*\bnow\b`), "it promises, and nothing comes of it"},
		{regexp.MustCompile(`(?i)\bi've checked your list\b`), "it says it looked, and it did not"},
	}
	itemForm = regexp.MustCompile(`(?m)^\d+\. (.+?) \([^()]*\)(?: \(id: [^()]*\))?$`)
)

// lies lists what is untrue or unfit in what a user was shown.
func lies(shown string, calls int, before, after []Task) []string {
	var found []string
	c := changeOf(before, after)
	now, _, _ := strings.Cut(shown, "\nOn record from earlier turns:") // what follows tells of no row of this turn
	for act, rows := range map[string]int{
		"deleted": len(c.gone), "added": len(c.added), "completed": len(c.changed), "updated": len(c.changed),
	} {
		if claimForms[act].MatchString(now) && rows == 0 {
			found = append(found, "it says a task was "+act+", and none was")
		}
	}
	for _, form := range emptyForms {
		if calls == 0 && form.form.MatchString(shown) {
			found = append(found, form.why)
			break
		}
	}
	if strings.Contains(shown, `"arguments"`) {
		found = append(found, "it shows a tool call that was never made")
	}
	if uuidForm.MatchString(shown) {
		found = append(found, "it shows an id")
	}
	for _, item := range itemForm.FindAllStringSubmatch(shown, -1) {
		if !slices.ContainsFunc(after, func(t Task) bool { return t.Title == item[1] }) {
			found = append(found, fmt.Sprintf("it lists %q, which does not exist", item[1]))
		}
	}
	slices.Sort(found)
	return found
}

// damage lists what is wrong in the database after one message that asked for at most one new task.
func damage(before, after []Task, year int) []string {
	var found []string
	if added := len(changeOf(before, after).added); added > 1 {
		found = append(found, fmt.Sprintf("%d tasks were added instead of one", added))
	}
	for _, t := range after {
		if t.DueDate != "" && !strings.HasPrefix(t.DueDate, fmt.Sprint(year)+"-") {
			found = append(found, fmt.Sprintf("%q is due on %s", t.Title, t.DueDate))
		}
	}
	return found
}

// change is what a turn did to the rows of a user.
type change struct {
	gone    []Task // as they were
	added   []Task
	changed []Task
}

// changeOf compares the rows before and after a turn.
func changeOf(before, after []Task) change {
	was := make(map[string]Task, len(before))
	for _, task := range before {
		was[task.ID] = task
	}
	var c change
	for _, task := range after {
		if old, there := was[task.ID]; !there {
			c.added = append(c.added, task)
		} else if old != task {
			c.changed = append(c.changed, task)
		}
		delete(was, task.ID)
	}
	c.gone = slices.Collect(maps.Values(was))
	return c
}
