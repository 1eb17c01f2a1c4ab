package mcpguard

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/internal/contain"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// catalog is what a server offers, and the rules for it. Tools that cannot be
// described are left out, and refused with the reason.
type catalog struct {
	tools  map[string]tooltrack.Tool
	faults map[string]error
	set    *policy.Set
}

// catalogs are what the servers of one client offer, or what one server offers
// to its clients.
type catalogs struct {
	correct correction
	rules   *policy.Options

	mu      sync.Mutex
	known   map[any]*catalog // by session until it ends, or on a server by the list that it shows
	changes int              // how often a server has said that its list changed
}

// maxLists bounds the lists that a server shows to different clients. Beyond it they are
// compiled anew.
const maxLists = 64

// of is the catalog that a call is judged by.
func (c *catalogs) of(ctx context.Context, asked ask) (*catalog, error) {
	known, changes := c.find(asked.session)
	if known != nil {
		return known, nil
	}
	listed, err := listTools(ctx, asked.lister)
	if err != nil {
		return nil, &ListError{Err: err}
	}
	key := any(asked.session)
	if asked.session == nil {
		key = addresses(listed)
	}
	if known, _ := c.find(key); known != nil { // a list of one page has passed by
		return known, nil
	}
	built, err := c.build(listed)
	if err != nil {
		return nil, err
	}
	c.keep(key, built, changes)
	return built, nil
}

func (c *catalogs) find(key any) (known *catalog, changes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[key], c.changes
}

// keep remembers a catalog, unless a list has changed since it was read.
func (c *catalogs) keep(key any, built *catalog, changes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if changes != c.changes {
		return
	}
	session, isSession := key.(*mcp.ClientSession)
	if c.known == nil || !isSession && len(c.known) >= maxLists {
		c.known = map[any]*catalog{}
	}
	if _, isWatched := c.known[key]; isSession && !isWatched {
		contain.Go("watching a session", func() {
			_ = session.Wait() // whatever ended it
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.known, session)
		}, nil)
	}
	c.known[key] = built
}

// forget makes the next call list the tools again.
func (c *catalogs) forget(session *mcp.ClientSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, isKnown := c.known[session]; isKnown {
		c.known[session] = nil
	}
	c.changes++
}

// learn takes in a list that passes by. One of several pages is read again by the
// next call, since its pages may belong to lists that are read at the same time.
func (c *catalogs) learn(session *mcp.ClientSession, params mcp.Params, page *mcp.ListToolsResult) {
	asked, ok := params.(*mcp.ListToolsParams)
	_, changes := c.find(session)
	var built *catalog
	if isWhole := !ok || asked == nil || asked.Cursor == ""; isWhole && page.NextCursor == "" {
		built, _ = c.build(page.Tools) // where it fails, the next call lists again, and tells
	}
	c.keep(session, built, changes)
}

// addresses tell the lists of a server apart: the SDK forbids to modify a tool
// that was added.
func addresses(listed []*mcp.Tool) string {
	var key strings.Builder
	for _, tool := range listed {
		fmt.Fprintf(&key, "%p ", tool)
	}
	return key.String()
}

// build describes the tools of a list and compiles the rules for them.
func (c *catalogs) build(listed []*mcp.Tool) (*catalog, error) {
	built := &catalog{tools: map[string]tooltrack.Tool{}, faults: map[string]error{}}
	var tools []tooltrack.Tool
	for _, tool := range listed {
		if tool == nil {
			continue
		}
		described, isKept, err := describe(tool, c.correct)
		described.Name = tool.Name
		if err == nil && isKept {
			err = described.Validate() // a schema that cannot be compiled is the policy's business
		}
		if _, twice := built.tools[tool.Name]; twice && err == nil {
			err = errListedTwice
		}
		switch {
		case err != nil:
			built.faults[tool.Name] = &ListError{Tool: tool.Name, Err: err}
		case isKept:
			built.tools[tool.Name] = described
			tools = append(tools, described)
		}
	}
	set, err := policy.New(tools, c.rules)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	built.set = set
	return built, nil
}
