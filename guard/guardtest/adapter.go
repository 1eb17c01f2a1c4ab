package guardtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Adapter is one way in: a client, and the place where the guard stands in it.
type Adapter struct {
	// Name is the way in, such as "openaiguard.Middleware". Adapters of the same
	// name are variants of it: another format, or the answer in pieces.
	Name string
	// Variant tells them apart.
	Variant string
	// Open begins a conversation.
	Open func(setting *Setting) Talk
	// Wire: the model is the server at Setting.Address. Otherwise it is
	// Setting.Model.
	Wire bool
	// Streams: the user reads the answer piece by piece.
	Streams bool
	// Pauses: the format knows answers that are paused.
	Pauses bool
	// CallsOnly: the guard sees calls, and not what the model says.
	CallsOnly bool
	// Except names the promises that the way in cannot keep, with what the table
	// says instead. A promise that is kept all the same is a fault of this list.
	Except map[string]string
}

// Setting is what an adapter has to work with.
type Setting struct {
	// T is the test; an adapter may end it when it cannot be set up.
	T testing.TB
	// Guard judges. Options are what it was made of, for ways in that take parts
	// of them.
	Guard   *guard.Guard
	Options *guard.Options
	// Address is that of the provider, without a path. Model is the model in its
	// place for ways in that speak no wire format.
	Address string
	Model   guard.Model
	// Executor runs the tools, and Tools are what the client offers.
	Executor guard.Executor
	Tools    []tooltrack.Tool
}

// Talk sends one message of the user's and returns all that the user gets to
// read, in pieces or whole. Each message goes on with the conversation, as the
// client itself remembers it. The context names owner, conversation and turn;
// see [guard.FromContext].
type Talk func(ctx context.Context, user string) (string, error)

// Column is what the table says about one way in.
type Column = struct {
	// Name is the way in.
	Name string
	// Cells are by the name of the promise: "yes", "–" where it does not apply, or
	// why it is not kept.
	Cells map[string]string
}

// Promise is a row of the table: a short name, for tests and for [Adapter.Except], and what is
// promised, for people.
type Promise = struct {
	Name, Text string
}

// Promises are the rows of the table in their order.
func Promises() []Promise {
	list := make([]Promise, len(promises))
	for i, p := range promises {
		list[i] = p.Promise
	}
	return list
}

// TestAdapters holds ways in to what they promise: the same turns run through
// each, and what a user would notice is compared. It returns a column for each
// name, from what was seen.
func TestAdapters(t *testing.T, adapters ...Adapter) []Column {
	var columns []Column
	for _, adapter := range adapters {
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == adapter.Name })
		if at < 0 {
			at = len(columns)
			columns = append(columns, Column{adapter.Name, map[string]string{}})
		}
		t.Run(strings.TrimSuffix(adapter.Name+", "+adapter.Variant, ", "), func(t *testing.T) {
			for i := range promises {
				adapter.hold(t, &promises[i], columns[at].Cells)
			}
		})
	}
	return columns
}

// hold tries one promise, and says what the table is to say.
func (a *Adapter) hold(t *testing.T, p *promise, cells map[string]string) {
	if p.only != nil && !p.only(a) {
		if cells[p.Name] == "" {
			cells[p.Name] = "–"
		}
		return
	}
	t.Run(p.Name, func(t *testing.T) {
		seen := p.try(t, a)
		reason, excepted := a.Except[p.Name]
		switch {
		case excepted && len(seen) == 0:
			t.Errorf("it is kept, though the adapter says: %s", reason)
		case excepted:
			cells[p.Name] = reason
		case len(seen) > 0:
			t.Errorf("it is not kept: %s", strings.Join(seen, "\n"))
		case cells[p.Name] == "" || cells[p.Name] == "–":
			cells[p.Name] = "yes"
		}
	})
}

// promise is one row: turns, and what is to be seen of them.
type promise struct {
	Promise
	// only says for which adapters the row applies; nil is all.
	only func(a *Adapter) bool
	// options change the guard.
	options func(o *guard.Options)
	// titles gives the guard a directory of the tasks.
	titles bool
	// broken is what the tools answer instead of doing their work.
	broken error
	script []Step
	check  func(s *scene)
}

// scene is one row on its way through one adapter. What is wrong is noted rather
// than told at once: an adapter may have said so before.
type scene struct {
	adapter  *Adapter
	setting  Setting
	provider *provider.Provider
	model    *Model
	executor *Executor
	talk     Talk
	turns    int
	seen     []string
}

func (p *promise) try(t *testing.T, a *Adapter) []string {
	s := &scene{adapter: a, executor: Tools(sceneTools(p.broken))}
	options := sceneOptions()
	if p.options != nil {
		p.options(options)
	}
	tools := sceneOffer()
	if p.titles {
		tools[0].Subject = tooltrack.SubjectArg{Arg: "id", Kind: "task"}
		options.Directories = map[string]guard.Directory{"task": resolver.NewDirectory(resolver.SourceFunc(sceneTasks), nil)}
	}
	g, err := guard.New(tools, options)
	if err != nil {
		t.Fatal(err)
	}
	s.setting = Setting{T: t, Guard: g, Options: options, Executor: s.executor, Tools: sceneOffer()}
	if a.Wire {
		s.provider = provider.New(t, p.script...)
		s.setting.Address = s.provider.URL
	} else {
		s.model = Script(p.script...)
		s.setting.Model = s.model
	}
	s.talk = a.Open(&s.setting)
	p.check(s)
	if a.Wire {
		for _, rule := range s.provider.Refused() {
			s.errorf("the provider refused a request: %s", rule)
		}
	}
	return s.seen
}

func (s *scene) errorf(format string, args ...any) {
	s.seen = append(s.seen, fmt.Sprintf(format, args...))
}

// say sends a message in a turn of its own, and sayIn in the one named.
func (s *scene) say(user string) (string, error) {
	s.turns++
	return s.sayIn(fmt.Sprintf("m%d", s.turns), user)
}

func (s *scene) sayIn(turn, user string) (string, error) {
	input := guard.Input{Owner: "ann", Conversation: "c1", Turn: turn}
	return s.talk(guard.NewContext(context.Background(), input), user)
}

// add adds answers to the script.
func (s *scene) add(steps ...Step) {
	if s.provider != nil {
		s.provider.Add(steps...)
		return
	}
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	s.model.script = append(s.model.script, steps...)
}

// shows expects a text.
func (s *scene) shows(user, want string) {
	if text, err := s.say(user); err != nil || text != want {
		s.errorf("%q shows %q, want %q (%v)", user, text, want, err)
	}
}

// ran expects calls, each as its tool and arguments.
func (s *scene) ran(want ...string) {
	var got []string
	for _, call := range s.executor.Calls() {
		got = append(got, call.Tool+string(call.Args))
	}
	if !slices.Equal(got, want) {
		s.errorf("ran %q, want %q", got, want)
	}
}

// askedTimes expects a number of requests.
func (s *scene) askedTimes(want int) {
	got := 0
	if s.provider != nil {
		got = len(s.provider.Received())
	} else {
		got = s.model.Calls()
	}
	if got != want {
		s.errorf("the model was asked %d times, want %d", got, want)
	}
}

// sceneOffer are the tools of the table.
func sceneOffer() []tooltrack.Tool {
	byID := []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	page := []byte(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: byID},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads, Parameters: page},
	}
}

func sceneTasks(_ context.Context, owner string) ([]resolver.Entry, error) {
	if owner != "ann" {
		return nil, nil
	}
	return []resolver.Entry{{ID: "1", Title: "Read book"}, {ID: "2", Title: "Buy milk"}}, nil
}

func sceneTools(broken error) map[string]guard.ExecutorFunc {
	titles := map[string]string{`{"id":"1"}`: "Read book", `{"id":"2"}`: "Buy milk"}
	return map[string]guard.ExecutorFunc{
		"delete_task": func(_ context.Context, call tooltrack.Call) ([]byte, error) {
			title := titles[string(call.Args)]
			switch {
			case broken != nil:
				return nil, broken
			case title == "":
				return nil, errors.New("there is no such task")
			}
			return fmt.Appendf(nil, `{"success":true,"data":{"id":%q,"title":%q}}`, call.Args[7:8], title), nil
		},
		"list_tasks": Returns(`{"success":true,"data":[{"id":"1","title":"Read book"}]}`),
	}
}
