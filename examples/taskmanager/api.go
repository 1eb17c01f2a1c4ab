package main

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
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
	prove   bool     // ask what every answer rests on
	dev     *devMode // nil in production
	stage   openingScene
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
	mux.HandleFunc("GET /api/{user_id}/tasks", a.authorised(a.tasks))
	mux.HandleFunc("GET /api/{user_id}/approvals", a.authorised(a.approvals))
	mux.HandleFunc("POST /api/{user_id}/approvals/{id}", a.authorised(a.decide))
	mux.HandleFunc("GET /api/{user_id}/conversations/{id}", a.authorised(a.lastSaid))
	mux.HandleFunc("GET /healthz", a.health)
	mux.HandleFunc("POST /api/{user_id}/reset", a.authorised(a.reset))
	mux.HandleFunc("GET /dev", a.session)
	mux.HandleFunc("GET /dev/stage", a.staged)
	mux.Handle("GET /", page())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Protected(w.Header())
		mux.ServeHTTP(w, r)
	})
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
	request, err := a.readChat(w, r, user)
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

func (a *api) readChat(w http.ResponseWriter, r *http.Request, user string) (chatRequest, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return chatRequest{}, newProblem(http.StatusUnsupportedMediaType, "send application/json")
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	var body chatBody
	if err := decoder.Decode(&body); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return chatRequest{}, err
		}
		return chatRequest{}, newProblem(http.StatusBadRequest, "the body is not a chat request: "+err.Error())
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return chatRequest{}, newProblem(http.StatusBadRequest, "there is something after the object")
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

func (a *api) tasks(w http.ResponseWriter, r *http.Request, user string) {
	if err := a.service.tasks.welcome(r.Context(), user); err != nil {
		a.fail(w, err)
		return
	}
	tasks, err := a.service.tasks.list(r.Context(), user, "")
	if err != nil {
		a.fail(w, err)
		return
	}
	writeJSON(w, map[string]any{"tasks": tasks})
}

func (a *api) health(w http.ResponseWriter, r *http.Request) {
	if err := a.service.tasks.db.PingContext(r.Context()); err != nil {
		newProblem(http.StatusServiceUnavailable, "the database does not answer").write(w)
		return
	}
	writeJSON(w, map[string]string{"status": "ok"})
}

// session gives the page a token, on the developer's own machine only.
func (a *api) session(w http.ResponseWriter, r *http.Request) {
	if a.dev == nil || !local(r) {
		newProblem(http.StatusNotFound, "there is no demo here").write(w)
		return
	}
	session := *a.dev
	if r.URL.Query().Has("approver") { // a second browser, for somebody else
		session.User = approver
	}
	var err error
	if session.Token, err = a.tokens.mint(session.User, 12*time.Hour); err != nil {
		a.fail(w, err)
		return
	}
	writeJSON(w, session)
}

func (a *api) fail(w http.ResponseWriter, err error) {
	p := problemFor(err)
	if p.Status == http.StatusInternalServerError {
		a.service.logger.Error("a request failed", "error", err)
	}
	p.write(w)
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client may have left
}
