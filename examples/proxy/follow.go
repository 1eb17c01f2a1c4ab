package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/examples/internal/decisions"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// following is one request on the board: it hears what the guard decides and what the model says.
type following struct {
	board   *board
	view    *turnView
	observe bool
	tier    string // of the last text that was judged
	mended  bool   // the model was asked again
	cut     bool   // sentences were left out
	asked   bool   // for proof
	report  []proven
}

type followKey struct{}

// begin shows the message and the calls of the turn so far.
func (f *following) begin(user string, records []*tooltrack.Record) {
	calls := make([]callView, 0, len(records))
	for _, record := range lastOf(records, maxCalls) {
		calls = append(calls, callView{
			Tool: shownName(record.Tool), Args: shownArgs(record.Args),
			Effect: record.Effect.String(), Status: record.Result.Status.String(), Sight: string(record.Sight()),
		})
	}
	user = shown(user, maxUserText)
	f.board.update(f.view, func(view *turnView) {
		view.State, view.User, view.Calls, view.MoreCalls = asking, user, calls, len(records)-len(calls)
	})
}

// listen hears what the model answers.
func (f *following) listen(inner guard.Model) guard.Model {
	return guard.ModelFunc(func(ctx context.Context, request guard.Request) (guard.Response, error) {
		response, err := inner.Generate(ctx, request)
		if err == nil {
			f.answered(request, response)
		}
		return response, err
	})
}

func (f *following) answered(request guard.Request, response guard.Response) {
	if request.Report && len(response.Message.Calls) == 0 {
		f.report = nil
		f.report = provenBy(request.Messages, response.Message.Text)
		return
	}
	said := shown(response.Message.Text, maxText)
	for _, call := range lastOf(response.Message.Calls, maxCalls) {
		said = strings.TrimSpace(said + "\ncalls " + shownName(call.Tool) + " " + shownArgs(call.Args))
	}
	f.board.update(f.view, func(view *turnView) { view.Steps = append(view.Steps, step{"model", said}) })
}

// provenBy is what an answer to a request for proof says of each letter.
func provenBy(messages []guard.Message, answer string) (report []proven) {
	var letters []proof.Letter
	for _, message := range messages {
		if asked := proof.Asked(message.Text); asked != nil {
			letters = asked
		}
	}
	given, err := proof.Read(answer, letters, proof.List{})
	if err != nil {
		return nil
	}
	for _, letter := range letters {
		basis := given.Letters[letter.Name]
		status := "shown"
		switch {
		case basis.NotDone:
			status = "not done"
		case basis.NoCall:
			status = "no call"
		}
		report = append(report, proven{What: shown(letter.Text, maxArgs), Status: status, Calls: basis.Records})
	}
	return report
}

// heard takes one decision of the guard.
func (f *following) heard(event string, found decisions.Attrs) {
	said, kind := "", "did"
	switch event {
	case "judged":
		f.judged(found)
		return
	case "asked again":
		f.mended = true
		said = "asked again: " + decisions.Rule(found.First("reason"))
	case "call denied":
		said = fmt.Sprintf("denied: the call of %s, by the rule %s", found.First("tool"), found.First("rule"))
	case "call rewritten":
		said = fmt.Sprintf("changed: the arguments of %s, by the rule %s", found.First("tool"), found.First("rule"))
	case "proof asked for":
		f.asked = true
		said = "asked what the text rests on"
	case "proof not accepted":
		f.report = nil
		said = "the proof was not accepted: " + decisions.Rule(found.First("rule"))
	case "proof did not come":
		f.report = nil
		said = fmt.Sprintf("no proof came; %s sentences left out", found.First("withheld"))
		f.cut = found.First("withheld") != "0" && found.First("lenient") != "true"
	case "proof not asked for":
		said = "the model has not understood the last requests for proof, and is not asked"
	case "text beside calls withheld":
		said = "withheld: the text beside the calls (" + found.First("reason") + ")"
	case "stopped by the provider":
		said, kind = "the answer is not whole: "+found.First("stop"), "found"
	case "limit":
		said = "stopped: " + found.First("reason")
	default:
		return
	}
	f.board.update(f.view, func(view *turnView) {
		if f.observe && kind == "did" {
			view.Would = append(view.Would, said)
			return
		}
		view.Steps = append(view.Steps, step{kind, said})
	})
}

func (f *following) judged(found decisions.Attrs) {
	f.tier = found.First("tier")
	reason := decisions.Rule(found.First("reason"))
	var claims []string
	for _, claim := range found["claims"] {
		claims = append(claims, "“"+clip.Text(claim, maxArgs)+"”")
	}
	tools := slices.DeleteFunc(slices.Clone(found["tools"]), func(tool string) bool { return tool == "" })
	f.board.update(f.view, func(view *turnView) {
		switch {
		case f.tier == completion.Clean.String():
			return
		case !f.observe:
			said := map[bool]string{true: "not good enough: ", false: "in doubt: "}[f.tier == completion.Sure.String()]
			view.Steps = append(view.Steps, step{"found", strings.TrimSuffix(said+reason+": "+strings.Join(claims, ", "), ": ")})
		case f.tier == completion.Sure.String() && len(tools) > 0:
			view.Would = append(view.Would, "asked again for "+strings.Join(tools, ", "))
		case f.tier == completion.Sure.String():
			view.Would = append(view.Would, strings.TrimSuffix("corrected: "+reason+": "+strings.Join(claims, ", "), ": "))
		case len(claims) > 0:
			view.Would = append(view.Would, "asked for proof of "+strings.Join(claims, ", "))
		default:
			said := "asked for proof: something may be due " + strings.Join(tools, ", ")
			view.Would = append(view.Would, strings.TrimSpace(said))
		}
	})
}

func (f *following) end(response guard.Response, err error) {
	text := shown(response.Message.Text, maxText)
	calls := len(response.Message.Calls) > 0
	to := f.outcome(calls, err)
	account := ""
	if err != nil && to == refused {
		account = shown(guard.AccountOf(err), maxText)
	}
	f.board.update(f.view, func(view *turnView) {
		view.State, view.Proof = to, f.report
		switch {
		case to == refused:
			view.Text = account
			view.Steps = append(view.Steps, step{"did", "refused: the client is told what happened"})
		case err == nil:
			view.Text = text
		}
	})
}

func (f *following) outcome(calls bool, err error) state {
	switch {
	case errors.Is(err, context.Canceled):
		return left
	case errors.Is(err, guard.ErrToolNotTriggered), errors.Is(err, guard.ErrInsufficientProgress),
		errors.Is(err, guard.ErrDenied), errors.Is(err, guard.ErrUnjudged), errors.Is(err, guard.ErrStopped):
		return refused
	case err != nil:
		return failed
	case calls:
		return calling
	case f.observe && f.tier == completion.Sure.String():
		return wouldAct
	case f.observe && f.tier == completion.Unsure.String():
		return doubted
	case f.cut:
		return cut
	case f.asked && f.report != nil:
		return proved
	case f.mended || f.asked:
		return mended
	}
	return passed
}
