package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/policy"
)

// page is what the test server has to say under a URL.
type page struct {
	url, title, text string
}

// pages are the whole web of this example.
var pages = []page{
	{"http://almanac.internal/moon", "Moon and tides", `The tide follows the moon. Around new moon and full moon, sun and moon pull in one line, and the range of the tide is at its largest: a spring tide.

A spring tide comes one to two days after new moon or full moon, because the water needs time to answer.

Around the quarters of the moon the pulls work against each other, and the range is small: a neap tide.`},
	{"http://harbour.internal/shape", "The shape of a bay", `The shape of a bay decides how much of the tide arrives. A bay that narrows towards its end piles the water up.

Where the time that water needs to slosh through a bay is close to the time between two tides, the bay resonates, and the range grows to many times that of the open coast.`},
	{"http://survey.internal/ranges", "Measured ranges", `On open coasts the range of the tide is mostly between one and three metres. In nearly closed seas it is a few decimetres.

In bays that resonate, ranges of more than ten metres have been measured.`},
	{
		"http://gazette.internal/festival", "A festival",
		`The harbour festival takes place in the summer. Boats are welcome.`,
	},
}

// site serves the pages on loopback, and holds the client that may read them.
type site struct {
	web  *policy.Web
	stop func()
}

// newSite starts the server. The client is the one that refuses every address
// which is not public; this server is an explicit exception, host by host and
// for its own address alone.
func newSite() (*site, error) {
	server, stop, err := serving.Start(http.HandlerFunc(serve))
	if err != nil {
		return nil, fmt.Errorf("starting the pages: %w", err)
	}
	s := &site{stop: stop}
	loopback := netip.MustParseAddr("127.0.0.1")
	s.web = policy.NewWeb(&policy.WebOptions{
		AllowHosts: []string{"almanac.internal", "harbour.internal", "survey.internal", "gazette.internal"},
		AllowNets:  []netip.Prefix{netip.PrefixFrom(loopback, 32)},
		Resolver:   hosts{loopback},
		Timeout:    10 * time.Second,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, _, err := net.SplitHostPort(address); err != nil || host != loopback.String() {
				return nil, fmt.Errorf("%s is not an address of this example", address)
			}
			return new(net.Dialer).DialContext(ctx, network, server)
		},
	})
	return s, nil
}

func (s *site) Close() error {
	s.stop()
	return nil
}

// hosts finds every host at one address.
type hosts struct{ address netip.Addr }

func (h hosts) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{h.address}, nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	address := "http://" + r.Host + r.URL.Path
	if address == "http://gazette.internal/moved" { // a page that leads where no page should
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
		return
	}
	for _, p := range pages {
		if p.url == strings.TrimRight(address, "/") {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintf(w, "%s\n\n%s\n", p.title, p.text)
			return
		}
	}
	http.NotFound(w, r)
}
