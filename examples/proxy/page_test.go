package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThePageIsClosed: it loads its own files only, and is shown to those who come
// by a name of this machine.
func TestThePageIsClosed(t *testing.T) {
	w := newWorld(t, model(t, honest))
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/bonafide/app.js": "text/javascript; charset=utf-8", "/bonafide/app.css": "text/css; charset=utf-8", "/bonafide/icon.svg": "image/svg+xml",
	} {
		back := get(t, w.url+path)
		require.Equal(t, 200, back.status, path)
		require.Equal(t, kind, back.header.Get("Content-Type"))
		require.True(
			t,
			strings.HasPrefix(back.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';"),
		)
		require.Equal(t, "nosniff", back.header.Get("X-Content-Type-Options"))
		require.Empty(t, back.header.Get("Access-Control-Allow-Origin"))
		own := strings.Replace(back.body, `xmlns="http://www.w3.org/2000/svg"`, "", 1) // a name, not an address
		require.NotContains(t, own, "://", "no outside resources")
	}
	for host, status := range map[string]int{
		"evil.example": 403, "127.0.0.1:80": 200, "localhost": 200, "[::1]:8400": 200, "10.0.0.1:80": 403, "localhost.evil.example": 403, "": 403,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/", nil)
		require.NoError(t, err)
		request.Host = host
		if host == "" {
			continue // the client would fill it in
		}
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, status, response.StatusCode, host)
	}
	off := newWorld(t, model(t, honest), "-page", "off")
	require.Equal(t, 404, get(t, off.url+"/").status)
	require.Equal(t, 404, get(t, off.url+"/bonafide/events").status)
	require.Equal(t, 200, get(t, off.url+"/metrics").status)
	s, err := parseSettings([]string{"-upstream", "sim", "-addr", "0.0.0.0:8400"}, w.logged)
	require.NoError(t, err)
	require.Equal(t, "off", s.page, "others could read what people say")
}

// TestEvents: a page gets what was, then what is new; a slow one is sent away; the
// number of pages is bounded.
func TestEvents(t *testing.T) {
	w := newWorld(t, model(t, honest))
	ask := func(turn string) {
		send(t, w.url+formats[0].path, formats[0].request(false, true), "X-Bonafide-Turn", turn)
	}
	ask("first")
	w.settled(1)
	response, err := http.Get(w.url + pagePath + "events")
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	lines := bufio.NewScanner(response.Body)
	next := func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		return ""
	}
	require.Contains(t, next(), `"enforce":false`)
	require.Contains(t, next(), `"turn":"first"`)
	ask("second")
	var told struct {
		Turn   *turnView
		Totals totals
	}
	for told.Turn == nil || told.Turn.State != passed {
		require.NoError(t, json.Unmarshal([]byte(next()), &told))
	}
	require.Equal(t, "second", told.Turn.Turn)
	require.EqualValues(t, 2, told.Totals[passed])

	b := newBoard(time.Now)
	view := b.begin(identity{turn: "t"}, "x")
	_, slow, ok := b.watch()
	require.True(t, ok)
	for range 1000 {
		b.update(view, func(*turnView) {})
	}
	require.Zero(t, b.watching(), "who does not read is sent away")
	n := 0
	for range slow {
		n++
	}
	require.LessOrEqual(t, n, 256)
	for range maxWatchers {
		_, _, ok = b.watch()
		require.True(t, ok)
	}
	_, _, ok = b.watch()
	require.False(t, ok, "too many")
	b.close()
	_, _, ok = b.watch()
	require.False(t, ok)
}

// TestTheBoardIsBounded: turns, texts and lists.
func TestTheBoardIsBounded(t *testing.T) {
	b := newBoard(time.Now)
	long := strings.Repeat("é", 1<<20)
	for n := range 3 * maxTurns {
		view := b.begin(identity{owner: "o", turn: fmt.Sprint(n)}, "x")
		b.update(view, func(view *turnView) {
			view.User, view.Text = shown(long, maxUserText), shown(long, maxText)
			for range 100 {
				view.Steps = append(view.Steps, step{"did", "x"})
				view.Calls = append(view.Calls, callView{Tool: "x"})
				view.Would = append(view.Would, "x")
			}
		})
	}
	backlog, _, ok := b.watch()
	require.True(t, ok)
	require.Len(t, backlog, maxTurns)
	for _, told := range backlog {
		require.Less(t, len(told), 8<<10)
	}
	require.Contains(t, string(backlog[0]), `"more_steps":76`, "what is left out is counted")
	require.Contains(t, string(backlog[len(backlog)-1]), fmt.Sprintf(`"turn":"%d"`, 3*maxTurns-1))
	require.Equal(
		t,
		"my key is [redacted]",
		strings.Replace(shown("my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789", 400), "[REDACTED]", "[redacted]", 1),
	)
}
