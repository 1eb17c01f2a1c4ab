package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
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

// show prints an answer: what was said, what shows it, and what was caught on the way.
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

// slash is a command within a conversation. It is for the person at the terminal and never reaches the model.
type slash struct {
	name, args, what string
	run              func(c *console, ctx context.Context, arg string) error
}

// commands lists them in the order of /help.
func commands() []slash {
	return []slash{
		{"/fault", "[name|off]", "let the model misbehave; without a name, list the ways", (*console).fault},
		{"/guard", "on|off", "let the guard act, or only watch", (*console).guard},
		{"/proof", "always|unsure", "ask what every answer rests on, or only those in doubt", (*console).proof},
		{"/why", "", "what the guard saw and did in the last turn", (*console).why},
		{"/ledger", "", "the calls of this conversation, as they are on record", (*console).ledger},
		{"/tasks", "", "the rows of the database, asked without the model", (*console).tasks},
		{"/approvals", "[yes|no|edit n …]", "what waits for a person; decide about one of it", (*console).approvals},
		{"/reset", "", "the first seven tasks again, and a new conversation", (*console).reset},
		{"/new", "", "a new conversation", (*console).fresh},
		{"/help", "", "this list", (*console).help},
		{"/quit", "", "end", nil},
	}
}

func (c *console) help(context.Context, string) error {
	c.print("", faint, welcomeText)
	c.table(commandTable())
	return nil
}

// commandTable lists the commands and what they do.
func commandTable() (rows [][2]string) {
	for _, command := range commands() {
		rows = append(rows, [2]string{strings.TrimSpace(command.name + " " + command.args), command.what})
	}
	return rows
}

// fault switches the faults of the simulated model.
func (c *console) fault(_ context.Context, arg string) error {
	switch {
	case !c.simulated:
		c.print("", red, "Only the simulated model has faults to choose from; this one has its own.")
		return nil
	case arg == "":
		c.table(faultTable)
		return nil
	case arg == "off" || arg == "none":
		c.request.faults = nil
		fmt.Fprintln(c, "The model is healthy now.")
		return nil
	}
	faults, err := simmodel.ParseFaults(strings.Join(strings.Fields(strings.ReplaceAll(arg, ",", " ")), ","), allFaults)
	if err != nil {
		c.print("", red, err.Error())
		return nil
	}
	c.request.faults = faults
	for _, f := range faultTable {
		if faults.Has(f[0]) {
			c.print("", "", "From now on the model "+f[1]+".")
		}
	}
	return nil
}

func (c *console) guard(_ context.Context, arg string) error {
	return c.toggle(&c.request.unguarded, arg,
		[2]string{"off", "The guard only watches: you see what the model says, true or not."},
		[2]string{"on", "The guard acts: what nothing proves is not shown."}, "Write /guard on or /guard off.")
}

func (c *console) proof(_ context.Context, arg string) error {
	return c.toggle(&c.request.prove, arg,
		[2]string{"always", "Every answer is asked what it rests on, for one more model call."},
		[2]string{"unsure", "Only answers in doubt are asked what they rest on."}, "Write /proof always or /proof unsure.")
}

// toggle sets what a word says, and tells what that means.
func (c *console) toggle(what *bool, arg string, on, off [2]string, usage string) error {
	style, text := "", usage
	switch arg {
	case on[0]:
		*what, text = true, on[1]
	case off[0]:
		*what, text = false, off[1]
	default:
		style = red
	}
	c.print("", style, text)
	return nil
}

func (c *console) why(context.Context, string) error {
	if c.last == nil {
		fmt.Fprintln(c, "Nothing was said yet.")
		return nil
	}
	for _, entry := range c.last.Guard.Timeline {
		kind := strings.ReplaceAll(entry.Kind, "_", " ")
		if entry.Tool != "" {
			kind += " " + entry.Tool
		}
		c.print("  ", kindStyles[entry.Kind], kind+": "+entry.Text)
	}
	c.print("  ", faint, fmt.Sprintf("model calls: %d, of which the guard asked for %d; %d ms in all",
		c.last.ExecutionMetadata.ModelCalls, c.last.asked(), c.last.ExecutionMetadata.TotalMS))
	return nil
}

// asked is how many model calls of a turn the guard asked for.
func (r *ChatResponse) asked() int {
	n := 0
	for _, entry := range r.Guard.Timeline {
		if entry.Kind == kindAskedAgain || entry.Kind == kindAskedProof {
			n++
		}
	}
	return n
}

var kindStyles = map[string]string{
	kindWithheld: red, kindJudged: yellow, kindAskedAgain: yellow, kindAskedProof: yellow, kindRefused: yellow,
	kindFailed: red, kindExecuted: green,
	kindProof: green, kindShown: bold,
}

func (c *console) ledger(ctx context.Context, _ string) error {
	if c.request.conversation == "" {
		fmt.Fprintln(c, "No call is on record in this conversation.")
		return nil
	}
	records, err := c.service.ledgerOf(ctx, c.request.user, c.request.conversation)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		fmt.Fprintln(c, "No call is on record in this conversation.")
	}
	for _, record := range records {
		style := ""
		if record.Status != "succeeded" {
			style = yellow
		}
		c.print("  ", style, record.line())
	}
	return nil
}

func (c *console) tasks(ctx context.Context, _ string) error {
	if err := c.service.tasks.welcome(ctx, c.request.user); err != nil {
		return err
	}
	rows, err := c.service.tasks.list(ctx, c.request.user, "")
	if err != nil {
		return err
	}
	for i, task := range rows {
		c.print(fmt.Sprintf("  %2d. ", i+1), "", fmt.Sprintf("%s (%s)", task.Title, listed(task).details()))
	}
	if len(rows) == 0 {
		fmt.Fprintln(c, "There are no tasks.")
	}
	return nil
}

func (c *console) reset(ctx context.Context, _ string) error {
	if err := c.service.tasks.reset(ctx, c.request.user); err != nil {
		return err
	}
	c.request.conversation = ""
	c.print("", "", fmt.Sprintf(
		"You have the first %d tasks again, and a new conversation. The ledger keeps what happened.", len(seedTasks)))
	return nil
}

func (c *console) fresh(context.Context, string) error {
	c.request.conversation = ""
	fmt.Fprintln(c, "A new conversation.")
	return nil
}
