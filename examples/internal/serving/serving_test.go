package serving

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A request under way is finished when the server is told to stop, unless it
// takes longer than the time of grace.
func TestUntil(t *testing.T) {
	for _, c := range []struct {
		name  string
		grace time.Duration
		want  string
	}{{"finished", time.Minute, ""}, {"cut off", time.Millisecond, "requests under way were cut off"}} {
		t.Run(c.name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			begun, finish := make(chan struct{}), make(chan struct{})
			server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				close(begun)
				<-finish
			})}
			ctx, stop := context.WithCancel(t.Context())
			drained, ended := make(chan struct{}), make(chan error, 1)
			go func() { ended <- Until(ctx, server, listener, c.grace, func() { close(drained) }) }()
			go func() { // the answer is of no interest
				if answer, err := http.Get("http://" + listener.Addr().String()); err == nil {
					_ = answer.Body.Close()
				}
			}()
			<-begun
			stop()
			<-drained
			if c.want == "" {
				close(finish)
				require.NoError(t, <-ended)
				return
			}
			require.ErrorContains(t, <-ended, c.want)
			close(finish)
		})
	}
}
