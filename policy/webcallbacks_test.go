package policy

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

type resolverFunc func(context.Context) ([]netip.Addr, error)

func (f resolverFunc) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	return f(ctx)
}

// TestWebCallbacks: a client dials in a goroutine of its own, so what the host's
// resolver and dial function do there must come back as an error of the request.
func TestWebCallbacks(t *testing.T) {
	boom := errors.New("boom")
	public := []netip.Addr{netip.MustParseAddr("93.184.215.14")}
	found := resolverFunc(func(context.Context) ([]netip.Addr, error) { return public, nil })
	resolve := func(f resolverFunc) WebOptions { return WebOptions{Resolver: f} }
	dial := func(f func(context.Context) (net.Conn, error)) WebOptions {
		return WebOptions{Resolver: found, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return f(ctx) }}
	}
	cases := []struct {
		name    string
		options WebOptions
		says    string
	}{
		{"the resolver panics", resolve(func(context.Context) ([]netip.Addr, error) { panic(boom) }), "WebOptions.Resolver panicked: boom"},
		{"the resolver hangs", resolve(func(ctx context.Context) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() }), "deadline exceeded"},
		{"the resolver finds nothing", resolve(func(context.Context) ([]netip.Addr, error) { return nil, nil }), "has no address"},
		{"the resolver fails", resolve(func(context.Context) ([]netip.Addr, error) { return nil, boom }), "boom"},
		{"the resolver returns garbage", resolve(func(context.Context) ([]netip.Addr, error) { return make([]netip.Addr, 1000), nil }), "refused"},
		{"the dial function panics", dial(func(context.Context) (net.Conn, error) { panic(boom) }), "WebOptions.Dial panicked: boom"},
		{"the dial function hangs", dial(func(ctx context.Context) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }), "deadline exceeded"},
		{"the dial function returns nothing", dial(func(context.Context) (net.Conn, error) { return nil, nil }), "neither a connection nor an error"},
		{"the dial function fails", dial(func(context.Context) (net.Conn, error) { return nil, boom }), "boom"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://example.com/", nil)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				response, err := NewWeb(&c.options).Client().Do(request)
				if err == nil {
					response.Body.Close()
				}
				if err == nil || !strings.Contains(err.Error(), c.says) || time.Since(began) > time.Second {
					t.Errorf("after %s: %v", time.Since(began), err)
				}
				time.Sleep(30 * time.Second) // of the bubble's clock: by then no dial is left behind
			})
		})
	}
}
