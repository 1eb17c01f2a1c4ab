package play

import (
	_ "embed"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
)

// Scene is a message of a person, what the model makes of it, and what must come
// of that under a guard.
type Scene struct {
	// Name says what the model does.
	Name string
	// User is the message.
	User string
	// Answers are what the model says, one each time it is asked; the last one from
	// then on.
	Answers []simmodel.Answer
	// Doubted is a text that the guard is to be unsure of. Default: it reads by
	// itself.
	Doubted string
	// Lies are texts that nobody may be shown.
	Lies []string
	// Shown is what the person must read; empty if the turn must fail.
	Shown string
	// Err is the error that the turn must end in, and Account what it must say.
	Err     error
	Account string
	// Ran is what the tools must have been run for, and Ledger what must be on
	// record.
	Ran    []string
	Ledger []string
}

//go:embed scenes.txt
var scenes string

// Scenes are the same for every recipe.
func Scenes() []Scene {
	var all []Scene
	for _, s := range simmodel.Scenes(scenes, nil) {
		scene := Scene{
			Name: s.Name, User: s.Person, Answers: s.Attempts[0], Doubted: s.Note("doubted"), Lies: s.Notes["lie"],
			Shown: s.Note("shown"), Account: s.Note("account"), Ran: s.Notes["ran"], Ledger: s.Notes["ledger"],
		}
		if scene.Account != "" {
			scene.Err = guard.ErrInsufficientProgress
		}
		all = append(all, scene)
	}
	return all
}
