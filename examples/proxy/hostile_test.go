package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSilentConnectionsLeaveRoom: a client that opens many connections and sends a single
// byte on each is refused before it takes the places of all others, which are free again
// when it gives up.
func TestSilentConnectionsLeaveRoom(t *testing.T) {
	s := sending{most: 3}
	from := func(address string) *http.Request { return &http.Request{RemoteAddr: address} }
	var ends []func()
	for range 3 {
		end, ok := s.begin(from("10.0.0.1:1000"))
		require.True(t, ok)
		ends = append(ends, end)
	}
	_, ok := s.begin(from("10.0.0.1:1001"))
	require.False(t, ok, "the fourth silent connection of one client")
	end, ok := s.begin(from("10.0.0.2:1000"))
	require.True(t, ok, "another client")
	end()
	ends[0]()
	ends[0]() // a body that is closed after its end
	_, ok = s.begin(from("10.0.0.1:1002"))
	require.True(t, ok, "a place that is free again")
	_, ok = s.begin(from("10.0.0.1:1003"))
	require.False(t, ok)
}

// TestBodiesMustArrive: however often a client sends a byte, its body has an end.
func TestBodiesMustArrive(t *testing.T) {
	set := &deadlines{}
	until := time.Now().Add(bodyPatience)
	body := &patientBody{
		io.NopCloser(iotest.OneByteReader(strings.NewReader("{}"))), &passage{}, http.NewResponseController(set), until, func() {},
	}
	_, err := body.Read(make([]byte, 1))
	require.NoError(t, err)
	require.True(t, set.last.Before(until), "a pause is shorter than the whole")
	body.until = time.Now().Add(time.Second) // a byte at a time, for almost a minute
	_, err = body.Read(make([]byte, 1))
	require.NoError(t, err)
	require.Equal(t, body.until, set.last)
}

// deadlines is a connection that takes note of its deadline.
type deadlines struct {
	http.ResponseWriter
	last time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.last = at
	return nil
}

func TestWhatABrowserMayNotDo(t *testing.T) {
	w := newWorld(t, model(t, liar))
	do := func(method, path string, change func(*http.Request)) int {
		request, err := http.NewRequest(method, w.url+path, strings.NewReader(formats[0].request(false, false)))
		require.NoError(t, err)
		change(request)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		return response.StatusCode
	}
	path := formats[0].path
	for name, header := range map[string][2]string{
		"another site":        {"Sec-Fetch-Site", "cross-site"},
		"a neighbour":         {"Sec-Fetch-Site", "same-site"},
		"a page of elsewhere": {"Origin", "https://evil.example"},
		"a sandboxed page":    {"Origin", "null"},
	} {
		status := do(http.MethodPost, path, func(r *http.Request) {
			r.Header.Set(header[0], header[1])
			r.Header.Set("Content-Type", "text/plain")
		})
		require.Equal(t, http.StatusForbidden, status, name)
	}
	own := do(http.MethodPost, path, func(r *http.Request) { r.Header.Set("Origin", w.url) })
	require.NotEqual(t, http.StatusForbidden, own, "the proxy's own page")
	metrics := do(http.MethodGet, "/metrics", func(r *http.Request) { r.Host = "rebound.example" })
	require.Equal(t, http.StatusForbidden, metrics, "a name that somebody points at this machine")
	require.Equal(t, http.StatusOK, do(http.MethodGet, "/metrics", func(*http.Request) {}))
}

func TestAKeyIsNoOwner(t *testing.T) {
	for value, fine := range map[string]bool{"ann": true, "user-17": true, "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789": false} {
		_, err := identityOf(http.Header{"X-Bonafide-Owner": {value}})
		require.Equal(t, fine, err == nil, value)
		if err != nil {
			require.NotContains(t, err.Error(), value)
		}
	}
}
