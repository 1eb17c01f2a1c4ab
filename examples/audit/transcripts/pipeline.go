package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// job is one entry of the input on its way to its verdict.
type job struct {
	at    place
	data  []byte
	found *judged
	fault error // the entry could not be read
	lost  error // the file could not be read to its end
	done  chan struct{}
}

// pipeline reads, judges and hands over. Entries are judged side by side and
// handed over in the order in which they were read; how many are under way is
// bounded, and with it the memory.
type pipeline struct {
	judge    *judge
	stdin    io.Reader
	workers  int // 0 is one for each processor
	consumed atomic.Int64
}

// run judges every entry of the files and calls take with each, in order, until
// take returns false.
func (p *pipeline) run(files []string, take func(*job) bool) {
	workers := p.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	work := make(chan *job)
	order := make(chan *job, 4*workers)
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range work {
				j.found, j.fault = p.judge.conversation(j.data)
				j.data = nil
				close(j.done)
			}
		})
	}
	group.Go(func() {
		defer close(order)
		defer close(work)
		p.read(files, work, order, stop)
	})
	for j := range order {
		<-j.done
		if !take(j) {
			close(stop)
			for range order { // so that the reader can come to its end
			}
			break
		}
	}
	group.Wait()
}

// read feeds the workers.
func (p *pipeline) read(files []string, work, order chan<- *job, stop <-chan struct{}) {
	send := func(j *job) bool {
		j.done = make(chan struct{})
		ready := j.fault != nil || j.lost != nil
		if ready {
			close(j.done)
		}
		select {
		case order <- j:
		case <-stop:
			return false
		}
		if ready {
			return true
		}
		select {
		case work <- j:
			return true
		case <-stop:
			j.fault = errStopped
			close(j.done)
			return false
		}
	}
	for _, name := range files {
		g := gatherer{file: name, send: send}
		if err := p.readFile(name, &g); err != nil {
			g.flush()
			send(&job{at: place{name, 0}, lost: err})
		}
		if g.stopped {
			return
		}
	}
}

func (p *pipeline) readFile(name string, g *gatherer) error {
	reader, closer, err := open(name, p.stdin, &p.consumed)
	if err != nil {
		return err
	}
	defer closer.Close()
	if err := pieces(reader, g.take); err != nil {
		return fmt.Errorf("%s could not be read to its end: %w", name, err)
	}
	g.flush()
	return nil
}

// gatherer makes entries of pieces: most are one already, but messages that lie
// in a file one by one are gathered into their conversation.
type gatherer struct {
	file    string
	send    func(*job) bool
	loose   []byte // messages, as a JSON array without its end
	line    int    // of the first of them
	group   int
	stopped bool
}

func (g *gatherer) take(p piece) bool {
	if p.fault == nil && looseMessage(p.data) {
		if len(g.loose) > 0 && (p.group != g.group || len(g.loose)+len(p.data) > MaxConversation) {
			g.flush()
		}
		if len(g.loose) == 0 {
			g.loose, g.line, g.group = append(g.loose, '['), p.line, p.group
		} else {
			g.loose = append(g.loose, ',')
		}
		g.loose = append(g.loose, p.data...)
		return !g.stopped
	}
	g.flush()
	g.put(&job{at: place{g.file, p.line}, data: p.data, fault: p.fault})
	return !g.stopped
}

// flush sends the messages gathered so far.
func (g *gatherer) flush() {
	if len(g.loose) == 0 {
		return
	}
	g.put(&job{at: place{g.file, g.line}, data: append(g.loose, ']')})
	g.loose = nil
}

func (g *gatherer) put(j *job) {
	if !g.stopped && !g.send(j) {
		g.stopped = true
	}
}

// looseMessage tells a message from a conversation. Inside strings the quotes
// are escaped, so what is looked for is always a key or a whole string. It must
// be valid, or it would damage its neighbours.
func looseMessage(data []byte) bool {
	if len(data) == 0 || data[0] != '{' || bytes.Contains(data, []byte(`"messages"`)) || !bytes.Contains(data, []byte(`"role"`)) {
		return false
	}
	var message struct {
		Role *string `json:"role"`
	}
	return json.Unmarshal(data, &message) == nil && message.Role != nil
}
