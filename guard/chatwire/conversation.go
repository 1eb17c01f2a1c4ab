package chatwire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// conversation is what one request of the client becomes: one exchange with the
// server, or several when the model is asked again. It is the guard's model.
type conversation struct {
	shell    *shell
	handling Handling
	request  *http.Request
	parsed   *Request
	body     []byte
	next     Next
	asked    int
	answers  []*exchange
	passed   *http.Response // an answer that is no answer of a model, to be handed on
}

// exchange is one answer of the server, as it arrived.
type exchange struct {
	dialect dialect
	header  http.Header
	status  int
	framing *framing // how its pieces arrived; nil if it arrived whole
	proof   bool     // it answers a request for proof
	aside   bool     // it is not part of the conversation that the provider keeps
	chunks  [][]byte
	raw     []byte // the whole body
	read    reading
}

// transportError is a request that got no answer.
type transportError struct {
	err   error
	again bool // it was not the first of its turn
}

func (e *transportError) Error() string { return e.err.Error() }
func (e *transportError) Unwrap() error { return e.err }

// errNoAnswer is a transport that returns neither an answer nor an error.
var errNoAnswer = errors.New("the transport returned neither an answer nor an error")

// errPassed says that the server answered with something to be handed on.
var errPassed = errors.New("the server refused the request")

// Capabilities are those of the format. Models are told apart by the name that the request gives,
// and where its body gives none by where it is sent: some providers have the name in the path.
func (c *conversation) Capabilities() guard.Capabilities {
	can := c.parsed.dialect.capabilities(c.parsed)
	if can.Name = c.parsed.model; can.Name == "" {
		can.Name = c.request.URL.Host + c.request.URL.Path
	}
	can.Name = clipped(can.Name) // it is the client's
	return can
}

// Generate sends the client's own body, or, when the model is asked again, the
// same body with other messages.
func (c *conversation) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body := c.body
	if c.asked++; c.asked > 1 {
		var err error
		if body, err = c.parsed.With(request); err != nil {
			return guard.Response{}, err
		}
	}
	outgoing := withBody(c.request.WithContext(ctx), body)
	outgoing.Header.Del("Accept-Encoding") // so that the transport unpacks the answer
	response, err := c.send(outgoing)
	if err == nil && (response == nil || response.Body == nil) {
		err = errNoAnswer
	}
	if err != nil {
		return guard.Response{}, &transportError{err, c.asked > 1}
	}
	if response.Header == nil { // a hand-made answer may have none
		response.Header = http.Header{}
	}
	raw, err := readAll(response.Body) // its context ends with the turn
	var packed error
	if err == nil { // gateways pack although nobody asked for it
		var plain []byte
		if plain, packed = unpacked(response.Header, raw); packed == nil {
			response.Header.Del("Content-Encoding")
			raw = plain
		}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		if err != nil {
			return guard.Response{}, &transportError{err, c.asked > 1}
		}
		return guard.Response{}, c.pass(response.StatusCode, response.Header, raw)
	}
	if err = errors.Join(err, packed); err != nil {
		return guard.Response{}, fmt.Errorf("reading the answer: %w", err)
	}
	return c.take(request, response, raw)
}

// take reads an answer. An error that the provider sent inside of a whole one reaches
// the client as the same error would have before the answer began. One in a stream is
// told as it came, in a stream; what came before it was not judged, and is left out.
func (c *conversation) take(request guard.Request, response *http.Response, raw []byte) (guard.Response, error) {
	e, err := c.readExchange(response.StatusCode, response.Header, raw)
	var fault *BodyError
	d, header := c.parsed.dialect, response.Header.Clone()
	switch told := errors.As(err, &fault) && len(fault.Raw) > 0; {
	case told && e.framing != nil:
		return guard.Response{}, c.pass(response.StatusCode, header, e.framing.write(d, d.events(d.fault(fault))))
	case told:
		header.Set("Content-Type", "application/json")
		return guard.Response{}, c.pass(fault.status(), header, d.fault(fault))
	case err != nil:
		return guard.Response{}, err
	}
	e.proof = request.Report
	if s := c.parsed.stateful; s != nil && s.conversation != "" {
		if e.aside = request.Report; !e.aside { // it is part of the provider's conversation
			s.held, s.answered = len(request.Messages)+1, e.read.id
		}
	}
	c.answers = append(c.answers, e)
	return e.read.response, nil
}

// pass hands an answer of the server's on that is no answer of a model. A retry
// by the client would start a turn again that has gone on from there.
func (c *conversation) pass(status int, header http.Header, body []byte) error {
	header = header.Clone()
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if c.asked > 1 {
		header.Set(shouldRetry, "false")
	}
	c.passed = newResponse(c.request, status, header, body)
	return errPassed
}

// send survives a transport that panics.
func (c *conversation) send(request *http.Request) (response *http.Response, err error) {
	defer hostPanic("chatwire.Next", &err)
	return c.next(request)
}

// readExchange reads an answer by what it is, not by what was asked for: servers
// answer a stream request with one object, and the other way round.
func (c *conversation) readExchange(status int, header http.Header, raw []byte) (*exchange, error) {
	d := c.parsed.dialect
	e := &exchange{dialect: d, header: header, status: status, raw: raw}
	var err error
	if e.framing = arrivedIn(framingFor(d, c.request), raw); e.framing == nil {
		e.chunks = [][]byte{raw}
		e.read, err = readWhole(d, raw)
		return e, err
	}
	e.read, err = assemble(d, e.framing.split(bytes.NewReader(raw)), func(piece []byte, _ guard.Delta) bool {
		e.chunks = append(e.chunks, piece)
		return true
	})
	return e, err
}

// isStream reports a body of events: it begins with a field or a comment, which no JSON value does.
func isStream(raw []byte) bool {
	raw = bytes.TrimLeft(bytes.TrimPrefix(raw, byteOrderMark), " \t\r\n")
	begins := func(field string) bool { return bytes.HasPrefix(raw, []byte(field)) }
	return slices.ContainsFunc([]string{":", "data", "event", "id", "retry"}, begins)
}

// respond is the answer for the client: the bytes of the answer that passed, if it is one of the
// server's, otherwise those of the answer it goes back to, changed where the guard's differs.
func (c *conversation) respond(answer guard.Response) (*http.Response, error) {
	if len(c.answers) == 0 {
		return nil, errNoAnswer
	}
	for _, e := range slices.Backward(c.answers) {
		if !e.differs(answer) {
			c.remember(e, answer)
			return e.response(c.request, e.raw), nil
		}
	}
	e := c.origin(answer)
	e.read.countOthers(c.answers)
	c.remember(e, answer)
	chunks, err := e.dialect.render(&e.read, e.chunks, answer)
	if err != nil {
		return nil, err
	}
	body := chunks[0]
	if e.framing != nil {
		body = e.framing.write(e.dialect, chunks)
	}
	return e.response(c.request, body), nil
}

// origin is the answer of the server's that a text goes on from, or else the last text
// that is no report about another: what the model thought while it wrote a report is
// not for the client. Where there is none, it is the last answer.
func (c *conversation) origin(answer guard.Response) *exchange {
	var text *exchange
	for _, e := range slices.Backward(c.answers) {
		said := e.read.response.Message
		switch {
		case said.Text == "" || len(said.Calls) > 0:
		case strings.HasPrefix(answer.Message.Text, said.Text):
			return e
		case !e.proof && len(answer.Message.Calls) == 0:
			text = cmp.Or(text, e)
		}
	}
	return cmp.Or(text, c.answers[len(c.answers)-1])
}

func (e *exchange) response(request *http.Request, body []byte) *http.Response {
	header := e.header.Clone()
	header.Set("Content-Length", strconv.Itoa(len(body)))
	return newResponse(request, e.status, header, body)
}

func (e *exchange) differs(answer guard.Response) bool {
	said := e.read.response.Message
	if e.read.dropped && len(answer.Message.Calls) > 0 || len(e.read.drops) > 0 {
		return true // the server's bytes hold a call twice, or what nobody judged
	}
	same := func(a, b tooltrack.Call) bool { return string(a.Args) == string(b.Args) }
	return answer.Message.Text != said.Text || !slices.EqualFunc(answer.Message.Calls, said.Calls, same)
}
