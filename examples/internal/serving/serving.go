// Package serving runs the HTTP servers of the examples, and knows who can reach them.
package serving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
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

// Protected sets the headers of a page that loads its own files and nothing else, whatever stands in it.
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

// Events sends server-sent events, and comments that keep a quiet line open.
type Events struct {
	mu      sync.Mutex
	out     io.Writer
	control *http.ResponseController
}

const keepAlive, writePatience = 10 * time.Second, 2 * time.Minute // how long a client may take to read

// BeginEvents begins a stream, which end ends.
func BeginEvents(w http.ResponseWriter) (events *Events, end func()) {
	w.Header().Set("Content-Type", "text/event-stream")
	events = &Events{out: w, control: http.NewResponseController(w)}
	done := make(chan struct{})
	var quiet sync.WaitGroup
	quiet.Go(func() {
		ticker := time.NewTicker(keepAlive)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				events.write(": still here\n\n")
			}
		}
	})
	return events, func() {
		close(done)
		quiet.Wait()
	}
}

// Send sends an event at once, with a name if it has one. It is false when the client has left.
func (e *Events) Send(name string, data []byte) bool {
	if name != "" {
		name = "event: " + name + "\n"
	}
	return e.write(fmt.Sprintf("%sdata: %s\n\n", name, bytes.ReplaceAll(data, []byte("\n"), []byte(" "))))
}

func (e *Events) write(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = e.control.SetWriteDeadline(time.Now().Add(writePatience)) // not all connections have deadlines
	_, err := io.WriteString(e.out, text)
	return err == nil && e.control.Flush() == nil
}
