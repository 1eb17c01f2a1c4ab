// Package serving runs the HTTP servers of the examples until they are told to
// stop.
package serving

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Until serves until the context ends, calls draining if it is not nil, and lets
// the requests under way finish within a time of grace.
func Until(
	ctx context.Context, server *http.Server, listener net.Listener, grace time.Duration, draining func(),
) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if draining != nil {
		draining()
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := server.Shutdown(within)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(errors.New("requests under way were cut off"), server.Close())
	}
	return err
}
