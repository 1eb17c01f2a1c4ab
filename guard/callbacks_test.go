package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// behaviour is a way in which the host's own code can misbehave.
type behaviour int

const (
	panics behaviour = iota
	hangs            // until its context ends
	empty            // returns nil or zero values
	fails
	garbage
	behaviours
)

func (b behaviour) String() string {
	return [...]string{"panics", "hangs", "returns nothing", "fails", "returns garbage"}[b]
}

// Outcomes of a turn with a callback that misbehaves.
const (
	done    = "done"     // the turn ends well all the same
	counted = "counted"  // the turn survives, and the callback is named in the counters
	named   = "named"    // a *HostError names the callback
	ended   = "context"  // the context's own error, in its time
	refused = "refused"  // one of the guard's typed errors
	none    = "no such"  // cannot happen: a function without a context, or without an error
	stuck   = "stuck"    // counted, and the turn does not pass
	settled = "recorded" // a failure of the tool, recorded and told
)

// callback is a row of the table: a callback and what comes of a turn for each
// way in which it misbehaves.
type callback struct {
	exported string // as the packages export it
	reported string // as errors and counters name it
	install  func(*rig, behaviour)
	outcome  [behaviours]string
}

var (
	errHost = errors.New("the host's code failed")
	huge    = strings.Repeat("x\xff", 1<<19+1) // more than a text may have
)

// typedNil is an error that cannot be printed.
type typedNil struct{ text string }

func (e *typedNil) Error() string { return e.text }

// misbehave does what every callback with a context and an error does.
func misbehave(ctx context.Context, b behaviour) error {
	switch b {
	case panics:
		panic(errHost)
	case hangs:
		<-ctx.Done()
		return ctx.Err()
	case fails:
		return errHost
	}
	return nil
}

func callbacks() []callback {
	return []callback{
		{"guard.Model", "Model.Generate", func(r *rig, b behaviour) {
			r.model = guard.ModelFunc(func(ctx context.Context, _ guard.Request) (response guard.Response, err error) {
				if b == garbage {
					response = guardtest.Say(huge).Response
				}
				return response, misbehave(ctx, b)
			})
		}, [...]string{named, ended, refused, refused, refused}},
		{"guard.Model", "Model.Generate", func(r *rig, b behaviour) { // the other kind of garbage: calls
			many := make([]tooltrack.Call, 2000)
			r.model = guard.ModelFunc(func(ctx context.Context, _ guard.Request) (response guard.Response, err error) {
				if b == garbage {
					response = guardtest.Call(many...).Response
				}
				if b == fails {
					var nothing *typedNil
					return response, nothing
				}
				return response, misbehave(ctx, b)
			})
		}, [...]string{named, ended, refused, refused, refused}},
		{"guard.Streamer", "Model.Generate", func(r *rig, b behaviour) {
			r.run = streamed
			r.model = stream{func(ctx context.Context, yield func(guard.Delta, error) bool) {
				switch {
				case b == garbage:
					for yield(guard.Delta{Text: huge}, nil) {
					}
				case b != empty:
					yield(guard.Delta{Text: "I"}, nil)
					yield(guard.Delta{}, misbehave(ctx, b))
				}
			}}
		}, [...]string{named, ended, refused, refused, refused}},
		{"guard.Streamer", "Model.Generate", func(r *rig, b behaviour) { // one that goes on when nobody listens
			r.run = streamed
			r.model = stream{func(ctx context.Context, yield func(guard.Delta, error) bool) {
				for range 3 {
					yield(guard.Delta{Text: lie}, misbehave(ctx, b))
				}
			}}
		}, [...]string{named, named, refused, named, refused}},
		{"guard.Capable", "Model.Capabilities", func(r *rig, b behaviour) {
			r.model = capable{r.model, func() (can guard.Capabilities) {
				if b == panics {
					panic(errHost)
				}
				return guard.Capabilities{NoNamedChoice: b == garbage, NoRequiredChoice: b == garbage, NoLateSystem: b == garbage}
			}}
		}, [...]string{counted, none, done, none, done}},
		{"guard.Executor", "", func(r *rig, b behaviour) {
			r.executor = guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) (body []byte, err error) {
				r.ran++
				if b == garbage {
					body = []byte(huge)
				}
				return body, misbehave(ctx, b)
			})
		}, [...]string{settled, ended, done, settled, done}},
		{"guard.Executor", "", func(r *rig, b behaviour) {
			r.executor = guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) (body []byte, err error) {
				r.ran++
				if b == fails {
					var nothing *typedNil
					return nil, nothing
				}
				return []byte(`{"success":false,"error":null,"data":`), misbehave(ctx, b)
			})
		}, [...]string{settled, ended, done, settled, done}},
		{"guard.Turn.Do(run)", "", func(r *rig, b behaviour) {
			r.run = stepwise
			r.executor = guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) (body []byte, err error) {
				r.ran++
				return nil, misbehave(ctx, b)
			})
		}, [...]string{settled, ended, done, settled, done}},
		{"guard.Classifier", "Options.Classifier", func(r *rig, b behaviour) {
			r.options.Classifier = intent.Func(func(ctx context.Context, _ intent.Utterance) (found intent.Intent, err error) {
				if b == garbage {
					found = intent.Intent{Kind: 200, Expect: make([]intent.Expectation, 100_000)}
					for i := range found.Expect {
						found.Expect[i] = intent.Expectation{Tool: "delete_task", Confidence: math.NaN()}
					}
				}
				return found, misbehave(ctx, b)
			})
		}, [...]string{counted, ended, done, counted, counted}},
		{"guard.Classifier", "Options.Classifier", func(r *rig, b behaviour) {
			r.options.Classifier = intent.Chain(
				intent.Func(func(context.Context, intent.Utterance) (intent.Intent, error) {
					return intent.Intent{Unsure: true}, nil
				}),
				intent.Func(func(ctx context.Context, _ intent.Utterance) (found intent.Intent, err error) {
					if b == garbage {
						found.Expect = []intent.Expectation{{Tool: "\x1b[31mformat_disk\n", Confidence: 1}}
					}
					return found, misbehave(ctx, b)
				}))
		}, [...]string{counted, ended, done, counted, refused}},
		{"guard.Options.Clock", "Options.Clock", func(r *rig, b behaviour) {
			r.options.Clock = clock(b)
		}, [...]string{counted, none, done, none, done}},
		{"tooltrack.LedgerOptions.Clock", "Ledger.Begin", func(r *rig, b behaviour) {
			r.options.Ledger = tooltrack.NewLedger(r.memory, &tooltrack.LedgerOptions{Clock: clock(b)})
		}, [...]string{named, none, done, none, done}},
		{"guard.Options.Key", "Options.Key", func(r *rig, b behaviour) {
			if b == garbage {
				r.reported = "Ledger.Begin" // which refuses such a key
			}
			r.options.Key = func(guard.Input, tooltrack.Call) string {
				switch b {
				case panics:
					panic(errHost)
				case garbage:
					return huge
				}
				return ""
			}
		}, [...]string{named, none, done, none, named}},
		{"guard.Options.Logger", "", func(r *rig, b behaviour) {
			r.options.Logger = slog.New(handler{b})
		}, [...]string{done, ended, done, done, none}},
		{"policy.Options.Logger", "", func(r *rig, b behaviour) {
			r.options.Policy.Logger = slog.New(handler{b})
			r.script = append([]guardtest.Step{guardtest.Call(guardtest.Tool("delete_task", `{}`))}, r.script...) // denied, so it is logged
		}, [...]string{done, ended, done, done, none}},
		{"policy.Func(judge)", "Options.Policy", func(r *rig, b behaviour) {
			rule := policy.Func("mine", func(ctx context.Context, _ policy.CheckInput) (verdict policy.CheckResult, err error) {
				if b == garbage {
					verdict = policy.Replace(make(chan int), "garbage")
				}
				return verdict, misbehave(ctx, b)
			})
			r.options.Policy.Rules = policy.Rules{Named: []policy.Argument{policy.Arg("task_id", rule)}}
		}, [...]string{counted, ended, refused, counted, counted}},
		{"guard.Directory", "Directory.Resolve", func(r *rig, b behaviour) {
			r.options.Directories["task"] = directory{resolve: func(ctx context.Context) (match resolver.Match, err error) {
				if b == garbage {
					match.Entry = resolver.Entry{ID: "../" + strings.Repeat("\x00", 100), Title: huge}
				}
				return match, misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, counted, counted, refused}},
		{"guard.Directory", "Directory.Redact", func(r *rig, b behaviour) {
			r.options.Directories["task"] = directory{redact: func(ctx context.Context, text string) (string, error) {
				if b == garbage {
					return text + huge, nil
				}
				return "", misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, counted, counted, counted}},
		{"guard.Directory", "Directory.Redact", func(r *rig, b behaviour) { // of a result, which no step with a context hands on
			r.run = stepwise
			r.options.Directories["task"] = directory{redact: func(ctx context.Context, text string) (string, error) {
				if !strings.Contains(text, "success") {
					return text, nil
				}
				return text + huge, misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, counted, counted, counted}},
		{"guard.Lister", "Directory.Entries", func(r *rig, b behaviour) {
			r.options.Directories["task"] = lister{entries: func(ctx context.Context) (entries []resolver.Entry, err error) {
				if b == garbage {
					entries = []resolver.Entry{{}, {ID: huge, Title: huge}}
				}
				return entries, misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, done, counted, done}},
		{"resolver.Source", "Directory.Resolve", func(r *rig, b behaviour) {
			r.options.Directories["task"] = resolver.NewDirectory(resolver.SourceFunc(func(ctx context.Context, _ string) (entries []resolver.Entry, err error) {
				if b == garbage {
					for i := range 1000 {
						entries = append(entries, resolver.Entry{ID: strings.Repeat(" ", i%2), Title: "\xff"})
					}
				}
				return entries, misbehave(ctx, b)
			}), nil)
		}, [...]string{counted, ended, refused, counted, refused}},
		{"tooltrack.Store", "Ledger.Begin", func(r *rig, b behaviour) {
			r.store(&hostStore{begin: func(ctx context.Context, _ *tooltrack.Record) (begun tooltrack.Begun, err error) {
				if b == garbage {
					begun = tooltrack.Begun{Run: true, Record: &tooltrack.Record{Scope: tooltrack.Scope{Owner: "bob"}, Seq: -1}}
				}
				return begun, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, named, named, named}},
		{"tooltrack.Store", "Ledger.Finish", func(r *rig, b behaviour) {
			r.store(&hostStore{finish: func(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
				if b == garbage {
					other := *record
					other.Result = tooltrack.Result{Status: tooltrack.Pending}
					return &other, nil
				}
				return nil, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, named, named, named}},
		{"tooltrack.Store", "Ledger.Records", func(r *rig, b behaviour) {
			r.input.Turn, r.input.Conversation, r.input.Task = "m1", "c1", "t1"
			r.store(&hostStore{records: func(ctx context.Context) (records []*tooltrack.Record, err error) {
				if b == garbage {
					alien := &tooltrack.Record{Scope: tooltrack.Scope{Owner: "bob", Turn: "m1"}, Call: deletes(readBook), Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded}}
					records = []*tooltrack.Record{nil, alien}
				}
				return records, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, done, named, counted}},
		{"tooltrack.Reconcile", "Ledger.Begin", func(r *rig, b behaviour) {
			r.interrupted()
			r.options.Ledger = tooltrack.NewLedger(r.memory, &tooltrack.LedgerOptions{Reconcile: func(ctx context.Context, _ *tooltrack.Record) (result tooltrack.Result, known bool, err error) {
				if b == garbage {
					result, known = tooltrack.Result{Status: 200}, true
				}
				return result, known, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, refused, named, refused}},
		{"tooltrack.Confirm.By", "", func(r *rig, b behaviour) {
			r.tools[4].Confirm = &tooltrack.Confirm{Expect: "absent", When: tooltrack.AlwaysConfirm, By: func(ctx context.Context, _ *tooltrack.Record) (json.RawMessage, error) {
				if b == garbage {
					return json.RawMessage(huge), nil // it shows something that should be gone
				}
				return nil, misbehave(ctx, b)
			}}
		}, [...]string{done, done, done, done, refused}},
		{"tooltrack.Observer", "", func(r *rig, b behaviour) {
			r.options.Ledger = tooltrack.NewLedger(r.memory, nil)
			released, release := context.WithCancel(context.Background())
			subscription := r.options.Ledger.Subscribe(tooltrack.ObserverFunc(func(*tooltrack.Record) { _ = misbehave(released, b) }), 1)
			r.after = func(t *testing.T) {
				release()
				subscription.Close()
				if (subscription.Panics() > 0) != (b == panics) {
					t.Errorf("%d panics were counted", subscription.Panics())
				}
			}
		}, [...]string{done, done, none, none, none}},
		{"guard.Evaluator", "Options.Evaluator", func(r *rig, b behaviour) {
			r.options.Evaluator = guard.EvaluatorFunc(func(completion.Case) completion.Verdict {
				switch b {
				case panics:
					panic(errHost)
				case garbage:
					return completion.Verdict{Outcome: 200, Reason: 200, Claims: make([]completion.Claim, 100)}
				}
				return completion.Verdict{}
			})
		}, [...]string{counted, none, done, none, refused}},
		{"guard.Reviewer", "Options.Policy", func(r *rig, b behaviour) {
			r.options.Reviewer = guard.ReviewerFunc(func(ctx context.Context, request policy.Proposal) (decision policy.Decision, err error) {
				if b == garbage {
					decision = policy.Decision{Kind: 77, Args: []byte("{"), Rule: huge, Reason: huge}
				}
				return decision, misbehave(ctx, b)
			})
		}, [...]string{stuck, ended, refused, stuck, refused}},
		{"policy.Limiter", "Limiter.Take", func(r *rig, b behaviour) {
			r.options.Policy = &policy.Options{
				Rates: map[string]policy.Rate{"delete_task": {Calls: 1, Per: time.Hour}},
				Limiter: limiterFunc(func(ctx context.Context) (time.Duration, error) {
					if b == garbage {
						return math.MaxInt64, nil
					}
					return 0, misbehave(ctx, b)
				}),
			}
		}, [...]string{stuck, ended, done, stuck, refused}},
		{"guard.Model", "Options.Referee", func(r *rig, b behaviour) {
			r.options.Evaluator, r.options.Proof = doubting("deleted"), guard.Always
			r.options.Referee = guard.ModelFunc(func(ctx context.Context, _ guard.Request) (response guard.Response, err error) {
				if b == garbage {
					response = guardtest.Say(huge).Response
				}
				return response, misbehave(ctx, b)
			})
		}, [...]string{counted, counted, done, counted, done}},
		{"completion.Requirement", "Requirement.Unmet", func(r *rig, b behaviour) {
			requirement := completion.RequirementFunc(func(completion.Case, completion.Blocker) string {
				if b == garbage {
					return huge
				}
				panic(errHost)
			})
			r.options.Contracts = map[intent.Kind]completion.Contract{intent.Action: completion.Action(requirement)}
		}, [...]string{stuck, none, none, none, refused}},
		{"completion.Requirement", "Requirement.Unmet", func(r *rig, b behaviour) { // of a mode, which is told in the prompt
			contract := completion.Action(completion.RequirementFunc(func(completion.Case, completion.Blocker) string {
				if b == garbage {
					return huge
				}
				panic(errHost)
			}))
			r.options.Modes = []guard.Mode{{Mode: policy.Mode{Name: "work", Calls: policy.Unlimited}, Contract: &contract}}
			r.input.Mode = "work"
		}, [...]string{stuck, none, none, none, refused}},
		{"tooltrack.ParseOptions.Rule", "", func(r *rig, b behaviour) {
			r.run = func(r *rig, ctx context.Context, g *guard.Guard) (*guard.Reply, error) {
				messages := []guard.Message{
					{Role: guard.RoleAssistant, Calls: []tooltrack.Call{deletes(readBook)}},
					{Role: guard.RoleTool, CallID: deletes(readBook).ID, Text: "ok"},
				}
				rule := func(string) (tooltrack.Status, bool) {
					switch b {
					case panics:
						panic(errHost)
					case garbage:
						return 200, true
					}
					return 0, true
				}
				records := g.RecordsOf(messages, &tooltrack.ParseOptions{Rule: rule})
				judged, err := g.Judge(ctx, guard.Recorded{User: "delete Read book", Text: lie, Records: records})
				if err == nil && judged.Verdict.Outcome.Completed() {
					return &guard.Reply{Text: lie}, nil
				}
				return &guard.Reply{}, guard.ErrInsufficientProgress
			}
		}, [...]string{refused, none, refused, none, refused}},
	}
}

type limiterFunc func(context.Context) (time.Duration, error)

func (f limiterFunc) Take(ctx context.Context, _, _ string, _ policy.Rate) (time.Duration, error) {
	return f(ctx)
}

func clock(b behaviour) func() time.Time {
	ticks := 0
	return func() time.Time {
		switch b {
		case panics:
			panic(errHost)
		case garbage: // wild and backwards
			ticks++
			return time.Date(90_000-10_000*ticks, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return time.Time{}
	}
}

// rig is a turn with one callback replaced. The model calls the tool and then
// claims, again and again, that it worked.
type rig struct {
	world    *world
	memory   *tooltrack.Memory
	tools    []tooltrack.Tool
	options  *guard.Options
	script   []guardtest.Step
	model    guard.Model
	executor guard.Executor
	input    guard.Input
	run      func(*rig, context.Context, *guard.Guard) (*guard.Reply, error)
	after    func(*testing.T)
	reported string
	ran      int
}

func newRig(t *testing.T, row callback) *rig {
	r := &rig{world: newWorld(), memory: tooltrack.NewMemory(nil), tools: taskTools(), input: ask("delete Read book"), reported: row.reported}
	r.options = worldOptions(t, r.world)
	r.options.Clock = nil
	r.options.Ledger = tooltrack.NewLedger(r.memory, nil)
	r.script = []guardtest.Step{guardtest.Call(deletes(readBook)), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie), guardtest.Say(lie)}
	r.executor = guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) ([]byte, error) {
		r.ran++
		return r.world.Execute(ctx, call)
	})
	r.model = guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		if len(r.script) == 0 {
			return guard.Response{}, guardtest.ErrScriptEnded
		}
		step := r.script[0]
		r.script = r.script[1:]
		return step.Response, nil
	})
	r.run = func(r *rig, ctx context.Context, g *guard.Guard) (*guard.Reply, error) {
		return g.Run(ctx, r.model, r.executor, r.input)
	}
	return r
}

// streamed shows what a consumer of the stream has seen by the end.
func streamed(r *rig, ctx context.Context, g *guard.Guard) (reply *guard.Reply, err error) {
	shown := ""
	for event, fault := range g.Stream(ctx, r.model, r.executor, r.input) {
		shown += event.Text
		reply, err = event.Reply, fault
	}
	if reply == nil {
		reply = &guard.Reply{}
	}
	reply.Text = shown
	return reply, err
}

// stepwise is a loop of the host's own.
func stepwise(r *rig, ctx context.Context, g *guard.Guard) (*guard.Reply, error) {
	turn, err := g.Begin(ctx, r.input)
	if err != nil {
		return nil, err
	}
	for turn.Open() {
		response, err := r.model.Generate(ctx, turn.Request(ctx))
		if err != nil {
			return turn.Fail(err)
		}
		for _, call := range turn.Take(ctx, response) {
			if _, err := turn.Do(ctx, call, r.executor.Execute); err != nil {
				return turn.Fail(err)
			}
		}
	}
	return turn.Reply()
}

func (r *rig) store(broken *hostStore) {
	broken.Store = r.memory
	r.options.Ledger = tooltrack.NewLedger(broken, nil)
}

// interrupted leaves the record of an earlier run of the turn that was cut off.
func (r *rig) interrupted() {
	r.input.Turn = "m1"
	turn, err := tooltrack.NewLedger(r.memory, nil).Open(tooltrack.Scope{Owner: "ann", Turn: "m1"})
	if err != nil {
		panic(err)
	}
	if _, err := turn.Begin(context.Background(), r.tools[4], deletes(readBook), nil); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour) // in no time: the test runs in a bubble
}

// hostStore is a store with one method replaced.
type hostStore struct {
	tooltrack.Store
	begin   func(context.Context, *tooltrack.Record) (tooltrack.Begun, error)
	finish  func(context.Context, *tooltrack.Record) (*tooltrack.Record, error)
	records func(context.Context) ([]*tooltrack.Record, error)
}

func (s *hostStore) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (tooltrack.Begun, error) {
	if s.begin != nil {
		return s.begin(ctx, record)
	}
	return s.Store.Begin(ctx, record, rerun)
}

func (s *hostStore) Finish(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
	if s.finish != nil {
		return s.finish(ctx, record)
	}
	return s.Store.Finish(ctx, record)
}

func (s *hostStore) Records(ctx context.Context, query tooltrack.Query) ([]*tooltrack.Record, error) {
	if s.records != nil {
		return s.records(ctx)
	}
	return s.Store.Records(ctx, query)
}

// stream is a model that only streams.
type stream struct {
	send func(context.Context, func(guard.Delta, error) bool)
}

func (s stream) Generate(context.Context, guard.Request) (guard.Response, error) {
	return guard.Response{}, errHost
}

func (s stream) Stream(ctx context.Context, _ guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) { s.send(ctx, yield) }
}

type capable struct {
	guard.Model
	can func() guard.Capabilities
}

func (c capable) Capabilities() guard.Capabilities { return c.can() }

type directory struct {
	resolve func(context.Context) (resolver.Match, error)
	redact  func(context.Context, string) (string, error)
}

func (d directory) Resolve(ctx context.Context, _, _ string) (resolver.Match, error) {
	if d.resolve == nil {
		return resolver.Match{Entry: resolver.Entry{ID: readBook, Title: "Read book"}}, nil
	}
	return d.resolve(ctx)
}

func (d directory) Redact(ctx context.Context, _, text string) (string, error) {
	if d.redact == nil {
		return text, nil
	}
	return d.redact(ctx, text)
}

// lister is a directory that can list, too.
type lister struct {
	directory
	entries func(context.Context) ([]resolver.Entry, error)
}

func (l lister) Entries(ctx context.Context, _ string) ([]resolver.Entry, error) {
	return l.entries(ctx)
}

// handler is that of a logger of the host's own.
type handler struct{ b behaviour }

func (h handler) Enabled(context.Context, slog.Level) bool { return true }
func (h handler) Handle(ctx context.Context, _ slog.Record) error {
	return misbehave(ctx, h.b)
}
func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h handler) WithGroup(string) slog.Handler      { return h }

// TestCallbacks: whatever the host's own code does, no panic leaves the library,
// no goroutine stays behind (the bubble of each case would not end), the turn
// ends in its time, no unproven text is shown, and nothing runs unrecorded. Who
// is to blame is named.
func TestCallbacks(t *testing.T) {
	for i, row := range append(callbacks(), proofCallbacks()...) {
		for b := range behaviours {
			if row.outcome[b] == none {
				continue
			}
			t.Run(fmt.Sprintf("%d %s %s", i, row.exported, b), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { tryCallback(t, row, b) })
			})
		}
	}
}

// latest is when a turn with a time limit of a minute must have ended: a tool is
// left alone, a result written and an account given within what is promised.
const (
	limit  = time.Minute
	latest = limit + 20*time.Second
)

func tryCallback(t *testing.T, row callback, b behaviour) {
	r := newRig(t, row)
	row.install(r, b)
	g, err := guard.New(r.tools, r.options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	began := time.Now()
	reply, err := safely(func() (*guard.Reply, error) { return r.run(r, ctx, g) })
	if took := time.Since(began); took > latest {
		t.Errorf("took %s", took)
	}
	if reply == nil {
		reply = &guard.Reply{}
	}
	checkOutcome(t, row.outcome[b], r, reply, err, g.Counters())
	checkRecords(t, r)
	if r.after != nil {
		r.after(t)
	}
}

var errEscaped = errors.New("a panic left the library")

func safely(run func() (*guard.Reply, error)) (reply *guard.Reply, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", errEscaped, fault)
		}
	}()
	return run()
}

func checkOutcome(t *testing.T, want string, r *rig, reply *guard.Reply, err error, counters guard.Counters) {
	t.Helper()
	if errors.Is(err, errEscaped) {
		t.Fatal(err)
	}
	if strings.Contains(reply.Text, "deleted") && !r.proven() || len(reply.Text) > 1000 {
		t.Errorf("shows %.100q without a proof", reply.Text)
	}
	var host *guard.HostError
	ok := false
	switch want {
	case done:
		ok = err == nil && reply.Text != "" && len(counters.HostFaults) == 0
	case counted:
		ok = counters.HostFaults[r.reported] > 0 && !errors.As(err, &host)
	case stuck:
		ok = counters.HostFaults[r.reported] > 0 && typed(err)
	case named:
		ok = errors.As(err, &host) && host.Callback == r.reported && strings.Contains(err.Error(), r.reported)
	case ended:
		ok = errors.Is(err, context.DeadlineExceeded)
	case refused:
		ok = typed(err) && len(counters.HostFaults) == 0
	case settled:
		ok = typed(err) && r.ran > 0 && !r.proven()
	}
	if !ok {
		t.Errorf("want %s of %s, got %q, %v, counted %v", want, r.reported, reply.Text, err, counters.HostFaults)
	}
}

// typed reports one of the guard's errors that is not about the host's code.
func typed(err error) bool {
	var host *guard.HostError
	return !errors.As(err, &host) &&
		(errors.Is(err, guard.ErrInsufficientProgress) || errors.Is(err, guard.ErrToolNotTriggered) || errors.Is(err, guard.ErrProvider) || errors.Is(err, guard.ErrToolNotOffered))
}

func (r *rig) stored() []*tooltrack.Record {
	records, err := r.memory.Records(context.Background(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	if err != nil {
		panic(err)
	}
	return records
}

// proven reports whether the ledger holds the success that the model claims.
func (r *rig) proven() bool {
	for _, record := range r.stored() {
		if record.Effect == tooltrack.Changes && record.Succeeded() {
			return true
		}
	}
	return false
}

// checkRecords: what ran was written down before, and never twice.
func checkRecords(t *testing.T, r *rig) {
	t.Helper()
	begun := 0
	for _, record := range r.stored() {
		if !record.Ruling.Denied && record.Effect.MayChange() {
			begun++
		}
	}
	if r.ran > 1 || r.ran > begun {
		t.Errorf("ran %d times with %d records", r.ran, begun)
	}
}

// TestRecordsOfOthersProveNothing: a store that hands out what it was not asked
// for backs no claim with it.
func TestRecordsOfOthersProveNothing(t *testing.T) {
	scopes := map[string]tooltrack.Scope{
		"another owner's": {Owner: "bob", Turn: "m1"}, "another turn's": {Owner: "ann", Turn: "m0"}, "its own": {Owner: "ann", Turn: "m1"},
	}
	for name, scope := range scopes {
		w := newWorld()
		record := &tooltrack.Record{
			Scope: scope, Seq: 1, Call: deletes(readBook), Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded},
			Touched: []tooltrack.Subject{{Kind: "task", ID: readBook, Title: "Read book"}},
		}
		store := &hostStore{Store: tooltrack.NewMemory(nil), records: func(context.Context) ([]*tooltrack.Record, error) { return []*tooltrack.Record{record}, nil }}
		g := guardFor(t, w, func(o *guard.Options) { o.Ledger = tooltrack.NewLedger(store, nil) })
		input := ask("delete Read book")
		input.Turn = "m1"
		says := guardtest.Say(lie)
		if _, err := g.Run(context.Background(), guardtest.Script(says, says, says, says), w, input); (err == nil) != (name == "its own") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestConfidenceThatIsNoNumber: nothing is forced by a confidence that compares
// with nothing.
func TestConfidenceThatIsNoNumber(t *testing.T) {
	for confidence, choice := range map[float64]string{math.NaN(): "auto", math.Inf(-1): "auto", 0.99: "delete_task"} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Action, confidence, "delete_task") })
		model := guardtest.Script(guardtest.Say(lie), guardtest.Say(lie))
		_, _ = g.Run(context.Background(), model, w, ask("delete Read book"))
		if got := model.Requests()[1].Choice.String(); got != choice {
			t.Errorf("confidence %v: the choice is %s", confidence, got)
		}
	}
}

// TestConsumerOfAStream: a consumer that panics gets its own panic back, once the
// turn has come to its end.
func TestConsumerOfAStream(t *testing.T) {
	for _, release := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, func(o *guard.Options) { o.ReleaseSentences = release })
			defer func() {
				if fault := recover(); fault != io.ErrClosedPipe {
					t.Errorf("the consumer got %v", fault)
				}
			}()
			for event := range g.Stream(context.Background(), guardtest.Script(guardtest.Say("Hello. How are you? Fine.")), w, ask("hello")) {
				if event.Text != "" {
					panic(io.ErrClosedPipe)
				}
			}
			t.Error("no panic")
		})
	}
}
