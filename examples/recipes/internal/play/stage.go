package play

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Agent answers one message. Where hear is not nil, the answer is streamed to it as well.
type Agent func(ctx context.Context, user string, hear func(piece string)) (string, error)

// Build sets an agent up, as a program does when it starts.
type Build func(ctx context.Context, stage *Stage) (Agent, error)

// Stage is what an agent finds: a model, tools to run, and a guard for them.
type Stage struct {
	// URL is where the model answers: "http://127.0.0.1:…/v1".
	URL string
	// Tasks are what the tools work on.
	Tasks *Tasks
	// Guard is a guard for the tools, and Ledger where it writes.
	Guard  *guard.Guard
	Ledger *tooltrack.Ledger

	// Scene is what is played.
	Scene simmodel.Scene

	server *simmodel.Server
	mu     sync.Mutex
	asked  int
	lines  []string
}

// Owner is whose tasks they are, and Turn the name of the only message.
const (
	Owner = "ann"
	Turn  = "message-17"
)

// Input is a message as the guard wants it told.
func Input(user string) guard.Input { return guard.Input{User: user, Owner: Owner, Turn: Turn} }

// Open sets the stage for a scene.
func Open(scene simmodel.Scene) (*Stage, error) {
	stage := &Stage{Tasks: NewTasks(), Ledger: tooltrack.NewLedger(nil, nil), Scene: scene}
	var err error
	if stage.Guard, err = NewGuard(Tools(), stage.Ledger, scene); err != nil {
		return nil, err
	}
	if stage.server, err = simmodel.Start(stage.answer, nil); err != nil {
		return nil, err
	}
	stage.URL = strings.TrimSuffix(stage.server.URL, "/")
	return stage, nil
}

// Close ends the model.
func (s *Stage) Close() error { return s.server.Close() }

// Records are the calls on record, in the order of their texts: calls of one message may run at the same time.
func (s *Stage) Records(ctx context.Context) ([]string, error) {
	records, err := s.Ledger.Records(ctx, tooltrack.Query{Scope: tooltrack.Scope{Owner: Owner}})
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, record := range records {
		texts = append(texts, fmt.Sprintf("%s %s: %s", record.Tool, titleIn(record.Args), record.Result.Status))
	}
	slices.Sort(texts)
	return texts, nil
}

// answer is the model: it goes on in its script each time it is asked, and writes down what it hears and says.
func (s *Stage) answer(_ context.Context, request simmodel.Request) simmodel.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard(request.Messages)
	answer := s.Scene.Attempts[0][min(s.asked, len(s.Scene.Attempts[0])-1)]
	s.asked++
	if answer.Text != "" {
		s.say("model", "%q", answer.Text)
	}
	for _, call := range answer.Calls {
		s.say("model", "calls %s %s", call.Name, call.Arguments)
	}
	return answer
}

// heard writes down what is new to the model: results of tools, and what the guard told it.
func (s *Stage) heard(messages []simmodel.Message) {
	last := -1
	for i, message := range messages {
		if message.Role == "assistant" {
			last = i
		}
	}
	if last < 0 {
		return
	}
	fresh := slices.Clone(messages[last+1:])
	slices.SortStableFunc(fresh, func(a, b simmodel.Message) int { // results come as tools end
		return strings.Compare(a.CallID, b.CallID)
	})
	for _, message := range fresh {
		who := "guard"
		if message.Role == "tool" {
			who = "tool"
		}
		first, _, _ := strings.Cut(message.Content, "\n")
		s.say(who, "%s", first)
	}
}

func (s *Stage) say(who, format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf("%-8s", who)+clip.Text(fmt.Sprintf(format, args...), width))
}

// Main is the main function of a recipe.
func Main(build Build) {
	if err := Show(context.Background(), os.Stdout, build); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Show lets the agent answer every scene and prints what happens.
func Show(ctx context.Context, w io.Writer, build Build) error {
	for i, scene := range Scenes() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := show(ctx, w, build, scene); err != nil {
			return fmt.Errorf("%s: %w", scene.Name, err)
		}
	}
	return nil
}

func show(ctx context.Context, w io.Writer, build Build, scene simmodel.Scene) error {
	stage, err := Open(scene)
	if err != nil {
		return err
	}
	defer func() { _ = stage.Close() }()
	agent, err := build(ctx, stage)
	if err != nil {
		return err
	}
	text, failed := agent(ctx, scene.Person, nil)
	records, err := stage.Records(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "# %s\nuser    %s\n%s\n", scene.Name, scene.Person, strings.Join(stage.lines, "\n"))
	if failed != nil {
		fmt.Fprintf(w, "error   %s\n", clip.Text(strings.ReplaceAll(failed.Error(), "\n", " "), width))
	} else {
		fmt.Fprintf(w, "shown   %s\n", strings.ReplaceAll(text, "\n", "\n        "))
	}
	if len(records) == 0 {
		records = []string{"nothing was run"}
	}
	fmt.Fprintf(w, "ledger  %s\n", strings.Join(records, "; "))
	return nil
}

// titleIn is the only argument there is, whatever the framework calls it.
func titleIn(args json.RawMessage) (title string) {
	var named map[string]string
	_ = json.Unmarshal(args, &named) // what is no title is none
	for _, title = range named {
		break
	}
	return title
}

// width keeps a line within a terminal.
const width = 104

//go:embed scenes.txt
var scenes string

// Scenes are the same for every recipe: messages, what the model makes of each, and what must come of it.
func Scenes() []simmodel.Scene { return simmodel.Scenes(scenes, nil) }

// Failure is the error that the turn of a scene must end in, which has an account then; nil for most.
func Failure(scene simmodel.Scene) error {
	if scene.Note("account") == "" {
		return nil
	}
	return guard.ErrInsufficientProgress
}
