package tooltrack

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// ResultRule is a row of the table by which the results of calls are read. It
// looks either at the top-level members of a JSON object (Members, in any
// letter case) or at a text (Begins, Ends, Line). The table of this package is
// [ResultRules]; [ParseOptions.Rules] adds a host's own rows, which count like
// those.
type ResultRule struct {
	// Name is what the row is called, and Source who writes results like that.
	Name, Source string
	// Members are names of a member, such as "status", and Values the texts,
	// numbers or literals of it that the row is about, in any letter case.
	Members, Values []string
	// Begins are beginnings of a text, Ends endings, and Lines beginnings of any of
	// its lines, in any letter case.
	Begins, Ends, Lines []string
	// Then is what such a result is.
	Then Status
	// Example is a body that the row is about, and Counterexample one that looks
	// like it and is a plain success.
	Example, Counterexample string

	when     func(value []byte) bool // about a member, where Values are not enough
	text     func(text string) bool  // about a text, likewise
	entity   bool                    // the member may be one of an entity: an order may be pending
	call     bool                    // of these, one in a word that calls have rather than things
	firm     bool                    // of these, one that little beside it makes that of a thing
	coded    bool                    // of these, a code: beside a word for a failure it makes both the call's
	explains bool                    // beside the failed state of a thing it tells why the thing failed
	gateway  bool                    // the answer was lost on its way
	doubtful bool                    // it leaves a success in doubt, and says no more
	own      bool                    // the guard's own words, which are believed whoever hands them on
}

// Validate reports a row that is about no result, or whose end is none.
func (r ResultRule) Validate() error {
	switch member := len(r.Members) > 0; {
	case r.when != nil || r.text != nil:
	case member && len(r.Values) == 0:
		return errors.New("the Members have no Values; name the values that the row is about")
	case !member && len(r.Values) > 0:
		return errors.New("the Values have no Members; name the members that hold them")
	case !member && len(r.Begins)+len(r.Ends)+len(r.Lines) == 0:
		return errors.New("it is about no result; set Members with Values, Begins, Ends or Lines")
	}
	if int(r.Then) >= len(statusNames) {
		return fmt.Errorf("the field Then is %s; use one of %s", r.Then, strings.Join(statusNames[:], ", "))
	}
	return nil
}

// ResultRules is the table: how tools, runtimes and frameworks say that a call
// did not succeed. It is a copy.
func ResultRules() []ResultRule { return append([]ResultRule(nil), resultRules...) }

var resultRules = []ResultRule{
	// What a JSON body says of its own call.
	{
		Name:           "success",
		Source:         "the envelopes of most HTTP services",
		Members:        []string{"success", "ok", "succeeded"},
		Values:         []string{"false", "no", "0", "failed", "failure", "error"},
		Then:           Failed,
		Example:        `{"Success":"false","message":"locked"}`,
		Counterexample: `{"success":true}`,
	},
	{
		Name:    "error",
		Source:  "JSON-RPC 2.0, the Google API error model, OpenAI",
		Members: []string{"error"},
		when:    saysError, Then: Failed, explains: true,
		Example:        `{"error":{"code":7,"message":"quota exceeded"}}`,
		Counterexample: `{"slope":2.1,"error":0.03}`,
	},
	{
		Name:    "empty error",
		Source:  "services that always send the member",
		Members: []string{"error"},
		when:    empty, doubtful: true,
		Example:        `{"error":""}`,
		Counterexample: `{"success":true,"error":""}`,
	},
	{
		Name:    "errors",
		Source:  "GraphQL, JSON:API, Rails",
		Members: []string{"errors"},
		when:    saysErrors, Then: Failed, explains: true,
		Example:        `{"data":null,"errors":[{"message":"no such field"}]}`,
		Counterexample: `{"data":{"id":1},"errors":[]}`,
	},
	{
		Name:    "error count",
		Source:  "importers, linters",
		Members: []string{"errors"},
		when:    counts, doubtful: true,
		Example:        `{"errors":3}`,
		Counterexample: `{"imported":97,"errors":3}`,
	},
	{
		Name:   "error message",
		Source: "AWS Lambda, Salesforce, REST frameworks",
		Members: []string{
			"errorMessage", "error_message", "errorType", "error_type", "errorCode", "error_code",
		},
		when: saysError, Then: Failed, entity: true, call: true,
		Example:        `{"errorMessage":"division by zero","errorType":"ZeroDivisionError"}`,
		Counterexample: `{"id":1,"errorMessage":null,"errorCode":0}`,
	},
	{
		Name:    "error type",
		Source:  "AWS JSON protocols",
		Members: []string{"__type"},
		when:    namesException, Then: Failed,
		Example:        `{"__type":"com.amazon.coral#ThrottlingException"}`,
		Counterexample: `{"__type":"Parse.User","id":1}`,
	},
	{
		Name:           "isError",
		Source:         "Model Context Protocol",
		Members:        []string{"isError", "is_error"},
		Values:         []string{"true"},
		Then:           Failed,
		Example:        `{"isError":true,"content":[{"type":"text","text":"disk full"}]}`,
		Counterexample: `{"isError":false,"content":[]}`,
	},
	{
		Name:           "failed",
		Source:         "Ansible, build services",
		Members:        []string{"failed"},
		Values:         []string{"true"},
		Then:           Failed,
		explains:       true,
		Example:        `{"failed":true,"msg":"unreachable"}`,
		Counterexample: `{"failed":0,"passed":12}`,
	},
	{
		Name:    "status",
		Source:  "JSend, Strands Agents, job services",
		Members: []string{"status", "state", "result", "outcome"},
		Values: []string{
			"failed", "failure", "fail", "denied", "rejected", "declined", "refused", "aborted", "unsuccessful",
		},
		Then: Failed, entity: true,
		Example:        `{"status":"failed","job_id":"j1"}`,
		Counterexample: `{"status":"done"}`,
	},
	{
		Name:    "status of a call",
		Source:  "JSend, Strands Agents, the status names of gRPC",
		Members: []string{"status", "state", "outcome"},
		Values: []string{
			"error", "errored", "exception", "forbidden", "unauthorized", "unauthenticated", "not authorized", "not found",
			"permission denied", "access denied", "not allowed", "timeout", "timed out", "deadline exceeded", "invalid",
			"invalid argument", "invalid request", "bad request", "unavailable", "internal error", "server error",
		},
		Then: Failed, entity: true, call: true,
		Example:        `{"status":"error","content":[{"text":"Error: KeyError - 'x'"}]}`,
		Counterexample: `{"status":"valid"}`,
	},
	{
		Name:    "result",
		Source:  "SDKs that answer with one word",
		Members: []string{"result"},
		Values:  []string{"error", "errored", "exception", "forbidden", "unauthorized"},
		Then:    Failed, entity: true, call: true,
		Example:        `{"result":"error","message":"boom"}`,
		Counterexample: `{"result":"made"}`,
	},
	{
		Name:    "status in a sentence",
		Source:  "tools that put a message where a word is expected",
		Members: []string{"status", "state", "outcome"},
		when:    tellsFailure, Then: Failed,
		Example:        `{"status":"Error: not found"}`,
		Counterexample: `{"status":"Error budget report"}`,
	},
	{
		Name:   "HTTP status",
		Source: "RFC 9110, AWS Lambda proxies, fetch wrappers",
		Members: []string{
			"status", "statusCode", "status_code", "http_status", "httpStatus", "httpCode", "http_code",
		},
		when: httpFailure, Then: Failed,
		Example:        `{"statusCode":404,"body":"not found"}`,
		Counterexample: `{"statusCode":201,"body":"made"}`,
	},
	{
		Name:    "code",
		Source:  "RFC 9457 relatives, REST frameworks",
		Members: []string{"code"},
		when:    httpFailure, Then: Failed, entity: true, coded: true,
		Example:        `{"code":404,"message":"not found"}`,
		Counterexample: `{"code":200,"message":"fine"}`,
	},
	{
		Name:   "gateway",
		Source: "RFC 9110: 408, 502, 504",
		Members: []string{
			"status", "statusCode", "status_code", "http_status", "httpStatus", "httpCode", "http_code",
		},
		Values: []string{"408", "502", "504"},
		Then:   Failed, gateway: true,
		Example:        `{"statusCode":504}`,
		Counterexample: `{"statusCode":200}`,
	},
	{
		Name:   "exit code",
		Source: "POSIX, subprocess wrappers, shell tools of coding agents",
		Members: []string{
			"exit_code", "exitCode", "returncode", "return_code", "returnCode", "exit_status", "exitStatus",
		},
		when: nonZero, Then: Failed, explains: true,
		Example:        `{"stdout":"","exit_code":2}`,
		Counterexample: `{"stdout":"ok","exit_code":0}`,
	},
	{
		Name:           "pending",
		Source:         "job services",
		Members:        []string{"pending"},
		Values:         []string{"true"},
		Then:           Pending,
		Example:        `{"pending":true}`,
		Counterexample: `{"pending":false}`,
	},
	{
		Name:    "pending status",
		Source:  "job services",
		Members: []string{"status", "state"},
		Values: []string{
			"pending", "queued", "enqueued", "in progress", "inprogress", "running", "processing", "in review",
			"under review", "waiting", "on hold",
		},
		Then: Pending, entity: true,
		Example:        `{"id":"j1","status":"pending"}`,
		Counterexample: `{"id":1,"title":"Read book","status":"pending"}`,
	},
	{
		Name:    "held back",
		Source:  "approval flows, strong customer authentication, Stripe (requires_confirmation)",
		Members: []string{"status", "state"},
		when:    heldBack, Then: Pending, entity: true, firm: true,
		Example:        `{"request":"q1","state":"AWAITING_APPROVAL"}`,
		Counterexample: `{"id":1,"status":"approved"}`,
	},
	{
		Name:   "accepted",
		Source: "RFC 9110: 202",
		Members: []string{
			"status", "statusCode", "status_code", "http_status", "httpStatus", "httpCode", "http_code",
		},
		Values:         []string{"202"},
		Then:           Pending,
		Example:        `{"statusCode":202,"body":"accepted"}`,
		Counterexample: `{"statusCode":200,"body":"202"}`,
	},
	{
		Name:    "accepted code",
		Source:  "REST frameworks",
		Members: []string{"code"},
		Values:  []string{"202"},
		Then:    Pending, entity: true,
		Example:        `{"code":202,"message":"accepted"}`,
		Counterexample: `{"code":200,"message":"fine"}`,
	},

	// What a text says. Where an executor returned no error, it only leaves doubt.
	{
		Name:           "our own: repeated",
		Source:         "package guard",
		Begins:         []string{NotRunAgain},
		Then:           Denied,
		own:            true,
		Example:        NotRunAgain + " identical to #3",
		Counterexample: "It was not run again",
	},
	{
		Name:           "our own: denied",
		Source:         "package guard",
		Begins:         []string{NotRun},
		Then:           Denied,
		own:            true,
		Example:        NotRun + " at most 2 calls",
		Counterexample: "The call was run.",
	},
	{
		Name:           "our own: unknown",
		Source:         "package guard",
		Begins:         []string{NotKnown},
		Then:           Unknown,
		own:            true,
		Example:        NotKnown + "; do not repeat it",
		Counterexample: "It is known whether this call took effect: it did",
	},
	{
		Name:           "our own: pending",
		Source:         "package guard",
		Begins:         []string{NotYetDone},
		Then:           Pending,
		own:            true,
		Example:        NotYetDone + " third in line",
		Counterexample: "Pending tasks: 3",
	},
	{
		Name:   "leading word",
		Source: "LangGraph, Semantic Kernel, AutoGen, smolagents, the MCP SDKs (Error executing tool)",
		text:   leadingError, Then: Failed,
		Example:        "Error executing tool search: timeout",
		Counterexample: "Error budget: 30 % left",
	},
	{
		Name:   "error sentence",
		Source: "OpenAI Agents SDK; CrewAI; LlamaIndex; LangChain; MCP servers",
		Begins: []string{
			"An error occurred while", "An error occurred:", "An error occurred during", "I encountered an error",
			"Encountered error:", "Encountered an error", "Tool error:", "Tool execution failed",
			"Tool execution error", "Tool call failed", "Unknown tool:", "Input validation error:",
			"The following errors occurred during tool execution", "Internal server error",
		},
		Then:           Failed,
		Example:        "An error occurred while running the tool. Please try again. Error: boom",
		Counterexample: "An error occurred in 1871, and the treaty was void.",
	},
	{
		Name:   "asked to mend",
		Source: "Pydantic AI; LangGraph",
		Ends: []string{
			"Fix the errors and try again.", "Please fix your mistakes.", "Please fix the error and try again.",
			"Please try another tool.",
		},
		Then:           Failed,
		Example:        "1 validation error for add\nid: field required\n\nFix the errors and try again.",
		Counterexample: "Fix the errors and try again, said the teacher",
	},
	{
		Name:   "runtime",
		Source: "Go, Java, .NET, Rust, git, npm, the shell",
		Begins: []string{
			"Traceback (most recent call last)", "panic: ", "fatal error: ", "fatal: ", "Exception in thread ",
			"Unhandled exception", "Uncaught ", "Segmentation fault", "npm ERR!", "Command failed",
			"Command exited with code ", "Process exited with code ", "exit status ",
		},
		Then:           Failed,
		Example:        "Traceback (most recent call last):\n  File \"a.py\", line 1",
		Counterexample: "panicked buyers emptied the shelves",
	},
	{
		Name:   "exception",
		Source: "Python, JavaScript, Java, .NET: the printed name of an error",
		text:   leadingException, Then: Failed,
		Example:        "java.lang.NullPointerException: name",
		Counterexample: "Terrorism: a history",
	},
	{
		Name:   "status line",
		Source: "RFC 9112, proxies",
		text:   leadingStatus, Then: Failed,
		Example:        "502 Bad Gateway",
		Counterexample: "502 guests came",
	},
	{
		Name:   "decorated word",
		Source: "loggers, tools that write Markdown",
		text:   line(decoratedError), Then: Failed,
		Example:        "[ERROR] disk full",
		Counterexample: "[error budget]",
	},
	{
		Name:   "element",
		Source: "Claude Code (tool_use_error), Amazon S3, error pages of web servers",
		text:   leadingElement, Then: Failed,
		Example:        "<tool_use_error>no such file</tool_use_error>",
		Counterexample: "<html><title>Errors of our time</title>",
	},
	{
		Name:   "test run",
		Source: "go test, prove, TAP",
		text:   leadingFail, Then: Failed,
		Example:        "--- FAIL: TestAdd (0.00s)",
		Counterexample: "FAILSAFE is on",
	},
	{
		Name:   "mark",
		Source: "command-line tools for people",
		text:   leadingMark, Then: Failed,
		Example:        "\x1b[31m✗\x1b[0m the element is covered",
		Counterexample: "✓ clicked",
	},
	{
		Name:   "exit line",
		Source: "shell tools of coding agents",
		text:   exitLine, Then: Failed,
		Example:        "building…\nCommand completed with return code: 2",
		Counterexample: "ok\nExit code: 0",
	},
	{
		Name:   "refused by people",
		Source: "coding agents, approval flows",
		text: short(leading(" ,.:;!", "the user rejected", "user rejected", "rejected by the user", "rejected by user",
			"the user denied", "user denied", "denied by the user", "denied by user", "the user declined",
			"user declined", "denied by policy", "blocked by policy")),
		Then:           Denied,
		Example:        "The user rejected this call.",
		Counterexample: "The user rejection rate is 3 %",
	},
	{
		Name:   "waiting",
		Source: "approval flows, queues",
		text: short(anyOf(
			leading(".:,;!", "pending", "queued", "enqueued"),
			leading(" ,.:;!", "awaiting approval", "awaiting confirmation", "awaiting review", "awaiting user",
				"waiting for approval", "waiting for confirmation", "queued for", "pending approval", "pending review",
				"pending confirmation", "requires approval", "needs approval", "approval required", "approval is required",
				"submitted for approval", "submitted for review", "scheduled for processing"),
			holding("accepted for processing", "queued for processing", "has been queued", "is being processed"))),
		Then:           Pending,
		Example:        "Awaiting approval by the editor",
		Counterexample: "Pending tasks: 3",
	},
	{
		Name:   "refusal",
		Source: "shells, web servers, databases",
		text: short(anyOf(
			leading(".:,;!", "unauthorized", "forbidden", "denied", "timeout", "timed out", "not allowed", "not authorized",
				"invalid", "rejected", "conflict", "unreachable"),
			leading(" ,.:;!", "permission denied", "access denied", "access is denied", "operation not permitted",
				"authentication failed", "authentication required", "security violation", "timed out after",
				"timeout after", "timeout waiting", "request timed out", "connection refused", "connection reset",
				"rate limit", "too many requests", "quota exceeded", "service unavailable", "bad request",
				"server error", "internal error", "unexpected error", "something went wrong", "validation error",
				"validation failed", "operation failed", "request failed", "missing required", "etimedout",
				"econnreset", "econnrefused", "enoent"))),
		Then:           Failed,
		Example:        "Permission denied: the log is read-only",
		Counterexample: "Forbidden City: opening hours",
	},
	{
		Name:   "inability",
		Source: "tools that answer in sentences",
		text: line(anyOf(
			leading(" ", "unable to", "could not", "couldn't", "cannot", "can't", "no such", "invalid"),
			leading(".:,;!", "not found"))),
		Then:           Failed,
		Example:        "Could not write the entry",
		Counterexample: "Invalidated 3 entries",
	},
	{
		Name:   "miss",
		Source: "shells, lookups",
		text: line(trailing("not found", "does not exist", "no such file or directory", "permission denied",
			"is a directory", "not a directory", "operation not permitted")),
		Then:           Failed,
		Example:        "cat: a.txt: No such file or directory",
		Counterexample: "No errors found",
	},
	{
		Name:   "refused push",
		Source: "git",
		Lines: []string{
			"! [rejected]", " ! [rejected]", "! [remote rejected]", " ! [remote rejected]", "error: failed to push",
		},
		Then:           Failed,
		Example:        "To example.org:repo\n ! [rejected]        main -> main (fetch first)",
		Counterexample: "[rejected] is a label of ours",
	},
	{
		Name:           "traceback inside",
		Source:         "Python",
		Lines:          []string{"Traceback (most recent call last)"},
		doubtful:       true,
		Example:        "running…\nTraceback (most recent call last):",
		Counterexample: "what is a Traceback (most recent call last)?",
	},
}

// messages are members that tell something in words, best first: they are what a
// framework wraps a tool's text in.
var messages = []string{"result", "output", "response", "text", "message", "detail", "msg", "reason", "description"}

// errorThings are what errors make the first half of a name of.
var errorThings = strings.Fields(`analysis bars bound bounds budget budgets catalog categories classes codes correction
	counts detection handler handlers handling log logs margin margins messages metrics monitoring pages prevention rate
	rates recovery report reporting reports statistics summary tolerance tracking types`)

// memberRows are the rows about members, by the member's name in lower case,
// and ownTextRows those about texts.
var memberRows, ownTextRows = indexRules(resultRules)

func indexRules(rules []ResultRule) (members map[string][]*ResultRule, texts []*ResultRule) {
	members = map[string][]*ResultRule{}
	for i := range rules {
		row := &rules[i]
		for _, name := range row.Members {
			members[strings.ToLower(name)] = append(members[strings.ToLower(name)], row)
		}
		if len(row.Members) == 0 {
			texts = append(texts, row)
		}
	}
	return members, texts
}

// rowsFor are the rows about a member, the host's own among them.
func rowsFor(key string, options *ParseOptions) iter.Seq[*ResultRule] {
	return func(yield func(*ResultRule) bool) {
		for _, row := range memberRows[key] {
			if !yield(row) {
				return
			}
		}
		if options == nil {
			return
		}
		for i := range options.Rules {
			row := &options.Rules[i]
			same := func(name string) bool { return strings.EqualFold(name, key) }
			if slices.ContainsFunc(row.Members, same) && !yield(row) {
				return
			}
		}
	}
}

// textRows are the rows about texts, the host's own first.
func textRows(options *ParseOptions) iter.Seq[*ResultRule] {
	return func(yield func(*ResultRule) bool) {
		if options != nil {
			for i := range options.Rules {
				if row := &options.Rules[i]; len(row.Members) == 0 && !yield(row) {
					return
				}
			}
		}
		for _, row := range ownTextRows {
			if !yield(row) {
				return
			}
		}
	}
}

// holds reports whether a row is about a member's value.
func (r *ResultRule) holds(value []byte) bool {
	if r.when != nil {
		return r.when(value)
	}
	text := jsonspan.Scalar(value)
	if kind := jsonspan.KindOf(value); kind == jsonspan.Bool || kind == jsonspan.Null {
		text = string(value)
	}
	return slices.ContainsFunc(r.Values, func(known string) bool { return sameWords(known, text) })
}

// reads reports whether a row is about a text.
func (r *ResultRule) reads(text string) bool {
	if r.text != nil {
		return r.text(text)
	}
	for _, beginning := range r.Begins {
		if beginsFold(text, beginning) {
			return true
		}
	}
	for _, ending := range r.Ends {
		if len(text) >= len(ending) && strings.EqualFold(text[len(text)-len(ending):], ending) {
			return true
		}
	}
	for _, line := range r.Lines {
		for rest := text; ; {
			if beginsFold(strings.TrimLeft(rest, " \t"), line) {
				return true
			}
			at := strings.IndexByte(rest, '\n')
			if at < 0 {
				break
			}
			rest = rest[at+1:]
		}
	}
	return false
}

func beginsFold(text, beginning string) bool {
	return beginning != "" && len(text) >= len(beginning) && strings.EqualFold(text[:len(beginning)], beginning)
}
