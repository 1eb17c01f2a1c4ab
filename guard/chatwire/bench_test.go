package chatwire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// BenchmarkTransport is one request of a turn in each format, with a call and its
// result behind it, beside the same request without a guard.
func BenchmarkTransport(b *testing.B) {
	g, err := guard.New(tools(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range forms() {
		said := f.say("I've deleted t1.", "end", 10, 5)
		server := roundTripper(func(r *http.Request) (*http.Response, error) {
			_, err := io.Copy(io.Discard, r.Body)
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(said))}, err
		})
		for _, way := range []struct {
			name      string
			transport http.RoundTripper
		}{{"bare", server}, {"guarded", chatwire.Transport(g, server, nil)}} {
			b.Run(f.name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					request, _ := http.NewRequest(http.MethodPost, "http://example.com"+f.path, strings.NewReader(f.request))
					response, err := way.transport.RoundTrip(request)
					if err != nil || response.StatusCode != http.StatusOK {
						b.Fatal(response, err)
					}
					_, _ = io.Copy(io.Discard, response.Body)
				}
			})
		}
	}
}
