package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// reportName is the tool by which a model ends its turn where proof is always
// asked for, unless the host has a tool of that name.
const reportName = "report"

// maxTools is how many tools the large providers take.
const maxTools = 128

// reportTool is what Always offers as the last tool of a request. The zero tool
// means that it is not offered.
func (t *Turn) reportTool(choice Choice) (tooltrack.Tool, bool) {
	options := &t.guard.options
	if options.Proof != Always || options.Observe || options.Referee != nil {
		return tooltrack.Tool{}, false
	}
	if t.caps.NoTools || len(t.offered) >= maxTools {
		return tooltrack.Tool{}, false
	}
	if choice.Mode != ChooseAuto || toolNamed(t.offered, reportName) != nil {
		return tooltrack.Tool{}, false
	}
	return tooltrack.Tool{
		Name: reportName, Description: reportDescription, Parameters: reportParameters, Effect: tooltrack.Reads,
	}, true
}

const reportDescription = "End your turn with this tool instead of a plain text. " +
	"It shows message to the user, together with what it rests on. " +
	"items: one for each action or look-up that the message says happened, and one for each thing that the user asked " +
	"for in this turn; small talk, advice and text of your own need none. " +
	"status done, answered, partial, pending and failed cite the calls that show it, by tool and, where it was called " +
	"more than once, by the how-manieth call of it in this turn; the others give a reason."

var reportParameters = json.RawMessage(`{"type":"object","properties":{` +
	`"message":{"type":"string","description":"the text for the user"},` +
	`"items":{"type":"array","items":{"type":"object","properties":{"what":{"type":"string"},` +
	`"status":{"type":"string","enum":` +
	`["done","answered","partial","pending","failed","not_done","withdrawn","needs_input","general"]},` +
	`"calls":{"type":"array","items":{"type":"object","properties":` +
	`{"tool":{"type":"string"},"n":{"type":"integer","minimum":1}},"required":["tool"]}},` +
	`"reason":{"type":"string"}},"required":["what","status"]}}},"required":["message","items"]}`)

// withReport adds the report tool to the tools of a request.
func (t *Turn) withReport(tools []tooltrack.Tool, choice Choice) []tooltrack.Tool {
	if report, offered := t.reportTool(choice); offered {
		t.reporting = true
		return append(slices.Clip(tools), report)
	}
	return tools
}

// splitReport takes reports out of an answer. Beside other calls they mean
// nothing yet: the turn goes on, and the faults of those calls stay with them.
// Where the tool was never offered, a call of it is one of a tool that is not
// there.
func (t *Turn) splitReport(response Response) (rest Response, report *tooltrack.Call) {
	if !t.reporting {
		return response, nil
	}
	var others []tooltrack.Call
	var faults []CallFault
	for i := range response.Message.Calls {
		call := &response.Message.Calls[i]
		if call.Tool == reportName {
			if report == nil {
				report = call
			}
			continue
		}
		if reason, broken := faultOf(response.Faults, i); broken {
			faults = append(faults, CallFault{Call: len(others), Reason: reason})
		}
		others = append(others, *call)
	}
	if report == nil || len(others) == 0 {
		return response, report
	}
	response.Message.Calls, response.Message.Raw, response.Raw = others, nil, nil
	response.Faults = faults
	return response, nil
}

// takeReport takes the end of a turn that came as a call of the report tool.
func (t *Turn) takeReport(ctx context.Context, response Response, call tooltrack.Call) {
	if t.proving == nil {
		t.proving = &proving{}
		t.guard.counters.proofs[proofAsked].Add(1)
	}
	p := t.proving
	p.list, p.faults = proof.NewList(t.earlier, t.evidence()), nil
	report, err := parseReport(call.Args, p.list)
	if len(response.Faults) > 0 { // a call that cannot be read ends no turn
		err = errors.New(response.Faults[0].Reason)
	}
	said := report.Text(response.Message.Text) // what it says is kept, whatever is wrong with its items
	if said == "" {
		t.returnReport(response, t.settleProof(ctx, report, []string{err.Error()}))
		return
	}
	p.draft = Response{Message: Message{Role: RoleAssistant, Text: said}, Usage: response.Usage}
	p.found = t.judge(ctx, said)
	t.judged(ctx, p.found)
	if err := ctx.Err(); err != nil { // the judgement may not be one
		t.proving = nil
		t.fail(err)
		return
	}
	report.Message = nil // it is the draft itself
	var reasons []string
	if err != nil {
		reasons = append(reasons, err.Error())
	} else {
		report, reasons = t.faultsOf(ctx, report)
	}
	switch p.found.fault {
	case faultLeaked, faultClaim, faultOther: // what is due, the items account for
		reasons = append(reasons, p.found.verdict.Correction)
	}
	t.returnReport(response, t.settleProof(ctx, report, reasons))
}

// returnReport answers a report that cannot be accepted, as the result of its
// call.
func (t *Turn) returnReport(response Response, again string) {
	if again == "" {
		return
	}
	answer := response.Message
	answer.Internal, answer.Calls = true, withIDs(answer.Calls)
	t.messages = append(t.messages, answer)
	for _, made := range answer.Calls {
		t.messages = append(t.messages, Message{
			Role: RoleTool, CallID: made.ID, Tool: made.Tool, Text: "Error: " + again, Internal: true,
		})
	}
}

// citedCall is a call that an item of the report tool cites.
type citedCall struct {
	Tool string `json:"tool"`
	N    int    `json:"n"`
}

// UnmarshalJSON takes the bare name of a tool for its first call.
func (c *citedCall) UnmarshalJSON(data []byte) error {
	if name, bare := jsonspan.Text(data); bare {
		*c = citedCall{Tool: name}
		return nil
	}
	type plain citedCall
	return json.Unmarshal(data, (*plain)(c))
}

// reportArgs are the arguments of the report tool.
type reportArgs struct {
	Message *string `json:"message"`
	Items   []struct {
		What   string       `json:"what"`
		Status proof.Status `json:"status"`
		Reason string       `json:"reason"`
		Calls  []citedCall  `json:"calls"`
	} `json:"items"`
}

// parseReport reads the arguments of the report tool. Calls are cited by tool
// and number of the call, since no list of records was there when it was offered.
// Beside an error, the report has the message, if there is one.
func parseReport(args []byte, list proof.List) (report proof.Report, err error) {
	var raw reportArgs
	if err := json.Unmarshal(args, &raw); err != nil {
		var only struct{ Message *string }
		if json.Unmarshal(args, &only) == nil && only.Message != nil && *only.Message != "" {
			report.Message = only.Message
		}
		return report, fmt.Errorf("the report is not of the given shape: %w", err)
	}
	if raw.Message == nil || *raw.Message == "" {
		return report, errors.New("the report lacks a message for the user")
	}
	report = proof.Report{Message: raw.Message, Items: []proof.Item{}}
	if len(raw.Items) > proof.MaxItems {
		return report, fmt.Errorf("there are %d items; at most %d are read", len(raw.Items), proof.MaxItems)
	}
	for _, item := range raw.Items {
		read := proof.Item{What: item.What, Status: item.Status, Reason: item.Reason}
		for _, cited := range item.Calls {
			number := list.Number(cited.Tool, max(cited.N, 1))
			if number == 0 {
				return report, fmt.Errorf("there is no call %d of %s among the last %d of this turn",
					max(cited.N, 1), clipped(cited.Tool), proof.MaxListed)
			}
			read.Records = append(read.Records, number)
		}
		report.Items = append(report.Items, read)
	}
	return report, nil
}
