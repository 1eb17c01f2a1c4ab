package main

import (
	"io"
	"net/http"
	"sync/atomic"
)

// memoryBudget bounds what is held of requests and answers for the sake of
// judging them. Each request counts with its body, its answer as it arrives; when
// the budget is spent, further requests are not judged until there is room.
type memoryBudget struct {
	most int64
	held atomic.Int64
}

// admit takes a request in, if there is room.
func (m *memoryBudget) admit(p *passage) bool {
	if m.held.Add(p.size) > m.most && m.held.Load() > p.size { // one alone always may
		m.held.Add(-p.size)
		return false
	}
	p.charged.Add(p.size)
	p.judged.Store(true)
	return true
}

// grow counts what arrived of an answer.
func (m *memoryBudget) grow(p *passage, n int64) {
	if p.judged.Load() {
		p.charged.Add(n)
		m.held.Add(n)
	}
}

// release gives back all that a request held.
func (m *memoryBudget) release(p *passage) {
	p.judged.Store(false)
	m.held.Add(-p.charged.Swap(0))
}

// counted is a transport that counts the bytes of answers.
type counted struct {
	http.RoundTripper
	memory *memoryBudget
}

func (c counted) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.RoundTripper.RoundTrip(request)
	if p := passageOf(request.Context()); err == nil && p.judged.Load() {
		response.Body = &countedBody{response.Body, c.memory, p}
	}
	return response, err
}

type countedBody struct {
	io.ReadCloser
	memory *memoryBudget
	p      *passage
}

func (b *countedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.memory.grow(b.p, int64(n))
	return n, err
}
