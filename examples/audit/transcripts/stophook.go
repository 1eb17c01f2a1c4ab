package transcripts

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// stopPayload is what Claude Code tells a Stop hook (https://code.claude.com/docs/en/hooks#stop).
// Other agents name no transcript; -transcript does it for them.
type stopPayload struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Active         bool   `json:"stop_hook_active"`
	LastMessage    string `json:"last_assistant_message"`
}

// stopAnswer is what the hook answers. Nothing at all lets the agent stop without a word.
type stopAnswer struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"systemMessage,omitempty"`
}

// maxPayload bounds what a hook is told.
const maxPayload = 4 << 20

// StopHook is the subcommand stop-hook. Its exit status is never 2: agents take
// that for an order to go on. A hook that cannot judge says so and stands aside.
func StopHook(args []string, in io.Reader, out, errs io.Writer) (status int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			status, err = exitFine, fmt.Errorf("not judged: it panicked: %v", fault)
		}
	}()
	flags := flag.NewFlagSet("audit stop-hook", flag.ContinueOnError)
	block := flags.Bool("block", false, "where it is sure, send the agent back to work, once in a turn")
	path := flags.String("transcript", "", "the session's `file`, for agents that do not name it")
	effectsFile := flags.String("effects", "", "JSON `file` with the effects of tools, as for audit transcripts")
	if _, err := parse(flags, args, stopHookUsage, "", errs); err != nil {
		return exitBroken, err
	}
	known, err := loadEffects(*effectsFile)
	if err != nil {
		return exitBroken, err
	}
	hook := stopHook{judge: newJudge(known, nil, nil), path: *path, block: *block}
	answer, err := hook.run(in)
	if err != nil {
		return exitFine, fmt.Errorf("not judged: %w", err)
	}
	if answer == (stopAnswer{}) {
		return exitFine, nil
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return exitBroken, fmt.Errorf("writing the answer: %w", err)
	}
	return exitFine, nil
}

type stopHook struct {
	judge *judge
	path  string
	block bool
}

// run judges the turn. An error is a turn that cannot be judged.
func (h *stopHook) run(in io.Reader) (stopAnswer, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil || len(data) > maxPayload {
		return stopAnswer{}, errors.Join(errors.New("the payload could not be read"), err)
	}
	var payload stopPayload
	if err := json.Unmarshal(data, &payload); err != nil {
		return stopAnswer{}, fmt.Errorf("the payload is not what a Stop hook is told: %w", err)
	}
	if payload.Active {
		return stopAnswer{}, nil // a hook has had its say in this turn
	}
	c, err := h.session(&payload)
	if err != nil {
		return stopAnswer{}, err
	}
	turn, err := h.lastTurn(c)
	if err != nil || !turn.insufficient() {
		return stopAnswer{}, err
	}
	return h.advise(turn), nil
}

// session reads the transcript. The last message may not have reached it yet.
func (h *stopHook) session(payload *stopPayload) (*formats.Conversation, error) {
	path := cmp.Or(h.path, payload.TranscriptPath)
	if path == "" {
		return nil, errors.New("the agent names no transcript of its session, and without one nobody can see its calls")
	}
	if rest, home := strings.CutPrefix(path, "~/"); home {
		folder, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(folder, rest)
	}
	c, err := readSession(path, payload.SessionID)
	if err != nil {
		return nil, err
	}
	if said := payload.LastMessage; strings.TrimSpace(said) != "" && !endsWith(c.Messages, said) {
		c.Messages = append(c.Messages, guard.Message{Role: guard.RoleAssistant, Text: said})
	}
	return c, nil
}

// endsWith reports whether the conversation ends with these words already, in one message or in several.
func endsWith(messages []guard.Message, said string) bool {
	words := strings.Fields(said)
	var spoken []string
	for i := len(messages) - 1; i >= 0 && messages[i].Role == guard.RoleAssistant && len(messages[i].Calls) == 0; i-- {
		spoken = append(strings.Fields(messages[i].Text), spoken...)
	}
	return strings.Contains(strings.Join(spoken, " "), strings.Join(words, " "))
}

// readSession reads the end of a session's file: the last turn is all that counts, and sessions grow for days.
func readSession(path, id string) (*formats.Conversation, error) {
	file, err := os.Open(path) // #nosec G304 -- the agent names its own transcript
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if _, err := file.Seek(max(0, info.Size()-MaxConversation), io.SeekStart); err != nil {
		return nil, err
	}
	var last, named *formats.Conversation
	err = collect(path, func(take func(logfile.Piece) bool) error { // the first line may be cut: it is damage
		return logfile.ReadLines(bufio.NewReaderSize(file, 1<<18), 0, take)
	}, func(c *formats.Conversation) {
		if last = c; named == nil && c.ID == id {
			named = c
		}
	})
	switch {
	case named != nil:
		return named, nil
	case last != nil:
		return last, nil
	}
	return nil, cmp.Or(err, errors.New("there is no conversation in the transcript"))
}

// lastTurn judges the turn that is about to end.
func (h *stopHook) lastTurn(c *formats.Conversation) (*judgedTurn, error) {
	cut := turns(c.Messages, c.Unseen)
	if len(cut) == 0 {
		return nil, errors.New("the transcript holds no request of the user")
	}
	last := cut[len(cut)-1]
	if last.unseen != "" {
		return nil, errors.New(last.unseen)
	}
	if last.open {
		return nil, errors.New("the last message has not reached the transcript")
	}
	found, err := h.judge.judge(c, nil)
	if err != nil {
		return nil, err
	}
	if n := len(found.turns); n > 0 && found.turns[n-1].number == last.number {
		return &found.turns[n-1], nil
	}
	return nil, errors.New(unseenTools)
}

// advise says what is wrong: to the user, or, with -block, to the agent.
func (h *stopHook) advise(turn *judgedTurn) stopAnswer {
	findings := turn.findings(place{}, &judged{})
	f := &findings[0]
	if !h.block {
		return stopAnswer{Message: "Bonafide: " + warning(f)}
	}
	// It leaves a way out: what cannot be done is to be said.
	return stopAnswer{Decision: "block", Reason: warning(f) + "\nEither do it now with a tool, or correct the message: " +
		"say plainly what was not done and why. Do not repeat work that a call has already done."}
}

// warning is for the user, who decides.
func warning(f *report.Finding) string {
	if len(f.Claims) == 0 {
		return "this turn should not end like this: " + f.Summary() + "."
	}
	var out bytes.Buffer
	out.WriteString("no call of this turn shows what the last message says:")
	for _, claim := range f.Claims[:min(5, len(f.Claims))] {
		fmt.Fprintf(&out, "\n- “%s” (%s)", clip.Text(claim.Sentence, 200), report.OneLine(claim.Why))
	}
	return out.String()
}
