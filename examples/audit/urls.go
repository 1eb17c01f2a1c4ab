package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/bonafide-go/bonafide/policy"
	"golang.org/x/net/idna"
)

// urlCase is a URL with what the network would have answered.
type urlCase struct {
	ID        string                `json:"id"`
	URL       string                `json:"url"`
	Needs     string                `json:"needs"`
	DNS       map[string][][]string `json:"dns"`
	Redirects []string              `json:"redirects"`
}

type urlAnswer struct {
	ID      string `json:"id"`
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
}

// startURLs answers whether a web tool may open a URL. The library's own client follows the recorded redirects
// and dials what the recorded look-ups say; nothing reaches the network.
func startURLs() (answerer, error) {
	return func(line []byte) (any, error) {
		asked, err := decode[urlCase](line)
		if err != nil {
			return nil, err
		}
		if err := openRecorded(&asked); err != nil {
			return urlAnswer{asked.ID, false, err.Error()}, nil
		}
		return urlAnswer{asked.ID, true, ""}, nil
	}, nil
}

func openRecorded(asked *urlCase) error {
	network := &recordedNetwork{asked: asked, lookups: make(map[string]int)}
	network.web = policy.NewWeb(&policy.WebOptions{Resolver: network, Dial: network.dial})
	if err := network.web.Check(asked.URL); err != nil || asked.Needs == "static" {
		return err
	}
	response, err := network.web.ClientWith(network).Get(asked.URL)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// recordedNetwork stands in for DNS and servers.
type recordedNetwork struct {
	asked   *urlCase
	web     *policy.Web
	lookups map[string]int // made so far, by host
	hops    int
}

// RoundTrip opens a connection once for every recorded look-up of the host, as
// a client with no idle connections would, and answers with the next redirect.
func (n *recordedNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	host := request.URL.Hostname()
	times := len(n.answers(host))
	if times == 0 && n.asked.Needs == "resolve" && net.ParseIP(host) == nil {
		times = 1 // the look-up fails, and so does the request
	}
	for range times {
		conn, err := n.web.DialContext(request.Context(), "tcp", net.JoinHostPort(host, "80"))
		if err != nil {
			return nil, err
		}
		_ = conn.Close() // nothing was written
	}
	response := &http.Response{
		StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header),
		Body: io.NopCloser(strings.NewReader("")), Request: request,
	}
	if n.hops < len(n.asked.Redirects) {
		response.StatusCode = http.StatusFound
		response.Header.Set("Location", n.asked.Redirects[n.hops])
		n.hops++
	}
	return response, nil
}

func (n *recordedNetwork) answers(host string) [][]string {
	for name, answers := range n.asked.DNS {
		if sameName(name) == sameName(host) {
			return answers
		}
	}
	return nil
}

// sameName is a host's name in the form in which a resolver is asked.
func sameName(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ascii, err := idna.Punycode.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// LookupNetIP gives the recorded answers in turn, the last one for ever.
func (n *recordedNetwork) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	answers := n.answers(host)
	if len(answers) == 0 {
		return nil, fmt.Errorf("no such host: %s", host)
	}
	turn := min(n.lookups[host], len(answers)-1)
	n.lookups[host]++
	addresses := make([]netip.Addr, 0, len(answers[turn]))
	for _, text := range answers[turn] {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return nil, errors.New("the recorded answer is no address")
		}
		addresses = append(addresses, address)
	}
	return addresses, nil
}

func (n *recordedNetwork) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	_ = theirs.Close() // a pipe's end
	return ours, nil
}
