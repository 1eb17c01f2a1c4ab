package play

import (
	"net/http"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// GuardedClient is an HTTP client whose turns pass the guard, or end in the guard's own
// error. An http.Client with a chatwire.Transport does the same; of its errors a framework
// then has no more than the account, as the message of its own.
func GuardedClient(g *guard.Guard) Doer {
	middleware := chatwire.Middleware(g, nil)
	return func(request *http.Request) (*http.Response, error) {
		response, err := middleware(request, http.DefaultClient.Do)
		if err != nil {
			return nil, err
		}
		return response, nil
	}
}

// Doer is a client as most frameworks take one, and the transport of an http.Client for
// those that take nothing else.
type Doer func(*http.Request) (*http.Response, error)

// Do sends a request.
func (d Doer) Do(request *http.Request) (*http.Response, error) { return d(request) }

// RoundTrip is Do under the name that an http.Client asks for.
func (d Doer) RoundTrip(request *http.Request) (*http.Response, error) { return d(request) }
