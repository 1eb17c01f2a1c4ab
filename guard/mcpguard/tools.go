package mcpguard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const (
	// maxTools and maxPages bound what a server may list: no model can use more
	// tools, and a list whose pages never end must not hold up a program.
	maxTools = 4096
	maxPages = 1024
)

// ErrTooManyTools is returned for a server whose list of tools does not end
// within 4,096 tools and 1,024 pages.
var ErrTooManyTools = errors.New("the server lists too many tools; at most 4,096 on 1,024 pages are read")

// errListedTwice is a list with two tools of one name.
var errListedTwice = errors.New("it is listed more than once")

// Tools are the tools of one server, described for a guard. Those who know
// better than the server may correct the descriptions before they make a guard
// of them: what a tool changes, which argument names its subject, the words by
// which people ask for it.
//
// The effect follows the server's hints. A tool that says it is read-only
// [tooltrack.Reads]; one that says whether it destroys, or that it is
// idempotent, [tooltrack.Changes]; any other is of unknown effect. (The SDK
// does not tell a false read-only hint from a missing one.) The subject is a
// guess from the names of the tool and its arguments, and left empty where it
// would not be safe.
//
// The error is a [*ListError].
func Tools(ctx context.Context, session *mcp.ClientSession) ([]tooltrack.Tool, error) {
	if session == nil {
		return nil, ErrNoSession
	}
	listed, err := listTools(ctx, session)
	if err != nil {
		return nil, &ListError{Err: err}
	}
	tools := make([]tooltrack.Tool, len(listed))
	for i, tool := range listed {
		if tools[i], _, err = describe(tool, nil); err != nil {
			return nil, &ListError{Tool: tool.Name, Err: err}
		}
	}
	if err := tooltrack.ValidateTools(tools); err != nil {
		return nil, &ListError{Err: err}
	}
	return tools, nil
}

// lister is what lists tools: a session, or the rest of a chain of middleware.
type lister interface {
	ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
}

// listTools reads all pages of a server's list.
func listTools(ctx context.Context, from lister) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
	cursor := ""
	for range maxPages {
		page, err := from.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			if tool != nil {
				tools = append(tools, tool)
			}
		}
		if len(tools) > maxTools {
			return nil, ErrTooManyTools
		}
		if cursor = page.NextCursor; cursor == "" {
			return tools, nil
		}
	}
	return nil, ErrTooManyTools
}

// correction is what the host knows better about a tool; false leaves it out.
type correction func(listed *mcp.Tool, tool *tooltrack.Tool) bool

// describe reads one tool of a list. The host's correction may panic.
func describe(listed *mcp.Tool, correct correction) (tool tooltrack.Tool, isKept bool, err error) {
	parameters, err := schemaOf(listed)
	if err != nil {
		return tool, false, err
	}
	effect, idempotent := hintsOf(listed.Annotations)
	tool = tooltrack.Tool{
		Name: listed.Name, Description: cmp.Or(listed.Description, titleOf(listed)), Parameters: parameters,
		Effect: effect, Idempotent: idempotent, Returns: listed.OutputSchema != nil,
	}
	words := toolname.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters}
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
	tool.Implied, tool.Subject = &implied, guessSubject(words)
	if correct == nil {
		return tool, true, nil
	}
	defer survive("Describe", &err)
	isKept = correct(listed, &tool)
	return tool, isKept, nil
}

func titleOf(listed *mcp.Tool) string {
	if listed.Annotations == nil {
		return listed.Title
	}
	return cmp.Or(listed.Title, listed.Annotations.Title)
}

// schemaOf is the schema of a tool's arguments as JSON; nil if there is none.
func schemaOf(listed *mcp.Tool) (json.RawMessage, error) {
	schema, err := json.Marshal(listed.InputSchema)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its input schema is not JSON: %w", err)
	case string(schema) == "null":
		return nil, nil
	}
	return schema, nil
}

// hintsOf is what a server's hints say. Only a tool that says it is read-only is believed to
// be so: the protocol's default is that a tool may change things. A hint that has a meaning
// only for tools that change something says that the tool does.
func hintsOf(given *mcp.ToolAnnotations) (effect tooltrack.Effect, idempotent bool) {
	switch {
	case given == nil:
		return tooltrack.UnknownEffect, false
	case given.ReadOnlyHint:
		effect = tooltrack.Reads
	case given.IdempotentHint || given.DestructiveHint != nil:
		effect = tooltrack.Changes
	}
	return effect, given.IdempotentHint
}
