package intent

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestLanguageThatCannotBeRead(t *testing.T) {
	tools := []tooltrack.Tool{{Name: "delete_task"}}
	broken := errors.New("disk gone")
	if _, err := FromTools(tools, &Options{Language: iotest.ErrReader(broken)}); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := FromTools(tools, &Options{Language: strings.NewReader("[no such section]\nx")}); err == nil {
		t.Error("a list that is no list was taken")
	}
}

func TestLanguageOfTheHost(t *testing.T) {
	list, err := os.Open("../internal/lexicon/data/en.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	c, err := FromTools([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task."}}, &Options{Language: list})
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Classify(t.Context(), Utterance{User: "delete the task Read book"})
	if err != nil || !found.Expects("delete_task") {
		t.Errorf("found %+v, %v", found, err)
	}
}
