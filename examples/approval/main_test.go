package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test be the program, so that each step is a process of its own.
func TestMain(m *testing.M) {
	if file := os.Getenv("BONAFIDE_TEST_APPROVAL"); file != "" {
		os.Args = append([]string{os.Args[0], "-db", file}, os.Args[1:]...)
		main()
		return
	}
	os.Exit(m.Run())
}

func TestTwoProcesses(t *testing.T) {
	for answer, want := range map[string]string{
		"yes": `\(the money is sent: \{"order":"A-17","amount":70\}\)\nI refunded 70 euros for order A-17\.`,
		"no":  `^Order A-17 was not refunded: carol rejected it\.`,
	} {
		t.Run(answer, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ledger.db")
			process := func(args ...string) (string, error) {
				command := exec.Command(os.Args[0], args...)
				command.Env = append(os.Environ(), "BONAFIDE_TEST_APPROVAL="+file)
				said, err := command.CombinedOutput()
				return string(said), err
			}
			said, err := process("ask")
			require.NoError(t, err, said)
			require.Contains(t, said, "Waiting for approval")
			require.NotContains(t, said, "the money is sent")
			said, err = process("list")
			require.NoError(t, err, said)
			id := regexp.MustCompile("ap_[0-9a-f-]+").FindString(said)
			require.NotEmpty(t, id, said)
			said, err = process("answer", id, answer)
			require.NoError(t, err, said)
			require.Regexp(t, want, said)
			said, err = process("answer", id, "yes")
			require.Error(t, err, "the first answer stands")
			require.NotContains(t, said, "the money is sent", fmt.Sprint(answer))
		})
	}
}
