package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The README shows this program. It is compared, not pasted and forgotten.
func TestReadmeShowsThisProgram(t *testing.T) {
	for _, file := range []string{"main.go", "../ownloop/main.go"} {
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		readme, err := os.ReadFile("../../README.md")
		if err != nil {
			t.Fatal(err)
		}
		shown := string(program)
		if file != "main.go" { // of the loop only the part that is the point
			_, shown, _ = strings.Cut(shown, "// answer is")
			shown, _, _ = strings.Cut("// answer is"+shown, "\nfunc run(")
		}
		if !strings.Contains(string(readme), "```go\n"+strings.TrimSpace(shown)+"\n```") {
			t.Errorf("the README does not show %s as it is:\n%s", file, shown)
		}
	}
}

// The README also shows what the programs print: the lie, and what became of it,
// in lines that fit on any terminal.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{".", "../ownloop"} {
		printed, err := exec.Command("go", "run", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), "```\n"+string(printed)+"```") {
			t.Errorf("the README does not show what %s prints:\n%s", program, printed)
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
