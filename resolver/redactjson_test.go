package resolver

import (
	"encoding/json"
	"testing"
)

// What a model reads as JSON must stay JSON, whatever the titles hold.
func TestRedactKeepsJSONWhole(t *testing.T) {
	entries := []Entry{
		{ID: "7f3c1a90-3f6e-4c5d-9a44-0b1f2f3e4d5c", Title: `Read "the" book \ today`},
		{ID: "10048213", Title: "Buy milk & eggs"},
	}
	const unknown = "11111111-2222-4333-8444-555555555555"
	cases := []struct{ name, text, want string }{
		{"a known id", `{"id":"7f3c1a90-3f6e-4c5d-9a44-0b1f2f3e4d5c","done":true}`, `{"id":"Read \"the\" book \\ today","done":true}`},
		{"an unknown id", `{"id":"` + unknown + `","title":"x"}`, `{"id":"","title":"x"}`},
		{"an unknown id alone", `{"task_id": "` + unknown + `"}`, `{"task_id": ""}`},
		{"a number", `{"id": 10048213, "done": true}`, `{"id": "Buy milk \u0026 eggs", "done": true}`},
		{"a list", `{"ids":["` + unknown + `", "7f3c1a90-3f6e-4c5d-9a44-0b1f2f3e4d5c", "` + unknown + `"]}`, `{"ids":["", "Read \"the\" book \\ today", ""]}`},
		{"inside a text", `{"text":"see ` + unknown + `, please"}`, `{"text":"see, please"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Redact(c.text, entries)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("%s is not JSON", got)
			}
		})
	}
}
