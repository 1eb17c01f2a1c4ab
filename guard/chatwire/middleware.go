package chatwire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Options tune [Middleware] and [Transport]. Nil is the default.
type Options struct {
	// AllowUnguarded lets requests pass that this package cannot judge: tools
	// offered in other formats, several choices at once, tools of a kind whose
	// calls cannot be read. Default: they are refused with [ErrUnguarded].
	AllowUnguarded bool
	// KeepAlive is how long a streamed answer may be held before its response
	// begins with comments that keep the line alive. Default: 15 seconds; a
	// negative value turns it off. A guard that only observes holds nothing.
	KeepAlive time.Duration
	// Handle says how a request that is to be judged is handled, before anything is sent on. An
	// error refuses it, or lets it pass unjudged with AllowUnguarded, or where it offers no tools
	// and only follows calls (see [Request.CalledTools]). Default: every request is handled alike.
	Handle func(ctx context.Context, request *Request) (Handling, error)
}

// Next sends a request on. It must return when the request's context ends. A panic is an error of
// the turn; that of a request which is not judged reaches the caller.
type Next = func(*http.Request) (*http.Response, error)

// Middleware guards the requests of a client that offer tools, and those that ask for the
// answer to results of calls. Its type is that
// which option.WithMiddleware of openai-go and of anthropic-sdk-go takes.
//
// A turn that does not pass ends in one of the guard's typed errors, together with a response that
// tells the client not to retry: a retry would start the same turn again.
func Middleware(g *guard.Guard, options *Options) func(*http.Request, Next) (*http.Response, error) {
	s := newShell(g, options)
	return func(request *http.Request, next Next) (*http.Response, error) {
		response, d, err := s.serve(request, next)
		var upstream *transportError
		switch {
		case err == nil || response != nil:
			return response, err
		case errors.As(err, &upstream) && !upstream.again:
			return nil, upstream.err // the client's own business, and its own retries
		}
		return refusal(request, d, err), err
	}
}

// Transport guards the requests of any HTTP client that offer tools. A turn that does not pass is
// answered with status 400 and the honest account as the error's message. Nil is
// http.DefaultTransport; a nil guard leaves it to [Options.Handle] to name one.
func Transport(g *guard.Guard, base http.RoundTripper, options *Options) http.RoundTripper {
	base = cmp.Or(base, http.DefaultTransport)
	s := newShell(g, options)
	s.inBand = true
	return transport(func(request *http.Request) (*http.Response, error) {
		response, d, err := s.serve(request, base.RoundTrip)
		var upstream *transportError
		switch ended := request.Context().Err(); {
		case err == nil || response != nil:
			return response, err
		case errors.As(err, &upstream):
			return nil, upstream.err
		case ended != nil:
			return nil, ended
		}
		return refusal(request, d, err), nil
	})
}

type transport Next

// RoundTrip answers one request.
func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

// shell is what the two have in common. It has no judgement of its own: that is
// the wrapped model's.
type shell struct {
	guard   *guard.Guard
	options Options
	memory  *tooltrack.Ledger // of responses; see [recollection]
	inBand  bool              // faults of a stream that has begun are told in the stream
}

func newShell(g *guard.Guard, options *Options) shell {
	s := shell{guard: g, memory: newMemory(), options: *cmp.Or(options, &Options{})}
	if g != nil && g.Observing() { // who only watches refuses nothing
		s.options.AllowUnguarded = true
	}
	s.options.KeepAlive = cmp.Or(s.options.KeepAlive, defaultKeepAlive)
	return s
}

// serve answers one request. A response beside an error, or without one, is to
// be handed on as it is; an error alone is told in the dialect.
func (s *shell) serve(request *http.Request, next Next) (response *http.Response, d dialect, err error) {
	d = unknown
	if !mayOffer(request) {
		response, err = next(request)
		return response, d, err
	}
	body, rest, err := readSome(request.Body)
	switch {
	case err != nil:
		return nil, d, fmt.Errorf("reading the request: %w", err)
	case rest != nil:
		response, err = s.serveLong(request, next, body, rest)
		return response, d, err
	}
	var answered *http.Response // what came from the server
	sent := func(request *http.Request) (*http.Response, error) {
		response, err := next(request)
		answered = response
		return response, err
	}
	var c *conversation
	judge := s.guard
	fault := s.guard.Contain(request.Context(), "serving a request", func() {
		if c, d, err = s.begin(request, sent, body); c != nil {
			judge = c.handling.Guard
			response, err = s.converse(c)
		}
	})
	switch {
	case fault == nil && (c != nil || err != nil):
		return response, d, err
	case fault != nil && (judge == nil || !judge.Observing()):
		return nil, unknown, fault
	case answered != nil:
		return answered, unknown, nil
	}
	response, err = next(withBody(request, body))
	return response, unknown, err
}

// begin begins to judge a request whose body was read. Without a conversation and an error
// it passes.
func (s *shell) begin(request *http.Request, next Next, body []byte) (*conversation, dialect, error) {
	parsed, err := s.judged(request, body)
	switch {
	case err != nil && !s.options.AllowUnguarded:
		return nil, unknown, err
	case err != nil || parsed == nil:
		return nil, unknown, nil
	}
	c := &conversation{shell: s, handling: Handling{Guard: s.guard}, request: request, parsed: parsed, next: next}
	if err := c.begin(); err != nil {
		// A shell without any guard would let everything pass.
		if s.options.AllowUnguarded && (s.guard != nil || s.options.Handle != nil) || parsed.toolless {
			return nil, unknown, nil
		}
		return nil, parsed.dialect, err
	}
	return c, parsed.dialect, nil
}

func (s *shell) converse(c *conversation) (*http.Response, error) {
	switch {
	case c.handling.Guard.Observing():
		return s.observe(c)
	case c.parsed.Stream && s.options.KeepAlive > 0:
		return s.hold(c)
	}
	return s.finish(c)
}

// serveLong answers a request that is too long to be read into memory. A file of
// another kind offers no tools.
func (s *shell) serveLong(request *http.Request, next Next, begun []byte, rest io.ReadCloser) (*http.Response, error) {
	if !s.options.AllowUnguarded && isJSON(begun) {
		_ = rest.Close()
		return nil, fmt.Errorf("%w: its body is longer than %d MiB; make it shorter, or set AllowUnguarded",
			ErrUnguarded, maxBody>>20)
	}
	clone := request.Clone(request.Context())
	clone.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(begun), rest), rest}
	return next(clone)
}

// judged is the request if it is to be judged: it offers tools that the client
// would run, or follows calls of such. Nil passes. An error is an [ErrUnguarded]: what cannot be judged is
// refused rather than let through.
func (s *shell) judged(request *http.Request, body []byte) (*Request, error) {
	plain, err := unpacked(request.Header, body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; send the body as it is, or set AllowUnguarded", ErrUnguarded, err)
	}
	is, err := shapeOf(request.URL.Path, plain)
	packed := request.Header.Get("Content-Encoding")
	if len(is.unknown) > 0 && s.guard != nil {
		s.guard.Note(request.Context(), "tools of unknown kinds pass", "kinds", is.unknown)
	}
	switch {
	case err != nil:
		return nil, err
	case is.dialect == nil && packed == "":
		return toolless(request.URL.Path, body), nil
	case is.dialect == nil:
		return nil, nil
	case packed != "" && packed != "identity":
		return nil, fmt.Errorf("%w: it offers tools in a body that is packed; send it as it is, or set AllowUnguarded",
			ErrUnguarded)
	}
	parsed, err := Format{is.dialect}.ParseRequest(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnguarded, err)
	}
	parsed.held = is.held
	parsed.fromPath(request.URL.Path)
	trouble := parsed.trouble
	switch {
	case trouble != "":
	case len(parsed.Foreign) > 0:
		foreign := clipped(strings.Join(parsed.Foreign, ", "))
		trouble = fmt.Sprintf("it offers tools whose calls cannot be judged (%s)", foreign)
	case len(parsed.Tools) == 0 && parsed.held == notHeld:
		trouble = "it offers tools under names of members that the format does not have"
	case parsed.Choices > 1:
		trouble = fmt.Sprintf("it asks for %d choices, and one is judged", parsed.Choices)
	default:
		return parsed, nil
	}
	return nil, fmt.Errorf("%w: %s; change it, or set AllowUnguarded", ErrUnguarded, trouble)
}

// finish runs the turn to its end.
func (s *shell) finish(c *conversation) (*http.Response, error) {
	answer, err := c.judge(c.request.Context(), c)
	if err != nil {
		c.abandon()
	}
	if c.passed != nil && err != nil {
		return c.passed, nil // the server's own refusal, such as a wrong key
	}
	if err != nil {
		return nil, err
	}
	return c.respond(answer)
}

// maxBody bounds what is read into memory of one request or answer.
const maxBody = 32 << 20

func readAll(body io.ReadCloser) ([]byte, error) {
	data, rest, err := readSome(body)
	if rest != nil {
		_ = rest.Close()
		err = fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	}
	return data, err
}

// readSome reads a body that is not too long. Of one that is, rest is what has not been read.
func readSome(body io.ReadCloser) (data []byte, rest io.ReadCloser, err error) {
	data, err = io.ReadAll(io.LimitReader(body, maxBody+1))
	if err == nil && len(data) > maxBody {
		return data, body, nil
	}
	_ = body.Close()
	return data, nil, err
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
