package sqltrack_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// TestManyProcessesResume: turns wait and are approved, and four processes go on with all
// of them at once. Each mail is sent once. There are 100, or as many as
// BONAFIDE_TEST_RESUMED says; 500 take a minute.
func TestManyProcessesResume(t *testing.T) {
	turns := 100
	if asked, err := strconv.Atoi(os.Getenv("BONAFIDE_TEST_RESUMED")); err == nil {
		turns = asked
	}
	for _, kind := range databases[1:] {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			db, folder := kind.make(t), t.TempDir()
			store := db.store(t, nil)
			for i := range turns {
				m := newMailer(t, store, strconv.Itoa(i), filepath.Join(folder, strconv.Itoa(i)))
				_, err := m.guard.Run(t.Context(), m, m, guard.Input{User: "send the mail to a", Owner: owner(i), Turn: m.turn})
				var held *guard.TurnError
				require.ErrorAs(t, err, &held)
				require.ErrorIs(t, err, guard.ErrHeld)
				_, err = m.guard.Ledger().Answer(t.Context(), held.Owner, held.Approvals[0].ID,
					tooltrack.Answer{By: "carol", Approve: true})
				require.NoError(t, err)
			}
			var children []*exec.Cmd
			for range 4 {
				child := exec.Command(os.Args[0], "-test.run=^TestManyProcessesResumeChild$")
				child.Env = append(os.Environ(), childTurn+"="+strconv.Itoa(turns), childSource+"="+db.driver+" "+db.source,
					childEffect+"="+folder)
				child.Stdout, child.Stderr = os.Stderr, os.Stderr
				require.NoError(t, child.Start())
				children = append(children, child)
			}
			for _, child := range children {
				require.NoError(t, child.Wait())
			}
			for i := range turns {
				require.Equal(t, 1, effects(t, filepath.Join(folder, strconv.Itoa(i)), mails[0]), "turn %d", i)
				paused, err := tooltrack.NewLedger(store, nil).IsPaused(t.Context(), owner(i), strconv.Itoa(i))
				require.NoError(t, err)
				require.False(t, paused, "turn %d", i)
			}
		})
	}
}

func owner(turn int) string { return fmt.Sprint("owner", turn%7) }

// TestManyProcessesResumeChild is one of the four: it does nothing unless
// TestManyProcessesResume started it.
func TestManyProcessesResumeChild(t *testing.T) {
	turns, err := strconv.Atoi(os.Getenv(childTurn))
	if err != nil || os.Getenv(childPoint) != "" {
		t.Skip("this is a child process of TestManyProcessesResume")
	}
	driver, source, _ := strings.Cut(os.Getenv(childSource), " ")
	db := database{sqltrack.SQLite, driver, source}
	if driver == "pgx" {
		db.dialect = sqltrack.PostgreSQL
	}
	store := db.store(t, nil)
	for i := range turns {
		m := newMailer(t, store, strconv.Itoa(i), filepath.Join(os.Getenv(childEffect), strconv.Itoa(i)))
		_, err := m.guard.Resume(t.Context(), m, m, owner(i), m.turn)
		if err != nil && !errors.Is(err, tooltrack.ErrNoPausedTurn) && !errors.Is(err, tooltrack.ErrResumedElsewhere) {
			t.Errorf("turn %d: %v", i, err)
		}
	}
}
