package transcripts

import (
	"cmp"
	"fmt"
	"io"
	"runtime"

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
	fault   error // the entry could not be read
	lost    error // the file could not be read to its end
	refused error // the file was found in a folder and is no log
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
	room, order, stop := make(chan struct{}, workers), make(chan *job, 4*workers), make(chan struct{})
	go func() {
		defer close(order)
		p.read(files, func(j *job) bool {
			j.done = make(chan struct{})
			select {
			case order <- j:
			case <-stop:
				return false
			}
			if j.format == nil { // there is nothing to judge
				close(j.done)
				return true
			}
			room <- struct{}{}
			go func() {
				j.found, j.fault = p.judge.entry(j)
				j.parts = nil
				close(j.done)
				<-room
			}()
			return true
		})
	}()
	heard := true
	for j := range order { // to the end, so that nothing is left under way
		<-j.done
		if heard && !take(j) {
			heard = false
			close(stop)
		}
	}
}

// read sends all entries of the files.
func (p *pipeline) read(files []logfile.Source, send func(*job) bool) {
	for _, file := range files {
		g := gatherer{file: file.Name}
		tools := newFileTools(file.Name)
		g.send = func(j *job) bool {
			j.file = tools
			return send(j)
		}
		err := readFile(file.Name, p.stdin, g.take)
		g.flushAll()
		last := &job{at: place{file.Name, 0}, lost: err}
		if why := g.refusal(); err == nil && why != nil && !file.Found {
			last.lost = fmt.Errorf("%s: %w", file.Name, why)
		} else if err == nil {
			last.refused = why // what lies in a folder need not be a log
		}
		if last.lost != nil || last.refused != nil {
			send(last)
		}
		if g.stopped {
			return
		}
	}
}

func readFile(name string, stdin io.Reader, take func(logfile.Piece) bool) error {
	reader, closer, err := logfile.Open(name, stdin)
	if err != nil {
		return err
	}
	defer closer.Close()
	if err := logfile.Read(reader, take); err != nil {
		return fmt.Errorf("%s could not be read to its end: %w", name, err)
	}
	return nil
}
