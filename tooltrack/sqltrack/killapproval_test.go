package sqltrack_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// deadly is a store that stops for good before or after its n-th write, until the process
// is killed.
type deadly struct {
	*sqltrack.Store
	at     int
	before bool
	writes int
}

func (d *deadly) write(do func() error) error {
	d.writes++
	if d.writes == d.at && d.before {
		waitForDeath()
	}
	err := do()
	if d.writes == d.at {
		waitForDeath()
	}
	return err
}

func waitForDeath() {
	fmt.Println("at the point")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func (d *deadly) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (begun tooltrack.Begun, err error) {
	err = d.write(func() error { begun, err = d.Store.Begin(ctx, record, rerun); return err })
	return begun, err
}

func (d *deadly) Finish(ctx context.Context, record *tooltrack.Record) (stored *tooltrack.Record, err error) {
	err = d.write(func() error { stored, err = d.Store.Finish(ctx, record); return err })
	return stored, err
}

func (d *deadly) Atomically(ctx context.Context, owner string, step func(tooltrack.Desk) error) error {
	return d.write(func() error { return d.Store.Atomically(ctx, owner, step) })
}

// mailer asks a person before it sends: one turn, from the message to its end.
type mailer struct {
	t      testing.TB
	guard  *guard.Guard
	turn   string
	effect string
}

func newMailer(t testing.TB, store tooltrack.Store, turn, effect string) *mailer {
	g, err := guard.New([]tooltrack.Tool{sendMail}, &guard.Options{
		Ledger: tooltrack.NewLedger(store, nil),
		Policy: &policy.Options{Approvals: []policy.Approval{policy.NeedsApproval(sendMail.Name, policy.Always())}},
	})
	require.NoError(t, err)
	return &mailer{t, g, turn, effect}
}

// run does what a host does: it sends the message, answers what waits, and resumes, from
// wherever an earlier process has come to.
func (m *mailer) run(ctx context.Context) (*guard.Reply, error) {
	ledger := m.guard.Ledger()
	reply, err := m.guard.Run(ctx, m, m, guard.Input{User: "send the mail to a", Owner: "ann", Turn: m.turn})
	if !errors.Is(err, guard.ErrHeld) { // the turn had ended: its record answers
		return reply, err
	}
	approvals, err := ledger.Approvals(ctx, tooltrack.ApprovalQuery{
		Scope: tooltrack.Scope{Owner: "ann", Turn: m.turn},
	})
	if err != nil {
		return nil, err
	}
	for _, approval := range approvals {
		if approval.State == tooltrack.Waiting {
			if _, err := ledger.Answer(ctx, "ann", approval.ID, tooltrack.Answer{By: "carol", Approve: true}); err != nil {
				return nil, err
			}
		}
	}
	return m.guard.Resume(ctx, m, m, "ann", m.turn)
}

// Generate calls the tool, and tells what came of it.
func (m *mailer) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	last := request.Messages[len(request.Messages)-1]
	said := guard.Message{Role: guard.RoleAssistant, Text: "I sent the mail to a."}
	switch {
	case last.Role == guard.RoleUser:
		said = guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{
			{ID: "c1", Tool: sendMail.Name, Args: json.RawMessage(mails[0])},
		}}
	case strings.HasPrefix(last.Text, tooltrack.NotKnown):
		said.Text = "It is not known whether the mail to a was sent."
	}
	return guard.Response{Message: said}, nil
}

func (m *mailer) Execute(context.Context, tooltrack.Call) ([]byte, error) {
	send(m.t, m.effect, mails[0])
	return []byte(`{"success":true}`), nil
}

// TestKillApproval kills a process before and after each of its writes, from the hold to
// the end of the resumed turn, and lets another one go on. However it dies: the mail is
// sent at most once, and where it was not, nobody says that it was.
func TestKillApproval(t *testing.T) {
	for _, kind := range databases[1:] {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			db, kills := kind.make(t), 0
			for n := 1; ; n++ {
				for _, before := range []bool{true, false} {
					turn, effect := fmt.Sprint(n, before), filepath.Join(t.TempDir(), "effect")
					if !killApproval(t, db, turn, effect, n, before) {
						require.GreaterOrEqual(t, kills, 14, "the process has fewer writes than it must have")
						t.Logf("%d kills", kills)
						return
					}
					kills++
					goOn(t, db, turn, effect)
				}
			}
		})
	}
}

// goOn is what the next process makes of the turn.
func goOn(t *testing.T, db database, turn, effect string) {
	t.Helper()
	raw := db.open(t)
	var data []byte // the dead process's claim lapses
	query := "SELECT data FROM bonafide_waiting WHERE kind = 'paused' AND turn = '" + turn + "'"
	if raw.QueryRow(query).Scan(&data) == nil {
		var paused map[string]any
		require.NoError(t, json.Unmarshal(data, &paused))
		delete(paused, "claim")
		data, err := json.Marshal(paused)
		require.NoError(t, err)
		place := map[bool]string{true: "$1", false: "?"}[db.dialect == sqltrack.PostgreSQL]
		_, err = raw.Exec("UPDATE bonafide_waiting SET data = "+place+" WHERE kind = 'paused' AND turn = '"+turn+"'", data)
		require.NoError(t, err)
	}
	store := db.store(t, nil)
	reply, err := newMailer(t, store, turn, effect).run(t.Context())
	sent := effects(t, effect, mails[0])
	require.LessOrEqual(t, sent, 1, "turn %s", turn)
	records, fault := store.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: turn}})
	require.NoError(t, fault)
	require.Len(t, records, 1)
	status := records[0].Result.Status
	require.Contains(t, []tooltrack.Status{tooltrack.Succeeded, tooltrack.Unknown}, status)
	if status == tooltrack.Succeeded {
		require.Equal(t, 1, sent, "turn %s", turn)
	}
	used, fault := tooltrack.NewLedger(store, nil).Approvals(t.Context(), tooltrack.ApprovalQuery{
		Scope: tooltrack.Scope{Owner: "ann", Turn: turn}, Closed: true,
	})
	require.NoError(t, fault)
	require.Len(t, used, 1, "turn %s", turn)
	require.Equal(t, tooltrack.Consumed, used[0].State, "nothing is sent without an approval, and each is used once")
	switch {
	case err == nil && status == tooltrack.Unknown:
		require.Contains(t, reply.Text, "not known", "turn %s", turn)
	case err != nil: // the dead one had ended the turn
		require.ErrorIs(t, err, tooltrack.ErrNoPausedTurn, "turn %s", turn)
	}
}

// killApproval runs the turn in a child process until its n-th write, and kills it there.
// It reports false if the child came to its end.
func killApproval(t *testing.T, db database, turn, effect string, n int, before bool) bool {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKillApprovalChild$", "-test.v")
	child.Env = append(os.Environ(), childPoint+"="+strconv.Itoa(n)+" "+strconv.FormatBool(before), childTurn+"="+turn,
		childSource+"="+db.driver+" "+db.source, childEffect+"="+effect)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	require.NoError(t, err)
	stdin, err := child.StdinPipe() // held open: the child waits on it
	require.NoError(t, err)
	defer stdin.Close()
	require.NoError(t, child.Start())
	reached, ended := false, false
	for lines := bufio.NewScanner(stdout); !reached && lines.Scan(); {
		reached, ended = lines.Text() == "at the point", ended || lines.Text() == "the end"
	}
	_ = child.Process.Kill() // it may have ended
	_ = child.Wait()
	require.True(t, reached || ended, "the child broke")
	return reached
}

// TestKillApprovalChild is the child: it does nothing unless TestKillApproval started it.
func TestKillApprovalChild(t *testing.T) {
	at, before, _ := strings.Cut(os.Getenv(childPoint), " ")
	n, err := strconv.Atoi(at)
	if err != nil {
		t.Skip("this is the child process of TestKillApproval")
	}
	driver, source, _ := strings.Cut(os.Getenv(childSource), " ")
	db := database{sqltrack.SQLite, driver, source}
	if driver == "pgx" {
		db.dialect = sqltrack.PostgreSQL
	}
	store := &deadly{Store: db.store(t, nil), at: n, before: before == "true"}
	_, err = newMailer(t, store, os.Getenv(childTurn), os.Getenv(childEffect)).run(t.Context())
	require.NoError(t, err)
	fmt.Println("the end")
}
