package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// obliging calls whenever the tool choice names a tool, as providers make a model do,
// and otherwise says its text.
type obliging struct {
	text   string
	call   tooltrack.Call
	forced int
}

func (o *obliging) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	if request.Choice.Mode == guard.ChooseNamed {
		o.forced++
		return guardtest.Call(o.call).Response, nil
	}
	return guardtest.Say(o.text).Response, nil
}

// TestAModelThatDeclinesIsHeard: where a model gives a reason, in whatever words, no
// tool choice takes it away, and the user reads it, with what was not done.
func TestAModelThatDeclinesIsHeard(t *testing.T) {
	for _, text := range []string{
		"Read book has to be kept for ten years by law.", "That needs your manager's approval first.",
		"I won't.", "No.", "Not without a backup.", "Legal hold applies to it.", "Only admins can delete that.",
		"I am not going to do that.", "That would also delete 300 pay slips, which belong to the payroll.",
		"Read book stays.", "Let's wait for Ann's okay.",
	} {
		t.Run(text, func(t *testing.T) {
			w := newWorld()
			model := &obliging{text: text, call: deletes("Read book")}
			reply, err := guardFor(t, w, nil).Run(t.Context(), model, w, ask("delete Read book"))
			require.NoError(t, err)
			assert.Zero(t, model.forced)
			assert.True(t, w.has(readBook))
			assert.True(t, strings.HasPrefix(reply.Text, text), reply.Text)
			assert.Equal(t, completion.CompletedWithBlocker, reply.Verdict.Outcome)
			if reply.Text != text { // it was not read as a reason at once
				assert.Equal(t, text+"\n\nNot done: delete Read book.", reply.Text)
				assert.True(t, reply.ProofMissing)
			}
		})
	}
}

// TestAnEvasionIsNoReason: a claim, a promise and a nod are no reasons.
func TestAnEvasionIsNoReason(t *testing.T) {
	for _, text := range []string{"I've deleted Read book.", "Sure!", "I'll delete Read book now."} {
		t.Run(text, func(t *testing.T) {
			w := newWorld()
			model := &obliging{text: text, call: deletes("Read book")}
			_, err := guardFor(t, w, nil).Run(t.Context(), model, w, ask("delete Read book"))
			if model.forced == 0 {
				require.Error(t, err)
			}
			assert.NotZero(t, model.forced)
		})
	}
}

// TestNothingIsOrderedOnTop: another call has done the work, so the model is asked what
// its text rests on, and never told to do it again.
func TestNothingIsOrderedOnTop(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "send_email", Description: "Send an e-mail", Effect: tooltrack.Changes},
		{Name: "cancel_order", Description: "Cancel an order", Effect: tooltrack.Changes},
		{Name: "update_order", Description: "Update fields of an order", Effect: tooltrack.Changes},
		{Name: "delete_user", Description: "Delete a user", Effect: tooltrack.Changes},
		{Name: "edit_file", Description: "Replace text in a file", Effect: tooltrack.Changes},
		{Name: "http_request", Description: "Make an HTTP request", Effect: tooltrack.Changes},
		{Name: "run_sql", Description: "Run a statement", Effect: tooltrack.Changes},
		{Name: "bash", Description: "Run a shell command"},
	}
	for _, c := range []struct{ user, tool, args, result, text string }{
		{"send an email to ann@x.test saying hi", "http_request", `{"url":"https://mail.test/send","to":"ann@x.test"}`, `{"sent":true}`, "I've sent the email to ann@x.test."},
		{"cancel order 552", "update_order", `{"id":552,"status":"cancelled"}`, `{"id":552,"status":"cancelled"}`, "Order 552 is cancelled."},
		{"delete the user bob", "run_sql", `{"sql":"DELETE FROM users WHERE name='bob'"}`, `DELETE 1`, "The user bob is deleted."},
		{"replace foo with bar in main.go", "bash", `{"command":"sed -i s/foo/bar/ main.go"}`, ``, "I replaced foo with bar in main.go."},
	} {
		t.Run(c.user, func(t *testing.T) {
			g, err := guard.New(tools, nil)
			require.NoError(t, err)
			says := guardtest.Say(c.text)
			model := guardtest.Script(guardtest.Call(guardtest.Tool(c.tool, c.args)), says, says, says, says)
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(c.result), nil })
			_, err = g.Run(t.Context(), model, executor, guard.Input{User: c.user})
			require.NoError(t, err)
			for _, request := range model.Requests() {
				for _, message := range request.Messages {
					assert.NotContains(t, message.Text, "Call it now")
					assert.NotContains(t, message.Text, "Make the call now")
				}
				assert.Zero(t, request.Choice)
			}
		})
	}
}

// TestWhatRanIsNotRunAgainInOtherWords at the word of a request for proof.
func TestWhatRanIsNotRunAgainInOtherWords(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "page_physician", Description: "Page the physician on call", Effect: tooltrack.Changes},
		{Name: "get_vitals", Description: "Get the vital signs of a patient", Effect: tooltrack.Reads},
	}
	for _, c := range []struct {
		again string
		runs  int
	}{
		{`{"patient":"P-15","message":"Temperature 38.4, please come and see her soon"}`, 1},
		{`{"patient":"P-19","message":"Temperature 38.4, please come and see her."}`, 2},
		{`{"patient":"P-15","message":"Temperature 39.9, please come and see her."}`, 1},
	} {
		g, err := guard.New(tools, &guard.Options{Proof: guard.Always})
		require.NoError(t, err)
		first := guardtest.Tool("page_physician", `{"patient":"P-15","message":"Temperature 38.4, please come and see her."}`)
		model := guardtest.Script(guardtest.Call(first), guardtest.Say("I paged the physician on call."),
			guardtest.Call(guardtest.Tool("page_physician", c.again)), guardtest.Say("I paged the physician on call."),
			guardtest.Say("I paged the physician on call."), guardtest.Say("I paged the physician on call."))
		ran := 0
		executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { ran++; return []byte(`{"ok":true}`), nil })
		_, _ = g.Run(t.Context(), model, executor, guard.Input{User: "page the physician on call about P-15 and P-19"})
		assert.Equal(t, c.runs, ran, c.again)
	}
}

// TestTheWorkIsDoneWithoutAWord: an empty last answer is no failure of the work.
func TestTheWorkIsDoneWithoutAWord(t *testing.T) {
	w := newWorld()
	empty := guardtest.Say("")
	model := guardtest.Script(guardtest.Call(deletes("Read book")), empty, empty, empty, empty)
	reply, err := guardFor(t, w, nil).Run(t.Context(), model, w, ask("delete Read book"))
	require.NoError(t, err)
	assert.Equal(t, "On record in this turn:\nDeleted: Read book", reply.Text)
	assert.Equal(t, completion.CompletedWithWork, reply.Verdict.Outcome)
}
