package tooltrack

import (
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
	gateway  bool                    // the answer was lost on its way
	doubtful bool                    // it leaves a success in doubt, and says no more
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
		Values:         []string{"false", "no", "0"},
		Then:           Failed,
		Example:        `{"Success":"false","message":"locked"}`,
		Counterexample: `{"success":true}`,
	},
	{
		Name:    "error",
		Source:  "JSON-RPC 2.0, the Google API error model, OpenAI",
		Members: []string{"error"},
		when:    says, Then: Failed,
		Example:        `{"error":{"code":7,"message":"quota exceeded"}}`,
		Counterexample: `{"id":1,"error":null}`,
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
		when:    says, Then: Failed,
		Example:        `{"data":null,"errors":[{"message":"no such field"}]}`,
		Counterexample: `{"data":{"id":1},"errors":[]}`,
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
		Example:        `{"failed":true,"msg":"unreachable"}`,
		Counterexample: `{"failed":0,"passed":12}`,
	},
	{
		Name:    "status",
		Source:  "JSend, Strands Agents, job services",
		Members: []string{"status", "state", "result"},
		Values: []string{
			"failed", "failure", "fail", "error", "errored", "denied", "rejected", "forbidden", "unauthorized",
			"exception",
		},
		Then: Failed, entity: true,
		Example:        `{"status":"error","content":[{"text":"Error: KeyError - 'x'"}]}`,
		Counterexample: `{"status":"done"}`,
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
		when:    httpFailure, Then: Failed, entity: true,
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
		when: nonZero, Then: Failed,
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
		Source:  "job services, RFC 9110: 202",
		Members: []string{"status", "state"},
		Values: []string{
			"pending", "queued", "enqueued", "in_progress", "in-progress", "in progress", "inprogress", "running",
			"processing",
		},
		Then: Pending, entity: true,
		Example:        `{"id":"j1","status":"pending"}`,
		Counterexample: `{"id":1,"title":"Read book","status":"pending"}`,
	},

	// What a text says. Where an executor returned no error, it only leaves doubt.
	{
		Name:           "our own",
		Source:         "package guard",
		Begins:         []string{NotRunAgain},
		Then:           Denied,
		Example:        NotRunAgain + " identical to #3",
		Counterexample: "It was not run again",
	},
	{
		Name:   "leading word",
		Source: "LangGraph, Semantic Kernel, AutoGen, smolagents, the MCP SDKs (Error executing tool)",
		text:   leadingError, Then: Failed,
		Example:        "Error executing tool search: timeout",
		Counterexample: "Errors found: 0",
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
		Name:           "traceback inside",
		Source:         "Python",
		Lines:          []string{"Traceback (most recent call last)"},
		doubtful:       true,
		Example:        "running…\nTraceback (most recent call last):",
		Counterexample: "what is a Traceback (most recent call last)?",
	},
}

// says reports whether an error member tells of an error.
func says(value []byte) bool {
	return !empty(value) && string(value) != "null" && string(value) != "false"
}

// empty reports whether an error member is there and tells nothing.
func empty(value []byte) bool {
	switch jsonspan.KindOf(value) {
	case jsonspan.String:
		text, ok := jsonspan.Text(value)
		return ok && strings.TrimSpace(text) == ""
	case jsonspan.Number:
		return !nonZero(value)
	case jsonspan.Object, jsonspan.Array:
		return jsonspan.SkipSpace(value, 1) == len(value)-1
	}
	return false
}

func nonZero(value []byte) bool {
	text := jsonspan.Scalar(value)
	return text != "" && strings.Trim(text, "-+0.") != "" && strings.Trim(text, "-+.0123456789eE") == ""
}

// httpFailure reports a status code of 400 to 599.
func httpFailure(value []byte) bool {
	text := jsonspan.Scalar(value)
	return len(text) == 3 && (text[0] == '4' || text[0] == '5') && isDigit(text[1]) && isDigit(text[2])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

func leadingError(text string) bool {
	return beginsWithWord(text, "error") || beginsWithWord(text, "failed") || beginsWithWord(text, "failure")
}

func beginsWithWord(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	return len(text) == len(word) || !isLetter(text[len(word)])
}

// leadingException knows the printed form of an exception: a name of one word
// that ends in Error or Exception, and a colon.
func leadingException(text string) bool {
	name, _, found := strings.Cut(text, ":")
	if !found || len(name) > 100 || strings.ContainsAny(name, " \t\n") {
		return false
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(name) > 5 && isUpper(name[0]) && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception"))
}

// statusPhrases are the reason phrases of RFC 9110 that may follow a code.
var statusPhrases = []string{
	"bad request", "unauthorized", "payment required", "forbidden", "not found", "method not allowed", "request timeout",
	"conflict", "gone", "unprocessable", "too many requests", "internal server error", "not implemented", "bad gateway",
	"service unavailable", "gateway time",
}

func leadingStatus(text string) bool {
	lower := strings.ToLower(text[:min(len(text), 60)])
	if rest, found := strings.CutPrefix(lower, "http"); found {
		lower = strings.TrimLeft(rest, "/.0123456789s ")
		if at := strings.IndexAny(rest, " "); at >= 0 {
			lower = strings.TrimSpace(rest[at:])
		}
		return len(lower) >= 3 && httpFailure([]byte(lower[:3])) && (len(lower) == 3 || !isDigit(lower[3]))
	}
	if len(lower) < 4 || !httpFailure([]byte(lower[:3])) {
		return false
	}
	phrase := strings.TrimLeft(lower[3:], " :-")
	for _, known := range statusPhrases {
		if strings.HasPrefix(phrase, known) {
			return true
		}
	}
	return false
}

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
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(r.Values, func(known string) bool { return strings.EqualFold(known, text) })
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
