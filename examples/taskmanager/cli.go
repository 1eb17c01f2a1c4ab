package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// chatCommand answers one message, or asks for them at a prompt.
func chatCommand(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	s := newSettings("chat", "[message]", errs)
	user := s.flags.String("user", "local", "`id` of the user")
	asJSON := s.flags.Bool("json", false, "print the whole response as JSON")
	reset := s.flags.Bool("reset", false, "begin with the first seven tasks again")
	if err := s.parse(args); err != nil {
		return err
	}
	service, stop, err := s.open(ctx, true,
		slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		return err
	}
	defer stop()
	request := chatRequest{user: *user, faults: s.picked, unguarded: !s.guarded, prove: s.prove}
	c := &console{terminal: newTerminal(out), service: service, json: *asJSON, request: request}
	c.simulated = s.model == "sim"
	if *reset {
		if err := service.tasks.reset(ctx, *user); err != nil {
			return err
		}
	}
	if message := strings.Join(s.flags.Args(), " "); message != "" {
		return c.say(ctx, message)
	}
	c.welcome()
	return c.prompt(ctx, newKeyboard(in))
}

// console is a conversation in a terminal.
type console struct {
	*terminal
	service   *service
	simulated bool // the model's faults can be chosen
	json      bool
	request   chatRequest // of the last message; it carries the conversation on
	last      *ChatResponse
}

// say sends a message and prints the answer and what it rests on.
func (c *console) say(ctx context.Context, message string) error {
	c.request.message = message
	if err := checkRequest(c.request); err != nil {
		return usageError(err.Error())
	}
	if err := c.service.tasks.welcome(ctx, c.request.user); err != nil {
		return err
	}
	response, answer, err := c.service.chat(ctx, c.request)
	if err != nil {
		return err
	}
	c.request.conversation, c.last = response.ConversationID, response
	if c.json {
		fmt.Fprintf(c, "%s\n", answer)
	} else {
		c.show(response)
	}
	if response.Error != nil {
		return errTold
	}
	return nil
}

// show prints an answer: what was said, what shows it, and what was caught on
// the way.
func (c *console) show(response *ChatResponse) {
	style := ""
	if response.Error != nil {
		style = red
	}
	c.print("", style, response.AssistantMessage)
	if !c.simulated && response.Error != nil && response.Error.Code == "model_unavailable" {
		c.print("  ", yellow, fmt.Sprintf("OPENAI_BASE_URL is %q. Does a server answer there, with this model?",
			os.Getenv("OPENAI_BASE_URL")))
	}
	if response.Guard.Unproven {
		c.print("  ✗ ", red, "nothing proves this; the guard is off (/why)")
	}
	for _, item := range response.Proof {
		if len(item.Records) == 0 && item.Status == "answered" {
			continue // it needs no call, so that nothing is to be ticked
		}
		c.print("  "+markOf(item.Status)+" ", markStyles[markOf(item.Status)], item.line(response.Records))
	}
	if len(response.Approvals) > 0 {
		c.print("  … ", yellow, "decide with /approvals yes 1 or /approvals no 1")
	}
	for _, entry := range response.Guard.Timeline {
		if entry.Kind == kindWithheld {
			c.print("  ! ", yellow, "not shown, as nothing proved it: “"+entry.Text+"” (/why)")
		}
	}
}

var markStyles = map[string]string{"✓": green, "–": yellow}

// markOf is a tick for what was achieved.
func markOf(status string) string {
	if status == "done" || status == "answered" {
		return "✓"
	}
	return "–"
}

// line is an item with the calls that show it.
func (p ProofItem) line(records []LedgerEntry) string {
	var calls []string
	for _, entry := range records {
		for _, number := range p.Records {
			if entry.Number == number {
				calls = append(calls, entry.line())
			}
		}
	}
	text := p.What + ": " + strings.ReplaceAll(p.Status, "_", " ")
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	switch {
	case len(calls) > 0 && !p.Stated:
		return strings.Join(calls, "; ")
	case len(calls) > 0:
		return text + " ← " + strings.Join(calls, "; ")
	}
	return text
}

// welcome says what this is, first of all that nobody thinks here.
func (c *console) welcome() {
	if c.simulated {
		c.print("", bold, "The model here is a small script: it knows a few ways to ask, and lies on demand.")
		c.print("", faint, "A real one: set OPENAI_BASE_URL (Ollama: http://localhost:11434/v1), add -model NAME.")
	}
	c.print("", faint, welcomeText)
}

const welcomeText = `Talk about your tasks: "list my tasks", "add a task to buy milk due tomorrow", "delete Read book".
Let the model lie: /fault ghost-success. Leave the guard out: /guard off. All commands: /help`

// prompt is a conversation: each message has those before it as history.
func (c *console) prompt(ctx context.Context, keys *keyboard) error {
	for {
		fmt.Fprint(c, c.paint(bold, c.mood()+"> "))
		line, more := keys.next(ctx)
		if !more {
			fmt.Fprintln(c)
			if ctx.Err() != nil {
				return nil
			}
			return keys.err
		}
		if line == "/quit" || line == "/exit" {
			return nil
		}
		if err := c.take(ctx, line); err != nil && err != errTold {
			return err
		}
	}
}

// mood stands before the prompt: what is not as usual.
func (c *console) mood() string {
	mood := c.request.faults.String()
	if c.request.unguarded {
		mood = strings.TrimSpace(mood + " guard off")
	}
	if mood == "" {
		return ""
	}
	return "[" + mood + "] "
}

// take is one line of the user.
func (c *console) take(ctx context.Context, line string) error {
	name, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return nil
	case !strings.HasPrefix(line, "/"):
		return c.say(ctx, line)
	}
	for _, command := range commands() {
		if command.name == name {
			return command.run(c, ctx, strings.TrimSpace(rest))
		}
	}
	c.print("", red, fmt.Sprintf("There is no command %s; /help lists them.", oneLine(name, 40)))
	return nil
}
