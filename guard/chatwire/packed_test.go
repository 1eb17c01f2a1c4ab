package chatwire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// TestAPackedAnswerIsRead: a gateway may pack its answers although nobody asked for
// that. What is enforced is then what would be observed.
func TestAPackedAnswerIsRead(t *testing.T) {
	refused := `{"error":{"message":"no such key"}}`
	for name, c := range map[string]struct {
		status       int
		said, answer string
		packing      string
		left         string // how the answer is packed that is handed on
	}{
		"whole":             {200, saying("Good morning, Ann."), saying("Good morning, Ann."), "gzip", ""},
		"streamed":          {200, streamOf("Good morning, Ann."), streamOf("Good morning, Ann."), "gzip", ""},
		"an error":          {401, refused, refused, "gzip", ""},
		"an error as it is": {401, refused, refused, "br", "br"},
	} {
		next := roundTripper(func(*http.Request) (*http.Response, error) {
			body := io.Reader(strings.NewReader(c.said))
			if c.packing == "gzip" {
				body = zipped(c.said)
			}
			header := http.Header{"Content-Encoding": {c.packing}, "Content-Type": {"application/json"}}
			return &http.Response{StatusCode: c.status, Header: header, Body: io.NopCloser(body)}, nil
		})
		transport := chatwire.Transport(newGuard(t, nil), next, nil)
		status, got, header := post(t, t.Context(), transport, "http://example.com/v1/chat/completions", requestBody("Good morning", offer))
		require.Equal(t, c.status, status, name)
		require.Equal(t, c.answer, got, name)
		require.Equal(t, c.left, header.Get("Content-Encoding"), name)
	}
}
