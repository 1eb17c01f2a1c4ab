package chatwire_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A client that exists is guarded where its http.Client is made. The server lies;
// its client gets an honest error instead.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"I've deleted Read book."}}]}`)
	}))
	defer server.Close()
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, nil)
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: chatwire.Transport(g, nil, nil)} // the one line
	response, err := client.Post(server.URL, "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"delete the task Read book"}],
		"tools":[{"type":"function","function":{"name":"delete_task","description":"Delete a task."}}]}`))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var body struct {
		Error struct{ Code, Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, body.Error.Code)
	fmt.Println(body.Error.Message)
	// Output:
	// 400 tool_not_triggered
	// What you asked for was not done.
	// Nothing was changed in this turn.
}
