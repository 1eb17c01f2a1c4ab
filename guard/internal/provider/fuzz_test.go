package provider_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
)

// FuzzProvider: whatever a client sends, it is answered, or refused with a reason.
func FuzzProvider(f *testing.F) {
	f.Add(uint8(1), `{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hello"}]}`)
	f.Fuzz(func(t *testing.T, format uint8, body string) {
		paths := []string{"/v1/chat/completions", "/v1/messages", "/v1/responses"}
		p := provider.New(t, guardtest.SayAndCall("Hello!", guardtest.Tool("x", `{}`)))
		answer := httptest.NewRecorder()
		p.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, paths[int(format)%len(paths)], strings.NewReader(body)))
		if refused := p.Refused() != nil; refused == (answer.Code == http.StatusOK) || answer.Body.Len() == 0 {
			t.Errorf("%s: refused %v, answered %d %s", body, refused, answer.Code, answer.Body)
		}
	})
}
