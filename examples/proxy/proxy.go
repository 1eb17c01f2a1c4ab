package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/bonafide-go/bonafide/examples/internal/database"
	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
	"github.com/bonafide-go/bonafide/tooltrack/sqltrack"
)

// maxToolsets is how many sets of tools have a guard at once.
const maxToolsets = 256

// proxy is all of it, wired.
type proxy struct {
	settings *settings
	board    *board
	gate     *gate
	reports  *reports
	metrics  *metrics
	forward  *forwarder
	page     *page
	ledger   *tooltrack.Ledger
	close    func() error
	draining atomic.Bool
	local    bool // only this machine can reach it
}

// newProxy wires the parts. Out hears which tools were assumed to do what.
func newProxy(ctx context.Context, s *settings, out io.Writer, logger *slog.Logger) (*proxy, error) {
	file, err := readToolFile(s.tools)
	if err != nil {
		return nil, err
	}
	p := &proxy{settings: s, board: newBoard(time.Now), metrics: &metrics{}, local: !s.shared()}
	ledger, closeLedger, err := openLedger(ctx, s.ledger)
	if err != nil {
		return nil, err
	}
	p.ledger, p.reports = ledger, newReports(ledger, logger)
	heard := slog.New(decisions.Handler{Handler: logger.Handler(), Hidden: "claims", // the words of the model
		Hear: func(ctx context.Context, event string, found decisions.Attrs) {
			if f, ok := ctx.Value(followKey{}).(*following); ok {
				f.heard(event, found)
			}
		}})
	p.gate = &gate{
		board: p.board, reports: p.reports, observe: !s.enforce, logger: logger,
		file: file, memory: memoryBudget{most: int64(s.memory) << 20},
		sets: newToolsets(file, maxToolsets, func(tools []tooltrack.Tool) (*guard.Guard, error) {
			return guard.New(tools, &guard.Options{
				Observe: !s.enforce, Proof: s.proof, Lenient: s.lenient, Ledger: ledger, Policy: file.policyFor(tools),
				Modes: file.modesFor(tools), Logger: heard, LogClaims: true,
			})
		}, func(set *toolset) { _, _ = io.WriteString(out, set.print()) }), // one write, for it comes from any request
	}
	p.forward = newForwarder(s, p.gate, p.metrics, logger)
	what := about{Upstream: s.upstream.Host, Enforce: s.enforce, BaseURL: baseURL(s)}
	if s.simulated {
		what.Upstream = "a simulated model"
	}
	if s.page == "on" {
		p.page = &page{board: p.board, about: what, local: p.local, files: serving.Page(pageFiles)}
	}
	p.close = func() error {
		p.forward.server.CloseIdleConnections()
		p.reports.close()
		return closeLedger()
	}
	return p, nil
}

// ServeHTTP answers what is the proxy's own, and hands everything else on.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	own := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case own && path == "/healthz":
		p.healthz(w)
	case own && path == "/metrics":
		if p.local && !serving.Local(r) {
			http.Error(w, "the metrics are shown at the address that the proxy listens on", http.StatusForbidden)
			return
		}
		p.showMetrics(w)
	case own && (path == "/" || strings.HasPrefix(path, pagePath)):
		if p.page == nil {
			http.Error(w, "the page is off; start the proxy with -page on", http.StatusNotFound)
			return
		}
		p.page.ServeHTTP(w, r)
	default:
		p.forward.ServeHTTP(w, r)
	}
}

// healthz is 200 until the proxy drains.
func (p *proxy) healthz(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if p.draining.Load() {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "draining\n")
		return
	}
	_, _ = io.WriteString(w, "ok\n")
}

// inMemory names a ledger that is bounded and ends with the proxy.
const inMemory = "memory"

// openLedger opens what -ledger names: "memory", a file of SQLite, or a PostgreSQL URL. What it returns closes it.
func openLedger(ctx context.Context, name string) (*tooltrack.Ledger, func() error, error) {
	if name == inMemory {
		return tooltrack.NewLedger(nil, nil), func() error { return nil }, nil
	}
	db, dialect, err := database.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf(`-ledger: it is "memory", a file of SQLite or a PostgreSQL URL: %s`,
			policy.HideSecrets(err.Error()))
	}
	store, err := sqltrack.Open(ctx, db, dialect, nil)
	if err != nil {
		_ = db.Close()
		return nil, nil, fmt.Errorf("-ledger: opening it: %s", policy.HideSecrets(err.Error()))
	}
	return tooltrack.NewLedger(store, nil), func() error { return errors.Join(store.Close(), db.Close()) }, nil
}

// The page needs no build step and asks no other host for anything.
//
//go:embed page
var pageFiles embed.FS

// pagePath is where the page's files lie, so that they are in nobody's way.
const pagePath = "/bonafide/"

// page shows the board.
type page struct {
	board *board
	about about
	local bool // only to those who come by a name of this machine
	files http.Handler
}

// about is what the page says of the proxy.
type about struct {
	Upstream string `json:"upstream"`
	Enforce  bool   `json:"enforce"`
	BaseURL  string `json:"base_url"`
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.local && !serving.Local(r) { // a name that somebody points at this machine is not ours
		http.Error(w, "the page is shown at the address that the proxy listens on", http.StatusForbidden)
		return
	}
	serving.Protected(w.Header())
	if r.URL.Path == pagePath+"events" {
		p.events(w, r)
		return
	}
	if r.URL.Path == "/" {
		http.ServeFileFS(w, r, pageFiles, "page/index.html")
		return
	}
	http.StripPrefix(pagePath, p.files).ServeHTTP(w, r)
}

// events sends what is on the board, and then what is new.
func (p *page) events(w http.ResponseWriter, r *http.Request) {
	backlog, updates, ok := p.board.watch()
	if !ok {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer p.board.leave(updates)
	stream, end := serving.BeginEvents(w)
	defer end()
	hello, err := json.Marshal(p.about)
	if err != nil || !stream.Send("about", hello) {
		return
	}
	for _, told := range backlog {
		if !stream.Send("", told) {
			return
		}
	}
	for {
		select {
		case told, open := <-updates:
			if !open || !stream.Send("", told) {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// metrics count the requests that were answered, by status. 499 is a client that left.
type metrics struct {
	mu       sync.Mutex
	requests map[string]uint64
	seconds  map[string]float64 // to the last byte of the answer
}

func (m *metrics) request(status int, took time.Duration) {
	if status == 0 {
		status = 499
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == nil {
		m.requests, m.seconds = map[string]uint64{}, map[string]float64{}
	}
	m.requests[strconv.Itoa(status)]++
	m.seconds[strconv.Itoa(status)] += took.Seconds()
}

// showMetrics is /metrics, in the text format of Prometheus: what the guards have counted, and the proxy beside them.
func (p *proxy) showMetrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	counted := reflect.ValueOf(p.gate.sets.counters())
	for i := range counted.NumField() {
		name, about := counted.Type().Field(i).Name, "guard.Counters."+counted.Type().Field(i).Name+" of all guards."
		switch field := counted.Field(i).Interface().(type) {
		case uint64:
			expose(w, "counter", "bonafide_"+snake(name)+"_total", about, "", only(field))
		case map[string]uint64:
			expose(w, "counter", "bonafide_"+snake(name)+"_total", about, "by", field)
		}
	}
	expose(w, "counter", "bonafide_proxy_turns_total", "Turns that ended, by what became of them.", "state",
		p.board.counts())
	const proxy = "bonafide_proxy_"
	for _, m := range []struct {
		kind, name, about string
		n                 uint64
	}{
		{"counter", "unjudged_total", "Requests with tools that were not judged.", p.gate.passedBy.Load()},
		{"counter", "reports_written_total", "Reported calls that were written into the ledger.", p.reports.written.Load()},
		{"counter", "reports_dropped_total", "Requests whose reports found no room in the queue.", p.reports.dropped.Load()},
		{"counter", "reports_failed_total", "Reported calls that could not be written.", p.reports.failures.Load()},
		{"gauge", "requests_in_flight", "Requests under way.", uint64(len(p.forward.room))},
		{"gauge", "held_bytes", "Requests and answers that are held to be judged.",
			uint64(max(p.gate.memory.held.Load(), 0))},
		{"gauge", "toolsets", "Sets of tools with a guard.", uint64(len(p.gate.sets.All()))},
		{"gauge", "watchers", "Pages that are open.", uint64(p.board.watching())},
	} {
		expose(w, m.kind, proxy+m.name, m.about, "", only(m.n))
	}
	p.metrics.mu.Lock()
	requests, seconds := maps.Clone(p.metrics.requests), maps.Clone(p.metrics.seconds)
	p.metrics.mu.Unlock()
	expose(w, "counter", proxy+"requests_total", "Requests that were answered.", "status", requests)
	expose(w, "counter", proxy+"request_seconds_total", "Time to the last bytes of their answers.", "status", seconds)
}

// only is the sample of a metric that has no label.
func only(n uint64) map[string]uint64 { return map[string]uint64{"": n} }

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// expose writes a metric with its samples, by the values of one label. The client may have left.
func expose[K ~string, N uint64 | float64](w io.Writer, kind, name, about, label string, samples map[K]N) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, kind)
	for _, value := range slices.Sorted(maps.Keys(samples)) {
		by := ""
		if label != "" {
			by = fmt.Sprintf(`{%s="%s"}`, label, escapeLabel.Replace(strings.ToValidUTF8(string(value), "\uFFFD")))
		}
		fmt.Fprintf(w, "%s%s %v\n", name, by, samples[value])
	}
}

// snake is a name of Go as Prometheus writes it: AskedAgain is asked_again.
func snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
