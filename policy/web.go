package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Resolver finds the addresses of a host; [*net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// WebOptions configure a [Web]. Nil is the default.
type WebOptions struct {
	// AllowNets are networks that may be reached although they are not public,
	// such as a company's own. Default: none.
	AllowNets []netip.Prefix
	// AllowHosts are exact names that may be asked for although they are local,
	// in lower case, such as "wiki.internal". Their addresses are judged as any
	// other: name their networks, too. Default: none.
	AllowHosts []string
	// MaxRedirects is how many redirects a client follows. Default and most: 10.
	MaxRedirects int
	// Timeout is for a whole request of a client. Default: 30 seconds.
	Timeout time.Duration
	// Resolver finds addresses. Default: that of the system.
	Resolver Resolver
	// Dial opens connections to addresses that were judged. Default: a
	// net.Dialer whose Control judges once more.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Web judges what web tools may open: URLs by their text, and connections by
// the address that is really dialled. It is immutable and safe for concurrent
// use.
type Web struct {
	nets         []netip.Prefix
	hosts        []string
	maxRedirects int
	timeout      time.Duration
	resolver     Resolver
	dial         func(ctx context.Context, network, address string) (net.Conn, error)
}

// maxRedirects is the most hops that any client follows.
const maxRedirects = 10

// NewWeb makes a Web. It judges nothing leniently by default.
func NewWeb(options *WebOptions) *Web {
	options = cmp.Or(options, &WebOptions{})
	w := &Web{
		nets: slices.Clone(options.AllowNets), hosts: slices.Clone(options.AllowHosts),
		maxRedirects: min(cmp.Or(max(options.MaxRedirects, 0), maxRedirects), maxRedirects),
		timeout:      cmp.Or(max(options.Timeout, 0), 30*time.Second),
		resolver:     cmp.Or[Resolver](options.Resolver, net.DefaultResolver), dial: options.Dial,
	}
	if w.dial == nil {
		w.dial = (&net.Dialer{Timeout: 10 * time.Second, Control: w.DialControl}).DialContext
	}
	return w
}

// Check judges a URL by its text. The error is a [*URLError].
func (w *Web) Check(text string) error {
	if _, fault := w.checkURL(text); fault != nil {
		return fault
	}
	return nil
}

// lookup finds the addresses of a judged host. One refused answer refuses the
// host: a name with a public and a private address has no honest use here.
func (w *Web) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	addresses := []netip.Addr{address}
	if err != nil {
		addresses, err = w.ask(ctx, host)
	}
	switch {
	case err != nil:
		return nil, err
	case len(addresses) == 0:
		return nil, &URLError{host, "has no address"}
	}
	for _, address := range addresses {
		if fault := w.refuse(address, host); fault != nil {
			return nil, fault
		}
	}
	return addresses, nil
}

// ask survives a resolver that panics. Transports dial in goroutines of their
// own, where a panic would end the process.
func (w *Web) ask(ctx context.Context, host string) (addresses []netip.Addr, err error) {
	defer survive("WebOptions.Resolver panicked", &err)
	return w.resolver.LookupNetIP(ctx, "ip", host)
}

// connect survives a dial function that panics or returns nothing.
func (w *Web) connect(ctx context.Context, network, address string) (conn net.Conn, err error) {
	defer survive("WebOptions.Dial panicked", &err)
	conn, err = w.dial(ctx, network, address)
	if err == nil && conn == nil {
		err = errors.New("WebOptions.Dial returned neither a connection nor an error")
	}
	return conn, err
}

// DialControl is for the Control field of a [net.Dialer]: it judges the address
// that is about to be dialled, after every look-up, so an answer that changed
// since the URL was judged is of no use to anyone.
func (w *Web) DialControl(network, address string, _ syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") && !strings.HasPrefix(network, "udp") {
		return fmt.Errorf("network %s is refused; web tools use tcp and udp", network)
	}
	dialled, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %s is refused: it is no address and port", jsonspan.Quote([]byte(address)))
	}
	if fault := w.refuse(dialled.Addr(), dialled.Addr().String()); fault != nil {
		return fault
	}
	return nil
}

// DialContext looks a host up once, judges every answer and dials only those. It
// ends with [WebOptions.Timeout] at the latest: transports dial for whoever comes
// next, with a context that outlives the request.
func (w *Web) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	host, fault := w.checkHost(name)
	if fault != nil {
		return nil, fault
	}
	addresses, err := w.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, judged := range addresses {
		conn, err := w.connect(ctx, network, net.JoinHostPort(judged.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// Client is an HTTP client that opens public URLs only. Every URL is judged
// before it is asked for, redirects included, and every connection by the
// address that is dialled. Proxies of the environment are not used: behind one,
// the address that is dialled says nothing about the one that is reached.
func (w *Web) Client() *http.Client {
	return w.ClientWith(&http.Transport{
		Proxy: nil, DialContext: w.DialContext, ForceAttemptHTTP2: true, MaxIdleConns: 100,
		IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second, ExpectContinueTimeout: time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	})
}

// ClientWith is [Web.Client] with a transport of the host's own. That one must
// dial with [Web.DialContext], or with a dialer that has [Web.DialControl], and
// use no proxy; only the URLs are judged here.
func (w *Web) ClientWith(inner http.RoundTripper) *http.Client {
	return &http.Client{Transport: &webTransport{w, inner}, CheckRedirect: w.checkRedirect, Timeout: w.timeout}
}

// webTransport judges the URL of every request, the first included.
type webTransport struct {
	web   *Web
	inner http.RoundTripper
}

func (t *webTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := t.web.checkRequest(request.URL); err != nil {
		if request.Body != nil {
			_ = request.Body.Close() // the request is refused in any case
		}
		return nil, err
	}
	return t.inner.RoundTrip(request)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections reach the
// connections.
func (t *webTransport) CloseIdleConnections() {
	if closer, ok := t.inner.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// checkRequest judges a URL that was parsed already. It is put together again
// without its path, and not printed, because printing escapes the host.
func (w *Web) checkRequest(address *url.URL) error {
	if address.User != nil {
		return refuseURL("it carries user information before the host; leave it out")
	}
	return w.Check(address.Scheme + "://" + address.Host + "/")
}

func (w *Web) checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) > w.maxRedirects {
		return refuseURL("it was redirected more than %d times", w.maxRedirects)
	}
	if request.Response != nil {
		if fault := w.checkLocation(request.Response.Header.Get("Location")); fault != nil {
			return fault
		}
	}
	return w.checkRequest(request.URL)
}

// checkLocation judges a redirect's target as the server wrote it; what the
// parser of net/url made of it is judged besides.
func (w *Web) checkLocation(location string) *URLError {
	if strings.HasPrefix(location, "//") {
		location = "http:" + location
	}
	if _, absolute := cutScheme(location); absolute {
		_, fault := w.checkURL(location)
		return fault
	}
	return badCharacter(location)
}
