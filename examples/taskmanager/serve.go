package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
)

func serveCommand(ctx context.Context, args []string, out, errs io.Writer) error {
	s := newSettings("serve", "", errs)
	address := s.flags.String("addr", "127.0.0.1:8080", "`address` to listen on")
	dev := s.flags.Bool("dev", false, "mint a token for the page, on loopback only")
	if err := s.parse(args); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(*address)
	switch {
	case err != nil:
		return usageError("-addr " + err.Error())
	case *dev && !serving.Loopback(host):
		return usageError("-dev gives everybody a token; use it on a loopback address, such as 127.0.0.1:8080")
	case !*dev && (len(s.picked) > 0 || !s.guarded):
		return usageError("-faults and -guard=false are for serve -dev")
	}
	logger := slog.New(slog.NewTextHandler(errs, nil))
	service, stop, err := s.open(ctx, *dev, logger)
	if err != nil {
		return err
	}
	defer stop()
	a, err := s.newAPI(service, *dev)
	if err != nil {
		return err
	}
	go service.resumeAll(ctx) // what was decided before the last end of the server
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return fmt.Errorf("%w; -addr 127.0.0.1:0 takes any port that is free", err)
	}
	fmt.Fprintf(out, "The task manager is at http://%s/\n", listener.Addr())
	if *dev {
		fmt.Fprintln(out, "Open it in a browser; Ctrl-C ends it.")
	}
	return serve(ctx, listener, a.handler(), logger)
}

// newAPI puts an API before a service.
func (s *settings) newAPI(service *service, dev bool) (*api, error) {
	secret := []byte(os.Getenv("TASKMANAGER_JWT_SECRET"))
	if dev && len(secret) == 0 {
		secret = randomSecret()
	}
	tokens, err := newTokens(secret)
	if err != nil {
		return nil, usageError(err.Error())
	}
	a := &api{service: service, tokens: tokens, prove: s.prove}
	if dev {
		a.stage = sync.OnceValues(a.playStage)
		a.dev = &devMode{
			User: "demo", Model: s.model, Picked: s.picked, Guard: s.guarded, Faults: []string{}, Words: map[string]string{},
			Today: service.tasks.clock().Format(time.DateOnly),
		}
		if s.model == "sim" {
			a.dev.Faults = simFaults
			for _, fault := range faultTable {
				a.dev.Words[fault[0]] = fault[1]
			}
		}
	}
	return a, nil
}

// serve answers until the context ends, and then lets the requests under way
// finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, logger *slog.Logger) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 90 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	return serving.Until(ctx, server, listener, 15*time.Second, nil)
}
