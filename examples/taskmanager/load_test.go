package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestConcurrentChats lets many users chat at once: the model answers nobody before it
// has been asked by all of them.
func TestConcurrentChats(t *testing.T) {
	for _, product := range []string{"SQLite", "PostgreSQL"} {
		t.Run(product, func(t *testing.T) {
			database := ""
			if product == "PostgreSQL" {
				database = postgres(t)
			} else {
				database = sqliteFile(t)
			}
			l := &load{chats: 200, all: make(chan struct{})}
			if testing.Short() || raceEnabled {
				l.chats = 40
			}
			l.world = newWorld(t, worldOptions{database: database, meet: l.meet})
			l.round()
		})
	}
}

type load struct {
	*world
	chats int
	asked atomic.Int64
	all   chan struct{} // closed when the last of them has asked
}

// meet waits until all chats have asked the model for the first time.
func (l *load) meet() {
	if l.asked.Add(1) == int64(l.chats) {
		close(l.all)
	}
	<-l.all
}

// round lets all users chat.
func (l *load) round() {
	l.t.Helper()
	user := func(i int) string { return fmt.Sprint("user-", i) }
	var group sync.WaitGroup
	for i := range l.chats {
		group.Go(func() { l.chat(user(i)) })
	}
	group.Wait()
	for i := range l.chats {
		l.check(user(i))
	}
}

// chat sends one message.
func (l *load) chat(user string) {
	a, err := l.send(message{user: user, text: "add a task to buy milk due tomorrow"})
	if err != nil || a.status != http.StatusOK {
		l.t.Errorf("%s: %v %+v", user, err, a)
		return
	}
	if a.AssistantMessage != "Added: buy milk (due 2026-02-09)" || a.Error != nil {
		l.t.Errorf("%s: %q, %+v", user, a.AssistantMessage, a.Error)
	}
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
