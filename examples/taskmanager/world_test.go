package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx", which only a fleet has
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

// today is a Sunday.
const today = "2026-02-08"

// world is the whole program behind its HTTP API: database, model, guard and
// server.
type world struct {
	t        *testing.T
	database string
	service  *service
	api      *api
	server   *httptest.Server
	schema   *jsonschema.Schema
	meet     func()
	mu       sync.Mutex
	requests [][]byte // bodies that the model was sent
}

type worldOptions struct {
	database string             // default: in memory
	model    simmodel.Behaviour // default: the task manager's own
	think    time.Duration
	meet     func() // called while the model is asked; default: nothing
	now      string // default: today

}

func newWorld(t *testing.T, options worldOptions) *world {
	t.Helper()
	if options.database == "" {
		options.database = ":memory:"
	}
	if options.now == "" {
		options.now = today
	}
	clock, err := clockAt(options.now)
	check(t, err)
	w := &world{t: t, database: options.database, meet: options.meet}
	if options.model == nil {
		options.model = simulate
	}
	thinking := func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		answer := options.model(ctx, request)
		answer.Delay += options.think
		return answer
	}
	source, err := stage.Open("", thinking, &simmodel.Options{Slow: 20 * time.Millisecond, Observe: w.observe})
	check(t, err)
	t.Cleanup(func() { check(t, source.Close()) })
	w.service, err = newService(t.Context(), serviceOptions{
		database: options.database, model: source.Model, clock: clock, demo: true, logger: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
	})
	check(t, err)
	t.Cleanup(func() { check(t, w.service.close()) })
	s := &settings{model: "sim", guarded: true}
	w.api, err = s.newAPI(w.service, true)
	check(t, err)
	w.server = httptest.NewServer(w.api.handler())
	t.Cleanup(w.server.Close)
	w.schema = compile(t, "response.schema.json")
	return w
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(name)
	check(t, err)
	return schema
}

// observe keeps what the model was asked, up to a bound.
func (w *world) observe(body []byte) {
	if w.meet != nil {
		w.meet()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.requests) < 100 {
		w.requests = append(w.requests, bytes.Clone(body))
	}
}

// message is a chat request of a test.
type message struct {
	user         string // default: ann
	text         string
	conversation string
	faults       []string
	unguarded    bool
	key          string
	token        string // default: the user's own
}

// answer is what came back over HTTP.
type answer struct {
	*ChatResponse
	status int
	header http.Header
	body   []byte
}

// send posts a message.
func (w *world) send(m message) (*answer, error) {
	if m.user == "" {
		m.user = "ann"
	}
	body := map[string]any{"message": m.text, "guard": !m.unguarded, "faults": append([]string{}, m.faults...)}
	if m.conversation != "" {
		body["conversation_id"] = m.conversation
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest("POST", w.server.URL+"/api/"+url.PathEscape(m.user)+"/chat", bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if m.token == "" {
		if m.token, err = w.api.tokens.mint(m.user, time.Hour); err != nil {
			return nil, err
		}
	}
	request.Header.Set("Authorization", "Bearer "+m.token)
	request.Header.Set("Content-Type", "application/json")
	if m.key != "" {
		request.Header.Set("Idempotency-Key", m.key)
	}
	return w.do(request)
}

func (w *world) do(request *http.Request) (*answer, error) {
	response, err := w.server.Client().Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	a := &answer{status: response.StatusCode, header: response.Header}
	if a.body, err = io.ReadAll(response.Body); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return a, nil
	}
	return a, json.Unmarshal(a.body, &a.ChatResponse)
}

// say sends a message that must be answered, in the form of the schema.
func (w *world) say(m message) *answer {
	w.t.Helper()
	a, err := w.send(m)
	check(w.t, err)
	if a.status != http.StatusOK {
		w.t.Fatalf("%q: status %d: %s", m.text, a.status, a.body)
	}
	w.validate(a.body)
	return a
}

func (w *world) validate(body []byte) {
	w.t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	check(w.t, err)
	if err := w.schema.Validate(value); err != nil {
		w.t.Errorf("the answer does not fit its schema: %v\n%s", err, body)
	}
}

// tasks are the rows of a user.
func (w *world) tasks(user string) []Task {
	w.t.Helper()
	check(w.t, w.service.tasks.welcome(context.Background(), user))
	tasks, err := w.service.tasks.list(context.Background(), user, "")
	check(w.t, err)
	return tasks
}

// task is the row with a title; its second value is false if there is none.
func (w *world) task(user, title string) (Task, bool) {
	w.t.Helper()
	for _, task := range w.tasks(user) {
		if task.Title == title {
			return task, true
		}
	}
	return Task{}, false
}

// add stores tasks for a user.
func (w *world) add(user string, titles ...string) {
	w.t.Helper()
	check(w.t, w.service.tasks.welcome(context.Background(), user))
	for _, title := range titles {
		_, err := w.service.tasks.add(context.Background(), user, Task{Title: title})
		check(w.t, err)
	}
}

// clear deletes all tasks of a user.
func (w *world) clear(user string) {
	w.t.Helper()
	w.tasks(user) // so that the first tasks do not come later
	check(w.t, w.service.tasks.clear(context.Background(), user))
}

// everyFault runs a test for the healthy model and for every fault, each with a
// user of its own. Under the race detector, which makes a turn fifty times as
// long, it is every third fault, another third for each test.
func everyFault(t *testing.T, test func(t *testing.T, w *world, user, fault string)) {
	w := newWorld(t, worldOptions{})
	for i, fault := range append([]string{""}, simFaults...) {
		if raceEnabled && (i+len(t.Name()))%3 != 0 {
			continue
		}
		name := fault
		if name == "" {
			name = "healthy"
		}
		t.Run(name, func(t *testing.T) {
			inner := &world{t: t, service: w.service, api: w.api, server: w.server, schema: w.schema}
			test(t, inner, "user-"+name, fault)
		})
	}
}

// incurable reports whether a fault cannot be corrected, so that the answer must
// be an error.
func incurable(fault string) bool { return fault == "skip-tool-twice" || fault == "http-500" }

// noClaim fails if a text says that anything was done.
func noClaim(t *testing.T, text string) {
	t.Helper()
	for act, form := range claimForms {
		if form.MatchString(text) {
			t.Errorf("%q claims that something was %s", text, act)
		}
	}
}

// postgres is a database of the test's own, in a schema that is dropped at the
// end.
func postgres(t testing.TB) string {
	t.Helper()
	address := os.Getenv("BONAFIDE_TEST_POSTGRES")
	if address == "" {
		t.Skip("BONAFIDE_TEST_POSTGRES is not set")
	}
	random := make([]byte, 6)
	_, _ = rand.Read(random)
	name := "taskmanager_" + hex.EncodeToString(random)
	db, err := sql.Open("pgx", address)
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Exec("CREATE SCHEMA " + name)
	check(t, err)
	t.Cleanup(func() {
		_, err := db.Exec("DROP SCHEMA " + name + " CASCADE")
		check(t, err)
	})
	joint := "?"
	if strings.Contains(address, "?") {
		joint = "&"
	}
	return address + joint + "search_path=" + name
}

// sqliteFile is a database in a file of the test's own.
func sqliteFile(t testing.TB) string {
	return filepath.Join(t.TempDir(), fmt.Sprintf("tasks-%d.db", time.Now().UnixNano()))
}
