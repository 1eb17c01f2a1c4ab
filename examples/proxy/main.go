// Command proxy puts a guard between agents in any language and their model:
//
//	go run ./examples/proxy -upstream https://api.openai.com
//
// and then http://127.0.0.1:8400/v1 as the base URL of the client. It speaks what the clients speak
// (chat completions, Responses and Messages, whole and streamed), learns the tools from the requests,
// and shows on its page which answers no call backs. Until -enforce is given it changes nothing.
//
// A request takes this way: a handler strips the proxy's own headers and hands it to a reverse proxy,
// whose transport is chatwire's. For a request that offers tools, that one asks the [gate], which
// chooses the guard for the set of tools, says whose turn it is, and follows what becomes of it: on the
// [board] that the page shows, and in the [reports] that the ledger keeps.
//
// What passes is the clients' own: keys are handed on and kept nowhere; texts are
// shown on the page, within bounds, and neither logged nor stored. The ledger
// keeps what the messages say of calls and their results.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	s, err := parseSettings(args, errs)
	var usage usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "proxy: %v\n", err)
		return 2
	case err != nil:
		return 2 // told already
	}
	if err := serve(ctx, s, out, errs); err != nil {
		fmt.Fprintf(errs, "proxy: %v\n", err)
		return 1
	}
	return 0
}

// serve runs until the context ends, and then lets the requests under way finish.
func serve(ctx context.Context, s *settings, out, errs io.Writer) error {
	logger := slog.New(slog.NewTextHandler(errs, nil))
	if s.simulated {
		model, err := simmodel.Start(simulated, nil)
		if err != nil {
			return err
		}
		defer model.Close()
		if s.upstream, err = url.Parse(model.URL); err != nil {
			return err
		}
	}
	listener, err := listen(s)
	if err != nil {
		return err
	}
	s.addr = listener.Addr().String()
	p, err := newProxy(ctx, s, out, logger)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprint(out, p.greeting())
	return errors.Join(p.serve(ctx, listener, logger), p.close())
}

func listen(s *settings) (net.Listener, error) {
	listener, err := net.Listen("tcp", s.addr)
	if err != nil || s.cert == "" {
		return listener, err
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("-cert and -key: %w", err), listener.Close())
	}
	return tls.NewListener(listener, &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	}), nil
}

// serve answers until the context ends. There is no bound on how long an answer
// may take: streams are as long as models talk. Each read and write has one.
func (p *proxy) serve(ctx context.Context, listener net.Listener, logger *slog.Logger) error {
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(redacting{logger.Handler()}, slog.LevelWarn),
	}
	server.RegisterOnShutdown(p.board.close) // pages would stay for ever
	return serving.Until(ctx, server, listener, p.settings.drain, func() { p.draining.Store(true) })
}

// shared reports whether others can reach the proxy.
func (s *settings) shared() bool {
	host, _, err := net.SplitHostPort(s.addr)
	return err != nil || !serving.Loopback(host)
}

func baseURL(s *settings) string {
	scheme := "http"
	if s.cert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.addr
}

// greeting says where the proxy is, what it does, and who can reach it.
func (p *proxy) greeting() string {
	s := p.settings
	does := "watches and changes nothing (-enforce lets it act)"
	if s.enforce {
		does = "acts: it asks again, asks for proof and refuses"
	}
	reach := "Only this machine can reach it"
	if s.shared() {
		reach = "Others can reach it"
	}
	pageAt := "off"
	if p.page != nil {
		pageAt = baseURL(s) + "/"
	}
	upstream := s.upstream.String()
	if s.simulated {
		upstream = "a simulated model, which lies now and then"
	}
	return fmt.Sprintf("The proxy hands on to %s, and %s.\nBase URL for clients: %s/v1 (OpenAI), %s (Anthropic). %s.\n"+
		"Page: %s\n", upstream, does, baseURL(s), baseURL(s), reach, pageAt)
}
