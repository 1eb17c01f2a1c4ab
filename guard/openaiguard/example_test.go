package openaiguard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/openaiguard"
)

// helloServer is a model server that greets.
func helloServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hello! How can I help?"}}]}`)
	}))
}

func ExampleNewModel() {
	server := helloServer()
	defer server.Close()
	g, err := guard.New(tools(), nil)
	if err != nil {
		panic(err)
	}
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("key"))
	model := openaiguard.NewModel(client, "any-model", nil)
	reply, err := g.Run(context.Background(), model, guardtest.Tools(nil), guard.Input{User: "hello"})
	fmt.Println(reply.Text, err)
	// Output: Hello! How can I help? <nil>
}

func ExampleMiddleware() {
	server := helloServer()
	defer server.Close()
	g, err := guard.New(tools(), nil)
	if err != nil {
		panic(err)
	}
	client := openai.NewClient(
		option.WithBaseURL(server.URL), option.WithAPIKey("key"),
		option.WithMiddleware(openaiguard.Middleware(g, nil)), // the one line
	)
	text, _, err := loop(context.Background(), client, "hello", false)
	fmt.Println(text, err)
	// Output: Hello! How can I help? <nil>
}
