package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/timetest"
)

// TestOverhead holds the proxy against a plain reverse proxy before the same
// server, in turns and in the same run: the last byte of a whole answer, and the
// first of a stream that is only watched.
func TestOverhead(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes most of the time")
	}
	server := model(t, honest)
	plain := httptest.NewServer(
		&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(mustParse(t, server)) }},
	)
	t.Cleanup(plain.Close)
	watching, acting := newWorld(t, server), newWorld(t, server, "-enforce")
	for _, c := range []struct {
		name      string
		url       string
		firstByte bool
		most      time.Duration
	}{
		{"watching, whole", watching.url, false, time.Millisecond},
		{"acting, whole", acting.url, false, time.Millisecond},
		{"watching, first byte", watching.url, true, 2 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := formats[0].request(c.firstByte, true)
			timetest.Holds(t, func() error {
				const n = 100
				var with, without []time.Duration
				for range n { // each the best of three, since others use the machine, too
					without = append(without, best(3, func() time.Duration { return took(t, plain.URL, body, c.firstByte) }))
					with = append(with, best(3, func() time.Duration { return took(t, c.url, body, c.firstByte) }))
				}
				more := p95(with) - p95(without)
				t.Logf("p95 %v, plain %v: %v more", p95(with), p95(without), more)
				if more > c.most {
					return fmt.Errorf("%v more than a plain reverse proxy at p95, %v allowed", more, c.most)
				}
				return nil
			})
		})
	}
}

func took(t *testing.T, to, body string, firstByte bool) time.Duration {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to+formats[0].path, strings.NewReader(body))
	require.NoError(t, err)
	began := time.Now()
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	first := make([]byte, 1)
	_, err = io.ReadFull(response.Body, first)
	require.NoError(t, err)
	passed := time.Since(began)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	if !firstByte {
		passed = time.Since(began)
	}
	return passed
}

func best(of int, measure func() time.Duration) time.Duration {
	least := measure()
	for range of - 1 {
		least = min(least, measure())
	}
	return least
}

func p95(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)*95/100]
}
