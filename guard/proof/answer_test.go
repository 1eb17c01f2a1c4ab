package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// letterForms are answers by letters as models write them.
var letterForms = map[string]string{
	"as asked":          `{"a": [N], "message": null}`,
	"in a fence":        "```json\n{\"a\": [N], \"message\": null}\n```",
	"a number":          `{"a": N}`,
	"a text":            `{"a": "#N"}`,
	"capital letters":   `{"A": [N], "message": "null"}`,
	"nested":            `{"answers": {"a": {"calls": [N]}}, "message": null}`,
	"a comma too many":  `{"a": [N,], "message": null,}`,
	"as Python prints":  `{'a': [N], 'message': None}`,
	"thoughts before":   "<think>call {N}?</think>{\"a\": [N], \"message\": null}",
	"lines":             "a: [N]",
	"lines with dashes": "- **a**: #N",
	"twice the same":    `{"a": [N], "message": null} {"a": [N], "message": null}`,
}

// TestFormsOfAnswers: honest answers are accepted in whatever form they come, and the same
// form does not make a call show what it does not.
func TestFormsOfAnswers(t *testing.T) {
	const draft = "Read book is off your list."
	tools := []tooltrack.Tool{{Name: "list_tasks", Effect: tooltrack.Reads}, {Name: "delete_task", Effect: tooltrack.Changes}}
	list := func(failing bool) proof.List {
		read := &tooltrack.Record{Call: tooltrack.Call{Tool: "list_tasks", Args: []byte("{}")}, Effect: tooltrack.Reads}
		read.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`{"tasks":["Read book","Call mom"]}`)}
		deleted := &tooltrack.Record{Call: tooltrack.Call{Tool: "delete_task", Args: []byte(`{"title":"Read book"}`)}, Effect: tooltrack.Changes}
		deleted.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`{"ok":true}`)}
		if failing {
			deleted.Result = tooltrack.FailedResult("the list is locked")
		}
		return proof.NewList(nil, []*tooltrack.Record{read, deleted})
	}
	forms := map[string]string{}
	for name, form := range letterForms {
		forms["letters: "+name] = form
	}
	for name, form := range itemForms {
		forms["items: "+name] = form
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				what    string
				failing bool
				number  string
				passes  bool
			}{{"the call", false, "2", true}, {"a call that failed", true, "2", false}, {"no such call", false, "7", false}} {
				letters := proof.Lettered([]proof.Letter{{Text: draft, Doubt: proof.Grave}})
				turn := proof.Case{User: "delete Read book", Draft: draft, Acting: true, Tools: tools, List: list(c.failing), Letters: letters}
				answer, err := proof.Read(strings.NewReplacer("None", "None", "N", c.number, "M", "1").Replace(form), letters, turn.List)
				var result proof.Result
				if err == nil {
					result = proof.Check(answer, turn)
				}
				require.Equal(t, c.passes, err == nil && len(result.Faults) == 0, "%s: %v %+v %+v", c.what, err, result.Faults, answer)
			}
		})
	}
}

// TestWhatIsNoAnswer: such texts are told to be unreadable, and are shown to nobody.
func TestWhatIsNoAnswer(t *testing.T) {
	letters := proof.Lettered([]proof.Letter{{Text: "It is done."}})
	for _, text := range []string{"", "It is done, believe me.", `{"a": [1], "mess`, `{"a": [1]} {"a": [2]}`, "see [9]"} {
		_, err := proof.Read(text, letters, proof.NewList(nil, shopRecords()))
		require.Error(t, err, text)
	}
	for text, is := range map[string]bool{
		`{"a": [1], "message": null}`: true, `{"a": "no call"}`: true, `{"message": null}`: true, `{"a": [1], "mess`: true,
		`{"message": "hi", "items": [{"what": "x", "status": "done", "records": [1]}]}`: true,
		`{"name": "Ann", "age": 4}`: false, `{"items": ["milk", "eggs"]}`: false, "It is done.": false, `{"a": 1, "total": 4}`: false,
	} {
		_, said := proof.IsAnswer(text)
		require.Equal(t, is, said, text)
	}
}

func FuzzRead(f *testing.F) {
	for _, form := range letterForms {
		f.Add(form)
	}
	for _, form := range itemForms {
		f.Add(form)
	}
	letters := proof.Lettered([]proof.Letter{{Text: "It is cancelled."}, {Text: "cancel it", Due: true}})
	list := proof.NewList(nil, shopRecords())
	f.Fuzz(func(t *testing.T, text string) {
		proof.IsAnswer(text)
		proof.Asked(text)
		answer, err := proof.Read(text, letters, list)
		if err != nil {
			return
		}
		proof.Check(answer, proof.Case{User: "cancel it", Draft: "It is cancelled.", List: list, Letters: letters, Acting: true})
	})
}
