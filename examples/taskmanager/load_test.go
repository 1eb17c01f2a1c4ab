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

	"github.com/bonafide-go/bonafide/tooltrack"
)

// think is how long the model takes for one answer; a chat here has two.
const think = 1200 * time.Millisecond

// TestConcurrentChats lets many users chat at once, with a model that takes its
// time as models do.
func TestConcurrentChats(t *testing.T) {
	chats := 200
	if testing.Short() {
		chats = 40
	}
	for _, product := range []string{"SQLite", "PostgreSQL"} {
		t.Run(product, func(t *testing.T) {
			database := ""
			if product == "PostgreSQL" {
				database = postgres(t)
			} else {
				database = sqliteFile(t)
			}
			w := newWorld(t, worldOptions{database: database, think: think})
			for i := range chats {
				w.tasks(fmt.Sprintf("user-%d", i))
			}
			own := make([]time.Duration, chats)
			var running, peak atomic.Int64
			var group sync.WaitGroup
			began := time.Now()
			for i := range chats {
				group.Go(func() {
					// People do not press the key at the same moment; all of them wait for
					// the model at the same time.
					time.Sleep(began.Add(time.Duration(i) * think / time.Duration(chats)).Sub(time.Now()))
					for n := running.Add(1); n > peak.Load(); n = running.Load() {
						peak.Store(n)
					}
					own[i] = chatOnce(t, w, fmt.Sprintf("user-%d", i))
					running.Add(-1)
				})
			}
			group.Wait()
			if n := peak.Load(); n < int64(chats)*95/100 {
				t.Errorf("only %d chats ran at once", n)
			}
			for i := range chats {
				checkChat(t, w, fmt.Sprintf("user-%d", i))
			}
			slices.Sort(own)
			p95 := own[len(own)*95/100]
			t.Logf("%d chats at once: p50 %v, p95 %v, slowest %v besides the model", chats, own[len(own)/2], p95, own[len(own)-1])
			if p95 > 500*time.Millisecond && !raceEnabled {
				t.Errorf("p95 of the time that is not the model's is %v, want less than 500 ms", p95)
			}
		})
	}
}

// chatOnce sends one message and returns the time that was not the model's, as
// the client sees it.
func chatOnce(t *testing.T, w *world, user string) time.Duration {
	began := time.Now()
	a, err := w.send(message{user: user, text: "add a task to buy milk due tomorrow"})
	took := time.Since(began)
	if err != nil || a.status != http.StatusOK {
		t.Errorf("%s: %v %+v", user, err, a)
		return 0
	}
	if a.AssistantMessage != "Added: buy milk (due 2026-02-09)" || a.Error != nil {
		t.Errorf("%s: %q, %+v", user, a.AssistantMessage, a.Error)
	}
	return took - time.Duration(a.ExecutionMetadata.ModelMS)*time.Millisecond
}

// checkChat looks for the row and for its one record.
func checkChat(t *testing.T, w *world, user string) {
	t.Helper()
	if n := len(w.tasks(user)); n != len(seedTasks)+1 {
		t.Errorf("%s has %d tasks", user, n)
	}
	records, err := w.service.ledger.Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: user}})
	check(t, err)
	if len(records) != 1 || !records[0].Succeeded() || records[0].Tool != "add_task" {
		t.Errorf("%s has %d records", user, len(records))
	}
}
