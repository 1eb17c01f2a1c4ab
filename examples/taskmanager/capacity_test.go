//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// BenchmarkTurns measures how many turns a second the task manager carries: the
// request as it comes over HTTP, the guard, the change of a row, the record of
// the call before and after it, the stored conversation and the answer. The model
// answers at once, since what it takes is not ours.
//
//	go test -run '^$' -bench Turns -cpu 1,2 -benchtime 2000x ./examples/taskmanager
//
// cpu-µs/turn is what this process itself computes, whatever else the machine
// does; a database that is a server computes beside it.
func BenchmarkTurns(b *testing.B) {
	for _, kind := range []struct {
		name     string
		database func(testing.TB) string
		replicas int
	}{
		{"SQLite", sqliteFile, 1}, {"PostgreSQL", postgres, 1}, {"PostgreSQL-2-replicas", postgres, 2},
	} {
		b.Run(kind.name, func(b *testing.B) {
			name := kind.database(b)
			var replicas []replica
			for range kind.replicas {
				replicas = append(replicas, promptReplica(b, name))
			}
			var turns atomic.Int64
			used := processorTime(b)
			b.SetParallelism(max(1, 16/runtime.GOMAXPROCS(0))) // people wait for their answers side by side
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for user := fmt.Sprintf("user-%d", turns.Add(1)); pb.Next(); {
					n := turns.Add(1)
					if answer := replicas[n%int64(len(replicas))].complete(user, n); !strings.Contains(answer, `"Completed: Read book"`) {
						b.Errorf("answered %s", answer)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
			b.ReportMetric(float64((processorTime(b)-used).Microseconds())/float64(b.N), "cpu-µs/turn")
		})
	}
}

// replica is a server whose model answers at once.
type replica struct {
	handler http.Handler
	tokens  *tokens
}

func promptReplica(b *testing.B, database string) replica {
	b.Helper()
	service, err := newService(b.Context(), serviceOptions{
		database: database, clock: time.Now,
		model: func(string, ...string) guard.Model { return &prompt{} },
	})
	check(b, err)
	b.Cleanup(func() { _ = service.close() })
	tokens, err := newTokens(randomSecret())
	check(b, err)
	return replica{(&api{service: service, tokens: tokens}).handler(), tokens}
}

// complete sends one message and returns the body of the answer.
func (r replica) complete(user string, n int64) string {
	token, err := r.tokens.mint(user, time.Hour)
	if err != nil {
		return err.Error()
	}
	request := httptest.NewRequest("POST", "/api/"+user+"/chat", bytes.NewReader([]byte(`{"message":"mark Read book as done"}`)))
	request.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Idempotency-Key": {fmt.Sprint(n)}}
	recorder := httptest.NewRecorder()
	r.handler.ServeHTTP(recorder, request)
	return recorder.Body.String()
}

// prompt is a model that completes Read book, and says so.
type prompt struct{ asked bool }

func (p *prompt) Generate(context.Context, guard.Request) (guard.Response, error) {
	message := guard.Message{Role: guard.RoleAssistant, Text: "Completed: Read book"}
	if !p.asked {
		p.asked = true
		message = guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "call_1", Tool: "complete_task", Args: []byte(`{"task_id":"Read book"}`)}}}
	}
	return guard.Response{Message: message}, nil
}

// processorTime is what this process has used of the processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
