package guard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// An id that no look-up found may be one that the host or the user has told before: then a change that
// was called with it was not called with another one.
func TestAnIDThatWasToldBefore(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "find_patient", Effect: tooltrack.Reads}, {Name: "book_visit", Effect: tooltrack.Changes}}
	told := "The patient of this chat has the id p-7731."
	for name, c := range map[string]struct {
		options guard.Options
		input   guard.Input
		shown   bool
	}{
		"nowhere":        {},
		"in the prompt":  {options: guard.Options{System: told}, shown: true},
		"in the turn's":  {input: guard.Input{System: told}, shown: true},
		"in a message":   {input: guard.Input{Previous: []guard.Message{{Role: guard.RoleUser, Text: told}, {Role: guard.RoleAssistant, Text: "Noted."}}}, shown: true},
		"in the message": {input: guard.Input{User: told + " "}, shown: true},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := guard.New(tools, &c.options)
			require.NoError(t, err)
			executor := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
				if call.Tool == "find_patient" {
					return []byte(`{"patient_id":"p-5514"}`), nil
				}
				return []byte(`{"ok":true}`), nil
			})
			done := guardtest.Say("I've booked her visit for Friday.")
			model := guardtest.Script(guardtest.Call(guardtest.Tool("find_patient", `{"name":"Ida Noor"}`)),
				guardtest.Call(guardtest.Tool("book_visit", `{"patient_id":"p-7731","day":"Friday"}`)), done, done, done, done)
			c.input.User += "Book a visit for Ida Noor on Friday."
			reply, _ := g.Run(t.Context(), model, executor, c.input)
			require.Equal(t, c.shown, reply.Text == "I've booked her visit for Friday.", "%s%s", reply.Text, reply.Account)
		})
	}
}
