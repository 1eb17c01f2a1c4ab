package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzPausedTurn reads paused turns as a damaged store may hand them out: an error, or a
// turn that is written and read again as the same.
func FuzzPausedTurn(f *testing.F) {
	whole, err := (&pausedTurn{
		Input: Input{User: "delete it", Owner: "ann", Turn: "t"}, Messages: []Message{{Role: RoleAssistant, Raw: []byte("{ }"),
			Seen: []*tooltrack.Record{{Result: tooltrack.Result{Metadata: map[string]any{"a": []any{map[string]any{"b": 1.5}}}}}}}},
		Calls: []pausedCall{{Approval: "ap_1", Approved: []string{"approval"}}}, Seq: 3, Said: interventions{Retry: "missing tool"},
	}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, data []byte) {
		paused, err := decodePaused(data)
		if err != nil {
			return
		}
		written, err := paused.encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decodePaused(written); err != nil || !reflect.DeepEqual(again, paused) {
			t.Errorf("%+v was read again as %+v (%v)", paused, again, err)
		}
	})
}

// pausedShape is a digest of the shape of a paused turn of version 4. Where the shape
// changes, so must pausedVersion: else a turn that waits is misread by who resumes it.
const pausedShape = "722078c374c09f88"

func TestPausedTurnsKeepTheirShape(t *testing.T) {
	shape := fieldsOfType(reflect.TypeFor[pausedTurn]())
	sum := sha256.Sum256([]byte(shape))
	if got := hex.EncodeToString(sum[:8]); got != pausedShape || pausedVersion != 4 {
		t.Errorf("the shape is %s (%s), and the version %d; change both, and pausedShape", got, shape, pausedVersion)
	}
}

func fieldsOfType(kind reflect.Type) string {
	switch kind.Kind() {
	case reflect.Slice, reflect.Pointer:
		return kind.Kind().String() + " " + fieldsOfType(kind.Elem())
	case reflect.Struct:
		text := kind.Name() + "{"
		for i := range kind.NumField() {
			text += kind.Field(i).Name + " " + fieldsOfType(kind.Field(i).Type) + ";"
		}
		return text + "}"
	}
	return kind.Kind().String()
}
