package chatwire_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
)

var (
	_ guard.Streamer = (*chatwire.Model)(nil)
	_ guard.Capable  = (*chatwire.Model)(nil)
)

// A server that speaks one of the formats needs no client of its own.
func ExampleModel() {
	server := provider.New(&testing.T{}, guardtest.Say("Hello!"), guardtest.Say("Hello again!")) // stands for Ollama
	model := &chatwire.Model{
		Format: chatwire.Ollama, Name: "qwen3",
		Send: func(ctx context.Context, body []byte) (io.ReadCloser, error) {
			asked, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/chat", bytes.NewReader(body))
			if err != nil {
				return nil, err
			}
			answer, err := http.DefaultClient.Do(asked)
			if err != nil {
				return nil, err
			}
			return answer.Body, nil
		},
	}
	request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "hello"}}}
	answer, err := model.Generate(context.Background(), request)
	fmt.Println(answer.Message.Text, err)
	for piece, err := range model.Stream(context.Background(), request) {
		fmt.Print(piece.Text)
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Hello! <nil>
	// Hello again!
}
