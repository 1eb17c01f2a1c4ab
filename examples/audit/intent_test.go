package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const intentLine = `{"id":"1","tools":[{"name":"delete_task","description":"Delete a task."}],"user":"delete the task"}`

func TestIntentAnswersCases(t *testing.T) {
	examples := filepath.Join(t.TempDir(), "examples.jsonl")
	if err := os.WriteFile(examples, []byte(`{"user":"remove it","expected":["delete_task"]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"intent"}, {"intent", "-examples", examples}} {
		var out, errs bytes.Buffer
		if code := run(args, strings.NewReader(intentLine+"\n"+`{"id":"2","tools":[{}],"user":"x"}`), &out, &errs); code != 0 {
			t.Fatalf("exit status %d: %s", code, errs.String())
		}
		if want := `{"id":"1","expected":["delete_task"],"sure":["delete_task"],"due":true,"kind":"action"`; !strings.HasPrefix(out.String(), want) {
			t.Errorf("%v: got %s, want %s first", args, out.String(), want)
		}
		if want := `{"id":"2","error":"tools[0]: tool name is empty`; !strings.Contains(out.String(), want) {
			t.Errorf("%v: got %s, want an error on the second line", args, out.String())
		}
	}
}

func TestIntentRefusesBadExamples(t *testing.T) {
	var errs bytes.Buffer
	if code := run([]string{"intent", "-examples", "does-not-exist"}, strings.NewReader(""), &bytes.Buffer{}, &errs); code != 2 {
		t.Errorf("exit status %d, want 2", code)
	}
}
