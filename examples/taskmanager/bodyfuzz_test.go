package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzChatBody reads the body of a chat request as anybody may send it. What
// passes is a message that can be stored.
func FuzzChatBody(f *testing.F) {
	f.Add([]byte(`{"message":"add Buy milk"}`), "application/json", "key")
	f.Add([]byte(`{"message":"x","conversation_id":"1"}`), "application/json; charset=utf-8", "")
	f.Add([]byte(`{"message":"x"}{}`), "application/json", "")
	f.Add([]byte(`{"message":"\u0000"}`), "text/plain", "")
	f.Add([]byte(`{"message":"`+strings.Repeat("x", maxMessage)+`x"}`), "application/json", "")
	var a api
	f.Fuzz(func(t *testing.T, body []byte, kind, key string) {
		request := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		request.Header.Set("Content-Type", kind)
		request.Header.Set("Idempotency-Key", key)
		read, err := a.readChat(request, "ann")
		if err != nil {
			return
		}
		if strings.TrimSpace(read.message) == "" || len(read.message) > maxMessage || strings.ContainsRune(read.message, 0) || !utf8.ValidString(read.message) || len(read.key) > maxKey {
			t.Errorf("%q passes as %+v", body, read)
		}
	})
}
