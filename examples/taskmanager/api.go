package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// api serves the service over HTTP.
type api struct {
	service *service
	tokens  *tokens
	prove   bool                // ask what every answer rests on
	dev     *devMode            // nil in production
	stage   func() (any, error) // the opening of the demo, which is played once
}

// devMode is what the page is told on the developer's own machine.
type devMode struct {
	User   string            `json:"user_id"`
	Token  string            `json:"token"`
	Model  string            `json:"model"`
	Faults []string          `json:"faults"`      // that can be picked; none for a real model
	Words  map[string]string `json:"fault_words"` // what they are
	Picked []string          `json:"picked"`      // those of -faults
	Guard  bool              `json:"guard"`
	Today  string            `json:"today"`
}

func (a *api) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/{user_id}/chat", a.authorised(a.chat))
	for pattern, e := range map[string]endpoint{
		"GET /api/{user_id}/tasks":              a.tasks,
		"GET /api/{user_id}/approvals":          a.approvals,
		"POST /api/{user_id}/approvals/{id}":    a.decide,
		"GET /api/{user_id}/conversations/{id}": a.lastSaid,
		"POST /api/{user_id}/reset":             a.reset,
	} {
		mux.HandleFunc(pattern, a.authorised(a.answer(e)))
	}
	open := map[string]endpoint{"GET /healthz": a.health, "GET /dev": a.session, "GET /dev/stage": a.staged}
	for pattern, e := range open {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { a.answer(e)(w, r, "") })
	}
	mux.Handle("GET /", serving.Page(pageFiles))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Protected(w.Header())
		mux.ServeHTTP(w, r)
	})
}

// endpoint answers a user with JSON; whoever needs no user is given none.
type endpoint func(r *http.Request, user string) (any, error)

func (a *api) answer(e endpoint) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, r *http.Request, user string) {
		value, err := e(r, user)
		if err != nil {
			a.fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value) // the client may have left
	}
}

// authorised lets a handler run for the user of the path only with their token.
func (a *api) authorised(next func(http.ResponseWriter, *http.Request, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user := r.PathValue("user_id")
		if refused := a.tokens.check(r, user); refused != nil {
			if refused.Status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="taskmanager"`)
			}
			refused.write(w)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next(w, r, user)
	}
}

const (
	maxBody    = 64 << 10
	maxMessage = 32 << 10
	maxKey     = 200
)

// chatBody is the body of a chat request. Faults and guard are for the demo.
type chatBody struct {
	Message        string   `json:"message"`
	ConversationID string   `json:"conversation_id"`
	Faults         []string `json:"faults"`
	Guard          *bool    `json:"guard"`
}

func (a *api) chat(w http.ResponseWriter, r *http.Request, user string) {
	request, err := a.readChat(r, user)
	if err != nil {
		a.fail(w, err)
		return
	}
	if accepts(r, "text/event-stream") {
		a.chatEvents(w, r, request)
		return
	}
	response, answer, err := a.service.chat(r.Context(), request)
	if err != nil {
		a.fail(w, err)
		return
	}
	if response == nil {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // the client may have left
}

func accepts(r *http.Request, media string) bool {
	for accepted := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if kind, _, err := mime.ParseMediaType(accepted); err == nil && kind == media {
			return true
		}
	}
	return false
}

// readBody reads a JSON object strictly.
func readBody(r *http.Request, what string, body any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(body); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return newProblem(http.StatusBadRequest, "the body is not a "+what+": "+err.Error())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return newProblem(http.StatusBadRequest, "there is something after the object")
	}
	return nil
}

func (a *api) readChat(r *http.Request, user string) (chatRequest, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return chatRequest{}, newProblem(http.StatusUnsupportedMediaType, "send application/json")
	}
	var body chatBody
	if err := readBody(r, "chat request", &body); err != nil {
		return chatRequest{}, err
	}
	request := chatRequest{
		user: user, message: body.Message, conversation: body.ConversationID, key: r.Header.Get("Idempotency-Key"),
		prove: a.prove,
	}
	if err := checkRequest(request); err != nil {
		return chatRequest{}, err
	}
	return a.forDemo(request, body)
}

func checkRequest(request chatRequest) error {
	switch {
	case strings.TrimSpace(request.message) == "":
		return newProblem(http.StatusBadRequest, "message is empty")
	case len(request.message) > maxMessage:
		return newProblem(http.StatusRequestEntityTooLarge, "message is longer than 32 KiB")
	case strings.ContainsRune(request.message, 0) || !utf8.ValidString(request.message):
		return newProblem(http.StatusBadRequest, "message holds characters that cannot be stored")
	case len(request.key) > maxKey:
		return newProblem(http.StatusBadRequest, "Idempotency-Key is longer than 200 characters")
	}
	if request.conversation != "" && uuid.Validate(request.conversation) != nil {
		return errNoConversation
	}
	return nil
}

// forDemo adds the choices of the demo page, which nobody else has.
func (a *api) forDemo(request chatRequest, body chatBody) (chatRequest, error) {
	if a.dev == nil {
		if body.Faults != nil || body.Guard != nil {
			return request, newProblem(http.StatusBadRequest, "faults and guard are for serve -dev")
		}
		return request, nil
	}
	request.unguarded = !a.dev.Guard
	if body.Guard != nil {
		request.unguarded = !*body.Guard
	}
	request.faults = a.dev.Picked
	if body.Faults != nil {
		faults, err := simmodel.ParseFaults(strings.Join(body.Faults, ","), a.dev.Faults)
		if err != nil {
			return request, newProblem(http.StatusBadRequest, err.Error())
		}
		request.faults = faults
	}
	return request, nil
}

func (a *api) tasks(r *http.Request, user string) (any, error) {
	if err := a.service.tasks.welcome(r.Context(), user); err != nil {
		return nil, err
	}
	tasks, err := a.service.tasks.list(r.Context(), user, "")
	return map[string]any{"tasks": tasks}, err
}

func (a *api) health(r *http.Request, _ string) (any, error) {
	if err := a.service.tasks.db.PingContext(r.Context()); err != nil {
		return nil, newProblem(http.StatusServiceUnavailable, "the database does not answer")
	}
	return map[string]string{"status": "ok"}, nil
}

var errNoDemo = newProblem(http.StatusNotFound, "there is no demo here")

// session gives the page a token, on the developer's own machine only.
func (a *api) session(r *http.Request, _ string) (any, error) {
	if a.dev == nil || !local(r) {
		return nil, errNoDemo
	}
	session := *a.dev
	if r.URL.Query().Has("approver") { // a second browser, for somebody else
		session.User = approver
	}
	var err error
	session.Token, err = a.tokens.mint(session.User, 12*time.Hour)
	return session, err
}

func (a *api) fail(w http.ResponseWriter, err error) { a.problem(err).write(w) }

// problem is an error as a client may see it. What is our own fault is in the log.
func (a *api) problem(err error) *problem {
	p := problemFor(err)
	if p.Status == http.StatusInternalServerError {
		a.service.logger.Error("a request failed", "error", err)
	}
	return p
}

// The page needs no build step and asks no other host for anything.
//
//go:embed page
var pageFiles embed.FS

// chatEvents answers with progress as it happens, and the response at the end. A client that left ends the turn.
//
//	event: progress
//	data: {"event":"calling","tool":"delete_task"}
//
//	event: reply
//	data: {"conversation_id":…}
func (a *api) chatEvents(w http.ResponseWriter, r *http.Request, request chatRequest) {
	stream, end := serving.BeginEvents(w)
	request.progress = func(p Progress) {
		if data, err := json.Marshal(p); err == nil {
			stream.Send("progress", data)
		}
	}
	_, answer, err := a.service.chat(r.Context(), request)
	end()
	if err == nil {
		stream.Send("reply", answer)
	} else if data, err := json.Marshal(a.problem(err)); err == nil {
		stream.Send("problem", data)
	}
}

// problem is an error of transport or authorisation, as RFC 9457 has it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

func newProblem(status int, detail string) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
}

func (p *problem) Error() string { return p.Detail }

// problemFor is an error of the service as a client may see it. What is our own fault is not explained to strangers.
func problemFor(err error) *problem {
	var known *problem
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &tooLarge):
		return newProblem(http.StatusRequestEntityTooLarge, "the body is too large")
	case errors.Is(err, errNoConversation):
		return newProblem(http.StatusNotFound, err.Error())
	case errors.Is(err, errKeyReused):
		return newProblem(http.StatusUnprocessableEntity, err.Error())
	case errors.Is(err, errStillRunning):
		return newProblem(http.StatusConflict, err.Error())
	}
	return newProblem(http.StatusInternalServerError, "something went wrong; it was logged")
}

func (p *problem) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have left
}

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

// serve answers until the context ends, and then lets the requests under way finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, logger *slog.Logger) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 90 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	return serving.Until(ctx, server, listener, 15*time.Second, nil)
}
