package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/benchbound"
)

// BenchmarkOverhead holds the proxy against a plain reverse proxy before the same
// server, in turns and in the same run: the last byte of a whole answer, and the
// first of a stream that is only watched. It may add a millisecond.
func BenchmarkOverhead(b *testing.B) {
	server := model(b, honest)
	plain := httptest.NewServer(
		&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(mustParse(b, server)) }},
	)
	b.Cleanup(plain.Close)
	watching, acting := newWorld(b, server), newWorld(b, server, "-enforce")
	for _, c := range []struct {
		name      string
		url       string
		firstByte bool
	}{
		{"watching, whole", watching.url, false},
		{"acting, whole", acting.url, false},
		{"watching, first byte", watching.url, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			body := formats[0].request(c.firstByte, true)
			ask := func(url string) time.Duration { return took(b, url, body, c.firstByte) }
			least, base := time.Hour, time.Hour
			for b.Loop() {
				base, least = min(base, ask(plain.URL)), min(least, ask(c.url))
			}
			benchbound.Report(b, (least-base).Seconds()*1000, 1)
		})
	}
}

func took(t testing.TB, to, body string, firstByte bool) time.Duration {
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
