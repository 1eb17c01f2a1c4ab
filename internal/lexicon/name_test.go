package lexicon

import (
	"strings"
	"testing"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "create_task": "create task", "createTask": "create task", "tasks.create-now": "tasks create now",
		"getHTTPServer2": "get http server2", "__x__": "x", "ÄndereAdresse": "ändere adresse", "URL": "url", "aB": "a b",
		"ABc": "a bc", "a\xffB": "a b", "über_ÄÖü": "über ä öü", "v2Get": "v2get", "GET2": "get2", "..": "",
	} {
		if got := strings.Join(NameWords(name), " "); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestNameWord(t *testing.T) {
	for word, want := range map[string]NameWord{
		"status": {Answer: true}, // what is handed out, not the act of answering
		"rm":     {Families: FamiliesOf(Delete)},
		"zebra":  {},
	} {
		if got := English().NameWord(word); got != want {
			t.Errorf("%q is %+v, want %+v", word, got, want)
		}
	}
}
