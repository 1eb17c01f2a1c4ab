package completion

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// phrasesOfWork are what claims, promises, blockers and their like are made of.
var phrasesOfWork = []string{
	"I've", "I have", "it", "has been", "was", "is now", "is", "deleted", "created", "Buy milk", "the task", "your list", "on your list", "no longer", "done", "all set", "refueled", "Done!", "Task deleted", "not", "never",
	"if", "once", "I will", "let me", "please", "confirm", "which one", "cannot", "failed", "an error", "the tests", "pass", "searched", "my search", "you", "the airline", "also", "and", "but", "so that", "Deletion complete", "successfully",
	"was able to", "managed to delete it", "Your confirmation number is X123", "delete_task", "gelöscht", "I tried to", "Having", "whenever", "frobnicated", "2 tasks", "both", "all", "$5", "already", "W1234567",
}

// TestFilterChangesNothing: a sentence is passed over only if nothing in it
// could be a report. The verdict is the same with every sentence read in full,
// by the language's own tokenizer.
func TestFilterChangesNothing(t *testing.T) {
	quick, thorough := New(nil), New(nil)
	thorough.judges.New = func() any {
		j := newJudge(thorough.vocabulary)
		j.text.thorough, j.talk.thorough = true, true
		return j
	}
	random := rand.New(rand.NewPCG(3, 5))
	calls := []string{"", "delete_task", "list_tasks", "create_task failed", `delete_task succeeded {"title":"Buy milk"}; update_task`}
	claims := 0
	for n := range 12_000 {
		turn := Turn{User: deleteMilk, Text: randomReport(random, 1+n%14), Tools: assistant, Records: recordsOf(calls[n%len(calls)], assistant)}
		got, want := quick.Evaluate(turn), thorough.Evaluate(turn)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: the filter makes\n%+v of\n%+v", turn.Text, got, want)
		}
		claims += len(got.Claims)
	}
	if claims < 1000 {
		t.Errorf("the texts make only %d claims", claims)
	}
}

func randomReport(random *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		from := phrasesOfWork
		if random.IntN(6) == 0 {
			from = pieces
		}
		text.WriteString(from[random.IntN(len(from))])
		text.WriteString([]string{" ", " ", " ", " ", ". ", ", ", "\n", "\n- ", "? ", "... "}[random.IntN(10)])
	}
	return text.String()
}
