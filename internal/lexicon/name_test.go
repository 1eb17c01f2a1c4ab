package lexicon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "create_task": "create task", "createTask": "create task", "tasks.create-now": "tasks create now", "getHTTPServer2": "get http server2", "__x__": "x", "ÄndereAdresse": "ändere adresse",
	} {
		if got := strings.Join(NameWords(name), " "); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestPlainNamesAreCutAsAllOthers(t *testing.T) {
	const letters = "aabcABC12_-. "
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		name := make([]byte, random.IntN(10))
		for i := range name {
			name[i] = letters[random.IntN(len(letters))]
		}
		if got, want := plainNameWords(string(name)), anyNameWords(string(name)); !slices.Equal(got, want) {
			t.Fatalf("%q is %q, want %q", name, got, want)
		}
	}
}
