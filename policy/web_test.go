package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// stubNetwork answers look-ups from a script, one answer after the other, and
// leads every connection to one test server.
type stubNetwork struct {
	server  *httptest.Server
	answers map[string][]string // host → look-ups, each a list separated by spaces

	mu      sync.Mutex
	lookups map[string]int
	dialled []string
}

func (n *stubNetwork) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	script := n.answers[host]
	if len(script) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	turn := min(n.lookups[host], len(script)-1)
	n.lookups[host]++
	var addresses []netip.Addr
	for _, text := range strings.Fields(script[turn]) {
		addresses = append(addresses, netip.MustParseAddr(text))
	}
	return addresses, nil
}

func (n *stubNetwork) dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dialled = append(n.dialled, address)
	n.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, n.server.Listener.Addr().String())
}

// startNetwork serves "/" with "hello" and "/to?u=…" with a redirect.
func startNetwork(t *testing.T, answers map[string][]string) (*stubNetwork, *Web) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if target := r.URL.Query().Get("u"); r.URL.Path == "/to" {
			w.Header()["Location"] = []string{target}
			w.WriteHeader(http.StatusFound)
			return
		}
		if r.URL.Path == "/loop" {
			http.Redirect(w, r, "/loop", http.StatusFound)
			return
		}
		fmt.Fprint(w, "hello")
	}))
	t.Cleanup(server.Close)
	n := &stubNetwork{server: server, answers: answers, lookups: make(map[string]int)}
	return n, NewWeb(&WebOptions{Resolver: n, Dial: n.dial, Timeout: 5 * time.Second})
}

func fetch(client *http.Client, url string) (string, error) {
	response, err := client.Get(url)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func TestClientDialsJudgedAddresses(t *testing.T) {
	const public, private = "93.184.215.14", "10.0.0.1"
	cases := []struct {
		name    string
		answers []string
		url     string
		opened  bool
		dialled string
	}{
		{"public", []string{public}, "http://a.example.com/", true, public + ":80"},
		{"public with port", []string{public}, "http://a.example.com:8080/", true, public + ":8080"},
		{"public IPv6", []string{"2606:4700::1"}, "http://a.example.com/", true, "[2606:4700::1]:80"},
		{"mapped public", []string{"::ffff:" + public}, "http://a.example.com/", true, public + ":80"},
		{"private", []string{private}, "http://a.example.com/", false, ""},
		{"loopback IPv6", []string{"::1"}, "http://a.example.com/", false, ""},
		{"mapped private", []string{"::ffff:" + private}, "http://a.example.com/", false, ""},
		{"metadata that looks global", []string{"168.63.129.16"}, "http://a.example.com/", false, ""},
		{"mixed answers", []string{public + " " + private}, "http://a.example.com/", false, ""},
		{"mixed answers, private first", []string{private + " " + public}, "http://a.example.com/", false, ""},
		{"mixed families", []string{public + " fd00::1"}, "http://a.example.com/", false, ""},
		{"no answers", []string{""}, "http://a.example.com/", false, ""},
		{"no such host", nil, "http://a.example.com/", false, ""},
		{"literal", nil, "http://" + public + "/", true, public + ":80"},
		{"private literal", nil, "http://" + private + "/", false, ""},
		{"user information", []string{public}, "http://user:pass@a.example.com/", false, ""},
		{"upper case and dot", []string{public}, "http://A.Example.com./", true, public + ":80"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			network, web := startNetwork(t, map[string][]string{"a.example.com": c.answers})
			body, err := fetch(web.Client(), c.url)
			if opened := err == nil && body == "hello"; opened != c.opened {
				t.Errorf("opened %v, %v", opened, err)
			}
			if got := strings.Join(network.dialled, " "); got != c.dialled {
				t.Errorf("dialled %q, want %q", got, c.dialled)
			}
		})
	}
}

// Between the check of a URL and its opening the answer may change. What is
// dialled is what was judged, each time.
func TestRebinding(t *testing.T) {
	network, web := startNetwork(t, map[string][]string{"a.example.com": {"93.184.215.14", "127.0.0.1"}})
	if _, err := web.lookup(t.Context(), "a.example.com"); err != nil {
		t.Fatalf("the first answer is refused: %v", err)
	}
	_, err := fetch(web.Client(), "http://a.example.com/")
	var refused *URLError
	if !errors.As(err, &refused) || len(network.dialled) != 0 {
		t.Errorf("dialled %v, %v", network.dialled, err)
	}
	// One look-up is enough for a connection: a second answer cannot slip in
	// between judging and dialling.
	network, web = startNetwork(t, map[string][]string{"a.example.com": {"93.184.215.14", "127.0.0.1"}})
	if body, err := fetch(web.Client(), "http://a.example.com/"); err != nil || body != "hello" {
		t.Errorf("%q, %v", body, err)
	}
	if network.lookups["a.example.com"] != 1 || strings.Join(network.dialled, " ") != "93.184.215.14:80" {
		t.Errorf("%d look-ups, dialled %v", network.lookups["a.example.com"], network.dialled)
	}
}

func TestRedirects(t *testing.T) {
	answers := map[string][]string{"a.example.com": {"93.184.215.14"}, "b.example.com": {"93.184.215.15"}, "inside.example.com": {"10.0.0.1"}}
	cases := []struct {
		name, target string
		opened       bool
	}{
		{"same host", "/", true},
		{"another public host", "http://b.example.com/", true},
		{"without scheme", "//b.example.com/", true},
		{"to loopback", "http://127.0.0.1/", false},
		{"to metadata", "http://169.254.169.254/latest/", false},
		{"to a host inside", "http://inside.example.com/", false},
		{"to a local name", "http://localhost/", false},
		{"to a local name without scheme", "//localhost/", false},
		{"to a file", "file:///etc/passwd", false},
		{"to gopher", "gopher://b.example.com/", false},
		{"with user information", "http://user@b.example.com/", false},
		{"with empty user information", "http://@b.example.com/", false},
		{"with a backslash", `http://b.example.com\@127.0.0.1/`, false},
		{"relative with a backslash", `/\127.0.0.1/`, false},
		{"with an escaped host", "http://%31%32%37.0.0.1/", false},
		{"with escaped non-ASCII in the host", "http://b%C3%BC.example.com/", false},
		{"to a short number", "http://127.1/", false},
		{"to a bad port", "http://b.example.com:0/", false},
		{"for ever", "/loop", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			network, web := startNetwork(t, answers)
			request, err := http.NewRequest(http.MethodGet, "http://a.example.com/to", nil)
			if err != nil {
				t.Fatal(err)
			}
			query := request.URL.Query()
			query.Set("u", c.target)
			request.URL.RawQuery = query.Encode()
			response, err := web.Client().Do(request)
			if err == nil {
				response.Body.Close()
			}
			if (err == nil) != c.opened {
				t.Errorf("opened %v, %v", err == nil, err)
			}
			for _, address := range network.dialled {
				if !strings.HasPrefix(address, "93.184.215.") {
					t.Errorf("dialled %s", address)
				}
			}
		})
	}
}

func TestRedirectsAreBounded(t *testing.T) {
	for most, want := range map[int]int{0: 11, 3: 4, 99: 11} { // requests: the first and each hop
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests++
			http.Redirect(w, r, "/again", http.StatusFound)
		}))
		network := &stubNetwork{server: server, answers: map[string][]string{"a.example.com": {"93.184.215.14"}}, lookups: make(map[string]int)}
		web := NewWeb(&WebOptions{Resolver: network, Dial: network.dial, MaxRedirects: most})
		if _, err := fetch(web.Client(), "http://a.example.com/"); err == nil || requests != want {
			t.Errorf("at most %d: %d requests, %v", most, requests, err)
		}
		server.Close()
	}
}

func TestProxiesOfTheEnvironmentAreNotUsed(t *testing.T) {
	proxied := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied = true }))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	network, web := startNetwork(t, map[string][]string{"a.example.com": {"93.184.215.14"}})
	client := web.Client()
	if body, err := fetch(client, "http://a.example.com/"); err != nil || body != "hello" {
		t.Errorf("%q, %v", body, err)
	}
	transport := client.Transport.(*webTransport).inner.(*http.Transport)
	if proxied || transport.Proxy != nil || strings.Join(network.dialled, "") != "93.184.215.14:80" {
		t.Errorf("proxied %v, dialled %v", proxied, network.dialled)
	}
	client.CloseIdleConnections()
}

// DialControl guards a dialler of the host's own, whatever it looks up.
func TestDialControl(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer server.Close()
	strict := &net.Dialer{Control: NewWeb(nil).DialControl}
	client := &http.Client{Transport: &http.Transport{DialContext: strict.DialContext}}
	_, err := fetch(client, server.URL)
	var refused *URLError
	if !errors.As(err, &refused) {
		t.Errorf("loopback was dialled: %v", err)
	}
	local := NewWeb(&WebOptions{AllowNets: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if body, err := fetch(local.Client(), server.URL); err != nil || body != "hello" {
		t.Errorf("an allowed network: %q, %v", body, err)
	}
	for _, c := range []struct {
		network, address string
		ok               bool
	}{
		{"tcp4", "93.184.215.14:80", true}, {"tcp6", "[2606:4700::1]:443", true}, {"udp", "8.8.8.8:53", true},
		{"tcp4", "127.0.0.1:80", false}, {"tcp6", "[::1]:80", false}, {"tcp6", "[fe80::1%eth0]:80", false}, {"tcp", "example.com:80", false},
		{"unix", "/var/run/docker.sock", false}, {"tcp", "", false},
	} {
		if err := NewWeb(nil).DialControl(c.network, c.address, nil); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.network, c.address, err)
		}
	}
}

func TestDialContextJudgesTheHost(t *testing.T) {
	network, web := startNetwork(t, map[string][]string{"a.example.com": {"93.184.215.14"}, "localhost": {"93.184.215.14"}})
	for address, ok := range map[string]bool{"a.example.com:80": true, "[2606:4700::1]:80": true, "localhost:80": false, "127.0.0.1:80": false, "[::1]:80": false, "a.example.com": false, "127.1:80": false} {
		conn, err := web.DialContext(t.Context(), "tcp", address)
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if conn != nil {
			conn.Close()
		}
	}
	network.server.Close()
	if _, err := web.DialContext(t.Context(), "tcp", "a.example.com:80"); err == nil {
		t.Error("a server that is gone was reached")
	}
}
