package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func serverFor(t *testing.T, a *api) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(a.handler())
	t.Cleanup(server.Close)
	return server
}

func unmarshal(body []byte) (any, error) { return jsonschema.UnmarshalJSON(bytes.NewReader(body)) }

func TestAuthorisation(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.add("ann", "Ann's secret")
	w.tasks("bob")
	mint := func(method jwt.SigningMethod, key any, claims jwt.RegisteredClaims) string {
		token, err := jwt.NewWithClaims(method, claims).SignedString(key)
		check(t, err)
		return token
	}
	later, past := jwt.NewNumericDate(time.Now().Add(time.Hour)), jwt.NewNumericDate(time.Now().Add(-time.Hour))
	secret := w.api.tokens.secret
	for _, test := range []struct {
		name, header string
		status       int
	}{
		{"no token", "", http.StatusUnauthorized},
		{"no bearer", "Basic YW5uOmFubg==", http.StatusUnauthorized},
		{"no JWT", "Bearer x.y.z", http.StatusUnauthorized},
		{"another user", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "bob", ExpiresAt: later}), http.StatusForbidden},
		{"another user, but for the case of a letter", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "Ann", ExpiresAt: later}), http.StatusForbidden},
		{"another user, but for a space", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "ann ", ExpiresAt: later}), http.StatusForbidden},
		{"another user, who begins alike", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "anna", ExpiresAt: later}), http.StatusForbidden},
		{"no subject", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{ExpiresAt: later}), http.StatusForbidden},
		{"expired", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "ann", ExpiresAt: past}), http.StatusUnauthorized},
		{"no expiry", "Bearer " + mint(jwt.SigningMethodHS256, secret, jwt.RegisteredClaims{Subject: "ann"}), http.StatusUnauthorized},
		{"another secret", "Bearer " + mint(jwt.SigningMethodHS256, randomSecret(), jwt.RegisteredClaims{Subject: "ann", ExpiresAt: later}), http.StatusUnauthorized},
		{"another method", "Bearer " + mint(jwt.SigningMethodHS512, secret, jwt.RegisteredClaims{Subject: "ann", ExpiresAt: later}), http.StatusUnauthorized},
		{"no signature", "Bearer " + mint(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, jwt.RegisteredClaims{Subject: "ann", ExpiresAt: later}), http.StatusUnauthorized},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{"/api/ann/tasks", "/api/ann/chat"} {
				method := map[bool]string{true: "POST", false: "GET"}[strings.HasSuffix(path, "chat")]
				request, err := http.NewRequest(method, w.server.URL+path, strings.NewReader(`{"message":"list my tasks"}`))
				check(t, err)
				request.Header.Set("Content-Type", "application/json")
				if test.header != "" {
					request.Header.Set("Authorization", test.header)
				}
				a, err := w.do(request)
				check(t, err)
				if a.status != test.status || a.header.Get("Content-Type") != "application/problem+json" {
					t.Errorf("%s: status %d, %s", path, a.status, a.header)
				}
				if strings.Contains(string(a.body), "secret") || strings.Contains(string(a.body), "Read book") {
					t.Errorf("%s: the body holds titles: %s", path, a.body)
				}
			}
		})
	}
}

// TestOthersTasks asks for another user's task by its very title and id.
func TestOthersTasks(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.add("ann", "Divorce papers")
	secret, _ := w.task("ann", "Divorce papers")
	conversation := w.say(message{user: "ann", text: "list my tasks"}).ConversationID
	for _, text := range []string{"delete Divorce papers", "delete " + secret.ID, "delete Divorce", "list my tasks"} {
		a := w.say(message{user: "bob", text: text})
		if strings.Contains(text, "list") && strings.Contains(string(a.body), "Divorce") {
			t.Errorf("%s: %s", text, a.body)
		}
		if a.ExecutionMetadata.Executed > 0 && !strings.Contains(text, "list") {
			t.Errorf("%s: something was done: %s", text, a.body)
		}
	}
	if _, there := w.task("ann", "Divorce papers"); !there {
		t.Fatal("another user's task is gone")
	}
	a, err := w.send(message{user: "bob", text: "hello", conversation: conversation})
	check(t, err)
	if a.status != http.StatusNotFound {
		t.Errorf("another user's conversation: status %d", a.status)
	}
}

func TestBadRequests(t *testing.T) {
	w := newWorld(t, worldOptions{})
	token, err := w.api.tokens.mint("ann", time.Hour)
	check(t, err)
	for _, test := range []struct {
		name, body, kind, key string
		status                int
	}{
		{"no JSON", `message=hello`, "application/json", "", 400},
		{"another type", `{"message":"hello"}`, "text/plain", "", 415},
		{"empty message", `{"message":"  "}`, "application/json", "", 400},
		{"no message", `{}`, "application/json", "", 400},
		{"unknown field", `{"message":"hello","user_id":"bob"}`, "application/json", "", 400},
		{"two objects", `{"message":"hello"}{"message":"hello"}`, "application/json", "", 400},
		{"NUL", `{"message":"hel\u0000lo"}`, "application/json", "", 400},
		{"large message", `{"message":"` + strings.Repeat("x", maxMessage+1) + `"}`, "application/json", "", 413},
		{"large body", `{"message":"` + strings.Repeat("x", maxBody+1) + `"}`, "application/json", "", 413},
		{"unknown conversation", `{"message":"hello","conversation_id":"0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1a01"}`, "application/json", "", 404},
		{"no conversation id", `{"message":"hello","conversation_id":"' OR 1=1"}`, "application/json", "", 404},
		{"unknown fault", `{"message":"hello","faults":["lazy"]}`, "application/json", "", 400},
		{"long key", `{"message":"hello"}`, "application/json", strings.Repeat("k", maxKey+1), 400},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, err := http.NewRequest("POST", w.server.URL+"/api/ann/chat", strings.NewReader(test.body))
			check(t, err)
			request.Header.Set("Authorization", "Bearer "+token)
			request.Header.Set("Content-Type", test.kind)
			request.Header.Set("Idempotency-Key", test.key)
			a, err := w.do(request)
			check(t, err)
			var p problem
			if a.status != test.status || json.Unmarshal(a.body, &p) != nil || p.Status != test.status || p.Detail == "" {
				t.Errorf("status %d, want %d: %s", a.status, test.status, a.body)
			}
		})
	}
}

func TestIdempotencyKey(t *testing.T) {
	w := newWorld(t, worldOptions{})
	first := w.say(message{text: "add a task to buy milk", key: "k1"})
	asked := len(w.requests)
	second := w.say(message{text: "add a task to buy milk", key: "k1"})
	if !bytes.Equal(first.body, second.body) || second.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the repeat got another answer:\n%s\n%s", first.body, second.body)
	}
	if len(w.requests) != asked {
		t.Error("the repeat asked the model")
	}
	if n := len(w.tasks("ann")); n != len(seedTasks)+1 {
		t.Errorf("%d tasks, want one more than %d", n, len(seedTasks))
	}
	other, err := w.send(message{text: "add a task to buy bread", key: "k1"})
	check(t, err)
	if other.status != http.StatusUnprocessableEntity {
		t.Errorf("the same key with another message: status %d", other.status)
	}
	if bob := w.say(message{user: "bob", text: "add a task to buy milk", key: "k1"}); bob.header.Get("Idempotent-Replayed") != "" {
		t.Error("a key of another user counts")
	}
	if failed := w.say(message{text: "add a task to sing", key: "k2", faults: []string{"http-500"}}); failed.Error.Code != "model_unavailable" {
		t.Errorf("error %+v", failed.Error)
	}
	if again := w.say(message{text: "add a task to sing", key: "k2"}); again.AssistantMessage != "Added: sing" {
		t.Errorf("after a failure of the model the key is stuck: %q", again.AssistantMessage)
	}
}

// TestConcurrentRepeats sends one message many times at once.
func TestConcurrentRepeats(t *testing.T) {
	w := newWorld(t, worldOptions{think: 20 * time.Millisecond})
	var bodies sync.Map
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			a, err := w.send(message{text: "add a task to buy milk", key: "same"})
			if err != nil || a.status != http.StatusOK {
				t.Errorf("%v %+v", err, a)
				return
			}
			bodies.Store(string(a.body), true)
		})
	}
	group.Wait()
	n := 0
	bodies.Range(func(any, any) bool { n++; return true })
	if tasks := w.tasks("ann"); n != 1 || len(tasks) != len(seedTasks)+1 {
		t.Errorf("%d different answers and %d tasks, want 1 and %d", n, len(tasks), len(seedTasks)+1)
	}
}

// TestCrashedTurn repeats a turn whose process died after the change and before
// the answer was stored.
func TestCrashedTurn(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.say(message{text: "add a task to buy milk", key: "k1"})
	db := w.service.tasks.db
	_, err := db.Exec("UPDATE turns SET response = NULL, started_at = '2020-01-01T00:00:00Z'")
	check(t, err)
	a := w.say(message{text: "add a task to buy milk", key: "k1"})
	if a.AssistantMessage != "Added: buy milk" || a.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("got %q", a.AssistantMessage)
	}
	if n := len(w.tasks("ann")); n != len(seedTasks)+1 {
		t.Errorf("%d tasks: the change ran twice", n)
	}
}

// TestCrashedCall repeats a turn whose process died between the row and the
// record, or before the row: the rows tell which, nothing is done twice, and what
// was not done is done now.
func TestCrashedCall(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		before           func(*world) // what had happened to the rows when it died
		rows             int
	}{
		{"deleted", "delete Read book", "Deleted: Read book", func(w *world) {
			task, _ := w.task("ann", "Read book")
			check(w.t, w.service.tasks.remove(w.t.Context(), "ann", task.ID))
		}, len(seedTasks) - 1},
		{"not deleted", "delete Read book", "Deleted: Read book", func(*world) {}, len(seedTasks) - 1},
		{"added", "add a task to buy milk", "Added: buy milk", func(w *world) { w.add("ann", "buy milk") }, len(seedTasks) + 1},
		{"not added", "add a task to buy milk", "Added: buy milk", func(*world) {}, len(seedTasks) + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			dead := newWorld(t, worldOptions{database: sqliteFile(t)})
			dead.tasks("ann")
			dead.service.conversations.beat = time.Hour // the dead are silent
			began := make(chan struct{})
			dead.service.toolbox = guard.ExecutorFunc(func(ctx context.Context, _ tooltrack.Call) ([]byte, error) {
				test.before(dead)
				close(began)
				<-t.Context().Done() // it never comes back
				return nil, ctx.Err()
			})
			go func() { _, _ = dead.send(message{text: test.text, key: "k1"}) }()
			<-began
			db := dead.service.tasks.db
			_, err := db.Exec("UPDATE turns SET started_at = '2020-01-01T00:00:00Z'")
			check(t, err)
			_, err = db.Exec("UPDATE bonafide_records SET begun_at = begun_at - 3600000")
			check(t, err)
			alive := newWorld(t, worldOptions{database: dead.database})
			a := alive.say(message{text: test.text, key: "k1"})
			require.Equal(t, test.want, a.AssistantMessage, timelineOf(a))
			require.Nil(t, a.Error)
			require.Len(t, alive.tasks("ann"), test.rows)
		})
	}
}

func TestHistoryIsCarriedOn(t *testing.T) {
	w := newWorld(t, worldOptions{})
	first := w.say(message{text: "delete Read book", faults: []string{"ghost-success"}})
	second := w.say(message{text: "list my tasks", conversation: first.ConversationID})
	if second.ConversationID != first.ConversationID {
		t.Error("the conversation changed")
	}
	last := string(w.requests[len(w.requests)-1])
	for _, want := range []string{"delete Read book", "Deleted: Read book", "delete_task", "list my tasks"} {
		if !strings.Contains(last, want) {
			t.Errorf("the model was not shown %q", want)
		}
	}
	for _, hidden := range []string{"Done! I've deleted", "CRITICAL", "Implementation intent"} {
		if strings.Contains(last, hidden) {
			t.Errorf("the model was shown %q of an earlier turn", hidden)
		}
	}
	var roles []string
	for _, m := range first.Messages {
		roles = append(roles, m.Role)
		if strings.Contains(m.Content, "Done!") {
			t.Errorf("a text that did not pass is among the messages: %q", m.Content)
		}
	}
	if !slices.Equal(roles, []string{"user", "assistant", "tool", "assistant"}) {
		t.Errorf("roles %q", roles)
	}
}

// TestStoredMessages holds the rows of a conversation against the answer.
func TestStoredMessages(t *testing.T) {
	w := newWorld(t, worldOptions{})
	a := w.say(message{text: "delete Read book", faults: []string{"promise"}})
	rows, err := w.service.tasks.db.Query("SELECT id, conversation_id, role, content, tool_call_metadata, created_at FROM messages ORDER BY seq")
	check(t, err)
	defer rows.Close()
	var stored []Message
	for rows.Next() {
		var m Message
		var metadata sql.NullString
		check(t, rows.Scan(&m.ID, &m.ConversationID, &m.Role, &m.Content, &metadata, &m.CreatedAt))
		if metadata.Valid {
			check(t, json.Unmarshal([]byte(metadata.String), &m.ToolCalls))
		}
		stored = append(stored, m)
	}
	check(t, rows.Err())
	if !reflect.DeepEqual(stored, a.Messages) {
		t.Errorf("stored %+v, answered %+v", stored, a.Messages)
	}
	if n := len(stored); n != 4 || stored[1].ToolCalls == nil || stored[1].ToolCalls.Calls[0].Tool != "delete_task" || stored[2].ToolCalls.CallID != stored[1].ToolCalls.Calls[0].ID {
		t.Errorf("%d messages: %+v", n, stored)
	}
}

func TestEvents(t *testing.T) {
	w := newWorld(t, worldOptions{})
	token, err := w.api.tokens.mint("ann", time.Hour)
	check(t, err)
	request, err := http.NewRequest("POST", w.server.URL+"/api/ann/chat", strings.NewReader(`{"message":"list my tasks","faults":["skip-tool"]}`))
	check(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	defer response.Body.Close()
	var events []string
	var event string
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			if event == "reply" {
				w.validate([]byte(data))
				events = append(events, "reply")
				continue
			}
			var p Progress
			check(t, json.Unmarshal([]byte(data), &p))
			events = append(events, strings.TrimSpace(p.Event+" "+p.Tool))
		}
	}
	check(t, lines.Err())
	if want := []string{"thinking", "asking_again list_tasks", "thinking", "calling list_tasks", "thinking", "reply"}; !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
}

func TestTasksAndHealth(t *testing.T) {
	w := newWorld(t, worldOptions{})
	token, err := w.api.tokens.mint("ann", time.Hour)
	check(t, err)
	request, err := http.NewRequest("GET", w.server.URL+"/api/ann/tasks", nil)
	check(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	defer response.Body.Close()
	var body struct{ Tasks []Task }
	check(t, json.NewDecoder(response.Body).Decode(&body))
	if len(body.Tasks) != len(seedTasks) || body.Tasks[0].Title != "Read book" || body.Tasks[0].UserID != "ann" {
		t.Errorf("tasks %+v", body.Tasks)
	}
	health, err := http.Get(w.server.URL + "/healthz")
	check(t, err)
	health.Body.Close()
	if health.StatusCode != http.StatusOK {
		t.Errorf("health: %d", health.StatusCode)
	}
}

func TestDemoTokenIsLocal(t *testing.T) {
	w := newWorld(t, worldOptions{})
	for _, test := range []struct {
		name, host, site string
		status           int
	}{
		{"the page itself", "", "same-origin", 200},
		{"a name that was made to point here", "evil.example:8080", "same-origin", 404},
		{"a page of another site", "", "cross-site", 404},
	} {
		request, err := http.NewRequest("GET", w.server.URL+"/dev", nil)
		check(t, err)
		if test.host != "" {
			request.Host = test.host
		}
		request.Header.Set("Sec-Fetch-Site", test.site)
		response, err := http.DefaultClient.Do(request)
		check(t, err)
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d", test.name, response.StatusCode, test.status)
		}
	}
	production := &api{service: w.service, tokens: w.api.tokens}
	server := serverFor(t, production)
	response, err := http.Get(server.URL + "/dev")
	check(t, err)
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound {
		t.Errorf("without -dev: status %d", response.StatusCode)
	}
}

// TestWithheldTextsStayInside shows that only the demo tells what was withheld.
func TestWithheldTextsStayInside(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.service.demo = false
	a := w.say(message{text: "delete Read book", faults: []string{"ghost-success"}})
	if strings.Contains(string(a.body), "Done!") {
		t.Errorf("the withheld text is in the answer: %s", a.body)
	}
	if !slices.ContainsFunc(a.Guard.Timeline, func(e TimelineEntry) bool { return e.Kind == kindWithheld }) {
		t.Errorf("the timeline does not say that a text was withheld: %+v", a.Guard.Timeline)
	}
}

func TestGracefulShutdown(t *testing.T) {
	w := newWorld(t, worldOptions{think: 200 * time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, w.api.handler(), w.service.logger) }()
	w.server.URL = "http://" + listener.Addr().String()
	answered := make(chan *answer, 1)
	go func() {
		a, err := w.send(message{text: "delete Read book"})
		if err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	for { // until the model is asked, so that the request is under way
		w.mu.Lock()
		n := len(w.requests)
		w.mu.Unlock()
		if n > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	stop()
	if a := <-answered; a == nil || a.ChatResponse == nil || a.AssistantMessage != "Deleted: Read book" {
		t.Errorf("the request under way was cut off: %+v", a)
	}
	check(t, <-ended)
}

// TestTwoReplicas serves one user from two processes on one PostgreSQL.
func TestTwoReplicas(t *testing.T) {
	database := postgres(t)
	a, b := newWorld(t, worldOptions{database: database}), newWorld(t, worldOptions{database: database})
	b.api.tokens = a.api.tokens
	first := a.say(message{text: "add a task to buy milk", key: "k1"})
	if repeat := b.say(message{text: "add a task to buy milk", key: "k1"}); !bytes.Equal(first.body, repeat.body) {
		t.Error("the other replica gave another answer to the same key")
	}
	second := b.say(message{text: "delete buy milk", conversation: first.ConversationID})
	if second.AssistantMessage != "Deleted: buy milk" {
		t.Errorf("got %q", second.AssistantMessage)
	}
	if last := string(b.requests[len(b.requests)-1]); !strings.Contains(last, "Added: buy milk") {
		t.Error("the other replica does not know the conversation")
	}
	if _, there := a.task("ann", "buy milk"); there {
		t.Error("the first replica still sees the task")
	}
	var group sync.WaitGroup
	for i := range 20 {
		w := []*world{a, b}[i%2]
		group.Go(func() {
			if answer, err := w.send(message{text: "add a task to call mom", key: "k2"}); err != nil || answer.status != http.StatusOK {
				t.Errorf("%v %+v", err, answer)
			}
		})
	}
	group.Wait()
	if n := len(a.tasks("ann")); n != len(seedTasks)+1 {
		t.Errorf("%d tasks, want one more than %d", n, len(seedTasks))
	}
	records, err := b.service.ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	check(t, err)
	if len(records) != 3 {
		t.Errorf("%d records, want 3", len(records))
	}
}
