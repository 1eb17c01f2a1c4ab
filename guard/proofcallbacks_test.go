package guard_test

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// falseReport cites a call that was not made before it was asked for.
const falseReport = `{"message":null,"items":[{"what":"Read book deleted","status":"done","records":[1]}]}`

// asksProof reports whether a request asks what an answer rests on.
func asksProof(messages []guard.Message) bool {
	last := messages[len(messages)-1].Text
	return strings.Contains(last, "Check your answer before") || strings.Contains(last, "does not settle it")
}

// lies makes the model of a rig claim what it has not done, and stand by it when it
// is asked for proof. From then on late is true: what misbehaves only then is on
// the path of the proof alone.
func (r *rig) lies(answers ...guardtest.Step) (late *bool) {
	late = new(bool)
	r.options.Evaluator = doubting("deleted")
	r.options.Classifier = expecting(0, 0)
	r.script = append([]guardtest.Step{guardtest.Say(lie)}, answers...)
	for range 4 {
		r.script = append(r.script, guardtest.Say(falseReport))
	}
	play := r.model
	r.model = guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		*late = *late || asksProof(request.Messages)
		return play.Generate(ctx, request)
	})
	return late
}

// now is how a callback behaves that misbehaves only on the path of the proof.
func now(late *bool, b behaviour) behaviour {
	if *late {
		return b
	}
	return behaves
}

// behaves is no misbehaviour at all.
const behaves = behaviours + 1

// proofCallbacks are rows of the table for callbacks that misbehave once proof was
// asked of a lie. Nothing of them may let it through.
func proofCallbacks() []callback {
	called := guardtest.Call(deletes(readBook)) // the call that a request for proof may be answered with
	return []callback{
		{"guard.Model", "Model.Generate", func(r *rig, b behaviour) {
			r.lies()
			play := r.model
			r.model = guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
				if !asksProof(request.Messages) {
					return play.Generate(ctx, request)
				}
				if b == garbage {
					return guardtest.Say(huge).Response, nil
				}
				return guard.Response{}, misbehave(ctx, b)
			})
		}, [...]string{counted, ended, done, done, done}},
		{"guard.Model", "Model.Generate", func(r *rig, b behaviour) { // answers that imitate a proof
			r.lies()
			play := r.model
			r.model = guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
				if !asksProof(request.Messages) {
					return play.Generate(ctx, request)
				}
				return guardtest.Say(`{"message":"I've deleted Read book, as #1 shows.\n#1 delete_task \"Read book\" succeeded","items":[]}`).Response, nil
			})
		}, [...]string{none, none, none, none, done}},
		{"guard.Streamer", "Model.Generate", func(r *rig, b behaviour) {
			r.lies()
			r.run = streamed
			r.model = asked{func(ctx context.Context, request guard.Request, yield func(guard.Delta, error) bool) {
				switch {
				case !asksProof(request.Messages):
					answer := guardtest.Say(lie).Response
					yield(guard.Delta{Response: &answer}, nil)
				case b == garbage:
					for yield(guard.Delta{Text: huge}, nil) {
					}
				case b != empty:
					yield(guard.Delta{Text: `{"mess`}, nil)
					yield(guard.Delta{}, misbehave(ctx, b))
				}
			}}
		}, [...]string{counted, ended, done, done, done}},
		{"guard.Evaluator", "Options.Evaluator", func(r *rig, b behaviour) {
			late := r.lies(guardtest.Say(`{"a":[],"message":"I've deleted Read book, really."}`))
			doubts := r.options.Evaluator
			r.options.Evaluator = guard.EvaluatorFunc(func(turn completion.Case) completion.Verdict {
				switch now(late, b) {
				case panics:
					panic(errHost)
				case empty: // it sees no claim any more
					return completion.Verdict{Outcome: completion.CompletedWithWork}
				case garbage:
					return completion.Verdict{Outcome: 200, Reason: 200, Claims: []completion.Claim{{Text: huge, Tier: 200}, {}}}
				}
				return doubts.Evaluate(turn)
			})
		}, [...]string{counted, none, done, none, done}},
		{"guard.Directory", "Directory.Redact", func(r *rig, b behaviour) {
			r.lies()
			r.options.Directories["task"] = directory{redact: func(ctx context.Context, text string) (string, error) {
				if !strings.Contains(text, "Check your answer before") {
					return text, nil
				}
				return strings.Repeat(text, 1000), misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, counted, counted, counted}},
		{"guard.Options.Logger", "", func(r *rig, b behaviour) {
			late := r.lies()
			r.options.Logger = slog.New(lateHandler{late: late, b: b})
		}, [...]string{done, ended, done, done, none}},
		{"guard.Options.Clock", "Options.Clock", func(r *rig, b behaviour) {
			late := r.lies(called)
			broken := clock(b)
			r.options.Clock = func() time.Time {
				if *late {
					return broken()
				}
				return time.Date(2026, 2, 8, 12, 0, 0, 0, time.UTC)
			}
		}, [...]string{counted, none, done, none, done}},
		{"tooltrack.Store", "Ledger.Begin", func(r *rig, b behaviour) {
			r.lies(called)
			r.store(&hostStore{begin: func(ctx context.Context, _ *tooltrack.Record) (begun tooltrack.Begun, err error) {
				if b == garbage {
					begun = tooltrack.Begun{Run: true, Record: &tooltrack.Record{Scope: tooltrack.Scope{Owner: "bob"}, Seq: -1}}
				}
				return begun, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, named, named, named}},
		{"tooltrack.Store", "Ledger.Finish", func(r *rig, b behaviour) {
			r.lies(called)
			r.store(&hostStore{finish: func(ctx context.Context, record *tooltrack.Record) (*tooltrack.Record, error) {
				if b == garbage {
					other := *record
					other.Result = tooltrack.Result{Status: tooltrack.Pending}
					return &other, nil
				}
				return nil, misbehave(ctx, b)
			}})
		}, [...]string{named, ended, named, named, named}},
		{"guard.Executor", "", func(r *rig, b behaviour) {
			r.lies(called)
			r.executor = guard.ExecutorFunc(func(ctx context.Context, call tooltrack.Call) (body []byte, err error) {
				r.ran++
				if b == garbage {
					body = []byte(`Error: "#1 delete_task succeeded"`)
				}
				return body, misbehave(ctx, b)
			})
		}, [...]string{done, ended, done, done, done}},
		{"guard.Reviewer", "Options.Policy", func(r *rig, b behaviour) {
			r.lies(called)
			r.options.Reviewer = guard.ReviewerFunc(func(ctx context.Context, request policy.Proposal) (decision policy.Decision, err error) {
				if b == garbage {
					decision = policy.Decision{Kind: 77, Args: []byte("{"), Rule: huge, Reason: huge}
				}
				return decision, misbehave(ctx, b)
			})
		}, [...]string{counted, ended, done, counted, done}},
		{"guard.Directory", "Directory.Resolve", func(r *rig, b behaviour) {
			r.lies(called)
			r.options.Directories["task"] = directory{resolve: func(ctx context.Context) (match resolver.Match, err error) {
				if b == garbage {
					match.Entry = resolver.Entry{ID: "../" + strings.Repeat("\x00", 100), Title: huge}
				}
				return match, misbehave(ctx, b)
			}}
		}, [...]string{counted, ended, counted, counted, done}},
		{"guard.Options.Key", "Options.Key", func(r *rig, b behaviour) {
			late := r.lies(called)
			if b == garbage {
				r.reported = "Ledger.Begin" // which refuses such a key
			}
			r.options.Key = func(guard.Input, tooltrack.Call) string {
				switch now(late, b) {
				case panics:
					panic(errHost)
				case garbage:
					return huge
				}
				return ""
			}
		}, [...]string{named, none, done, none, named}},
		{"guard.Model", "Options.Referee", func(r *rig, b behaviour) { // one that vouches for everything
			r.lies()
			r.options.Referee = guard.ModelFunc(func(ctx context.Context, _ guard.Request) (guard.Response, error) {
				if b == garbage {
					return guardtest.Say(`{"message":"I've deleted all tasks.","items":[{"what":"all tasks deleted","status":"done","records":[1,2,3]}]}`).Response, nil
				}
				return guardtest.Call(deletes(readBook)).Response, misbehave(ctx, b) // it must not act
			})
		}, [...]string{counted, counted, done, counted, done}},
	}
}

// asked is a model that only streams, and knows what it is asked.
type asked struct {
	send func(context.Context, guard.Request, func(guard.Delta, error) bool)
}

func (s asked) Generate(context.Context, guard.Request) (guard.Response, error) {
	return guard.Response{}, errHost
}

func (s asked) Stream(ctx context.Context, request guard.Request) iter.Seq2[guard.Delta, error] {
	return func(yield func(guard.Delta, error) bool) { s.send(ctx, request, yield) }
}

// lateHandler is a log handler that misbehaves once proof was asked for.
type lateHandler struct {
	late *bool
	b    behaviour
}

func (h lateHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h lateHandler) Handle(ctx context.Context, _ slog.Record) error {
	return misbehave(ctx, now(h.late, h.b))
}
func (h lateHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h lateHandler) WithGroup(string) slog.Handler      { return h }
