package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// metrics are what the proxy counts beside the guard. /metrics and OTLP show the
// same instruments.
type metrics struct {
	reader   *sdkmetric.ManualReader
	requests metric.Int64Counter
	duration metric.Float64Histogram
}

// gauges are read when somebody asks.
type gauges struct {
	inFlight func() uint64
	heldSize func() uint64
	toolsets func() uint64
	watchers func() uint64
	turns    func() []stateCount
	unjudged func() uint64
	reports  *reports
}

func newMetrics(reader *sdkmetric.ManualReader, meter metric.Meter) (*metrics, error) {
	m := &metrics{reader: reader}
	var first, second error
	m.requests, first = meter.Int64Counter("bonafide.proxy.requests",
		metric.WithDescription("Requests that were answered, by status."))
	m.duration, second = meter.Float64Histogram("bonafide.proxy.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from a request to the last byte of its answer."),
		metric.WithExplicitBucketBoundaries(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300))
	return m, errors.Join(first, second)
}

// request counts one request. 499 is a client that left.
func (m *metrics) request(ctx context.Context, status int, took time.Duration) {
	if status == 0 {
		status = 499
	}
	about := metric.WithAttributes(attribute.String("status", strconv.Itoa(status)))
	m.requests.Add(ctx, 1, about)
	m.duration.Record(ctx, took.Seconds(), about)
}

// observe registers what is read when somebody asks.
func (g *gauges) observe(meter metric.Meter) error {
	type row struct {
		name, description string
		read              func() []stateCount
	}
	one := func(read func() uint64) func() []stateCount {
		return func() []stateCount { return []stateCount{{"", read()}} }
	}
	counters := []row{
		{"bonafide.proxy.turns", "Turns that ended, by what became of them.", g.turns},
		{"bonafide.proxy.unjudged", "Requests with tools that were not judged.", one(g.unjudged)},
		{"bonafide.proxy.reports.written", "Reported calls that were written into the ledger.", one(g.reports.written.Load)},
		{"bonafide.proxy.reports.dropped", "Requests whose reports found no room in the queue.", one(g.reports.dropped.Load)},
		{"bonafide.proxy.reports.failed", "Reported calls that could not be written.", one(g.reports.failures.Load)},
	}
	values := []row{
		{"bonafide.proxy.requests.in_flight", "Requests under way.", one(g.inFlight)},
		{"bonafide.proxy.held", "Bytes of requests and answers that are held to be judged.", one(g.heldSize)},
		{"bonafide.proxy.toolsets", "Sets of tools with a guard.", one(g.toolsets)},
		{"bonafide.proxy.watchers", "Pages that are open.", one(g.watchers)},
	}
	report := func(r row) metric.Int64Callback {
		return func(_ context.Context, o metric.Int64Observer) error {
			for _, point := range r.read() {
				n := int64(min(point.n, math.MaxInt64)) // #nosec G115 -- it is bounded
				if point.state == "" {
					o.Observe(n)
					continue
				}
				o.Observe(n, metric.WithAttributes(attribute.String("state", string(point.state))))
			}
			return nil
		}
	}
	var errs []error
	for _, r := range counters {
		about := metric.WithDescription(r.description)
		_, err := meter.Int64ObservableCounter(r.name, about, metric.WithInt64Callback(report(r)))
		errs = append(errs, err)
	}
	for _, r := range values {
		about := metric.WithDescription(r.description)
		_, err := meter.Int64ObservableGauge(r.name, about, metric.WithInt64Callback(report(r)))
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// ServeHTTP is /metrics, in the text format of Prometheus.
func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var all metricdata.ResourceMetrics
	if err := m.reader.Collect(r.Context(), &all); err != nil {
		http.Error(w, "the metrics cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_ = writeMetrics(w, &all) // the client may have left
}

// writeMetrics writes sums, gauges and histograms as Prometheus reads them.
func writeMetrics(into io.Writer, all *metricdata.ResourceMetrics) error {
	out := bufio.NewWriter(into)
	var list []metricdata.Metrics
	for _, scope := range all.ScopeMetrics {
		list = append(list, scope.Metrics...)
	}
	slices.SortFunc(list, func(a, b metricdata.Metrics) int { return cmp.Compare(a.Name, b.Name) })
	for _, m := range list {
		name := strings.ReplaceAll(m.Name, ".", "_")
		if m.Unit == "s" {
			name += "_seconds"
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			writePoints(out, name+"_total", "counter", m.Description, data.DataPoints)
		case metricdata.Gauge[int64]:
			writePoints(out, name, "gauge", m.Description, data.DataPoints)
		case metricdata.Histogram[int64]:
			writeHistogram(out, name, m.Description, data.DataPoints)
		case metricdata.Histogram[float64]:
			writeHistogram(out, name, m.Description, data.DataPoints)
		}
	}
	return out.Flush()
}

func writeHead(out io.Writer, name, kind, description string) {
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, escapeLabel.Replace(description), name, kind)
}

func writePoints(out io.Writer, name, kind, description string, points []metricdata.DataPoint[int64]) {
	writeHead(out, name, kind, description)
	lines := make([]string, len(points))
	for i, point := range points {
		lines[i] = fmt.Sprintf("%s%s %d\n", name, labels(point.Attributes), point.Value)
	}
	slices.Sort(lines)
	for _, line := range lines {
		_, _ = io.WriteString(out, line) // told by Flush
	}
}

func writeHistogram[N int64 | float64](out io.Writer, name, description string,
	points []metricdata.HistogramDataPoint[N]) {
	writeHead(out, name, "histogram", description)
	slices.SortFunc(points, func(a, b metricdata.HistogramDataPoint[N]) int {
		return cmp.Compare(labels(a.Attributes), labels(b.Attributes))
	})
	for _, point := range points {
		below := uint64(0)
		for i, count := range point.BucketCounts {
			below += count
			bound := "+Inf"
			if i < len(point.Bounds) {
				bound = strconv.FormatFloat(point.Bounds[i], 'g', -1, 64)
			}
			fmt.Fprintf(out, "%s_bucket%s %d\n", name, labels(point.Attributes, attribute.String("le", bound)), below)
		}
		fmt.Fprintf(out, "%s_sum%s %v\n", name, labels(point.Attributes), point.Sum)
		fmt.Fprintf(out, "%s_count%s %d\n", name, labels(point.Attributes), point.Count)
	}
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labels(set attribute.Set, more ...attribute.KeyValue) string {
	var list []string
	for _, a := range append(set.ToSlice(), more...) {
		key := strings.ReplaceAll(string(a.Key), ".", "_")
		list = append(list, key+`="`+escapeLabel.Replace(strings.ToValidUTF8(a.Value.String(), "\uFFFD"))+`"`)
	}
	if len(list) == 0 {
		return ""
	}
	return "{" + strings.Join(list, ",") + "}"
}
