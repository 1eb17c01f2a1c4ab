package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// chatCommand answers one message, or asks for them at a prompt.
func chatCommand(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	s := newSettings("chat", errs)
	user := s.flags.String("user", "local", "`id` of the user")
	asJSON := s.flags.Bool("json", false, "print the whole response as JSON")
	if err := s.parse(args); err != nil {
		return err
	}
	service, stop, err := s.open(ctx, true, slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		return err
	}
	defer stop()
	c := &console{
		terminal: newTerminal(out), service: service, json: *asJSON,
		request: chatRequest{user: *user, faults: s.picked, unguarded: !s.guarded},
	}
	if message := strings.Join(s.flags.Args(), " "); message != "" {
		return c.say(ctx, message)
	}
	return c.prompt(ctx, in)
}

// console is a conversation in a terminal.
type console struct {
	*terminal
	service *service
	json    bool
	request chatRequest // of the last message; it carries the conversation on
	last    *ChatResponse
}

// say sends a message and prints the answer.
func (c *console) say(ctx context.Context, message string) error {
	c.request.message = message
	if err := checkRequest(c.request); err != nil {
		return usageError(err.Error())
	}
	response, answer, err := c.service.chat(ctx, c.request)
	if err != nil {
		return err
	}
	c.request.conversation, c.last = response.ConversationID, response
	switch {
	case c.json:
		fmt.Fprintf(c, "%s\n", answer)
	case response.Error != nil:
		fmt.Fprintln(c, c.paint(red, response.AssistantMessage))
	default:
		fmt.Fprintln(c, response.AssistantMessage)
		if response.Guard.Unproven {
			fmt.Fprintln(c, c.paint(red, "(nothing proves this: "+response.Guard.Reason+"; the guard is off)"))
		}
	}
	if response.Error != nil {
		return errTold
	}
	return nil
}

const help = `Talk about your tasks: "list my tasks", "add a task to buy milk due tomorrow", "delete Read book".
/why shows what the guard saw and did in the last turn, /new begins a new conversation, /quit ends.`

// prompt is a conversation: each message has those before it as history.
func (c *console) prompt(ctx context.Context, in io.Reader) error {
	fmt.Fprintln(c, c.paint(faint, help))
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage+1)
	for {
		fmt.Fprint(c, c.paint(bold, "> "))
		if !lines.Scan() {
			fmt.Fprintln(c)
			return lines.Err()
		}
		switch line := strings.TrimSpace(lines.Text()); line {
		case "":
		case "/quit", "/exit":
			return nil
		case "/new":
			c.request.conversation = ""
		case "/why":
			c.why()
		case "/help":
			fmt.Fprintln(c, help)
		default:
			if err := c.say(ctx, line); err != nil && err != errTold {
				return err
			}
		}
	}
}

// why prints the timeline of the last turn.
func (c *console) why() {
	if c.last == nil {
		fmt.Fprintln(c, "Nothing was said yet.")
		return
	}
	for _, entry := range c.last.Guard.Timeline {
		fmt.Fprintf(c, "%s %s\n", c.paint(faint, fmt.Sprintf("%5d ms", entry.AtMS)), c.describe(entry))
	}
}

var kindStyles = map[string]string{
	kindWithheld: red, kindJudged: yellow, kindAskedAgain: yellow, kindRefused: yellow, kindFailed: red, kindExecuted: green, kindShown: bold,
}

// describe is an entry of a timeline in one line.
func (c *console) describe(entry TimelineEntry) string {
	kind := strings.ReplaceAll(entry.Kind, "_", " ")
	if entry.Tool != "" {
		kind += " " + entry.Tool
	}
	return c.paint(kindStyles[entry.Kind], kind) + "  " + entry.Text
}
