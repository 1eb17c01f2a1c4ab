package sqltrack_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/internal/sampling"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// killPoints are the places at which the child is killed, and what must be
// true of the call afterwards.
var killPoints = []struct {
	name     string
	recorded bool             // the intent was acknowledged
	status   tooltrack.Status // of the record
	effects  int              // how often the tool worked before the kill
	total    int              // and after the turn was run again
}{
	{"before intent", false, tooltrack.Unknown, 0, 1},
	{"after intent", true, tooltrack.Unknown, 0, 0},
	{"inside the tool", true, tooltrack.Unknown, 1, 1},
	{"after the tool", true, tooltrack.Unknown, 1, 1},
	{"after the result", true, tooltrack.Succeeded, 1, 1},
}

const (
	childPoint  = "BONAFIDE_TEST_KILL_POINT"
	childTurn   = "BONAFIDE_TEST_KILL_TURN"
	childSource = "BONAFIDE_TEST_KILL_SOURCE"
	childEffect = "BONAFIDE_TEST_KILL_EFFECT"
)

var sendMail = tooltrack.Tool{Name: "send_mail", Effect: tooltrack.Changes}

// mails are the calls of a turn: two that are acknowledged, then the one that
// is cut.
var mails = []string{`{"to":"a"}`, `{"to":"b"}`, `{"to":"c"}`}

// TestKill kills a child process at each point, runs the turn again in this
// process and looks at the records and at what the tool really did. The number
// of kills is 40 in all, 200 at night, or BONAFIDE_TEST_KILLS.
func TestKill(t *testing.T) {
	kills := 200 / sampling.Every(5)
	if asked := os.Getenv("BONAFIDE_TEST_KILLS"); asked != "" {
		var err error
		if kills, err = strconv.Atoi(asked); err != nil {
			t.Fatalf("BONAFIDE_TEST_KILLS is %q; give a number", asked)
		}
	}
	kinds := []string{"SQLite WAL", "PostgreSQL"}
	for _, kind := range databases {
		if kind.name != kinds[0] && kind.name != kinds[1] {
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			db := kind.make(t)
			store := db.store(t, nil)
			for i := range kills / len(kinds) {
				point := killPoints[i%len(killPoints)]
				t.Run(fmt.Sprint(point.name, " ", i), func(t *testing.T) { killOnce(t, db, store, i%len(killPoints), i) })
			}
		})
	}
}

func killOnce(t *testing.T, db database, store *sqltrack.Store, at, round int) {
	point := killPoints[at]
	turn, effect := fmt.Sprint("turn ", round), filepath.Join(t.TempDir(), "effect")
	acknowledged := killChild(t, db, point.name, turn, effect)
	ledger := tooltrack.NewLedger(store, nil)
	records, err := ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann", Turn: turn}})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]tooltrack.Status{}
	for _, record := range records {
		found[string(record.Args)] = record.Result.Status
	}
	for _, line := range acknowledged {
		what, args, _ := strings.Cut(line, " ")
		if status, there := found[args]; !there || what == "finished" && status != tooltrack.Succeeded {
			t.Errorf("%s was acknowledged, but its record is %v (there: %v)", line, status, there)
		}
	}
	cut := mails[len(mails)-1]
	if status, there := found[cut]; there != point.recorded || status != point.status {
		t.Errorf("the cut call is recorded: %v with status %v; want %v with %v", there, status, point.recorded, point.status)
	}
	if n := effects(t, effect, cut); n != point.effects {
		t.Fatalf("the tool worked %d times before the kill, want %d: the test kills at another point than it says", n, point.effects)
	}
	runTurn(t, ledger, turn, effect)
	for i, args := range mails {
		want := 1
		if i == len(mails)-1 {
			want = point.total
		}
		if n := effects(t, effect, args); n != want {
			t.Errorf("%s was sent %d times after the turn was run again, want %d", args, n, want)
		}
	}
}

// killChild runs the turn in a child process until it reports the point, kills
// it there, and returns what it had acknowledged.
func killChild(t *testing.T, db database, point, turn, effect string) (acknowledged []string) {
	child := exec.Command(os.Args[0], "-test.run=^TestKillChild$", "-test.v")
	child.Env = append(os.Environ(), childPoint+"="+point, childTurn+"="+turn, childSource+"="+db.driver+" "+db.source, childEffect+"="+effect)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := child.StdinPipe() // held open: the child waits on it
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	reached := false
	lines := bufio.NewScanner(stdout)
	for !reached && lines.Scan() {
		line := lines.Text()
		if reached = line == "at the point"; !reached && (strings.HasPrefix(line, "begun ") || strings.HasPrefix(line, "finished ")) {
			acknowledged = append(acknowledged, line)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	if err := child.Wait(); err == nil || !reached {
		t.Fatalf("the child ended by itself (%v) or never reached the point (%v)", err, reached)
	}
	return acknowledged
}

// TestKillChild is the child: it does nothing unless TestKill started it.
func TestKillChild(t *testing.T) {
	point := os.Getenv(childPoint)
	if point == "" {
		t.Skip("this is the child process of TestKill")
	}
	db, _ := databaseIn(childSource)
	ledger := tooltrack.NewLedger(db.store(t, nil), nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: os.Getenv(childTurn)})
	if err != nil {
		t.Fatal(err)
	}
	for i, args := range mails {
		stop := func(here string) {
			if i == len(mails)-1 && here == point {
				fmt.Println("at the point")
				_, _ = io.Copy(io.Discard, os.Stdin) // until the parent kills us
			}
		}
		stop("before intent")
		begun, err := turn.Begin(t.Context(), sendMail, tooltrack.Call{Tool: sendMail.Name, Args: []byte(args)}, nil)
		if err != nil || !begun.Run {
			t.Fatalf("Begin: run %v, %v", begun.Run, err)
		}
		fmt.Println("begun", args)
		stop("after intent")
		send(t, os.Getenv(childEffect), args)
		stop("inside the tool")
		result := tooltrack.ResultOf([]byte(`{"sent":true}`), nil)
		stop("after the tool")
		if _, err := turn.Finish(t.Context(), begun.Record, result); err != nil {
			t.Fatal(err)
		}
		fmt.Println("finished", args)
		stop("after the result")
	}
	t.Fatal("the child was not killed")
}

// runTurn runs the whole turn again, as a host does after a crash.
func runTurn(t *testing.T, ledger *tooltrack.Ledger, name, effect string) {
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Turn: name})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range mails {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		_, err := turn.Do(ctx, sendMail, tooltrack.Call{Tool: sendMail.Name, Args: []byte(args)}, nil, func(context.Context, tooltrack.Call) ([]byte, error) {
			send(t, effect, args)
			return nil, nil
		})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// send is the tool: a line in a file stands for an e-mail that cannot be
// called back.
func send(t testing.TB, effect, args string) {
	file, err := os.OpenFile(effect, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(args + "\n"); err != nil {
		t.Fatal(err)
	}
}

func effects(t testing.TB, effect, args string) int {
	sent, err := os.ReadFile(effect)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(sent), args+"\n")
}
