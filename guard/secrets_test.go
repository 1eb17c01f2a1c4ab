package guard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

const canary = "Canary4711canary"

// secretErrors are errors as clients and drivers really word them, each with a
// secret that has no business in a message.
func secretErrors() map[string]error {
	of := func(text string) error { return errors.New(text) }
	return map[string]error{
		"a URL with a password":         &url.Error{Op: "Post", URL: "https://ann:" + canary + "@api.example.com/v1/chat", Err: of("connection refused")},
		"a URL with an api_key":         &url.Error{Op: "Post", URL: "https://api.example.com/v1/chat?api_key=" + canary, Err: of("timeout")},
		"a URL with a key":              &url.Error{Op: "Post", URL: "https://api.example.com/v1/chat?alt=sse&key=" + canary, Err: of("timeout")},
		"a URL with an access token":    &url.Error{Op: "Get", URL: "https://api.example.com/?access_token=" + canary + "&x=1", Err: of("timeout")},
		"a signed URL":                  &url.Error{Op: "Get", URL: "https://b.example.com/o?X-Amz-Signature=" + canary, Err: of("forbidden")},
		"a shared access signature":     of("GET https://c.example.com/o?sv=1&sig=" + canary + ": 403"),
		"a bearer token":                of("request had Authorization: Bearer " + canary + ", server said 401"),
		"basic authentication":          of("request had Authorization: Basic " + canary + ", server said 401"),
		"an authorization as JSON":      of(`headers {"Authorization":"` + canary + `"} were refused`),
		"a key header":                  of("x-api-key: " + canary + " is not valid"),
		"a cookie":                      of("Cookie: session=" + canary + "; refused"),
		"a data source as a URL":        of("dial postgres://bonafide:" + canary + "@db:5432/x?sslmode=disable: refused"),
		"a data source of words":        of("cannot connect with host=db user=bonafide password=" + canary + " dbname=x"),
		"a data source of another kind": of("cannot connect to root:" + canary + "@tcp(db:3306)/x"),
		"a client secret":               of("oauth2: client_secret=" + canary + " rejected"),
		"a well-known kind of key":      of("incorrect API key provided: sk-" + canary),
		"a token of GitLab":             of("glpat-" + canary + " has expired"),
		"a key of Google":               of("API key AIza" + canary + "abcd is not valid"),
		"a token inside a query":        of("GET https://x.example.com/cb?next=%2Fhome%3Faccess_token%3D" + canary + ": 403"),
		"a data source without scheme":  of("cannot open ann:" + canary + "@db.example.com:5432/x"),
	}
}

// logs are what handlers of both formats wrote.
type logs struct{ text, json bytes.Buffer }

func (l *logs) logger() *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelDebug}
	return slog.New(both{slog.NewTextHandler(&l.text, options), slog.NewJSONHandler(&l.json, options)})
}

func (l *logs) String() string { return l.text.String() + l.json.String() }

type both [2]slog.Handler

func (b both) Enabled(context.Context, slog.Level) bool { return true }
func (b both) Handle(ctx context.Context, record slog.Record) error {
	return errors.Join(b[0].Handle(ctx, record), b[1].Handle(ctx, record))
}
func (b both) WithAttrs(attrs []slog.Attr) slog.Handler {
	return both{b[0].WithAttrs(attrs), b[1].WithAttrs(attrs)}
}
func (b both) WithGroup(name string) slog.Handler {
	return both{b[0].WithGroup(name), b[1].WithGroup(name)}
}

// places are where an error of the host's code can come from. Each runs a turn
// in which it does.
func places() map[string]func(*guard.Options, error) guard.Model {
	call := func() guard.Model {
		return guardtest.Script(guardtest.Call(deletes(readBook)), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie))
	}
	store := func(o *guard.Options, broken *hostStore) guard.Model {
		broken.Store = tooltrack.NewMemory(nil)
		o.Ledger = tooltrack.NewLedger(broken, nil)
		return call()
	}
	return map[string]func(*guard.Options, error) guard.Model{
		"the model": func(_ *guard.Options, err error) guard.Model { return guardtest.Script(guardtest.Step{Err: err}) },
		"a model that panics": func(_ *guard.Options, err error) guard.Model {
			return guardtest.Script(guardtest.Step{Do: func(context.Context, guard.Request) { panic(err) }})
		},
		"a corrected model": func(o *guard.Options, err error) guard.Model {
			return guardtest.Script(guardtest.Say(lie), guardtest.Step{Err: err})
		},
		"the classifier": func(o *guard.Options, err error) guard.Model {
			o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) { return intent.Intent{}, err })
			return call()
		},
		"the directory": func(o *guard.Options, err error) guard.Model {
			o.Directories = map[string]guard.Directory{"task": directory{
				resolve: func(context.Context) (resolver.Match, error) { return resolver.Match{}, err },
				redact:  func(context.Context, string) (string, error) { return "", err },
			}}
			return call()
		},
		"a rule": func(o *guard.Options, err error) guard.Model {
			rule := policy.Func("mine", func(context.Context, policy.CheckInput) (policy.CheckResult, error) { return policy.CheckResult{}, err })
			o.Policy = &policy.Options{Rules: policy.Rules{Named: []policy.Argument{policy.Arg("task_id", rule)}}, Logger: o.Logger}
			return call()
		},
		"the key": func(o *guard.Options, err error) guard.Model {
			o.Key = func(guard.Input, tooltrack.Call) string { panic(err) }
			return call()
		},
		"a store that cannot begin": func(o *guard.Options, err error) guard.Model {
			return store(o, &hostStore{begin: func(context.Context, *tooltrack.Record) (tooltrack.Begun, error) { return tooltrack.Begun{}, err }})
		},
		"a store that cannot finish": func(o *guard.Options, err error) guard.Model {
			return store(o, &hostStore{finish: func(context.Context, *tooltrack.Record) (*tooltrack.Record, error) { return nil, err }})
		},
		"a store that cannot read": func(o *guard.Options, err error) guard.Model {
			return store(o, &hostStore{records: func(context.Context) ([]*tooltrack.Record, error) { return nil, err }})
		},
	}
}

// TestSecretsInErrors: keys, passwords and headers that errors of the host's
// code quote reach neither the log nor the message of the error that a turn ends
// with, even where the texts of errors are asked for. The error itself is still
// there for those who unwrap it.
func TestSecretsInErrors(t *testing.T) {
	for where, install := range places() {
		for what, secret := range secretErrors() {
			for _, asked := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, %v", where, what, asked), func(t *testing.T) {
					var log logs
					var model guard.Model
					w := newWorld()
					g := guardFor(t, w, func(o *guard.Options) {
						o.Logger, o.LogErrors = log.logger(), asked
						model = install(o, secret)
					})
					input := ask("delete Read book")
					input.Turn = "m1"
					_, err := g.Run(context.Background(), model, w, input)
					if err != nil && strings.Contains(err.Error(), canary) {
						t.Errorf("the error says %v", err)
					}
					if strings.Contains(log.String(), canary) {
						t.Errorf("the log says %s", &log)
					}
					var host *guard.HostError
					if errors.As(err, &host) && !errors.Is(err, secret) {
						t.Errorf("the cause is lost: %v", err)
					}
				})
			}
		}
	}
}

// TestSecretsInResults: what a tool says of its failure is told to people in the
// account and in the actions, and what it quotes of keys and passwords is not.
func TestSecretsInResults(t *testing.T) {
	for what, secret := range secretErrors() {
		t.Run(what, func(t *testing.T) {
			w := newWorld()
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return nil, secret })
			model := guardtest.Script(guardtest.Call(deletes(readBook)), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie))
			reply, err := guardFor(t, w, nil).Run(context.Background(), model, executor, ask("delete Read book"))
			if err == nil || reply == nil || reply.Account == "" {
				t.Fatalf("the turn ended without an account: %+v, %v", reply, err)
			}
			shown := reply.Account + guard.AccountOf(err) + err.Error()
			for _, action := range reply.Summaries() {
				shown += action.Message
			}
			if strings.Contains(shown, canary) {
				t.Errorf("people read %s", shown)
			}
		})
	}
}

// TestContentStaysOutOfLogs: what people and tools said is in no log and in no
// event, whichever way it takes.
func TestContentStaysOutOfLogs(t *testing.T) {
	call := func(args string) guardtest.Step { return guardtest.Call(guardtest.Tool("add_task", args)) }
	says := func(text string) guardtest.Step { return guardtest.Say(text) }
	honest := says("I could not add it: the list is locked. Please try again later.")
	cases := []struct {
		name   string
		user   string
		body   string
		err    error
		script []guardtest.Step
	}{
		{"the message", "add " + canary, `{}`, nil, []guardtest.Step{call(`{"title":"x"}`), says("I've added x.")}},
		{"the answer", "hello", `{}`, nil, []guardtest.Step{says("Hello " + canary)}},
		{"a lie", "add x", `{}`, nil, []guardtest.Step{says("I've added " + canary), says("I've added " + canary), says("I've added " + canary), says("I've added " + canary)}},
		{"arguments", "add x", `{}`, nil, []guardtest.Step{call(`{"title":"` + canary + `"}`), says("I've added it.")}},
		{"refused arguments", "add x", `{}`, nil, []guardtest.Step{call(`{"title":"x","due_date":"` + canary + `"}`), honest}},
		{"broken arguments", "add x", `{}`, nil, []guardtest.Step{call(`{"title":"` + canary), honest}},
		{"a result", "add x", `{"note":"` + canary + `"}`, nil, []guardtest.Step{call(`{"title":"x"}`), says("I've added x.")}},
		{"an error of the tool", "add x", "", errors.New(canary), []guardtest.Step{call(`{"title":"x"}`), honest}},
		{"a refusal of the provider", "add x", `{}`, nil, []guardtest.Step{{Response: guard.Response{Stop: guard.StopRefused, Refusal: "no: " + canary}}}},
		{"text beside a call", "add x", `{}`, nil, []guardtest.Step{guardtest.SayAndCall("I've deleted "+canary+".", guardtest.Tool("add_task", `{"title":"x"}`)), says("I've added x.")}},
		{"the name of a tool that does not exist", "hello", `{}`, nil, []guardtest.Step{guardtest.Call(guardtest.Tool("list_tasks", `{"status_filter":"`+canary+`"}`)), says("Hello.")}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var log logs
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.Logger, o.LogErrors = log.logger(), true })
			executor := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(c.body), c.err })
			for event := range g.Stream(context.Background(), guardtest.Script(c.script...), executor, ask(c.user)) {
				if strings.Contains(event.Calling, canary) {
					t.Errorf("the event says %+v", event)
				}
			}
			if log.text.Len() == 0 || strings.Contains(log.String(), canary) {
				t.Errorf("the log says %s", &log)
			}
		})
	}
}

// TestErrorTextsAreLoggedWhenAskedFor is the other side of it.
func TestErrorTextsAreLoggedWhenAskedFor(t *testing.T) {
	for _, asked := range []bool{false, true} {
		var log logs
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) {
			o.Logger, o.LogErrors = log.logger(), asked
			o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
				return intent.Intent{}, errors.New("no answer from the classifier of " + canary)
			})
		})
		if _, err := g.Run(context.Background(), guardtest.Script(guardtest.Say("Hello!")), w, ask("hello")); err != nil {
			t.Fatal(err)
		}
		contains(t, "the log", log.String(), "host code failed", "Options.Classifier")
		if strings.Contains(log.String(), canary) != asked {
			t.Errorf("asked for: %v, the log says %s", asked, &log)
		}
	}
}

// forgeries would be lines, colours or fields of their own in a careless log.
var forgeries = []string{
	"a\nlevel=ERROR msg=forged", "a\r\nforged", "a\x1b[31mforged", "a\u2028forged", "a\u2029forged", "a\u0085forged", "a\x00forged",
	`a"} {"msg":"forged"}`, `a" msg="forged`, "a=b msg=forged", "a\u202eforged", "a\xffforged", strings.Repeat("forged", 1000),
}

// plain is the most careless handler there is.
type plain struct{ out *bytes.Buffer }

func (plain) Enabled(context.Context, slog.Level) bool { return true }
func (p plain) Handle(_ context.Context, record slog.Record) error {
	p.out.WriteString(record.Message)
	record.Attrs(func(attr slog.Attr) bool {
		fmt.Fprintf(p.out, " %s=%s", attr.Key, attr.Value)
		return true
	})
	p.out.WriteString("\n")
	return nil
}
func (p plain) WithAttrs([]slog.Attr) slog.Handler { return p }
func (p plain) WithGroup(string) slog.Handler      { return p }

// TestLogLinesCannotBeForged: whatever models, users and hosts call things, an
// event is one line, and one object, in every format.
func TestLogLinesCannotBeForged(t *testing.T) {
	for _, name := range forgeries {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			var log logs
			var careless bytes.Buffer
			for _, logger := range []*slog.Logger{log.logger(), slog.New(plain{&careless})} {
				w := newWorld()
				g := guardFor(t, w, func(o *guard.Options) {
					o.Logger, o.LogErrors = logger, true
					o.Policy.Logger = log.logger()
					o.Classifier = intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
						return intent.Intent{}, errors.New(name)
					})
				})
				input := guard.Input{User: name, Owner: name[:min(len(name), 100)], Conversation: "c" + name[:min(len(name), 100)], Turn: "t" + name[:min(len(name), 100)]}
				call := tooltrack.Call{ID: name, Tool: name, Args: []byte(`{}`)}
				rewritten := tooltrack.Call{ID: name, Tool: "add_task", Args: []byte(`{"title":"x","due_date":"2024-01-01"}`)}
				model := guardtest.Script(guardtest.Call(call), guardtest.Call(rewritten), guardtest.Say("Hello, which one do you mean?"))
				_, _ = g.Run(context.Background(), model, w, input) // what comes of it is not the question
			}
			checkLines(t, log.text.String(), false)
			checkLines(t, log.json.String(), true)
			checkLines(t, careless.String(), false)
		})
	}
}

func checkLines(t *testing.T, log string, isJSON bool) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
	if len(lines) < 3 {
		t.Errorf("too little was logged to tell: %q", log)
	}
	for _, line := range lines {
		begins := strings.HasPrefix(line, "time=") || strings.HasPrefix(line, "guard: ") || isJSON && json.Valid([]byte(line))
		if !begins || len(line) > 1000 || strings.ContainsAny(line, "\r\x1b\x00\u2028\u2029\u0085\u202e") {
			t.Errorf("the line is %.300q", line)
		}
	}
}
