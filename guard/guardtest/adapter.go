package guardtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
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
	// Wire: the model is the server at Setting.Address. Otherwise it is Setting.Model.
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
	// Guard judges. Options are what it was made of, for ways in that take parts of them.
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

// Talk sends one message of the user's and returns all that the user gets to read, in pieces or
// whole. Each message goes on with the conversation, as the client itself remembers it. The context
// names owner, conversation and turn; see [guard.FromContext].
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
	list := make([]Promise, len(promises()))
	for i, p := range promises() {
		list[i] = p.Promise
	}
	return list
}

// TestAdapters holds ways in to what they promise: the same turns run through each, and what a user
// would notice is compared. It returns a column for each name, from what was seen.
func TestAdapters(t *testing.T, adapters ...Adapter) []Column {
	var columns []Column
	for _, adapter := range adapters {
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == adapter.Name })
		if at < 0 {
			at = len(columns)
			columns = append(columns, Column{adapter.Name, map[string]string{}})
		}
		t.Run(strings.TrimSuffix(adapter.Name+", "+adapter.Variant, ", "), func(t *testing.T) {
			for _, p := range promises() {
				adapter.hold(t, &p, columns[at].Cells)
			}
		})
	}
	return columns
}

// hold tries one promise, and says what the table is to say.
func (a *Adapter) hold(t *testing.T, p *promise, cells map[string]string) {
	if !applies[p.only](a) {
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

// scene is one row on its way through one adapter. What is wrong is noted rather
// than told at once: an adapter may have said so before.
type scene struct {
	adapter  *Adapter
	setting  Setting
	provider *provider.Provider
	model    *Model
	executor *Executor
	broken   error // what a tool answers instead of doing its work
	written  int   // how many records of a call the ledger held while it ran
	talk     Talk
	turns    int
	text     string // what the last message has led to
	err      error
	seen     []string
}

func (p *promise) try(t *testing.T, a *Adapter) []string {
	s := &scene{adapter: a}
	s.executor = Tools(map[string]guard.ExecutorFunc{
		"delete_task": s.delete, "list_tasks": Returns(`{"success":true,"data":[{"id":"1","title":"Read book"}]}`),
	})
	options, tools := sceneOptions(), sceneOffer()
	settings[p.with](s, options, tools)
	g, err := guard.New(tools, options)
	if err != nil {
		t.Fatal(err)
	}
	s.setting = Setting{T: t, Guard: g, Options: options, Executor: s.executor, Tools: sceneOffer()}
	if a.Wire {
		s.provider = provider.New(t)
		s.setting.Address = s.provider.URL
	} else {
		s.model = Script()
		s.setting.Model = s.model
	}
	s.talk = a.Open(&s.setting)
	for _, line := range p.lines {
		s.play(line)
	}
	if a.Wire {
		for _, rule := range s.provider.Refused() {
			s.seen = append(s.seen, "the provider refused a request: "+rule)
		}
	}
	return s.seen
}

// say sends a message in the next turn.
func (s *scene) say(user string) {
	s.turns++
	input := guard.Input{Owner: "ann", Conversation: "c1", Turn: fmt.Sprintf("m%d", s.turns)}
	s.text, s.err = s.talk(guard.NewContext(context.Background(), input), user)
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

// ran are the calls that ran, as a line has them.
func (s *scene) ran() string {
	var ran []string
	for _, call := range s.executor.Calls() {
		ran = append(ran, call.Tool+" "+string(call.Args))
	}
	return strings.Join(ran, " | ")
}

// asked is how often the model was asked.
func (s *scene) asked() int {
	if s.provider != nil {
		return len(s.provider.Received())
	}
	return s.model.Calls()
}
