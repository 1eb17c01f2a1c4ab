package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	const set = `{"set":"mine","titles":["Read book","Return book to library","Buy milk"]}` + "\n"
	cases := []struct{ name, in, want string }{
		{"one", `{"id":"a","titles":["Wash dishes","Read book"],"reference":"read books"}`, `{"id":"a","kind":"one","index":1}`},
		{"the first one has its index, too", `{"id":"a","titles":["Read book"],"reference":"read book"}`, `{"id":"a","kind":"one","index":0}`},
		{"ambiguous", set + `{"id":"a","titles_set":"mine","reference":"book"}`, `{"id":"a","kind":"ambiguous","among":[0,1]}`},
		{"none", set + `{"id":"a","titles_set":"mine","reference":"call mom"}`, `{"id":"a","kind":"none"}`},
		{"no titles", `{"id":"a","titles":[],"reference":"call mom"}`, `{"id":"a","kind":"none"}`},
		{"a set gets no answer", set, ``},
		{"an unknown set", `{"id":"a","titles_set":"yours","reference":"book"}`, `{"id":"a","error":"titles_set \"yours\" was not defined by an earlier line"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := run([]string{"resolve"}, strings.NewReader(c.in), &out, &errs); code != 0 {
				t.Fatalf("exits with %d: %s", code, errs.String())
			}
			if got := strings.TrimSpace(out.String()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestResolveTakesNoArguments(t *testing.T) {
	var errs bytes.Buffer
	if code := run([]string{"resolve", "extra"}, strings.NewReader(""), &bytes.Buffer{}, &errs); code != 2 {
		t.Errorf("exits with %d, want 2", code)
	}
}
