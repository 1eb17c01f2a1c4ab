package chatwire_test

import (
	"encoding/json"
	"testing"
)

func jsonText(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
