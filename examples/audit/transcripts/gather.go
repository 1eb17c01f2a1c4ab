package transcripts

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// MaxConversation bounds the bytes of one conversation.
const MaxConversation = logfile.MaxValue

// maxGathered bounds the bytes of conversations that are being put together. When there is more, the one that
// was not touched for longest is taken as it is.
const maxGathered = 4 * MaxConversation

// gatherer makes entries of the values of one file, and puts together what lies there one by one.
type gatherer struct {
	file    string
	send    func(*job) bool
	stopped bool

	open  map[string]*gathered
	bytes int
	taken int // parts so far
	array int // the last array met

	known, parts int    // values of a known format, and what they held
	strange      []job  // the first values that no format knows
	strangers    int    // how many there were
	shape        string // of the first of them
}

// gathered is a conversation under way.
type gathered struct {
	key           string
	began, latest int // its first part and its last one, among all
	format        formats.Format
	parts         []formats.Part
	bytes         int
}

// take receives the next value of the file.
func (g *gatherer) take(p logfile.Piece) bool {
	switch {
	case p.Fault != nil:
		g.put(&job{at: place{g.file, p.Line}, fault: p.Fault})
	case len(p.Data) > 0 && p.Data[0] == '[' && p.Group == 0:
		g.takeArray(p)
	default:
		g.takeValue(p)
	}
	return !g.stopped
}

// takeArray takes a list that is one value of the file: its elements belong together.
func (g *gatherer) takeArray(p logfile.Piece) {
	var elements []json.RawMessage
	if err := json.Unmarshal(p.Data, &elements); err != nil {
		g.put(&job{at: place{g.file, p.Line}, fault: fmt.Errorf("not valid JSON: %w", err)})
		return
	}
	g.flushLoose()
	g.array--
	for _, element := range elements {
		g.takeValue(logfile.Piece{Line: p.Line, Data: element, Group: g.array})
	}
	g.flushLoose()
}

func (g *gatherer) takeValue(p logfile.Piece) {
	if p.Group != 0 && p.Group != g.array {
		g.flushLoose()
		g.array = p.Group
	}
	if len(p.Data) > 0 && p.Data[0] == '[' { // a list in a list is a conversation by itself
		p.Group = 0
		g.takeArray(p)
		return
	}
	value := &formats.Value{Line: p.Line, Data: p.Data}
	format, parts := formats.Recognise(value)
	switch {
	case format == nil && !json.Valid(p.Data):
		fault := json.Unmarshal(p.Data, new(json.RawMessage)) // where it breaks
		g.put(&job{at: place{g.file, p.Line}, fault: fmt.Errorf("not valid JSON: %w", fault)})
		return
	case format == nil:
		g.puzzle(p, value)
		return
	}
	g.known++
	g.parts += len(parts)
	for _, part := range parts {
		if part.Key == "" {
			g.put(&job{at: place{g.file, part.Line}, format: format, parts: []formats.Part{part}})
			continue
		}
		g.gather(format, part)
	}
}

// gather puts a part to its conversation.
func (g *gatherer) gather(format formats.Format, part formats.Part) {
	c := g.open[part.Key]
	if c != nil && c.bytes+len(part.Data) > MaxConversation {
		g.flush(c)
		c = nil
	}
	g.taken++
	if c == nil {
		if g.open == nil {
			g.open = map[string]*gathered{}
		}
		c = &gathered{key: part.Key, began: g.taken, format: format}
		g.open[part.Key] = c
	}
	if formats.Rank(format) < formats.Rank(c.format) {
		c.format = format
	}
	c.latest, c.parts, c.bytes = g.taken, append(c.parts, part), c.bytes+len(part.Data)
	for g.bytes += len(part.Data); g.bytes > maxGathered; {
		open := slices.Collect(maps.Values(g.open))
		g.flush(slices.MinFunc(open, func(a, b *gathered) int { return a.latest - b.latest }))
	}
}

func (g *gatherer) flush(c *gathered) {
	delete(g.open, c.key)
	g.bytes -= c.bytes
	g.put(&job{at: place{g.file, c.parts[0].Line}, format: c.format, parts: c.parts})
}

// flushLoose ends the conversation of a list: what follows is another one.
func (g *gatherer) flushLoose() {
	if c := g.open[formats.Loose]; c != nil {
		g.flush(c)
	}
}

// flushAll ends the file. What is left comes in the order in which it began. Among values of a
// known format the strangers are damage; alone they may be a file of something else.
func (g *gatherer) flushAll() {
	for _, c := range slices.SortedFunc(maps.Values(g.open), func(a, b *gathered) int { return a.began - b.began }) {
		g.flush(c)
	}
	for i := 0; i < g.strangers && g.known > 0; i++ {
		stranger := g.strange[min(i, len(g.strange)-1)]
		g.put(&stranger)
	}
}

// puzzle takes note of a value that no format knows.
func (g *gatherer) puzzle(p logfile.Piece, value *formats.Value) {
	shape := formats.Shape(value)
	if g.strangers++; g.strangers == 1 {
		g.shape = fmt.Sprintf("line %d is %s; %s", p.Line, shape, formats.Hint(value))
	}
	if len(g.strange) < maxDamages {
		fault := errors.New("no format that is read here: " + shape)
		g.strange = append(g.strange, job{at: place{g.file, p.Line}, fault: fault})
	}
}

// refusal says why nothing in the file could be read; nil if something was.
func (g *gatherer) refusal() error {
	switch {
	case g.known == 0 && g.strangers > 0:
		return fmt.Errorf("in no format that is read here: %s", g.shape)
	case g.known > 0 && g.parts == 0:
		return errors.New("nothing in it speaks of a conversation; " + emptyHint)
	}
	return nil
}

// emptyHint is for traces without messages, the usual case: tracers leave them out unless they are told otherwise.
const emptyHint = "if these are traces, capture the content of messages " +
	"(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)"

func (g *gatherer) put(j *job) {
	if !g.stopped && !g.send(j) {
		g.stopped = true
	}
}

// collect reads a file for its conversations alone, without judging them. Damage is passed over.
func collect(name string, read func(take func(logfile.Piece) bool) error, found func(*formats.Conversation)) error {
	var faults error
	g := gatherer{file: name, send: func(j *job) bool {
		if j.format == nil {
			return true
		}
		conversations, err := readParts(j.format, j.parts)
		faults = errors.Join(faults, err)
		for _, c := range conversations {
			found(c)
		}
		return true
	}}
	err := read(g.take)
	g.flushAll()
	return errors.Join(err, g.refusal(), faults)
}

// fileTools are the tools listed or called anywhere in a file. They stand in for the lists that conversations
// lack. The file is read once more for them, and only if one asks.
type fileTools struct {
	name  string // empty for what can be read only once
	once  sync.Once
	tools []tooltrack.Tool
}

func newFileTools(name string) *fileTools {
	if info, err := os.Stat(name); name == logfile.Stdin || err != nil || !info.Mode().IsRegular() {
		name = ""
	}
	return &fileTools{name: name}
}

func (f *fileTools) all() []tooltrack.Tool {
	f.once.Do(func() {
		if f.name != "" {
			f.tools = f.scan()
		}
	})
	return f.tools
}

// scan reads the file for its tools. What cannot be read is told when the file is judged.
func (f *fileTools) scan() []tooltrack.Tool {
	known := toolSet{}
	_ = collect(f.name, func(take func(logfile.Piece) bool) error { return readFile(f.name, nil, take) }, known.add)
	return known.list()
}

// toolSet gathers tools by their names.
type toolSet map[string]tooltrack.Tool

// add takes the tools of a conversation: a definition says more than a name.
func (s toolSet) add(c *formats.Conversation) {
	for _, tool := range c.Tools {
		if known, ok := s[tool.Name]; (!ok || known.Description == "" && known.Parameters == nil) && len(s) < maxTools {
			s[tool.Name] = tool
		}
	}
	for i := range c.Messages {
		for _, call := range c.Messages[i].Calls {
			s.name(call.Tool)
		}
	}
}

// name takes a tool of which no more is known.
func (s toolSet) name(name string) {
	if _, ok := s[name]; ok || len(s) >= maxTools {
		return
	}
	if tool := (tooltrack.Tool{Name: name}); tool.Validate() == nil {
		s[name] = tool
	}
}

func (s toolSet) list() []tooltrack.Tool {
	tools := slices.Collect(maps.Values(s))
	slices.SortFunc(tools, func(a, b tooltrack.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

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

// run judges every entry of the files and calls take with each, in order, until take returns false.
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
