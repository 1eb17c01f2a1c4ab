package mcpguard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Options configure [Servers]. Nil is the default.
type Options struct {
	// Guard are the options of the guards that [Servers.Guard] makes. All of them
	// share one ledger: its own, or one in memory. Arguments called user_id are
	// the servers' business: unless Guard.Policy says something about identity,
	// they pass as sent. Default: none.
	Guard *guard.Options
	// Describe corrects what was read from a server's list: the effect, the
	// subject, the words. A name that it changes is that which the model calls.
	// It leaves a tool out by returning false. For a server whose hints are not to
	// be trusted it sets the effect to tooltrack.UnknownEffect, and Idempotent to
	// false: then its tools run one at a time and at most once. A panic is a
	// [*ListError].
	// Default: as listed.
	Describe func(server string, listed *mcp.Tool, tool *tooltrack.Tool) bool
	// AnnounceTurn sends the name of the turn with each call, in its metadata
	// under [MetaTurn], so that a server with [ServerMiddleware] runs a change at
	// most once, whoever asks again. It tells servers which calls belong together.
	// Default: nothing is sent.
	AnnounceTurn bool
}

// Servers are several MCP servers under one guard:
//
//	servers := mcpguard.NewServers(nil)
//	client := mcp.NewClient(impl, &mcp.ClientOptions{ToolListChangedHandler: servers.ListChanged})
//	mail, err := client.Connect(ctx, transport, nil)
//	err = servers.Add(ctx, "mail", mail)
//	...
//	g, err := servers.Guard(ctx) // for each turn: it follows lists that change
//	reply, err := g.Run(ctx, model, servers, input)
//
// A Servers is a [guard.Executor]: it runs each call on the server that offers
// the tool. Sessions remain the host's: it opens and closes none.
type Servers struct {
	options Options

	// building is held while a list is read or a guard is built. What it guards is
	// written with mu held as well, so that calls need not wait for a list.
	building sync.Mutex
	servers  []*server    // in the order added
	guard    *guard.Guard // nil until asked for, and after a change

	mu     sync.RWMutex
	routes map[string]offer // by the name that the model calls
	tools  []tooltrack.Tool
}

// server is one session and what it offers.
type server struct {
	name    string
	line    *line
	isStale atomic.Bool // its list has changed since it was read
	offers  []offer
}

// offer is a tool as it is described, and whose it is.
type offer struct {
	server *server
	name   string // the server's own name for it
	tool   tooltrack.Tool
}

var _ guard.Executor = (*Servers)(nil)

// NewServers returns a set without servers.
func NewServers(options *Options) *Servers {
	s := &Servers{}
	if options != nil {
		s.options = *options
	}
	s.options.Guard = guardOptions(s.options.Guard)
	return s
}

// guardOptions are those of every guard that is built: one ledger for all of
// them, or a rebuilt guard would forget what the one before it ran.
func guardOptions(given *guard.Options) *guard.Options {
	options := guard.Options{}
	if given != nil {
		options = *given
	}
	if options.Ledger == nil {
		options.Ledger = tooltrack.NewLedger(nil, &tooltrack.LedgerOptions{Clock: options.Clock})
	}
	options.Policy = policyOptions(options.Policy)
	return &options
}

// policyOptions let arguments called user_id pass, unless the host says
// something about identity: a chat server's user_id is whom to look up, and not
// on whose behalf.
func policyOptions(given *policy.Options) *policy.Options {
	options := policy.Options{}
	if given != nil {
		options = *given
	}
	if options.Identity == nil {
		options.Identity = []policy.Identity{}
	}
	return &options
}

// Add lists a server's tools and offers them under "name__tool"; under an empty
// name they keep theirs. Characters that providers do not take in names become
// "_", and what is longer than 64 bytes is cut and told apart by a digest.
//
// An error that concerns the server is a [*ListError]; then nothing was added.
func (s *Servers) Add(ctx context.Context, name string, session *mcp.ClientSession) error {
	if err := checkPrefix(name); err != nil {
		return err
	}
	if session == nil {
		return ErrNoSession
	}
	s.building.Lock()
	defer s.building.Unlock()
	if slices.ContainsFunc(s.servers, func(known *server) bool { return known.name == name }) {
		return fmt.Errorf("server name %q is used twice; remove the first one, or choose another name", name)
	}
	added := &server{name: name, line: newLine(session)}
	if err := s.read(ctx, added); err != nil {
		return err
	}
	return s.arrange(append(slices.Clone(s.servers), added))
}

// Remove takes a server's tools away. Its session stays open.
func (s *Servers) Remove(name string) {
	s.building.Lock()
	defer s.building.Unlock()
	left := slices.DeleteFunc(slices.Clone(s.servers), func(server *server) bool { return server.name == name })
	_ = s.arrange(left) // fewer tools cannot clash
}

// read lists and describes the tools of one server.
func (s *Servers) read(ctx context.Context, from *server) error {
	listed, err := listTools(ctx, from.line.session)
	if err != nil {
		return &ListError{Server: from.name, Err: err}
	}
	var correct correction
	if s.options.Describe != nil {
		correct = func(listed *mcp.Tool, tool *tooltrack.Tool) bool {
			return s.options.Describe(from.name, listed, tool)
		}
	}
	offers := make([]offer, 0, len(listed))
	for _, tool := range listed {
		described, isKept, err := describe(tool, correct)
		if err != nil {
			return &ListError{Server: from.name, Tool: tool.Name, Err: err}
		}
		if isKept {
			offers = append(offers, offer{from, tool.Name, described})
		}
	}
	from.offers = offers
	return nil
}

// arrange names the tools of all servers and puts them in the place of those
// before; the guard is built when it is asked for.
func (s *Servers) arrange(servers []*server) error {
	var tools []tooltrack.Tool
	routes := map[string]offer{}
	for alias, offered := range aliases(servers) {
		tool := offered.tool
		tool.Name = alias
		err := tool.Validate()
		if _, twice := routes[alias]; twice {
			err = errListedTwice
		}
		if err != nil {
			return &ListError{Server: offered.server.name, Tool: offered.name, Err: err}
		}
		tools = append(tools, tool)
		routes[alias] = offered
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers, s.tools, s.routes, s.guard = servers, tools, routes, nil
	return nil
}

// Tools are the tools of all servers, as the model calls them, in the order in
// which the servers were added.
func (s *Servers) Tools() []tooltrack.Tool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.tools)
}

// ListChanged takes note that a server has changed its list; the list is read
// when a guard is next asked for. It is meant for
// mcp.ClientOptions.ToolListChangedHandler: servers tell changes only to clients
// that have a handler there.
func (s *Servers) ListChanged(_ context.Context, request *mcp.ToolListChangedRequest) {
	if request == nil {
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, server := range s.servers {
		if server.line.session == request.Session {
			server.isStale.Store(true)
		}
	}
}

// Guard is a guard for the tools that the servers offer now: the same one until
// a list changes, and then a new one with the same options and the same ledger.
// Ask for it at the beginning of each turn; turns under way keep theirs.
//
// The error is a [*ListError] for a server whose list has changed and cannot be
// read or used, or that of guard.New.
func (s *Servers) Guard(ctx context.Context) (*guard.Guard, error) {
	s.building.Lock()
	defer s.building.Unlock()
	for _, server := range s.servers {
		if !server.isStale.Swap(false) { // before it is read, so that the next change is not lost
			continue
		}
		if err := s.refresh(ctx, server); err != nil {
			server.isStale.Store(true)
			return nil, err
		}
	}
	if s.guard != nil {
		return s.guard, nil
	}
	var err error
	s.guard, err = guard.New(s.tools, s.options.Guard)
	return s.guard, err
}

// refresh reads the list of a server again. The one before stays where the new
// one cannot be used.
func (s *Servers) refresh(ctx context.Context, changed *server) error {
	before := changed.offers
	err := s.read(ctx, changed)
	if err == nil {
		err = s.arrange(s.servers)
	}
	if err != nil {
		changed.offers = before
	}
	return err
}

// Execute runs a call on the server that offers its tool. Its
// errors are of type [*CallError].
func (s *Servers) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	s.mu.RLock()
	to, isKnown := s.routes[call.Tool]
	s.mu.RUnlock()
	if !isKnown {
		return nil, &CallError{Tool: call.Tool, Kind: ErrUnknownTool}
	}
	var meta mcp.Meta
	if input, ok := guard.FromContext(ctx); ok && s.options.AnnounceTurn && input.Turn != "" {
		meta = mcp.Meta{MetaTurn: input.Turn}
	}
	body, err := to.server.line.call(ctx, to.name, call.Args, meta)
	if failed, ok := err.(*CallError); ok {
		failed.Server, failed.reads = to.server.name, !to.tool.Effect.MayChange()
	}
	return body, err
}

// checkPrefix keeps names of servers to what providers take in a tool's name,
// and leaves room for the tool's own.
func checkPrefix(name string) error {
	const limit = 32
	switch {
	case len(name) > limit:
		return fmt.Errorf("server name %q has %d bytes; at most %d are allowed", clipped(name), len(name), limit)
	case name != portable(name), strings.Contains(name, "__"), strings.HasSuffix(name, "_"):
		return fmt.Errorf("server name %q may hold only letters, digits, '-' and single '_' that do not end it",
			clipped(name))
	}
	return nil
}
