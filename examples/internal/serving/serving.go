// Package serving runs the HTTP servers of the examples, and knows who can reach them.
package serving

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
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

// Start serves on a free port of the loopback interface until stop is called. Requests under way
// may take two more seconds.
func Start(handler http.Handler) (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	server, ended := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}, make(chan struct{})
	go func() {
		defer close(ended)
		_ = Until(ctx, server, listener, 2*time.Second, nil) // nobody waits for what is cut off
	}()
	return listener.Addr().String(), func() {
		cancel()
		<-ended
	}, nil
}

// Page serves the files of a program's folder "page".
func Page(files fs.FS) http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return http.FileServerFS(page)
}

// Protected sets the headers of a page that loads its own files and nothing else, whatever
// stands in it.
func Protected(header http.Header) {
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "+
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
}

// Loopback reports whether a host can only be reached from this machine.
func Loopback(host string) bool {
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}

// Local reports whether a client asked for a name of this machine: a page of another site may
// have a name of its own that points here.
func Local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	return Loopback(host)
}
