package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// event is one piece of a chat-completions stream.
func event(text string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`+"\n\n", text)
}

const streamEnd = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

// streaming answers in steps that a test controls.
func streaming(t *testing.T, write func(r *http.Request, say func(string))) string {
	t.Helper()
	return serverOf(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		write(r, func(text string) {
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
		})
	})
}

func open(ctx context.Context, t *testing.T, to string) *http.Response {
	t.Helper()
	body := strings.NewReader(formats[0].request(true, true))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to+formats[0].path, body)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	return response
}

// TestStreamsDrip: who watches hands on each piece when it comes. The server sends
// the next one only after the client has the last.
func TestStreamsDrip(t *testing.T) {
	next := make(chan struct{})
	server := streaming(t, func(r *http.Request, say func(string)) {
		for i := range 20 {
			say(event(fmt.Sprintf("word%d ", i)))
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
		say(streamEnd)
	})
	w := newWorld(t, server)
	response := open(t.Context(), t, w.url)
	defer response.Body.Close()
	reader := bufio.NewReader(response.Body)
	for i := range 20 {
		line, err := reader.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, fmt.Sprintf("word%d ", i))
		_, err = reader.ReadString('\n')
		require.NoError(t, err)
		next <- struct{}{}
	}
	rest, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, streamEnd, string(rest))
	require.Contains(t, w.settled(1)[0].Text, "word0 word1")
}

// TestTheClientLeaves: the server's request ends, too.
func TestTheClientLeaves(t *testing.T) {
	for _, flags := range [][]string{nil, {"-enforce"}} {
		asked, ended := make(chan struct{}), make(chan struct{})
		server := streaming(t, func(r *http.Request, say func(string)) {
			say(event("I've deleted "))
			close(asked)
			<-r.Context().Done()
			close(ended)
		})
		w := newWorld(t, server, flags...)
		ctx, leave := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(
			ctx,
			http.MethodPost,
			w.url+formats[0].path,
			strings.NewReader(formats[0].request(true, true)),
		)
		require.NoError(t, err)
		if flags == nil {
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			_, err = bufio.NewReader(response.Body).ReadString('\n')
			require.NoError(t, err)
			leave()
			response.Body.Close()
		} else { // it holds the answer, so there is nothing to read yet
			go func() {
				<-asked
				leave()
			}()
			_, err := http.DefaultClient.Do(request)
			require.ErrorIs(t, err, context.Canceled)
		}
		select {
		case <-ended:
		case <-time.After(2 * time.Minute):
			t.Fatal("the server was not told that the client has left")
		}
		w.settled(1)
		require.Eventually(
			t,
			func() bool { return w.gate.memory.held.Load() == 0 && len(w.forward.room) == 0 },
			10*time.Second,
			time.Millisecond,
		)
	}
}

// TestTheServerDies in the middle of an answer: the client hears of it, half an
// answer is no success, and the proxy goes on.
func TestTheServerDies(t *testing.T) {
	server := serverOf(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, event("I've deleted "))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	watching := newWorld(t, server)
	response := open(t.Context(), t, watching.url)
	defer response.Body.Close()
	_, err := io.ReadAll(response.Body)
	require.Error(t, err, "the stream must not look whole")
	require.Equal(t, failed, watching.settled(1)[0].State)

	acting := newWorld(t, server, "-enforce")
	through := send(t, acting.url+formats[0].path, formats[0].request(true, true))
	require.NotEqual(t, 200, through.status)
	require.NotContains(t, through.body, "I've deleted")
	require.Equal(t, 200, get(t, acting.url+"/healthz").status)
}

// TestNobodyAnswers: a server that is not there, and one that takes too long.
func TestNobodyAnswers(t *testing.T) {
	hangs := serverOf(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // the connection is watched only after that
		<-r.Context().Done()
	})
	for _, flags := range [][]string{nil, {"-enforce"}} {
		dead := newWorld(t, "http://127.0.0.1:1", flags...)
		back := send(t, dead.url+formats[0].path, formats[0].request(false, false))
		require.Equal(t, http.StatusBadGateway, back.status)
		require.Contains(t, back.body, "cannot be reached")
		slow := newWorld(t, hangs, append(flags, "-upstream-timeout", "20ms")...)
		back = send(t, slow.url+formats[0].path, formats[0].request(false, false))
		require.Equal(t, http.StatusGatewayTimeout, back.status, back.body)
	}
}

// TestTwoHundredStreams at once, in all formats, some of whose clients leave: each
// gets its own answer, and afterwards nothing is left behind.
func TestTwoHundredStreams(t *testing.T) {
	server := model(t, func(context.Context, simmodel.Request) simmodel.Answer {
		return simmodel.Answer{Text: lie, Delay: 20 * time.Millisecond}
	})
	for _, flags := range [][]string{nil, {"-enforce"}} {
		w := newWorld(t, server, flags...)
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
		before := runtime.NumGoroutine()
		var all sync.WaitGroup
		var whole atomic.Int64
		for i := range 200 {
			all.Add(1)
			go func() {
				defer all.Done()
				name := fmt.Sprintf("client-%d-", i)
				f := formats[i%len(formats)]
				body := strings.Replace(f.request(true, true), `"model":"sim"`, `"model":"`+name+`"`, 1) // answers repeat it
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if i%10 == 0 {
					time.AfterFunc(25*time.Millisecond, cancel)
				}
				got, err := fetch(ctx, client, w.url+f.path, body)
				if i%10 == 0 {
					return // it may or may not have had its answer
				}
				own := strings.Contains(got, name) && !strings.Contains(strings.ReplaceAll(got, name, ""), "client-")
				if err != nil || !own {
					t.Errorf("%s (%s): %v, %.80s", name, f.name, err, got)
					return
				}
				whole.Add(1)
			}()
		}
		all.Wait()
		require.EqualValues(t, 180, whole.Load())
		client.CloseIdleConnections()
		require.Eventually(t, func() bool {
			w.forward.server.CloseIdleConnections()
			return w.gate.memory.held.Load() == 0 && len(w.forward.room) == 0 && runtime.NumGoroutine() <= before+20
		}, 2*time.Minute, 10*time.Millisecond, "goroutines: %d before, %d after", before, runtime.NumGoroutine())
	}
}

func fetch(ctx context.Context, client *http.Client, to, body string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return string(got), err
}

// TestLongAnswers: ten megabytes pass, and what is held for judging stays within
// the budget: when it is spent, further requests pass unjudged.
func TestLongAnswers(t *testing.T) {
	const size = 10 << 20
	piece := event(strings.Repeat("a", 16<<10))
	server := streaming(t, func(_ *http.Request, say func(string)) {
		for range size / (16 << 10) {
			say(piece)
		}
		say(streamEnd)
	})
	w := newWorld(t, server, "-memory", "32")
	var most atomic.Int64
	stop := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Add(1)
	go func() {
		defer watcher.Done()
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				most.Store(max(most.Load(), w.gate.memory.held.Load()))
			}
		}
	}()
	rounds, atOnce := 2, 4
	if raceEnabled {
		rounds, atOnce = 1, 2
	}
	var heap runtime.MemStats
	for range rounds {
		var all sync.WaitGroup
		for range atOnce {
			all.Add(1)
			go func() {
				defer all.Done()
				request, err := http.NewRequestWithContext(
					t.Context(),
					http.MethodPost,
					w.url+formats[0].path,
					strings.NewReader(formats[0].request(true, true)),
				)
				if err != nil {
					t.Error(err)
					return
				}
				response, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				n, err := io.Copy(io.Discard, response.Body)
				if err != nil || n < size {
					t.Errorf("%d bytes: %v", n, err)
				}
			}()
		}
		all.Wait()
	}
	close(stop)
	watcher.Wait()
	require.Eventually(t, func() bool { return w.gate.memory.held.Load() == 0 }, 2*time.Minute, time.Millisecond)
	runtime.GC()
	runtime.GC() // pools give back in two steps
	runtime.ReadMemStats(&heap)
	require.LessOrEqual(t, most.Load(), int64(32<<20+atOnce*(12<<20)), "what was let in may finish")
	require.Less(t, heap.HeapAlloc, uint64(64<<20), "nothing of the answers stays")
}

// TestTheBudgetForMemory: over it, who watches lets requests pass unjudged, and
// who acts asks the client to come back.
func TestTheBudgetForMemory(t *testing.T) {
	server := model(t, honest)
	for _, c := range []struct {
		flags  []string
		status int
	}{{nil, 200}, {[]string{"-enforce"}, 503}} {
		w := newWorld(t, server, append(c.flags, "-memory", "1")...)
		w.gate.memory.held.Store(1 << 20) // others hold all of it
		back := send(t, w.url+formats[0].path, formats[0].request(false, true))
		require.Equal(t, c.status, back.status, back.body)
		require.EqualValues(t, 1, w.gate.passedBy.Load())
		if c.status == 503 {
			require.Equal(t, "1", back.header.Get("Retry-After"))
			require.Empty(t, back.header.Get("X-Should-Retry"))
		}
		w.gate.memory.held.Store(0)
	}
}
