package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

const clearAll = "delete all completed tasks"

// call sends a request with the token of a user.
func (w *world) call(user, method, path string, body any) (int, []byte) {
	w.t.Helper()
	token, err := w.api.tokens.mint(user, time.Hour)
	check(w.t, err)
	sent, err := json.Marshal(body)
	check(w.t, err)
	request, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+"/api/"+user+"/"+path, bytes.NewReader(sent))
	check(w.t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	check(w.t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(w.t, err)
	return response.StatusCode, answer
}

func (w *world) inbox(user string) []Approval {
	w.t.Helper()
	status, body := w.call(user, http.MethodGet, "approvals", nil)
	require.Equal(w.t, http.StatusOK, status, string(body))
	var list struct{ Approvals []Approval }
	check(w.t, json.Unmarshal(body, &list))
	return list.Approvals
}

func (w *world) completed(user string) (n int) {
	for _, task := range w.tasks(user) {
		if task.Status == "completed" {
			n++
		}
	}
	return n
}

// TestApproval: what deletes many tasks waits; a second person decides; nobody else can.
func TestApproval(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.say(message{text: "mark Read book as done"})
	require.Equal(t, 2, w.completed("ann"))
	a := w.say(message{text: clearAll, key: "k1"})
	require.Contains(t, a.AssistantMessage, "Waiting for approval: delete 2 completed tasks: Read book, Send the invoice")
	require.Nil(t, a.Error)
	require.Empty(t, a.ToolCalls, "nothing was executed")
	require.Equal(t, 2, w.completed("ann"))
	require.Len(t, a.Approvals, 1)
	id := a.Approvals[0].ID

	require.Len(t, w.inbox("ann"), 1)
	require.Empty(t, w.inbox("bob"), "what others wait for is not bob's business")
	all := w.inbox(approver)
	require.Len(t, all, 1)
	require.JSONEq(t, `{"titles":["Read book","Send the invoice"]}`, string(all[0].Arguments))

	for name, c := range map[string]struct {
		user, id string
		body     any
		status   int
	}{
		"another user":          {"bob", id, decision{Owner: "ann", Approve: true}, http.StatusForbidden},
		"as one's own":          {"bob", id, decision{Approve: true}, http.StatusNotFound},
		"a made up id":          {"ann", "ap_1", decision{Approve: true}, http.StatusNotFound},
		"a name in the body":    {"ann", id, map[string]any{"approve": true, "by": "approver"}, http.StatusBadRequest},
		"arguments of no shape": {"ann", id, map[string]any{"approve": true, "arguments": []int{1}}, http.StatusBadRequest},
	} {
		status, body := w.call(c.user, http.MethodPost, "approvals/"+c.id, c.body)
		require.Equal(t, c.status, status, "%s: %s", name, body)
	}
	require.Equal(t, 2, w.completed("ann"))

	edited := decision{Owner: "ann", Approve: true, Arguments: json.RawMessage(`{"titles":["Read book"]}`)}
	status, body := w.call(approver, http.MethodPost, "approvals/"+id, edited)
	require.Equal(t, http.StatusOK, status, string(body))
	require.NotContains(t, string(body), "assistant_message", "the conversation is ann's")
	require.Equal(t, 1, w.completed("ann"))
	status, body = w.call("ann", http.MethodPost, "approvals/"+id, decision{Approve: false})
	require.Equal(t, http.StatusConflict, status, string(body))
	status, body = w.call("ann", http.MethodGet, "conversations/"+a.ConversationID, nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(body), "Deleted: Read book")
	require.NotContains(t, string(body), "Waiting")
	status, _ = w.call("bob", http.MethodGet, "conversations/"+a.ConversationID, nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestApprovalRejected(t *testing.T) {
	w := newWorld(t, worldOptions{})
	a := w.say(message{text: clearAll})
	status, body := w.call("ann", http.MethodPost, "approvals/"+a.Approvals[0].ID, decision{Reason: "not yet"})
	require.Equal(t, http.StatusOK, status, string(body))
	var decided struct{ Response ChatResponse }
	check(t, json.Unmarshal(body, &decided))
	require.Contains(t, decided.Response.AssistantMessage, "ann rejected it: not yet")
	require.Equal(t, 1, w.completed("ann"))
	require.Empty(t, w.inbox("ann"))
}

// TestKilledBetweenApprovalAndRun: the server dies after the answer was written down, and
// before anything ran. The next one goes on, and the tasks are deleted once.
func TestKilledBetweenApprovalAndRun(t *testing.T) {
	dead := newWorld(t, worldOptions{database: sqliteFile(t)})
	a := dead.say(message{text: clearAll})
	dead.service.afterAnswer = func() { panic(http.ErrAbortHandler) } // nothing after it happens
	token, err := dead.api.tokens.mint("ann", time.Hour)
	check(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		dead.server.URL+"/api/ann/approvals/"+a.Approvals[0].ID, bytes.NewReader([]byte(`{"approve":true}`)))
	check(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	if response, err := http.DefaultClient.Do(request); err == nil {
		response.Body.Close()
		t.Fatal("the server was not killed")
	}
	require.Equal(t, 1, dead.completed("ann"), "it had not run")
	alive := newWorld(t, worldOptions{database: dead.database})
	alive.service.resumeAll(t.Context())
	require.Zero(t, alive.completed("ann"))
	alive.service.resumeAll(t.Context())
	records, err := alive.service.ledger.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	check(t, err)
	require.Len(t, records, 1)
	require.Equal(t, tooltrack.Succeeded, records[0].Result.Status)
	status, body := alive.call("ann", http.MethodGet, "conversations/"+a.ConversationID, nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(body), "Deleted: Send the invoice")
}

// TestInboxInABrowser: one browser asks, a second one decides, and the first shows what
// came of it.
func TestInboxInABrowser(t *testing.T) {
	w := newWorld(t, worldOptions{})
	v := visit(t, w.server.URL, "desktop", 1280, 800)
	v.fault("")
	v.say("mark Read book as done")
	v.say(clearAll)
	require.Contains(t, v.text(lastAnswer+" .text"), "Waiting for approval")
	v.do(chromedp.WaitVisible("#inbox .approval"))
	require.Contains(t, v.text("#inbox .summary"), "Read book, Send the invoice")
	v.shot("inbox")

	second := &visitor{t: t, ctx: browser(t), origin: w.server.URL}
	second.listen()
	second.do(chromedp.EmulateViewport(1000, 700), chromedp.Navigate(w.server.URL+"/?approver"),
		chromedp.WaitVisible("#inbox .approval"))
	require.Zero(t, second.count(".chat:not([hidden])"))
	second.shot("approver")
	second.do(chromedp.Click(".approval .actions button:nth-child(2)"),
		chromedp.SetValue(".approval .exact", `{"titles":["Read book"]}`), chromedp.SendKeys(".approval .reason", "the invoice stays"),
		chromedp.Click(".approval .yes"), chromedp.WaitVisible("#quiet"))
	v.do(chromedp.WaitNotPresent("#inbox .approval"), chromedp.WaitNotPresent(`#tasks li[data-title="Read book"]`),
		chromedp.WaitVisible(`#tasks li[data-title="Send the invoice"]`))
	require.Equal(t, "Deleted: Read book", v.text(lastAnswer+" .text"))
	v.shot("decided")
}
