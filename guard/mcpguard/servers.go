package mcpguard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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
	// Distrusted are the names of servers whose hints are ignored, so that all
	// their tools run one at a time and at most once. Default: hints are believed.
	Distrusted []string
	// Describe corrects what was read from a server's list: the effect, the
	// subject, the words. A name that it changes is that which the model calls.
	// It leaves a tool out by returning false. A panic is a [*ToolError].
	// Default: as listed.
	Describe func(server string, listed *mcp.Tool, tool *tooltrack.Tool) bool
	// Progress hears how far calls are; see [Servers.Progress]. It is called in
	// the session's goroutine, and a panic in it is dropped. Default: servers are
	// asked for progress only if Patience is set.
	Progress func(ctx context.Context, call tooltrack.Call, progress *mcp.ProgressNotificationParams)
	// Patience cancels a call when the server has told no progress for so long.
	// Default: the context alone ends calls.
	Patience time.Duration
	// AnnounceTurn sends the name of the turn with each call, in its metadata
	// under [MetaTurn], so that a server with [ServerMiddleware] runs a change at
	// most once, whoever asks again. It tells servers which calls belong together.
	// Default: nothing is sent.
	AnnounceTurn bool
}

// Servers are several MCP servers under one guard:
//
//	servers := mcpguard.NewServers(nil)
//	client := mcp.NewClient(impl, &mcp.ClientOptions{
//		ToolListChangedHandler:      servers.ListChanged,
//		ProgressNotificationHandler: servers.Progress,
//	})
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
	calls   progress

	building sync.Mutex // one list is read, and one guard built, at a time

	mu      sync.RWMutex
	servers []*server        // in the order added
	routes  map[string]route // by the name that the model calls
	tools   []tooltrack.Tool
	guard   *guard.Guard // nil until asked for, and after a change
}

// server is one session and what it offers.
type server struct {
	name   string
	line   *line
	stale  bool // its list has changed since it was read
	listed []offer
}

// offer is a tool as the server calls it, and as it is described.
type offer struct {
	name string
	tool tooltrack.Tool
}

// route says where a call goes.
type route struct {
	server *server
	name   string
	reads  bool
}

var _ guard.Executor = (*Servers)(nil)

// NewServers returns a set without servers.
func NewServers(options *Options) *Servers {
	s := &Servers{}
	if options != nil {
		s.options = *options
	}
	s.options.Guard = guardOptions(s.options.Guard)
	s.calls.patience, s.calls.hear = s.options.Patience, s.options.Progress
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
// The error is a [*ServerError] or a [*ToolError]; then nothing was added.
func (s *Servers) Add(ctx context.Context, name string, session *mcp.ClientSession) error {
	if err := checkPrefix(name); err != nil {
		return err
	}
	if session == nil {
		return ErrNoSession
	}
	s.building.Lock()
	defer s.building.Unlock()
	if s.find(name) != nil {
		return fmt.Errorf("server name %q is used twice; remove the first one, or choose another name", name)
	}
	added := &server{name: name, line: newLine(session)}
	listed, err := s.read(ctx, added)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	added.listed = listed
	return s.arrange(append(slices.Clone(s.servers), added))
}

// Remove takes a server's tools away. Its session stays open.
func (s *Servers) Remove(name string) {
	s.building.Lock()
	defer s.building.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(s.servers), func(server *server) bool { return server.name == name })
	_ = s.arrange(left) // fewer tools cannot clash
}

func (s *Servers) find(name string) *server {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, server := range s.servers {
		if server.name == name {
			return server
		}
	}
	return nil
}

// read lists and describes the tools of one server.
func (s *Servers) read(ctx context.Context, from *server) ([]offer, error) {
	listed, err := listTools(ctx, from.line.session)
	if err != nil {
		return nil, &ServerError{Server: from.name, Err: err}
	}
	offers := make([]offer, 0, len(listed))
	for _, tool := range listed {
		described, err := describe(tool)
		if err != nil {
			return nil, &ToolError{Server: from.name, Tool: tool.Name, Err: err}
		}
		if slices.Contains(s.options.Distrusted, from.name) {
			described.Effect, described.Idempotent = tooltrack.UnknownEffect, false
		}
		kept, err := correct(s.options.Describe, from.name, tool, &described)
		if err != nil {
			return nil, &ToolError{Server: from.name, Tool: tool.Name, Err: err}
		}
		if kept {
			offers = append(offers, offer{tool.Name, described})
		}
	}
	return offers, nil
}

// correct asks the host; its code may panic.
func correct(
	describe func(string, *mcp.Tool, *tooltrack.Tool) bool, server string, listed *mcp.Tool, tool *tooltrack.Tool,
) (kept bool, err error) {
	if describe == nil {
		return true, nil
	}
	defer survive("Options.Describe", &err)
	return describe(server, listed, tool), nil
}

// arrange names the tools of all servers and puts them in the place of those
// before; the guard is built when it is asked for.
func (s *Servers) arrange(servers []*server) error {
	var tools []tooltrack.Tool
	routes := map[string]route{}
	for alias, offered := range aliases(servers) {
		tool := offered.tool
		tool.Name = alias
		if err := tool.Validate(); err != nil {
			return &ToolError{Server: offered.server.name, Tool: offered.name, Err: err}
		}
		if _, twice := routes[alias]; twice {
			return &ToolError{Server: offered.server.name, Tool: offered.name, Err: errListedTwice}
		}
		tools = append(tools, tool)
		routes[alias] = route{offered.server, offered.name, !tool.Effect.MayChange()}
	}
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
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.servers {
		if server.line.session == request.Session {
			server.stale = true
		}
	}
}

// Guard is a guard for the tools that the servers offer now: the same one until
// a list changes, and then a new one with the same options and the same ledger.
// Ask for it at the beginning of each turn; turns under way keep theirs.
//
// The error is a [*ServerError] for a server whose list has changed and cannot
// be read, a [*ToolError], or that of guard.New.
func (s *Servers) Guard(ctx context.Context) (*guard.Guard, error) {
	s.building.Lock()
	defer s.building.Unlock()
	for _, server := range s.staleServers() {
		if err := s.refresh(ctx, server); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guard != nil {
		return s.guard, nil
	}
	built, err := guard.New(s.tools, s.options.Guard)
	if err != nil {
		return nil, err
	}
	s.guard = built
	return built, nil
}

func (s *Servers) staleServers() []*server {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var stale []*server
	for _, server := range s.servers {
		if server.stale {
			stale = append(stale, server)
		}
	}
	return stale
}

// refresh reads the list of a server again. A change that is told meanwhile is
// not lost: the mark is taken away before the list is read.
func (s *Servers) refresh(ctx context.Context, changed *server) error {
	s.mark(changed, false)
	listed, err := s.read(ctx, changed)
	if err != nil {
		s.mark(changed, true)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := changed.listed
	changed.listed = listed
	if err := s.arrange(s.servers); err != nil {
		changed.listed, changed.stale = before, true
		return err
	}
	return nil
}

func (s *Servers) mark(server *server, stale bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server.stale = stale
}

// Execute runs a call on the server that offers its tool. Its
// errors are of type [*CallError].
func (s *Servers) Execute(ctx context.Context, call tooltrack.Call) ([]byte, error) {
	s.mu.RLock()
	to, known := s.routes[call.Tool]
	s.mu.RUnlock()
	if !known {
		return nil, &CallError{Tool: call.Tool, Kind: ErrUnknownTool}
	}
	body, err := s.calls.run(ctx, call, func(ctx context.Context, token any) ([]byte, error) {
		return to.server.line.call(ctx, to.name, call.Args, s.meta(ctx, token))
	})
	if failed, ok := err.(*CallError); ok {
		failed.Server, failed.reads = to.server.name, to.reads
	}
	return body, err
}

func (s *Servers) meta(ctx context.Context, token any) mcp.Meta {
	meta := mcp.Meta{}
	if token != nil {
		meta["progressToken"] = token
	}
	if input, ok := guard.FromContext(ctx); ok && s.options.AnnounceTurn && input.Turn != "" {
		meta[MetaTurn] = input.Turn
	}
	return meta
}

// Progress hands notifications to the calls that they are about. It is meant
// for mcp.ClientOptions.ProgressNotificationHandler.
func (s *Servers) Progress(ctx context.Context, request *mcp.ProgressNotificationClientRequest) {
	if request != nil && request.Params != nil {
		s.calls.told(ctx, request.Params)
	}
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
