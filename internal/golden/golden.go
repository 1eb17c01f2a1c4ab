// Package golden holds texts that models and people read to files that somebody
// has looked at. With -update a test writes its files anew.
package golden

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Update reports whether files are to be written anew.
func Update() bool { return *update }

// Check compares a text with the file of that name in testdata.
func Check(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		err := os.MkdirAll(filepath.Dir(path), 0o750)
		if err = errors.Join(err, os.WriteFile(path, []byte(got), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path) // #nosec G304 -- a test names its own file
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if that is wanted, go test -update writes it anew\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
