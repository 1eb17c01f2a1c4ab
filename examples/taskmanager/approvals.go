package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// approver is the account that decides about everybody's calls. Everybody else decides about their own only.
const approver = "approver"

// approvals are the calls that a person decides about: what deletes many tasks at once.
func approvals() []policy.Approval {
	return []policy.Approval{
		policy.NeedsApproval(clearCompleted, policy.Always()).Within(24 * time.Hour).
			Summary(func(in policy.CheckInput) string {
				var titles []string
				_ = in.Args.Value("titles").Decode(&titles) // the schema has been checked
				noun := "tasks"
				if len(titles) == 1 {
					noun = "task"
				}
				return fmt.Sprintf("delete %d completed %s: %s", len(titles), noun, oneLine(strings.Join(titles, ", "), 300))
			}),
	}
}

// Approval is a call that waits, as the inbox shows it: with the exact arguments.
type Approval struct {
	ID        string          `json:"id"`
	Owner     string          `json:"owner"`
	Turn      string          `json:"turn"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Summary   string          `json:"summary"`
	State     string          `json:"state"`
	AskedAt   string          `json:"asked_at"`
	ExpiresAt string          `json:"expires_at,omitempty"`
	Own       bool            `json:"own"`
}

func shownApproval(a *tooltrack.Approval, user string) Approval {
	shown := Approval{
		ID: a.ID, Owner: a.Owner, Turn: a.Turn, Tool: a.Call.Tool, Arguments: a.Call.Args, Summary: a.Summary,
		State: a.State.String(), AskedAt: a.Asked.Format(time.RFC3339), Own: a.Owner == user,
	}
	if !a.Expires.IsZero() {
		shown.ExpiresAt = a.Expires.Format(time.RFC3339)
	}
	return shown
}

// waiting is what a user may decide about.
func (s *service) waiting(ctx context.Context, user string) ([]Approval, error) {
	query := tooltrack.ApprovalQuery{Scope: tooltrack.Scope{Owner: user}, AllOwners: user == approver}
	found, err := s.ledger.Approvals(ctx, query)
	if err != nil {
		return nil, err
	}
	list := []Approval{}
	for _, a := range found {
		if a.State == tooltrack.Waiting {
			list = append(list, shownApproval(a, user))
		}
	}
	return list, nil
}

// decision is the body of an answer. Who answers is known by the token, and never by the body.
type decision struct {
	Owner     string          `json:"owner"`
	Approve   bool            `json:"approve"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // those to run; as asked where there are none
	Reason    string          `json:"reason"`
}

// decide writes down what a person has decided, and goes on with the turn.
func (s *service) decide(ctx context.Context, user, id string, d decision) (*ChatResponse, error) {
	owner := cmp.Or(d.Owner, user)
	if string(d.Arguments) == "null" {
		d.Arguments = nil
	}
	if owner != user && user != approver {
		return nil, newProblem(http.StatusForbidden, "you decide about your own calls only")
	}
	answered, err := s.ledger.Answer(ctx, owner, id, tooltrack.Answer{
		By: user, Approve: d.Approve, Args: d.Arguments, Reason: d.Reason,
	})
	switch {
	case errors.Is(err, tooltrack.ErrNoApproval):
		return nil, newProblem(http.StatusNotFound, err.Error())
	case errors.Is(err, tooltrack.ErrNotApproved):
		return nil, newProblem(http.StatusConflict, err.Error())
	case err != nil:
		return nil, newProblem(http.StatusBadRequest, err.Error())
	}
	if s.afterAnswer != nil {
		s.afterAnswer()
	}
	return s.resume(ctx, answered)
}

// resume goes on with the turn of an approval that was answered.
func (s *service) resume(ctx context.Context, a *tooltrack.Approval) (*ChatResponse, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout) // whoever asks may leave
	defer cancel()
	request := chatRequest{user: a.Owner, conversation: a.Conversation}
	history, err := s.conversations.history(ctx, a.Owner, a.Conversation)
	if err != nil {
		return nil, err
	}
	for _, message := range history {
		if message.Role == guard.RoleUser {
			request.message = message.Text
		}
	}
	ctx, r, _, err := s.record(ctx, began, request)
	if err != nil {
		return nil, err
	}
	model := r.watch(s.model(request.message))
	reply, err := s.enforcing.Resume(ctx, model, r.run(s.toolbox), a.Owner, a.Turn)
	if errors.Is(err, tooltrack.ErrResumedElsewhere) || errors.Is(err, tooltrack.ErrNoPausedTurn) {
		return nil, nil // another request goes on with it, or has
	}
	if err != nil {
		return nil, fmt.Errorf("resuming a turn: %w", err)
	}
	response := s.respond(request, reply, r)
	return response, s.conversations.replace(ctx, a.Conversation, response.Messages)
}

// resumeAll goes on with what was answered before the server stopped.
func (s *service) resumeAll(ctx context.Context) {
	found, err := s.ledger.Approvals(ctx, tooltrack.ApprovalQuery{AllOwners: true})
	if err != nil {
		s.logger.Error("the approvals could not be read", "error", err)
		return
	}
	for _, a := range found {
		if a.State == tooltrack.Waiting {
			continue
		}
		if _, err := s.resume(ctx, a); err != nil {
			s.logger.Error("a turn could not be resumed", "turn", a.Turn, "error", err)
		}
	}
}

// replace puts the messages of a resumed turn in the place of those that were stored while it waited: it
// is the last of its conversation, since a newer message would have ended its wait.
func (s *conversationStore) replace(ctx context.Context, conversation string, messages []Message) error {
	return s.db.within(ctx, func(tx *transaction) error {
		if _, err := tx.exec("DELETE FROM messages WHERE conversation_id = ? AND seq >= "+
			"(SELECT MAX(seq) FROM messages WHERE conversation_id = ? AND role = 'user')", conversation,
			conversation); err != nil {
			return fmt.Errorf("replacing the messages: %w", err)
		}
		return saveMessages(tx, messages)
	})
}

// lastSaid is the last message of the assistant in a conversation.
func (a *api) lastSaid(r *http.Request, user string) (any, error) {
	history, err := a.service.conversations.history(r.Context(), user, r.PathValue("id"))
	text := ""
	for _, message := range history {
		if message.Role == guard.RoleAssistant && message.Text != "" {
			text = message.Text
		}
	}
	return map[string]string{"assistant_message": text}, err
}

func (a *api) approvals(r *http.Request, user string) (any, error) {
	list, err := a.service.waiting(r.Context(), user)
	return map[string]any{"approvals": list}, err
}

func (a *api) decide(r *http.Request, user string) (any, error) {
	var body decision
	if err := readBody(r, "decision", &body); err != nil {
		return nil, err
	}
	response, err := a.service.decide(r.Context(), user, r.PathValue("id"), body)
	told := map[string]any{"decided": true}
	if response != nil && user != approver { // what was said to the user is the user's
		told["response"] = response
	}
	return told, err
}

// approvalsCommand is /approvals in a terminal: a list, or a decision about one of it.
func (c *console) approvals(ctx context.Context, arg string) error {
	list, err := c.service.waiting(ctx, c.request.user)
	if err != nil {
		return err
	}
	verb, rest, _ := strings.Cut(arg, " ")
	if verb == "" {
		c.listApprovals(list)
		return nil
	}
	var number int
	number, rest = leadingNumber(rest)
	if number < 1 || number > len(list) || verb != "yes" && verb != "no" && verb != "edit" {
		c.print("", red, "Write /approvals yes 1, /approvals edit 1 {…} or /approvals no 1 why; /approvals lists what waits.")
		return nil
	}
	chosen := list[number-1]
	d := decision{Owner: chosen.Owner, Approve: verb != "no"}
	if verb == "edit" {
		d.Arguments = json.RawMessage(rest)
	} else {
		d.Reason = rest
	}
	response, err := c.service.decide(ctx, c.request.user, chosen.ID, d)
	var refused *problem
	switch {
	case errors.As(err, &refused):
		c.print("", red, refused.Detail)
		return nil
	case err != nil:
		return err
	case response != nil:
		c.last = response
		c.show(response)
	}
	return nil
}

func (c *console) listApprovals(list []Approval) {
	if len(list) == 0 {
		fmt.Fprintln(c, "Nothing waits for approval.")
	}
	for i, a := range list {
		c.print(fmt.Sprintf("  %2d. ", i+1), yellow, a.Summary)
		c.print("      ", faint, fmt.Sprintf("%s %s, asked by %s", a.Tool, a.Arguments, a.Owner))
	}
}

func leadingNumber(text string) (n int, rest string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	_, _ = fmt.Sscan(word, &n) // 0 is no number of a list
	return n, strings.TrimSpace(rest)
}
