package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pages are where the two small programs are shown.
var pages = map[string]string{".": "../../README.md", "../ownloop": "../../.github/docs/guide.md"}

// The README shows this program, and the guide the loop. They are compared, not
// pasted and forgotten.
func TestPagesShowThePrograms(t *testing.T) {
	for folder, page := range pages {
		file := folder + "/main.go"
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		readme, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		shown := string(program)
		if folder != "." { // of the loop only the part that is the point
			_, shown, _ = strings.Cut(shown, "// answer is")
			shown, _, _ = strings.Cut("// answer is"+shown, "\nfunc run(")
		}
		if !strings.Contains(string(readme), "```go\n"+strings.TrimSpace(shown)+"\n```") {
			t.Errorf("%s does not show %s as it is:\n%s", page, file, shown)
		}
	}
}

// They also show what the programs print: the lie, and what became of it, in lines
// that fit on any terminal.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	for program, page := range pages {
		readme, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := exec.Command("go", "run", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "```\n"+string(printed)+"```") {
			t.Errorf("%s does not show what %s prints:\n%s", page, program, printed)
		}
		if !strings.Contains(string(printed), `"I've deleted Read book."`) || !strings.Contains(string(printed), "show") {
			t.Errorf("%s shows no lie, or not what became of it:\n%s", program, printed)
		}
		for line := range strings.Lines(string(printed)) {
			if line = strings.TrimRight(line, "\n"); len(line) > 80 {
				t.Errorf("%s prints a line of %d columns: %s", program, len(line), line)
			}
		}
	}
}
