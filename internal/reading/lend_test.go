package reading

import (
	"reflect"
	"testing"
)

func TestBorrowedTextsAreReadAsFreshOnes(t *testing.T) {
	reader := English()
	for _, text := range []string{
		"I've painted the gate and oiled both hinges.", "", "Shall I order more paint?",
		"- Gate: painted\n- Fence: not yet, since it rained", "ok",
	} {
		borrowed, fresh := reader.Borrow(text), reader.ReadClauses(nil, text)
		if len(borrowed.Clauses) != len(fresh.Clauses) || len(borrowed.Clauses) > 0 &&
			!reflect.DeepEqual(borrowed.Clauses, fresh.Clauses) || len(borrowed.Sentences) != len(fresh.Sentences) {
			t.Errorf("%q is read as %+v, not as %+v", text, borrowed.Clauses, fresh.Clauses)
		}
		borrowed.Return()
	}
}
