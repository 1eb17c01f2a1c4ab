// Start is a program that makes a guard, judges one turn and ends, as a command-line agent
// or a serverless function does. It prints how long the first guard, the first judgement and
// a second guard with fifty tools took, in microseconds.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	began := time.Now()
	lap := func(name string) {
		fmt.Println(name, time.Since(began).Microseconds())
		began = time.Now()
	}
	g, err := guard.New([]tooltrack.Tool{
		{Name: "send_email", Description: "Sends an e-mail.", Effect: tooltrack.Changes},
		{Name: "list_emails", Description: "Lists e-mails.", Effect: tooltrack.Reads},
	}, nil)
	if err != nil {
		return err
	}
	lap("new")
	turn := guard.Recorded{User: "send an email to bob", Text: "I've sent the email to Bob."}
	if _, err := g.Judge(context.Background(), turn); err != nil {
		return err
	}
	lap("judge")
	if _, err := guard.New(fiftyTools(), nil); err != nil {
		return err
	}
	lap("fifty")
	return nil
}

func fiftyTools() (tools []tooltrack.Tool) {
	for _, verb := range []string{"create", "list", "delete", "update", "send"} {
		for _, noun := range strings.Fields("invoice ticket order note task mail report user file event") {
			description := "Does so with one " + noun + ", by its id."
			tools = append(tools, tooltrack.Tool{Name: verb + "_" + noun, Description: description})
		}
	}
	return tools
}
