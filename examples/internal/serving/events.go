package serving

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

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
