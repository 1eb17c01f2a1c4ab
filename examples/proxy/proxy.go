package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
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
