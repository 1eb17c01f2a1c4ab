package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// BenchmarkProxy is one whole answer, through a plain reverse proxy and through
// this one.
func BenchmarkProxy(b *testing.B) {
	server, err := simmodel.Start(honest, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	upstream := strings.TrimSuffix(server.URL, "/v1/")
	for _, c := range []struct {
		name  string
		flags []string
	}{{"plain", nil}, {"watching", []string{}}, {"acting", []string{"-enforce"}}} {
		b.Run(c.name, func(b *testing.B) {
			var handler http.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(mustParse(b, upstream)) }}
			if c.flags != nil {
				handler = startWorld(b, upstream, c.flags...)
			}
			front := httptest.NewServer(handler)
			defer front.Close()
			body := formats[0].request(false, true)
			b.ReportAllocs()
			for b.Loop() {
				response, err := http.Post(front.URL+formats[0].path, "application/json", strings.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
}
