// Command taskmanager is a task manager that you talk to and that cannot lie
// about what it did. It is the example to copy from: a real database, the real
// wire format of OpenAI, a web page, and the guard between model and tools.
//
//	go run ./examples/taskmanager                          a guided tour; no keys, no services
//	go run ./examples/taskmanager chat                     a conversation; /help lists its commands
//	go run ./examples/taskmanager chat "delete Read book"  one turn
//	go run ./examples/taskmanager serve -dev               HTTP API and page on 127.0.0.1:8080
//	go run ./examples/taskmanager help                     every command, flag and fault
//
// Where to look first: tools.json describes the tools, toolbox.go runs them, chat.go puts a guard between
// them and the model, and api.go serves it all. The simulated model (simmodel.go, simfaults.go)
// misbehaves on demand, so that every fault of a real model can be seen without waiting for one.
//
// # Many processes
//
// Tasks, conversations, answers and the ledger lie in the database. A process keeps nothing between two
// requests, so that any number of replicas may serve the same users from one PostgreSQL. Its driver is
// compiled by a tag only, so that a first run does not wait for it:
//
//	go build -tags fleet ./examples/taskmanager
//	export TASKMANAGER_JWT_SECRET=…  # the same for all, at least 32 bytes
//	taskmanager serve -addr 10.0.0.1:8080 -db postgres://… -model gpt-5-mini
//	taskmanager serve -addr 10.0.0.2:8080 -db postgres://… -model gpt-5-mini
//
// A message that is sent again with the same Idempotency-Key, to whichever
// replica, gets the first answer and runs nothing; if the first process died
// with the turn half done, the ledger keeps every change from running twice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/screen"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, screen.New(os.Stderr)))
}

// run is the program without its process: 0 is success, 1 a failure, 2 a mistake in the arguments.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	command := "tour"
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || slices.Contains([]string{"-h", "-help", "--help"}, args[0])) {
		command, args = args[0], args[1:]
	}
	var err error
	switch command {
	case "help", "-h", "-help", "--help":
		overview(newTerminal(out))
	case "tour":
		err = tourCommand(ctx, args, in, out, errs)
	case "chat":
		err = chatCommand(ctx, args, in, out, errs)
	case "serve":
		err = serveCommand(ctx, args, out, errs)
	default:
		err = usageError(fmt.Sprintf("there is no command %q; use tour, chat, serve or help", command))
	}
	var usage usageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintln(errs, "taskmanager:", err)
		return 2
	case !errors.Is(err, errTold):
		fmt.Fprintln(errs, "taskmanager:", err)
	}
	return 1
}

func overview(t *terminal) {
	t.print("", bold, "A task manager that you talk to, with a guard between you and the model")
	t.print("", "", "\nUsage: go run ./examples/taskmanager [command] [flags]\n\nCommands")
	t.table([][2]string{
		{"(none), tour", "a guided tour: one model that misbehaves, without and with the guard; no keys, no services"},
		{"chat", "a conversation, with faults and guard switched by /commands"},
		{"chat \"message\"", "one turn"},
		{"serve -dev", "the page and the HTTP API, on this machine only"},
		{"serve", "the same for others, with tokens signed by TASKMANAGER_JWT_SECRET"},
		{"help", "this text; chat -h and serve -h list their own flags"},
	})
	t.print("", "", "\nFlags")
	var rows [][2]string
	newSettings("", "", t).flags.VisitAll(func(f *flag.Flag) {
		kind, usage := flag.UnquoteUsage(f)
		rows = append(rows, [2]string{strings.TrimSpace("-" + f.Name + " " + kind), usage})
	})
	t.table(rows)
	t.print("", "", "\nFaults of the simulated model")
	t.table(faultTable)
	t.print("", "", "\nIn a conversation")
	t.table(commandTable())
}

// usageError is a mistake in the arguments.
type usageError string

func (e usageError) Error() string { return string(e) }

// errTold is a failure that the user was told about already.
var errTold = errors.New("the request was not completed")

// settings are the flags that all commands have.
type settings struct {
	flags    *flag.FlagSet
	database string
	model    string
	faults   string
	now      string
	proof    string
	guarded  bool
	picked   simmodel.Faults
	prove    bool
}

// newSettings declares the flags of a command. Args is what follows them.
func newSettings(command, args string, errs io.Writer) *settings {
	s := &settings{flags: flag.NewFlagSet(strings.TrimSpace("taskmanager "+command), flag.ContinueOnError)}
	s.flags.SetOutput(errs)
	s.flags.Usage = func() {
		fmt.Fprintf(errs, "Usage: %s\n\n", strings.TrimSpace(s.flags.Name()+" [flags] "+args))
		s.flags.PrintDefaults()
		fmt.Fprintln(errs, "\nAll commands: taskmanager help")
	}
	s.flags.StringVar(&s.database, "db", defaultDatabase(), "SQLite `file`, :memory: or postgres://…")
	s.flags.StringVar(&s.model, "model", "sim",
		"`name` of a model behind OPENAI_BASE_URL, with OPENAI_API_KEY; sim is the simulated one")
	s.flags.StringVar(&s.faults, "faults", "", "`list` of faults for the simulated model: "+strings.Join(allFaults, ", "))
	s.flags.StringVar(&s.now, "now", "", "`date` to take for today, such as 2026-02-08")
	s.flags.StringVar(&s.proof, "proof", "unsure", "`when` a model is asked what its answer rests on: unsure or always")
	s.flags.BoolVar(&s.guarded, "guard", true, "let the guard act; with -guard=false it only watches")
	return s
}

func (s *settings) parse(args []string) error {
	if err := s.flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError(err.Error())
	}
	var err error
	if s.picked, err = simmodel.ParseFaults(s.faults, allFaults); err != nil {
		return usageError(err.Error())
	}
	if s.proof != "unsure" && s.proof != "always" {
		return usageError(fmt.Sprintf("-proof %q is not known; use unsure or always", s.proof))
	}
	s.prove = s.proof == "always"
	if s.model != "sim" && len(s.picked) > 0 {
		return usageError("-faults is for the simulated model; a real one has its own")
	}
	return nil
}

// open starts the service that the flags describe. What it returns last ends it.
func (s *settings) open(ctx context.Context, demo bool, logger *slog.Logger) (*service, func(), error) {
	clock, err := clockAt(s.now)
	if err != nil {
		return nil, nil, usageError(err.Error())
	}
	name := s.model
	if name == "sim" {
		name = ""
	}
	source, err := stage.Open(name, simulate, nil)
	if err != nil {
		return nil, nil, err
	}
	service, err := newService(ctx,
		serviceOptions{database: s.database, model: source.Model, clock: clock, demo: demo, logger: logger})
	if err != nil {
		_ = source.Close()
		return nil, nil, err
	}
	return service, func() {
		_ = service.close()
		_ = source.Close()
	}, nil
}

// clockAt returns a clock whose date stands still; the time of day goes on. An empty date is the real clock.
func clockAt(date string) (func() time.Time, error) {
	if date == "" {
		return time.Now, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, date, time.Local)
	if err != nil {
		return nil, fmt.Errorf("-now %q is no date; write it as 2026-02-08", date)
	}
	return func() time.Time {
		now := time.Now()
		return time.Date(day.Year(), day.Month(), day.Day(), now.Hour(), now.Minute(), now.Second(), now.Nanosecond(),
			time.Local)
	}, nil
}
