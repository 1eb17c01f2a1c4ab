package main

import (
	"context"
	"fmt"
	"net/http"
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

// play sends the message of a scene for a user of its own and looks at the rows
// before and after.
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

// Staged is a scene for the page: the same request to the same lying model,
// without and with the guard. It was really played, on rows of its own.
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
