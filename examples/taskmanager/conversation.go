package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Message is a stored message. Corrections between guard and model are not stored.
type Message struct {
	ID             string        `json:"id"`
	ConversationID string        `json:"conversation_id"`
	Role           string        `json:"role"`
	Content        string        `json:"content"`
	ToolCalls      *ToolMetadata `json:"tool_call_metadata"`
	CreatedAt      string        `json:"created_at"`
}

// ToolMetadata is what a message has of tools: the calls of an assistant, or the call that a tool's message answers.
type ToolMetadata struct {
	Calls  []tooltrack.Call `json:"calls,omitempty"`
	CallID string           `json:"call_id,omitempty"`
	Tool   string           `json:"tool,omitempty"`
}

// conversationStore keeps conversations and answers of named turns: all that a process has to know between requests.
type conversationStore struct {
	db    *database
	clock func() time.Time
	beat  time.Duration // how often a turn that runs says that it is alive
}

var (
	errNoConversation = errors.New("there is no such conversation")
	errKeyReused      = errors.New("the Idempotency-Key was used before with another message; use a new key")
	errStillRunning   = errors.New("a request with this Idempotency-Key is still running; ask again later")
)

// historyLimit is how many messages of a conversation a model is shown.
const historyLimit = 200

// history returns the end of a conversation, from a user's message on, so that no call lacks its result.
func (s *conversationStore) history(ctx context.Context, user, conversation string) ([]guard.Message, error) {
	var messages []guard.Message
	err := s.db.each(ctx, func(scan func(...any) error) error {
		var m guard.Message
		var metadata sql.NullString
		if err := scan(&m.Role, &m.Text, &metadata); err != nil {
			return err
		}
		messages = append(messages, m)
		if !metadata.Valid {
			return nil
		}
		var tools ToolMetadata
		err := json.Unmarshal([]byte(metadata.String), &tools)
		last := &messages[len(messages)-1]
		last.Calls, last.CallID, last.Tool = tools.Calls, tools.CallID, tools.Tool
		return err
	}, "SELECT m.role, m.content, m.tool_call_metadata FROM messages m JOIN conversations c "+
		"ON c.id = m.conversation_id WHERE c.id = ? AND c.user_id = ? ORDER BY m.seq DESC LIMIT ?",
		conversation, user, historyLimit)
	if err != nil {
		return nil, fmt.Errorf("reading the conversation: %w", err)
	}
	if len(messages) == 0 { // one is stored with its first messages
		return nil, errNoConversation
	}
	slices.Reverse(messages)
	first := slices.IndexFunc(messages, func(m guard.Message) bool { return m.Role == guard.RoleUser })
	return messages[max(first, 0):], nil
}

// messagesOf puts the messages of a turn into the form in which they are stored.
func (s *conversationStore) messagesOf(conversation string, turn []guard.Message) []Message {
	now := s.clock().UTC().Format(time.RFC3339Nano)
	messages := make([]Message, len(turn))
	for i, m := range turn {
		messages[i] = Message{
			ID: uuid.NewString(), ConversationID: conversation, Role: string(m.Role), Content: m.Text, CreatedAt: now,
		}
		if len(m.Calls) > 0 || m.CallID != "" {
			messages[i].ToolCalls = &ToolMetadata{Calls: readable(m.Calls), CallID: m.CallID, Tool: m.Tool}
		}
	}
	return messages
}

// readable makes calls fit for JSON: a model may have sent arguments that are none.
func readable(calls []tooltrack.Call) []tooltrack.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		if !json.Valid(calls[i].Args) {
			calls[i].Args, _ = json.Marshal(string(calls[i].Args)) // a string can always be written
		}
	}
	return calls
}

// claim takes a named turn for this request, or returns the answer that it got before. When the lease of a turn
// has run out it is taken over; the ledger keeps it from changing anything twice.
func (s *conversationStore) claim(
	ctx context.Context, user, turn, message, conversation string,
) (claimed string, answer []byte, err error) {
	sum := sha256.Sum256([]byte(message))
	digest := hex.EncodeToString(sum[:])
	for {
		now := time.Now().UTC() // a lease is a matter of real time
		err := s.db.within(ctx, func(tx *transaction) error {
			added, err := tx.exec(`INSERT INTO turns (user_id, turn, digest, conversation_id, started_at) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, user, turn, digest, conversation, now.Format(time.RFC3339Nano))
			if err != nil || added > 0 {
				claimed = conversation
				return err
			}
			claimed, answer, err = s.earlier(tx, user, turn, digest, now)
			return err
		})
		if !errors.Is(err, errStillRunning) {
			return claimed, answer, err
		}
		select {
		case <-ctx.Done():
			return "", nil, errStillRunning
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// lease is how long a turn is taken to be alive after its process has said so last; then another request
// may take it over. Somebody who waits for the fate of their message waits that long after a crash.
const lease = 15 * time.Second

// hold renews the lease of a turn until the function that it returns is called.
func (s *conversationStore) hold(ctx context.Context, user, turn string) (letGo func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		beat := time.NewTicker(s.beat)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
				// The lease is counted from the beginning. A beat that is missed is made up for by the next.
				_, _ = s.db.exec(ctx, "UPDATE turns SET started_at = ? WHERE user_id = ? AND turn = ? AND response IS NULL",
					time.Now().UTC().Format(time.RFC3339Nano), user, turn)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (s *conversationStore) earlier(tx *transaction, user, turn, digest string, now time.Time) (string, []byte, error) {
	var was, conversation, alive string
	var response sql.NullString
	err := tx.row("SELECT digest, conversation_id, started_at, response FROM turns WHERE user_id = ? AND turn = ?", user,
		turn).
		Scan(&was, &conversation, &alive, &response)
	switch {
	case errors.Is(err, sql.ErrNoRows): // released at this moment
		return "", nil, errStillRunning
	case err != nil:
		return "", nil, err
	case was != digest:
		return "", nil, errKeyReused
	case response.Valid:
		return conversation, []byte(response.String), nil
	}
	if last, err := time.Parse(time.RFC3339Nano, alive); err == nil && now.Sub(last) < lease {
		return "", nil, errStillRunning
	}
	taken, err := tx.exec("UPDATE turns SET started_at = ? "+
		"WHERE user_id = ? AND turn = ? AND started_at = ? AND response IS NULL",
		now.Format(time.RFC3339Nano), user, turn, alive)
	if err == nil && taken == 0 {
		err = errStillRunning
	}
	return conversation, nil, err
}

// release gives a turn back that could not be answered.
func (s *conversationStore) release(ctx context.Context, user, turn string) error {
	_, err := s.db.exec(ctx, "DELETE FROM turns WHERE user_id = ? AND turn = ? AND response IS NULL", user, turn)
	return err
}

// save stores the messages of a turn and, if it was named, its answer.
func (s *conversationStore) save(
	ctx context.Context, user, turn string, messages []Message, conversation string, answer []byte,
) error {
	return s.db.within(ctx, func(tx *transaction) error {
		if _, err := tx.exec("INSERT INTO conversations (id, user_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
			conversation, user, s.clock().UTC().Format(time.RFC3339Nano)); err != nil {
			return fmt.Errorf("storing the conversation: %w", err)
		}
		if err := saveMessages(tx, messages); err != nil {
			return fmt.Errorf("storing the messages: %w", err)
		}
		if turn == "" {
			return nil
		}
		_, err := tx.exec("UPDATE turns SET response = ? WHERE user_id = ? AND turn = ?", string(answer), user, turn)
		return err
	})
}

// saveMessages stores the messages of a turn with one statement.
func saveMessages(tx *transaction, messages []Message) error {
	if len(messages) == 0 {
		return nil
	}
	var args []any
	for _, m := range messages {
		var metadata sql.NullString
		if m.ToolCalls != nil {
			data, err := json.Marshal(m.ToolCalls)
			if err != nil {
				return err
			}
			metadata = sql.NullString{String: string(data), Valid: true}
		}
		args = append(args, m.ID, m.ConversationID, m.Role, m.Content, metadata, m.CreatedAt)
	}
	rows := strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?, ?, ?), ", len(messages)), ", ")
	_, err := tx.exec("INSERT INTO messages (id, conversation_id, role, content, tool_call_metadata, created_at) VALUES "+
		rows, args...)
	return err
}
