package main

import (
	"path/filepath"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// mostZip is how many bytes `go get` may download of the root module, folders with a dot
// included. It only falls: the goal is 2 MB.
const mostZip = 3_650_000

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// TestCoreIsSmall packs the root module as a release would.
func TestCoreIsSmall(t *testing.T) {
	var size counter
	version := module.Version{Path: "github.com/bonafide-go/bonafide", Version: "v0.1.0"}
	if err := zip.CreateFromDir(&size, version, filepath.Join("..", "..")); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", size)
	if size > mostZip {
		t.Errorf("the root module has %d bytes when packed; at most %d", size, mostZip)
	}
}
