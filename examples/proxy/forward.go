package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
)

// forwarder hands requests on to the model's server.
type forwarder struct {
	upstream *url.URL
	gate     *gate
	metrics  *metrics
	logger   *slog.Logger
	maxBody  int64
	room     chan struct{} // a token for each request at once
	sending  sending       // of these, the ones whose bodies have not arrived
	reverse  *httputil.ReverseProxy
	server   *http.Transport // connections to the model's server
	unjudged bool            // requests that cannot be judged may pass
}

func newForwarder(s *settings, g *gate, m *metrics, logger *slog.Logger) *forwarder {
	f := &forwarder{
		upstream: s.upstream, gate: g, metrics: m, logger: logger, maxBody: int64(s.maxBody) << 20,
		room: make(chan struct{}, s.maxRequests), unjudged: !s.enforce || s.allowUnguarded,
		sending: sending{most: max(8, s.maxRequests/4)},
	}
	f.server = upstreamTransport(s.upstreamTimeout)
	transport := chatwire.Transport(nil, counted{f.server, &g.memory}, &chatwire.Options{
		AllowUnguarded: f.unjudged, Handle: g.handle,
	})
	f.reverse = &httputil.ReverseProxy{
		Rewrite: f.rewrite, Transport: transport, FlushInterval: -1, ErrorHandler: f.broken, ModifyResponse: f.answered,
		ErrorLog: slog.NewLogLogger(redacting{logger.Handler()}, slog.LevelDebug),
	}
	return f
}

// upstreamTransport has bounds for everything but the length of an answer.
func upstreamTransport(patience time.Duration) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: patience,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          512,
		MaxIdleConnsPerHost:   256,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // what the client did not ask for is not unpacked for it
	}
}

func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	control := http.NewResponseController(w)
	writer := &patientWriter{ResponseWriter: w, control: control}
	defer func() {
		_ = control.SetWriteDeadline(time.Time{}) // the next request of the connection begins anew
		f.metrics.request(writer.status, time.Since(began))
	}()
	arrived, room := f.sending.begin(r)
	if room {
		defer arrived()
		select {
		case f.room <- struct{}{}:
			defer func() { <-f.room }()
		default:
			room = false
		}
	}
	if !room {
		writer.Header().Set("Retry-After", "1")
		tell(writer, http.StatusServiceUnavailable, "busy",
			"The proxy serves as many requests as it may; try again in a moment.")
		return
	}
	who, err := identityOf(r.Header)
	switch {
	case err != nil:
		tell(writer, http.StatusBadRequest, "bad_header", err.Error())
		return
	case crossSite(r):
		tell(writer, http.StatusForbidden, "cross_site",
			"A page of another site sent this request from a browser; the proxy serves programs.")
		return
	case r.Header.Get("Upgrade") != "" && !f.unjudged:
		tell(writer, http.StatusNotImplemented, "unguarded",
			"A connection that leaves HTTP cannot be guarded; use HTTP, or start the proxy with -allow-unguarded.")
		return
	case r.ContentLength > f.maxBody:
		f.tooLong(writer)
		return
	}
	p := &passage{who: who}
	ctx := context.WithValue(r.Context(), passageKey{}, p)
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &patientBody{
			http.MaxBytesReader(nil, r.Body, f.maxBody), p, control, time.Now().Add(bodyPatience), arrived,
		}
	}
	f.reverse.ServeHTTP(writer, r)
}

// crossSite reports whether a browser sent a request for a page of another site: such a
// page needs no key of its own where the proxy adds one, or where the upstream wants none.
func crossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return true
	case "same-origin", "none":
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	from, err := url.Parse(origin)
	return err != nil || from.Host != r.Host
}

// rewrite turns the client's request into the one that is sent on. Hop-by-hop headers are gone by now.
func (f *forwarder) rewrite(r *httputil.ProxyRequest) {
	r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = f.upstream.Scheme, f.upstream.Host, f.upstream.Host
	r.Out.URL.Path, r.Out.URL.RawPath = join(f.upstream, r.In.URL)
	stripIdentity(r.Out.Header)
	// What the client can unpack and the guard cannot read is not asked for.
	if strings.Contains(r.Out.Header.Get("Accept-Encoding"), "gzip") {
		r.Out.Header.Set("Accept-Encoding", "gzip")
	} else {
		r.Out.Header.Del("Accept-Encoding")
	}
}

// join is the path of a request below that of the upstream; what stands in both (…/v1 and /v1/…) is not doubled.
func join(upstream, request *url.URL) (path, raw string) {
	base := strings.TrimSuffix(upstream.Path, "/")
	if base == "" || strings.HasPrefix(request.Path, base+"/") {
		return request.Path, request.RawPath
	}
	return base + request.Path, strings.TrimSuffix(upstream.EscapedPath(), "/") + request.EscapedPath()
}

// answered corrects the status of refusals that are the proxy's own.
func (f *forwarder) answered(response *http.Response) error {
	p := passageOf(response.Request.Context())
	if response.StatusCode != http.StatusBadRequest {
		return nil
	}
	switch {
	case p.tooLong.Load():
		setStatus(response, http.StatusRequestEntityTooLarge)
	case errors.Is(p.fault, errBusy):
		setStatus(response, http.StatusServiceUnavailable)
		response.Header.Set("Retry-After", "1")
		response.Header.Del("X-Should-Retry")
	}
	return nil
}

func setStatus(response *http.Response, status int) {
	response.StatusCode, response.Status = status, strconv.Itoa(status)+" "+http.StatusText(status)
}

// broken answers a request that got no answer.
func (f *forwarder) broken(w http.ResponseWriter, r *http.Request, err error) {
	var timeout net.Error
	switch p := passageOf(r.Context()); {
	case r.Context().Err() != nil: // nobody is there to be told
		w.WriteHeader(499)
		return
	case p.tooLong.Load():
		f.tooLong(w)
	case errors.As(err, &timeout) && timeout.Timeout():
		tell(w, http.StatusGatewayTimeout, "upstream_timeout", "The model's server did not answer in time.")
	default:
		tell(w, http.StatusBadGateway, "upstream_unreachable", "The model's server cannot be reached.")
	}
	f.logger.Warn("no answer from the model's server", "host", f.upstream.Host, "error", loggable(err))
}

func (f *forwarder) tooLong(w http.ResponseWriter) {
	tell(w, http.StatusRequestEntityTooLarge, "too_long", fmt.Sprintf(
		"The request is longer than %d MiB; make it shorter, or start the proxy with a larger -max-body.", f.maxBody>>20))
}

// tell is an error in the form that clients of these interfaces read.
func tell(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // the client may have left
		"type":  "error",
		"error": map[string]any{"message": message, "type": "proxy_error", "code": code, "param": nil},
	})
}

// redacting is a log handler for messages that others wrote, which may quote requests.
type redacting struct{ slog.Handler }

func (h redacting) Handle(ctx context.Context, record slog.Record) error {
	record.Message = clip.Text(policy.Printable(policy.HideSecrets(record.Message)), 300)
	return h.Handler.Handle(ctx, record)
}
