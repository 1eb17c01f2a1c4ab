package chatwire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/bonafide-go/bonafide/internal/contain"
)

// defaultKeepAlive is below the idle timeouts of common proxies.
const defaultKeepAlive = 15 * time.Second

// outcome is what a turn came to.
type outcome struct {
	response *http.Response
	err      error
}

// hold runs a streamed turn. A text is held until it has passed, which may take several answers of
// the model; a client that hears nothing for that long gives up. So after a while the response
// begins, with comments that mean nothing, and the answer follows when it is there.
func (s *shell) hold(c *conversation) (*http.Response, error) {
	ctx, cancel := context.WithCancel(c.request.Context())
	c.request = c.request.WithContext(ctx)
	done := make(chan outcome, 1)
	ended := outcome{err: fmt.Errorf("the turn ended without an outcome")}
	contain.Go("holding a stream", func() {
		fault := s.guard.Contain(ctx, "serving a stream", func() { ended.response, ended.err = s.finish(c) })
		if fault != nil {
			ended.err = fault
		}
	}, func(*contain.Panic) { done <- ended })
	wait := time.NewTimer(s.options.KeepAlive)
	defer wait.Stop()
	select {
	case ended := <-done:
		cancel()
		return ended.response, ended.err
	case <-wait.C:
		return s.keepAlive(c, done, cancel), nil
	}
}

// keepAlive is a response that has begun and whose answer is still to come.
func (s *shell) keepAlive(c *conversation, done <-chan outcome, cancel context.CancelFunc) *http.Response {
	reader, writer := io.Pipe()
	frame := framingFor(c.parsed.dialect, c.request)
	ctx := c.request.Context()
	context.AfterFunc(ctx, func() { writer.CloseWithError(ctx.Err()) }) // for a client that neither reads nor closes
	contain.Go("keeping a stream alive", func() {
		tick := time.NewTicker(s.options.KeepAlive)
		defer tick.Stop()
		for {
			if _, err := writer.Write([]byte(frame.held)); err != nil { // the client has left
				cancel()
				<-done
				return
			}
			select {
			case ended := <-done:
				s.send(writer, c, ended)
				return
			case <-tick.C:
			}
		}
	}, func(fault *contain.Panic) {
		if fault != nil {
			cancel()
			writer.CloseWithError(fault)
		}
	})
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {frame.contentType}}, ContentLength: -1, Request: c.request,
		Body: &heldBody{reader, cancel},
	}
}

// heldBody ends the turn when the client closes it.
type heldBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close ends the turn.
func (b *heldBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// send finishes a response that has begun. The status is spent, so what went wrong is told in the
// stream, or, to a client in the same process, by the error of its next read.
func (s *shell) send(writer *io.PipeWriter, c *conversation, ended outcome) {
	d, frame := c.parsed.dialect, framingFor(c.parsed.dialect, c.request)
	switch {
	case ended.err != nil && !s.inBand:
		writer.CloseWithError(ended.err)
		return
	case ended.err != nil:
		ended.response = refusal(c.request, d, ended.err)
	}
	body, err := readAll(ended.response.Body)
	if err != nil {
		writer.CloseWithError(err)
		return
	}
	failed := ended.response.StatusCode > 299
	switch {
	case failed && !s.inBand:
		status := ended.response.StatusCode
		writer.CloseWithError(fmt.Errorf("the server answered with status %d: %s", status, clipped(string(body))))
		return
	case failed || arrivedIn(frame, body) == nil: // the client is reading a stream by now
		body = frame.write(d, d.events(body))
	}
	_, err = writer.Write(body)
	writer.CloseWithError(err) // nil is the end of the stream
}
