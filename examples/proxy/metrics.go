package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

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

// showMetrics is /metrics, in the text format of Prometheus: what the guards have counted, and the
// proxy beside them.
func (p *proxy) showMetrics(w http.ResponseWriter) {
	out := &exposition{}
	counted := reflect.ValueOf(p.gate.sets.counters())
	for i := range counted.NumField() {
		name, about := counted.Type().Field(i).Name, "guard.Counters."+counted.Type().Field(i).Name+" of all guards."
		switch field := counted.Field(i).Interface().(type) {
		case uint64:
			out.counter(snake(name), about, field)
		case map[string]uint64:
			expose(out, "bonafide_"+snake(name)+"_total", "counter", about, "by", field)
		}
	}
	turns := map[string]uint64{}
	for state, n := range p.board.counts() {
		turns[string(state)] = n
	}
	expose(out, "bonafide_proxy_turns_total", "counter", "Turns that ended, by what became of them.", "state", turns)
	out.counter("proxy_unjudged", "Requests with tools that were not judged.", p.gate.passedBy.Load())
	out.counter("proxy_reports_written", "Reported calls that were written into the ledger.", p.reports.written.Load())
	out.counter("proxy_reports_dropped", "Requests whose reports found no room in the queue.", p.reports.dropped.Load())
	out.counter("proxy_reports_failed", "Reported calls that could not be written.", p.reports.failures.Load())
	out.gauge("requests_in_flight", "Requests under way.", len(p.forward.room))
	out.gauge("held_bytes", "Requests and answers that are held to be judged.", int(max(p.gate.memory.held.Load(), 0)))
	out.gauge("toolsets", "Sets of tools with a guard.", len(p.gate.sets.All()))
	out.gauge("watchers", "Pages that are open.", p.board.watching())
	p.metrics.mu.Lock()
	expose(out, "bonafide_proxy_requests_total", "counter", "Requests that were answered.", "status", p.metrics.requests)
	expose(out, "bonafide_proxy_request_seconds_total", "counter", "Time to the last bytes of their answers.", "status",
		p.metrics.seconds)
	p.metrics.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(out.Bytes()) // the client may have left
}

// exposition is a text that Prometheus reads.
type exposition struct{ bytes.Buffer }

func (e *exposition) counter(name, about string, n uint64) {
	expose(e, "bonafide_"+name+"_total", "counter", about, "", map[string]uint64{"": n})
}

func (e *exposition) gauge(name, about string, n int) {
	expose(e, "bonafide_proxy_"+name, "gauge", about, "", map[string]int{"": n})
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// expose adds a metric with its samples, by the values of one label.
func expose[N int | uint64 | float64](e *exposition, name, kind, about, label string, samples map[string]N) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, about, name, kind)
	for _, value := range slices.Sorted(maps.Keys(samples)) {
		by := ""
		if label != "" {
			by = fmt.Sprintf(`{%s="%s"}`, label, escapeLabel.Replace(strings.ToValidUTF8(value, "\uFFFD")))
		}
		fmt.Fprintf(e, "%s%s %v\n", name, by, samples[value])
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
