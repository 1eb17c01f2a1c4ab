package transcripts

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
)

// job is one entry of the input on its way to its verdict.
type job struct {
	at      place
	format  formats.Format
	parts   []formats.Part
	file    *fileTools
	found   []*judged
	fault   error   // the entry could not be read
	lost    error   // the file could not be read to its end
	refused *unread // the file was found in a folder and is no log
	done    chan struct{}
}

// pipeline reads, judges and hands over. Entries are judged side by side and handed over in the
// order in which they were read; how many are under way is bounded, and with it the memory.
type pipeline struct {
	judge   *judge
	stdin   io.Reader
	workers int // 0 is one for each processor
}

// run judges every entry of the files and calls take with each, in order, until
// take returns false.
func (p *pipeline) run(files []logfile.Source, take func(*job) bool) {
	workers := cmp.Or(p.workers, runtime.GOMAXPROCS(0))
	work := make(chan *job)
	order := make(chan *job, 4*workers)
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range work {
				j.found, j.fault = p.judge.entry(j)
				j.parts = nil
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
func (p *pipeline) read(files []logfile.Source, work, order chan<- *job, stop <-chan struct{}) {
	send := func(j *job) bool {
		j.done = make(chan struct{})
		ready := j.fault != nil || j.lost != nil || j.refused != nil
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
			j.fault = errors.New("stopped")
			close(j.done)
			return false
		}
	}
	for _, file := range files {
		g := gatherer{file: file.Name}
		tools := newFileTools(file.Name)
		g.send = func(j *job) bool {
			j.file = tools
			return send(j)
		}
		err := p.readFile(file.Name, &g)
		g.flushAll()
		if refused := g.refusal(); err == nil && refused != nil {
			err = &unread{file.Name, refused}
		}
		if last := ending(file, err); last != nil {
			send(last)
		}
		if g.stopped {
			return
		}
	}
}

// ending is how the end of a file is told, if there is anything to tell. A file
// that was only found in a folder need not be a log.
func ending(file logfile.Source, err error) *job {
	var refused *unread
	switch {
	case err == nil:
		return nil
	case file.Found && errors.As(err, &refused):
		return &job{at: place{file.Name, 0}, refused: refused}
	}
	return &job{at: place{file.Name, 0}, lost: err}
}

func (p *pipeline) readFile(name string, g *gatherer) error {
	reader, closer, err := logfile.Open(name, p.stdin)
	if err != nil {
		return err
	}
	defer closer.Close()
	if err := logfile.Read(reader, g.take); err != nil {
		return fmt.Errorf("%s could not be read to its end: %w", name, err)
	}
	return nil
}
