package transcripts

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzEffects reads a file of effects: it is understood or refused, and a tool
// that it names is not guessed.
func FuzzEffects(f *testing.F) {
	f.Add([]byte(`{"list_tasks":"reads","delete_task":"changes"}`), "list_tasks")
	f.Add([]byte(`{"a":"verifies"} `), "aB-c.d")
	f.Add([]byte(`{"a":"writes"}`), "")
	f.Add([]byte(`{"a":1}{}`), "Überprüfe_Alles2")
	f.Fuzz(func(t *testing.T, data []byte, tool string) {
		file := filepath.Join(t.TempDir(), "effects.json")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := loadEffects(file)
		if err != nil {
			return
		}
		if _, named := read.declared[tool]; read.of(tool).declared != named {
			t.Errorf("%s: %q is %+v", data, tool, read.of(tool))
		}
	})
}
