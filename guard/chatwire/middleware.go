package chatwire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard"
)

// Options tune [Middleware] and [Transport]. Nil is the default.
type Options struct {
	// AllowUnguarded lets requests pass that this package cannot judge: other
	// formats that call tools, several choices at once, tools that are not
	// functions. Default: they are refused with [ErrUnguarded].
	AllowUnguarded bool
	// KeepAlive is how long a streamed answer may be held before its response
	// begins with comments that keep the line alive. Default: 15 seconds; a
	// negative value turns it off.
	KeepAlive time.Duration
	// Discarded hears of answers that were not handed out, with their usage.
	// Default: nobody.
	Discarded func(ctx context.Context, response guard.Response)
}

// Next sends a request on. It must return when the request's context ends. A
// panic is an error of the turn; that of a request which is not judged reaches
// the caller.
type Next = func(*http.Request) (*http.Response, error)

// Middleware guards the chat-completions requests of a client. Its type is that
// which openai-go's option.WithMiddleware takes.
//
// A turn that does not pass ends in one of the guard's typed errors, together
// with a response that tells the client not to retry: a retry would start the
// same turn again.
func Middleware(g *guard.Guard, options *Options) func(*http.Request, Next) (*http.Response, error) {
	s := newShell(g, options)
	return func(request *http.Request, next Next) (*http.Response, error) {
		response, err := s.serve(request, next)
		if err == nil || response != nil {
			return response, err
		}
		var upstream *transportError
		if errors.As(err, &upstream) && !upstream.again {
			return nil, upstream.err // the client's own business, and its own retries
		}
		return refusal(request, err), err
	}
}

// Transport guards the chat-completions requests of any HTTP client. A turn that
// does not pass is answered with status 422 and the honest account. Nil is
// http.DefaultTransport.
func Transport(g *guard.Guard, base http.RoundTripper, options *Options) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	s := newShell(g, options)
	s.inBand = true
	return &transport{s, base}
}

type transport struct {
	shell shell
	base  http.RoundTripper
}

// RoundTrip answers one request.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.shell.serve(request, t.base.RoundTrip)
	if err == nil || response != nil {
		return response, err
	}
	var upstream *transportError
	if errors.As(err, &upstream) {
		return nil, upstream.err
	}
	if ended := request.Context().Err(); ended != nil {
		return nil, ended
	}
	return refusal(request, err), nil
}

// shell is what the two have in common. It has no judgement of its own: that is
// the wrapped model's.
type shell struct {
	guard   *guard.Guard
	options Options
	inBand  bool // faults of a stream that has begun are told in the stream
}

func newShell(g *guard.Guard, options *Options) shell {
	s := shell{guard: g}
	if options != nil {
		s.options = *options
	}
	if g.Observing() { // who only watches refuses nothing
		s.options.AllowUnguarded = true
	}
	if s.options.KeepAlive == 0 {
		s.options.KeepAlive = defaultKeepAlive
	}
	return s
}

// serve answers one request. A response beside an error, or without one, is to
// be handed on as it is.
func (s *shell) serve(request *http.Request, next Next) (*http.Response, error) {
	format, err := s.format(request)
	if err != nil || format != guarded {
		if err != nil {
			return nil, err
		}
		return next(request)
	}
	body, err := readAll(request.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	parsed, err := ParseRequest(body)
	if err != nil && s.guard.Observing() {
		return next(withBody(request, body))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnguarded, err)
	}
	judged, err := s.judged(parsed)
	if err != nil {
		return nil, err
	}
	if !judged {
		return next(withBody(request, body))
	}
	c := &conversation{shell: s, request: request, parsed: parsed, body: body, next: next}
	if parsed.Stream && s.options.KeepAlive > 0 {
		return s.hold(c)
	}
	return s.finish(c)
}

type format uint8

const (
	foreign format = iota // nothing to do with tools, or allowed to pass
	guarded
)

// format tells requests by their path, which all servers of the format share.
func (s *shell) format(request *http.Request) (format, error) {
	path := strings.TrimRight(request.URL.Path, "/")
	switch {
	case request.Method != http.MethodPost || request.Body == nil:
		return foreign, nil
	case strings.HasSuffix(path, "/chat/completions"):
		return guarded, nil
	case strings.HasSuffix(path, "/responses") && !s.options.AllowUnguarded:
		return foreign, fmt.Errorf("%w: %s is another format; use chat completions, or set AllowUnguarded", ErrUnguarded, path)
	}
	return foreign, nil
}

// judged reports whether a request is to be judged: it offers tools and wants a
// text. What cannot be judged is refused rather than let through.
func (s *shell) judged(parsed *Request) (bool, error) {
	var trouble string
	switch {
	case len(parsed.Foreign) > 0:
		trouble = fmt.Sprintf("it offers tools that are not functions (%s)", strings.Join(parsed.Foreign, ", "))
	case len(parsed.Tools) == 0 || parsed.Structured:
		return false, nil
	case parsed.Choices > 1:
		trouble = fmt.Sprintf("it asks for %d choices, and one is judged", parsed.Choices)
	default:
		return true, nil
	}
	if s.options.AllowUnguarded {
		return false, nil
	}
	return false, fmt.Errorf("%w: %s; change it, or set AllowUnguarded", ErrUnguarded, trouble)
}

// finish runs the turn to its end.
func (s *shell) finish(c *conversation) (*http.Response, error) {
	answer, err := s.guard.Wrap(c).Generate(c.request.Context(), c.parsed.Request)
	if c.passed != nil && err != nil {
		return c.passed, nil // the server's own refusal, such as a wrong key
	}
	if err != nil {
		return nil, err
	}
	return c.last.respond(c.request, answer)
}

// maxBody bounds what is read into memory of one request or answer.
const maxBody = 32 << 20

func readAll(body io.ReadCloser) ([]byte, error) {
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	if err == nil && len(data) > maxBody {
		err = fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	}
	return data, err
}

// withBody is the request with a body that can be read again.
func withBody(request *http.Request, body []byte) *http.Request {
	clone := request.Clone(request.Context())
	clone.Body = io.NopCloser(bytes.NewReader(body))
	clone.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	clone.ContentLength = int64(len(body))
	clone.Header.Del("Content-Length")
	return clone
}
