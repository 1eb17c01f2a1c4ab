package chatwire_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
)

// TestAReplicaGoesOn with what another one began, for the owner that the host
// names when it is asked how to handle the request, and for nobody else.
func TestAReplicaGoesOn(t *testing.T) {
	for owner, want := range map[string]int{"ann": http.StatusOK, "bob": http.StatusBadRequest, "": http.StatusBadRequest} {
		t.Run("second is "+owner, func(t *testing.T) {
			p := provider.New(t, guardtest.Call(guardtest.Tool("delete_task", `{"id":"t1"}`)), guardtest.Say("I've deleted t1."))
			g := newGuard(t, nil)
			replica := func(owner string) http.RoundTripper {
				return chatwire.Transport(g, nil, &chatwire.Options{Handle: func(ctx context.Context, _ *chatwire.Request) (chatwire.Handling, error) {
					return chatwire.Handling{Context: guard.NewContext(ctx, guard.Input{Owner: owner})}, nil
				}})
			}
			status, body, _ := post(t, context.Background(), replica("ann"), p.URL+"/v1/responses", `{"input":"delete t1",`+listOffer+`}`)
			var answer struct {
				ID     string
				Output []struct {
					CallID string `json:"call_id"`
				}
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
				t.Fatal(status, body, err)
			}
			results := `[{"type":"function_call_output","call_id":"` + answer.Output[1].CallID + `","output":"{\"success\":true}"}]`
			status, body, _ = post(t, context.Background(), replica(owner), p.URL+"/v1/responses", `{"previous_response_id":"`+answer.ID+`","input":`+results+`,`+listOffer+`}`)
			if status != want || (want == http.StatusBadRequest) != strings.Contains(body, "send the call with its result") {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}
