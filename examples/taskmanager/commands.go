package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// slash is a command within a conversation. It is for the person at the
// terminal and never reaches the model.
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
	for _, command := range commands() {
		c.print("  "+screen.Pad(strings.TrimSpace(command.name+" "+command.args), 29), "", command.what)
	}
	return nil
}

// fault switches the faults of the simulated model.
func (c *console) fault(_ context.Context, arg string) error {
	switch {
	case !c.simulated:
		c.print("", red, "Only the simulated model has faults to choose from; this one has its own.")
		return nil
	case arg == "":
		for _, f := range faultTable {
			c.print("  "+screen.Pad(f.name, 20), "", f.what)
		}
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
		if faults.Has(f.name) {
			c.print("", "", "From now on the model "+f.what+".")
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
