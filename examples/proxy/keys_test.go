package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// canary stands for a key. It looks like none, so that nothing that only
// recognises keys by their looks helps.
const canary = "zebra7canary"

// keyForms are the ways in which clients send keys.
var keyForms = []struct{ header, value, query string }{
	{header: "Authorization", value: "Bearer " + canary},
	{header: "Authorization", value: "Basic " + canary},
	{header: "Authorization", value: canary},
	{header: "X-Api-Key", value: canary},
	{header: "Api-Key", value: canary},
	{header: "X-Goog-Api-Key", value: canary},
	{header: "Ocp-Apim-Subscription-Key", value: canary},
	{header: "Openai-Organization", value: canary},
	{header: "Cookie", value: "session=" + canary},
	{header: "X-Amz-Security-Token", value: canary},
	{header: "X-Custom-Auth", value: canary},
	{query: "key=" + canary},
	{query: "api-key=" + canary},
	{query: "api_key=" + canary + "&x=%zz"}, // not every server minds a broken query
	{query: "access_token=" + canary},
}

// TestKeysPassAndStayNowhere: each form reaches the server as it was sent, and is
// afterwards neither in the log nor on the page, in metrics, the ledger or
// the answers that the proxy writes itself, whatever goes wrong.
func TestKeysPassAndStayNowhere(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	server := serverOf(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		seen = append(seen, fmt.Sprint(r.Header)+" "+r.URL.RawQuery)
		mu.Unlock()
		switch {
		case r.Header.Get("X-Test") == "dies":
			w.WriteHeader(200)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case r.Header.Get("X-Test") == "refuses":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, canary)
		case r.Header.Get("X-Test") == "garbage":
			fmt.Fprint(w, "<html>"+canary)
		case bytes.Contains(body, []byte(`"tool"`)):
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"I've deleted Read book."}}]}`)
		default:
			fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"I've sent it, and cancelled the order."}}]}`)
		}
	})
	for _, flags := range [][]string{nil, {"-enforce"}} {
		folder := t.TempDir()
		ledger := filepath.Join(folder, "ledger.db")
		w := newWorld(t, server, append(flags, "-ledger", ledger)...)
		dead := newWorld(t, "http://127.0.0.1:1", flags...)
		for _, form := range keyForms {
			mu.Lock()
			seen = nil
			mu.Unlock()
			for _, test := range []string{"", "refuses", "garbage", "dies"} {
				for _, called := range []bool{true, false} {
					attempt(t, w.url, form.header, form.value, form.query, test, formats[0].request(false, called))
				}
			}
			told := attempt(t, dead.url, form.header, form.value, form.query, "", formats[0].request(false, true))
			require.NotContains(t, told, canary, "an answer of the proxy's own")
			mu.Lock()
			require.NotEmpty(t, seen)
			for _, request := range seen {
				require.Contains(t, request, canary, "the server gets what the client sent: %+v", form)
			}
			mu.Unlock()
		}
		for _, w := range []*world{w, dead} {
			require.NotContains(t, w.logged.String(), canary, "the log")
			require.NotContains(t, w.out.String(), canary)
			require.NotContains(t, get(t, w.url+"/metrics").body, canary)
			backlog, updates, ok := w.board.watch()
			require.True(t, ok)
			w.board.leave(updates)
			require.NotContains(t, string(bytes.Join(backlog, nil)), canary, "the page")
		}
		w.reports.close()
		require.Positive(t, w.reports.written.Load())
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			require.NotContains(t, string(data), canary, "the ledger")
			return err
		}))
	}
}

// attempt sends one request, whatever comes of it.
func attempt(t *testing.T, to, header, value, query, test, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(
		context.Background(),
		http.MethodPost,
		to+formats[0].path,
		strings.NewReader(body),
	)
	require.NoError(t, err)
	request.URL = &url.URL{Scheme: "http", Host: request.URL.Host, Path: request.URL.Path, RawQuery: query}
	request.Header.Set("X-Test", test)
	if header != "" {
		request.Header.Set(header, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(response.Body) // it may be cut off
	return string(said)
}
