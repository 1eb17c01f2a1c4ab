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
	describe func(*mcp.Tool, *tooltrack.Tool) bool
	rules    *policy.Options

	mu     sync.Mutex
	ofLine map[*mcp.ClientSession]*listing
	ofList map[string]*catalog // on a server, by the list that it would show
}

// listing is the list of one session, as far as it has passed by.
type listing struct {
	catalog *catalog // nil before the first list, and after a change
	pages   []*mcp.Tool
	cursor  string // of the page that comes next
	changes int    // how often the server has said that its list changed
}

// maxLists bounds the lists that a server shows to different clients. Beyond it
// they are compiled anew.
const maxLists = 64

// of is the catalog that a call is judged by.
func (c *catalogs) of(ctx context.Context, asked ask) (*catalog, error) {
	changes := 0
	if asked.key != nil {
		c.mu.Lock()
		known := *c.session(asked.key)
		c.mu.Unlock()
		if known.catalog != nil {
			return known.catalog, nil
		}
		changes = known.changes
	}
	listed, err := listTools(ctx, asked.lister)
	if err != nil {
		return nil, &ServerError{Err: err}
	}
	if asked.key == nil {
		return c.ofServer(listed)
	}
	built, err := c.build(listed)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.session(asked.key); known.changes == changes {
		known.catalog = built
	} // otherwise the list has changed meanwhile, and the next call reads it again
	return built, nil
}

// session finds or opens the listing of a session, until the session ends.
func (c *catalogs) session(session *mcp.ClientSession) *listing {
	known := c.ofLine[session]
	if known != nil {
		return known
	}
	if c.ofLine == nil {
		c.ofLine = map[*mcp.ClientSession]*listing{}
	}
	known = &listing{}
	c.ofLine[session] = known
	contain.Go("watching a session", func() {
		_ = session.Wait() // whatever ended it
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.ofLine, session)
	}, nil)
	return known
}

// forget makes the next call list the tools again.
func (c *catalogs) forget(session *mcp.ClientSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.ofLine[session]; known != nil {
		*known = listing{changes: known.changes + 1}
	}
}

// relisted takes in a page of a list that passes by. Pages that do not follow
// one another belong to lists that are read at the same time, and teach nothing.
func (c *catalogs) relisted(session *mcp.ClientSession, cursor string, page *mcp.ListToolsResult) {
	c.mu.Lock()
	known := c.session(session)
	if cursor == "" {
		known.pages, known.cursor = nil, ""
	}
	if cursor != known.cursor || len(known.pages)+len(page.Tools) > maxTools {
		known.pages, known.cursor = nil, ""
		c.mu.Unlock()
		return
	}
	for _, tool := range page.Tools {
		if tool != nil {
			known.pages = append(known.pages, tool)
		}
	}
	known.cursor = page.NextCursor
	whole := known.pages
	c.mu.Unlock()
	if page.NextCursor != "" {
		return
	}
	built, err := c.build(whole)
	if err != nil {
		built = nil // the next call lists again, and tells
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known.catalog, known.pages = built, nil
}

// ofServer finds the catalog of a list that a server shows. Tools are known by
// their address: the SDK forbids to modify one that was added.
func (c *catalogs) ofServer(listed []*mcp.Tool) (*catalog, error) {
	var key strings.Builder
	for _, tool := range listed {
		fmt.Fprintf(&key, "%p ", tool)
	}
	c.mu.Lock()
	known := c.ofList[key.String()]
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	built, err := c.build(listed)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ofList) >= maxLists || c.ofList == nil {
		c.ofList = map[string]*catalog{}
	}
	c.ofList[key.String()] = built
	return built, nil
}

// build describes the tools of a list and compiles the rules for them.
func (c *catalogs) build(listed []*mcp.Tool) (*catalog, error) {
	built := &catalog{tools: map[string]tooltrack.Tool{}, faults: map[string]error{}}
	var tools []tooltrack.Tool
	for _, tool := range listed {
		described, kept, err := c.described(tool)
		if err == nil && kept {
			err = described.Validate() // a schema that cannot be compiled is the policy's business
		}
		if _, twice := built.tools[tool.Name]; twice && err == nil {
			err = errListedTwice
		}
		switch {
		case err != nil:
			built.faults[tool.Name] = &ToolError{Tool: tool.Name, Err: err}
		case kept:
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

func (c *catalogs) described(listed *mcp.Tool) (tool tooltrack.Tool, kept bool, err error) {
	if tool, err = describe(listed); err != nil {
		return tool, false, err
	}
	if c.describe == nil {
		return tool, true, nil
	}
	defer survive("MiddlewareOptions.Describe", &err)
	kept = c.describe(listed, &tool)
	tool.Name = listed.Name
	return tool, kept, nil
}
