package chatwire

import (
	"encoding/json"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
)

// gemini is Google's generateContent. A message is a list of parts: text, thoughts, calls,
// results, and what the provider ran by itself. A part may carry a signature of the thought
// behind it, which has to be sent back where it stood, so parts are kept as they came.
// Each piece of a stream is a whole answer with some of the parts.
//
// Sources: the references of the Gemini API and of Vertex AI (generateContent, function
// calling, thought signatures, caching) and the types of google.golang.org/genai.
type gemini struct{}

// capabilities: the system prompt stands before the conversation, and beside a cached
// prefix, which holds the tools, nothing may be chosen.
func (gemini) capabilities(r *Request) guard.Capabilities {
	return guard.Capabilities{NoLateSystem: true, NoNamedChoice: r.cached, NoRequiredChoice: r.cached}
}

func (gemini) stream() streaming { return &geminiAssembler{} }

func (gemini) events(body []byte) [][]byte { return [][]byte{body} }

func (gemini) fault(err *BodyError) []byte { return chat{}.fault(err) }

// refusal puts what a program may want to know where Google's errors have it.
func (gemini) refusal(told refusalError) []byte {
	info := object("@type", "type.googleapis.com/google.rpc.ErrorInfo", "reason", told.Code, "domain", told.Type,
		"metadata", object("account", told.Account, "expected_tools", strings.Join(told.Expected, ",")))
	return object("error", object("code", 400, "details", []json.RawMessage{info}, "message", told.Message,
		"status", "INVALID_ARGUMENT"))
}

// geminiAssembler puts an answer together from its pieces.
type geminiAssembler struct {
	gathering
	pieces  *argumentPieces // of a call whose arguments still arrive
	blocked bool            // the request was refused by a filter
}

func (a *geminiAssembler) take(top span) {
	found := top.members("the answer", "error", "candidates", "promptFeedback", "usageMetadata")
	providerFault(found[0])
	if found[2].member("blockReason") != "" {
		a.begun, a.blocked = true, true
	}
	a.countAt(found[3], geminiCounts)
	candidates := found[1].list("candidates")
	if len(candidates) == 0 {
		return
	}
	first := firstOf(found[1], candidates, "candidates")
	a.drops = append(a.drops, othersIn(a.chunks, candidates, first)...)
	a.begun = true
	a.readCandidate(candidates[first])
}

var geminiCounts = map[string]count{
	"promptTokenCount": {input: true}, "toolUsePromptTokenCount": {apart: true},
	"candidatesTokenCount": {output: true}, "thoughtsTokenCount": {output: true, apart: true},
	"totalTokenCount": {input: true, output: true},
}

func (a *geminiAssembler) readCandidate(candidate span) {
	found := candidate.members("the candidate",
		"content", "finishReason", "groundingMetadata", "urlContextMetadata", "citationMetadata", "logprobsResult")
	a.finishReason(found[1])
	a.seen.seeGrounding(found[2], found[3])
	a.media = append(a.media, a.at(found[2], found[4], found[5])...)
	if found[0].absent() {
		return
	}
	content := found[0].members("the content", "role", "parts")
	checkRole(content[0], "model", "the content")
	a.lists = append(a.lists, a.at(content[1])...)
	content[1].each("parts", a.readPart)
}

// finishReason takes note of a finish reason. Clients may ask for numbers in the place of
// names (enum-encoding=int).
func (a *geminiAssembler) finishReason(reason span) {
	switch number := string(reason.bytes()); {
	case number == "0", number == `"FINISH_REASON_UNSPECIFIED"`:
		return
	case reason.kind() == '"' || reason.absent():
		a.stopAt(reason)
		return
	case number == "1": // STOP
	case number == "2": // MAX_TOKENS
		a.response.Stop = guard.StopCut
	default: // filters, and calls that are none
		a.response.Stop = guard.StopFiltered
	}
	a.finished = true
}

func (a *geminiAssembler) readPart(part span) {
	if len(a.blocks) >= maxParts {
		part.failf("the answer holds too many parts")
	}
	found := part.members("the part", "text", "thought", "functionCall", "inlineData", "fileData")
	b := block{kind: "other", raw: part.bytes(), at: part, index: a.chunks}
	switch {
	case found[1].is("true"):
		a.extras.see("reasoning")
	case found[2].kind() == '{':
		a.readCall(&b, found[2])
	case !found[0].absent():
		b.kind = "text"
		a.text.WriteString(found[0].text("text"))
	case !found[3].absent(), !found[4].absent():
		kind, _, _ := strings.Cut(found[3].member("mimeType")+found[4].member("mimeType"), "/")
		a.extras.see(kind)
	default:
		a.seen.seePart(part)
	}
	a.blocks = append(a.blocks, b)
}

// maxParts bounds the parts of an answer: a stream says each few words in one.
const maxParts = 1 << 16

// readCall reads a call. Its arguments may follow in pieces, until one says that no more
// will; the pieces are one call.
func (a *geminiAssembler) readCall(b *block, call span) {
	b.kind, b.call = "functionCall", len(a.drafts)
	found := call.members("the call", "id", "name", "args", "partialArgs", "willContinue")
	continues := found[4].is("true")
	switch {
	case a.pieces != nil:
		b.kind = callPiece
	case continues || !found[3].absent():
		b.kind, a.pieces = callBegun, &argumentPieces{}
	}
	if b.kind != callPiece {
		d := readInputCall(found[0], found[1], found[2])
		if d.index = len(a.blocks); d.args == nil {
			d.args = []byte("{}")
		}
		a.drafts = append(a.drafts, d)
	}
	if a.pieces == nil {
		return
	}
	last := &a.drafts[len(a.drafts)-1]
	a.pieces.add(found[3])
	if last.args = a.pieces.object(last); !continues {
		a.pieces = nil
	}
}

func (a *geminiAssembler) finish() (reading, error) {
	if a.blocked && len(a.blocks) == 0 {
		a.response.Stop = guard.StopFiltered
	}
	if a.pieces != nil {
		a.drafts[len(a.drafts)-1].refuse("the call was cut off")
	}
	return a.over((*reading).replayParts)
}

// replayParts is the message as it is sent back: the parts as they came, but that a call
// which came in pieces is one.
func (r *reading) replayParts() json.RawMessage {
	var parts []json.RawMessage
	for i := range r.blocks {
		b := &r.blocks[i]
		switch {
		case b.kind == callPiece, b.isCall() && b.call == noIndex:
		case b.kind == callBegun:
			parts = append(parts, gemini{}.callBlock(b, callFrom(&r.drafts[b.call])))
		default:
			parts = append(parts, b.raw)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return append(append([]byte(`{"role":"model","parts":`), marshalList(parts)...), '}')
}
