package chatwire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
)

// conversation is what one request of the client becomes: one exchange with the
// server, or several when the model is asked again. It is the guard's model.
type conversation struct {
	shell   *shell
	request *http.Request
	parsed  *Request
	body    []byte
	next    Next
	asked   int
	last    *exchange
	passed  *http.Response // an answer that is no answer of a model, to be handed on
}

// exchange is one answer of the server, as it arrived.
type exchange struct {
	header http.Header
	status int
	stream bool
	chunks [][]byte
	raw    []byte // the whole body
	read   reading
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

// Generate sends the client's own body, or, when the model is asked again, the
// same body with other messages.
func (c *conversation) Generate(ctx context.Context, request guard.Request) (guard.Response, error) {
	body := c.body
	if c.asked++; c.asked > 1 {
		var err error
		if body, err = c.parsed.With(request.Messages, request.Choice); err != nil {
			return guard.Response{}, err
		}
		c.discard(ctx)
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
	if response.StatusCode < 200 || response.StatusCode > 299 {
		refused, err := readAll(response.Body) // its context ends with the turn
		if err != nil {
			return guard.Response{}, &transportError{err, c.asked > 1}
		}
		response.Body = io.NopCloser(bytes.NewReader(refused))
		c.passed = response
		if c.asked > 1 { // a retry by the client would start the turn again
			response.Header.Set(shouldRetry, "false")
		}
		return guard.Response{}, errPassed
	}
	c.last, err = readExchange(response, c.parsed.Stream)
	if err != nil && c.last != nil && c.shell.guard.Observing() {
		c.passed = newResponse(c.request, c.last.status, c.last.header, c.last.raw) // who only watches hands on even this
	}
	if err != nil {
		return guard.Response{}, err
	}
	return c.last.read.response, nil
}

// send survives a transport that panics.
func (c *conversation) send(request *http.Request) (response *http.Response, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &guard.HostError{Callback: "chatwire.Next", Err: fmt.Errorf("panicked: %v", fault)}
		}
	}()
	return c.next(request)
}

func (c *conversation) discard(ctx context.Context) {
	if c.last == nil || c.shell.options.Discarded == nil {
		return
	}
	defer func() { _ = recover() }() // who only listens must not end a turn
	c.shell.options.Discarded(ctx, c.last.read.response)
}

func readExchange(response *http.Response, stream bool) (*exchange, error) {
	raw, err := readAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	e := &exchange{header: response.Header, status: response.StatusCode, stream: stream, raw: raw}
	if !stream {
		e.chunks = [][]byte{raw}
		e.read, err = readBody(raw)
		return e, err
	}
	var assembler Assembler
	for data, err := range Events(bytes.NewReader(raw)) {
		if err != nil {
			return e, err
		}
		data = bytes.Clone(data)
		if string(bytes.TrimSpace(data)) == endMarker {
			assembler.End()
			break
		}
		if len(bytes.TrimSpace(data)) == 0 {
			continue
		}
		if _, err := assembler.Add(data); err != nil {
			return e, err
		}
		e.chunks = append(e.chunks, data)
	}
	e.read, err = assembler.reading()
	return e, err
}

// respond is the answer for the client: the server's own bytes, changed only
// where the guard's answer differs.
func (e *exchange) respond(request *http.Request, answer guard.Response) (*http.Response, error) {
	body := e.raw
	if e.differs(answer) {
		chunks, err := e.read.render(e.chunks, answer)
		if err != nil {
			return nil, err
		}
		body = chunks[0]
		if e.stream {
			body = joinEvents(chunks)
		}
	}
	header := e.header.Clone()
	header.Set("Content-Length", strconv.Itoa(len(body)))
	return newResponse(request, e.status, header, body), nil
}

func (e *exchange) differs(answer guard.Response) bool {
	said := e.read.response.Message
	if answer.Message.Text != said.Text || len(answer.Message.Calls) != len(said.Calls) {
		return true
	}
	for i, call := range answer.Message.Calls {
		if string(call.Args) != string(said.Calls[i].Args) {
			return true
		}
	}
	return false
}

func joinEvents(chunks [][]byte) []byte {
	var out bytes.Buffer
	for _, chunk := range chunks {
		for line := range bytes.Lines(chunk) {
			out.WriteString("data: ")
			out.Write(bytes.TrimRight(line, "\r\n"))
			out.WriteByte('\n')
		}
		out.WriteByte('\n')
	}
	out.WriteString("data: " + endMarker + "\n\n")
	return out.Bytes()
}
