package toolname

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "create_task": "create task", "createTask": "create task", "tasks.create-now": "tasks create now",
		"getHTTPServer2": "get http server2", "__x__": "x", "ÄndereAdresse": "ändere adresse", "URL": "url", "aB": "a b",
		"ABc": "a bc", "a\xffB": "a b", "über_ÄÖü": "über ä öü", "v2Get": "v2get", "GET2": "get2", "..": "",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
