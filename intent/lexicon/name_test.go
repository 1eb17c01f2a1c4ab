package lexicon

import (
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
