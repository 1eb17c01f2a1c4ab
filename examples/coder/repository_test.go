package main

import (
	"strings"
	"testing"
)

func testRepository(t *testing.T, files map[string]string) *repository {
	t.Helper()
	r, err := newRepository(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestNoPathLeadsOut(t *testing.T) {
	r := testRepository(t, map[string]string{"b.txt": "b", "sub/a.txt": "a b"})
	if err := r.write("sub/deep/c.txt", "c b"); err != nil {
		t.Fatal(err)
	}
	found, err := r.search(t.Context(), struct {
		Text string `json:"text"`
	}{"b"})
	if err != nil || found.Output != "b.txt:1: b\nsub/a.txt:1: a b\nsub/deep/c.txt:1: c b" {
		t.Errorf("found %q, %v", found.Output, err)
	}
	for _, path := range []string{"../x", "/etc/hosts", "sub/../../x", ".git/config", `sub\.git\config`, ""} {
		if _, err := r.read(path); err == nil {
			t.Errorf("%q was read", path)
		}
		if err := r.write(path, "x"); err == nil {
			t.Errorf("%q was written", path)
		}
	}
	if err := r.write("large", strings.Repeat("x", maxFile+1)); err == nil {
		t.Error("a file beyond the limit was written")
	}
}

// TestProgramsSeeNoKeys: what a model wrote may run there.
func TestProgramsSeeNoKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "do-not-show")
	r := testRepository(t, map[string]string{"a.txt": "a"})
	printed, err := r.command(t.Context(), "", "go", "env", "GOPROXY")
	if err != nil || strings.TrimSpace(printed) != "off" {
		t.Errorf("got %q, %v", printed, err)
	}
	printed, err = r.command(t.Context(), "", "env")
	if err != nil {
		t.Skip("there is no env here")
	}
	if strings.Contains(printed, "do-not-show") {
		t.Error("a program sees the key")
	}
}
