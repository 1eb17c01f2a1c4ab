package main

import (
	"embed"
	"encoding/json"
	"net/http"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
)

// The page needs no build step and asks no other host for anything.
//
//go:embed page
var pageFiles embed.FS

// pagePath is where the page's files lie, so that they are in nobody's way.
const pagePath = "/bonafide/"

// page shows the board.
type page struct {
	board *board
	about about
	local bool // only to those who come by a name of this machine
	files http.Handler
}

// about is what the page says of the proxy.
type about struct {
	Upstream string `json:"upstream"`
	Enforce  bool   `json:"enforce"`
	BaseURL  string `json:"base_url"`
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.local && !serving.Local(r) { // a name that somebody points at this machine is not ours
		http.Error(w, "the page is shown at the address that the proxy listens on", http.StatusForbidden)
		return
	}
	serving.Protected(w.Header())
	if r.URL.Path == pagePath+"events" {
		p.events(w, r)
		return
	}
	if r.URL.Path == "/" {
		http.ServeFileFS(w, r, pageFiles, "page/index.html")
		return
	}
	http.StripPrefix(pagePath, p.files).ServeHTTP(w, r)
}

// events sends what is on the board, and then what is new.
func (p *page) events(w http.ResponseWriter, r *http.Request) {
	backlog, updates, ok := p.board.watch()
	if !ok {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer p.board.leave(updates)
	stream, end := serving.BeginEvents(w)
	defer end()
	hello, err := json.Marshal(p.about)
	if err != nil || !stream.Send("about", hello) {
		return
	}
	for _, told := range backlog {
		if !stream.Send("", told) {
			return
		}
	}
	for {
		select {
		case told, open := <-updates:
			if !open || !stream.Send("", told) {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}
