package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/internal/timetest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// think is how long the model takes for one answer; a chat here has two.
	think = 1200 * time.Millisecond
	// ownTime is how much the program may add to that, for 95 chats of a hundred.
	ownTime = 500 * time.Millisecond
)

// TestConcurrentChats lets many users chat at once, with a model that takes its
// time as models do.
func TestConcurrentChats(t *testing.T) {
	for _, product := range []string{"SQLite", "PostgreSQL"} {
		t.Run(product, func(t *testing.T) {
			database := ""
			if product == "PostgreSQL" {
				database = postgres(t)
			} else {
				database = sqliteFile(t)
			}
			l := &load{world: newWorld(t, worldOptions{database: database, think: think}), chats: 200}
			if testing.Short() || raceEnabled {
				l.chats = 40
			}
			round := 0
			if raceEnabled { // what is asked for must come; when, is another matter
				l.round(round)
				return
			}
			timetest.Holds(t, func() error {
				round++
				if p95 := l.round(round); p95 > ownTime {
					return fmt.Errorf("p95 of the time that is not the model's is %v, want less than %v", p95, ownTime)
				}
				return nil
			})
		})
	}
}

type load struct {
	*world
	chats         int
	running, peak atomic.Int64
}

// round lets all users chat and returns the 95th percentile of the time that was
// not the model's.
func (l *load) round(round int) time.Duration {
	l.t.Helper()
	user := func(i int) string { return fmt.Sprintf("user-%d-%d", round, i) }
	for i := range l.chats {
		l.tasks(user(i))
	}
	own := make([]time.Duration, l.chats)
	var group sync.WaitGroup
	for i := range l.chats {
		group.Go(func() {
			// People do not press the key at the same moment; all of them wait for
			// the model at the same time.
			time.Sleep(time.Duration(i) * think / time.Duration(l.chats))
			own[i] = l.chat(user(i))
		})
	}
	group.Wait()
	if n := l.peak.Load(); n < int64(l.chats)*95/100 {
		l.t.Errorf("only %d chats ran at once", n)
	}
	for i := range l.chats {
		l.check(user(i))
	}
	slices.Sort(own)
	p95 := own[len(own)*95/100]
	l.t.Logf("%d chats at once: p50 %v, p95 %v, slowest %v besides the model", l.chats, own[len(own)/2], p95, own[len(own)-1])
	return p95
}

// chat sends one message and returns the time that was not the model's, as the
// client sees it.
func (l *load) chat(user string) time.Duration {
	for n := l.running.Add(1); n > l.peak.Load(); n = l.running.Load() {
		l.peak.Store(n)
	}
	defer l.running.Add(-1)
	began := time.Now()
	a, err := l.send(message{user: user, text: "add a task to buy milk due tomorrow"})
	took := time.Since(began)
	if err != nil || a.status != http.StatusOK {
		l.t.Errorf("%s: %v %+v", user, err, a)
		return 0
	}
	if a.AssistantMessage != "Added: buy milk (due 2026-02-09)" || a.Error != nil {
		l.t.Errorf("%s: %q, %+v", user, a.AssistantMessage, a.Error)
	}
	return took - time.Duration(a.ExecutionMetadata.ModelMS)*time.Millisecond
}

// check looks for the row and for its one record.
func (l *load) check(user string) {
	l.t.Helper()
	if n := len(l.tasks(user)); n != len(seedTasks)+1 {
		l.t.Errorf("%s has %d tasks", user, n)
	}
	records, err := l.service.ledger.Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: user}})
	check(l.t, err)
	if len(records) != 1 || !records[0].Succeeded() || records[0].Tool != "add_task" {
		l.t.Errorf("%s has %d records", user, len(records))
	}
}
