package mcpguard

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// roundTrips is the first version of the protocol in which a server asks by the result
// of a call, and the client calls again with the answer.
const roundTrips = "2026-07-28"

// elicit asks the user of the client about a call. It returns the approval as it stands
// then, or the question, where the client has to be asked by a result. Who cannot be asked,
// or closes the question, leaves it to whoever answers by another way.
func (g *gate) elicit(
	ctx context.Context, request mcp.Request, approval *tooltrack.Approval,
) (*tooltrack.Approval, *mcp.CallToolResult) {
	call, received := request.(*mcp.CallToolRequest)
	if !received || approval.Owner == guard.LocalOwner && call.Extra != nil && call.Extra.Header != nil {
		return approval, nil // nobody knows who would answer
	}
	client := call.Session.InitializeParams()
	if client == nil || client.Capabilities == nil || client.Capabilities.Elicitation == nil {
		return approval, nil
	}
	said, answered := call.Params.InputResponses[approval.ID].(*mcp.ElicitResult)
	if !answered && client.ProtocolVersion >= roundTrips {
		return approval, inputRequired(approval)
	}
	if !answered {
		var err error
		if said, err = call.Session.Elicit(ctx, question(approval)); err != nil {
			g.log(ctx, "the user could not be asked for approval", approval.Call.Tool, "approval", approval.ID)
			return approval, nil
		}
	}
	if said == nil || said.Action == "cancel" {
		return approval, nil
	}
	approve, _ := said.Content["approve"].(bool)
	reason, _ := said.Content["reason"].(string)
	answer := tooltrack.Answer{By: approval.Owner, Approve: approve && said.Action == "accept", Reason: reason}
	decided, err := g.ledger.Answer(ctx, approval.Owner, approval.ID, answer)
	if err != nil { // decided by another way meanwhile, or the owner may not
		g.log(ctx, "the answer was not taken", approval.Call.Tool, "approval", approval.ID)
		return approval, nil
	}
	return decided, nil
}

// question shows a person exactly what would run.
func question(approval *tooltrack.Approval) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Mode:    "form",
		Message: fmt.Sprintf("%s\n%s %s", approval.Summary, approval.Call.Tool, approval.Call.Args),
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{
			"approve":{"type":"boolean","description":"Run this call exactly as shown"},
			"reason":{"type":"string","description":"Why, or why not"}},"required":["approve"]}`),
	}
}

// inputRequired is the result by which a client is asked. The kind of a result can only
// be set by reading it.
func inputRequired(approval *tooltrack.Approval) *mcp.CallToolResult {
	asked, err := json.Marshal(map[string]any{
		"resultType": "input_required", "content": []any{},
		"inputRequests": mcp.InputRequestMap{approval.ID: question(approval)},
	})
	result := new(mcp.CallToolResult)
	if err != nil || json.Unmarshal(asked, result) != nil {
		return nil
	}
	return result
}
