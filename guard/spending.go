package guard

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// charge counts what a model reports for an answer.
func charge(ctx context.Context, t *Turn, name string, usage Usage) {
	budgets := &t.guard.budgets
	price, named := budgets.Prices[name]
	if !named {
		price = budgets.Prices[""]
	}
	usage.Input, usage.Output = max(0, usage.Input), max(0, usage.Output)
	usage.Money = math.Ceil(float64(usage.Input)*price.Input+float64(usage.Output)*price.Output) / 1e6
	t.spent.Usage.add(usage)
	meterSpent(ctx, t, usage.spending())
}

// meterSpent adds to what the owner has spent today, and to what the turn has where it is in sight by its requests
// only.
func meterSpent(ctx context.Context, t *Turn, spent policy.Spending) {
	budgets, first := &t.guard.budgets, !t.metered
	t.metered = true
	ask := func(turn string, into *policy.Spending) {
		sum, err := callHost("Meter.Add", func() (policy.Spending, error) {
			return budgets.Meter.Add(ctx, t.input.Owner, turn, spent)
		})
		if err == nil {
			*into = sum
			return
		}
		*into = into.Plus(spent)
		if ctx.Err() == nil {
			t.guard.hostFault(ctx, "Meter.Add", err)
		}
	}
	if budgets.Day.isBounded() {
		ask("", &t.today)
	}
	if t.driver == messagesOnly && t.track != nil && budgets.Turn.isBounded() {
		sum := t.before
		if ask(t.input.Turn, &sum); first { // what the requests before this one spent
			t.before = policy.Spending{Tokens: sum.Tokens - spent.Tokens, Micros: sum.Micros - spent.Micros}
		}
	}
}

// spentMost is the budget of which the largest share is used, and that share; nil without any budget.
func spentMost(ctx context.Context, t *Turn) (most *BudgetError, share float64) {
	budgets := &t.guard.budgets
	if !budgets.Turn.isBounded() && !budgets.Day.isBounded() && budgets.Turn.Time <= 0 {
		return nil, 0
	}
	if !t.metered {
		meterSpent(ctx, t, policy.Spending{})
	}
	turn := t.before.Plus(t.spent.Usage.spending())
	for _, bound := range []BudgetError{
		{Of: "tokens", Per: "turn", Spent: float64(turn.Tokens), Allowed: float64(budgets.Turn.Tokens)},
		{Of: "money", Per: "turn", Spent: float64(turn.Micros) / 1e6, Allowed: budgets.Turn.Money},
		{Of: "time", Per: "turn", Spent: t.guard.now().Sub(t.started).Seconds(), Allowed: budgets.Turn.Time.Seconds()},
		{Of: "tokens", Per: "day", Spent: float64(t.today.Tokens), Allowed: float64(budgets.Day.Tokens)},
		{Of: "money", Per: "day", Spent: float64(t.today.Micros) / 1e6, Allowed: budgets.Day.Money},
	} {
		if used := bound.Spent / cmp.Or(bound.Allowed, math.Inf(1)); bound.Allowed > 0 && (most == nil || used > share) {
			most, share = &bound, used
		}
	}
	return most, share
}

// overspent is the error of a turn that may not ask a model again; nil while it may. An observing guard counts it
// once.
func overspent(ctx context.Context, t *Turn) error {
	most, share := spentMost(ctx, t)
	if most == nil || share < 1 {
		return nil
	}
	observe := t.guard.options.Observe
	if observe && t.warned {
		return nil
	}
	t.measure(ctx, "limit", "end of the turn by the budget of "+most.Of+" of the "+most.Per,
		"rule", "budget", "budget", most.Of, "per", most.Per)
	if observe {
		t.warned = true
		return nil
	}
	t.guard.counters.refused(faultBudget)
	return &TurnError{Kind: ErrBudget, Cause: most}
}

// warning tells the model, once, that its budget is nearly used up.
func warning(ctx context.Context, t *Turn) []Message {
	const nearEnd = 0.8 // of a budget
	most, share := spentMost(ctx, t)
	if most == nil || share < nearEnd || t.warned || t.proving != nil || t.guard.options.Observe {
		return nil
	}
	t.warned = true
	t.info(ctx, "budget nearly spent", "budget", most.Of, "per", most.Per, "share", share)
	return []Message{t.instruction(fmt.Sprintf("The budget of this %s is nearly used up (%s). Make no call that is not "+
		"needed. Answer now with what is done and known, and say what is left to do.", most.Per, most.figures()))}
}

// spendHandedOn takes the calls of a message from their rates where another's loop runs them. A message with a
// denied call goes back to the model, and costs nothing.
func spendHandedOn(ctx context.Context, t *Turn, batch []pending) {
	denied := func(p pending) bool { return p.ruling.Denied }
	if t.driver != messagesOnly || slices.ContainsFunc(batch, denied) {
		return
	}
	for i := range batch {
		p := &batch[i]
		paid := p.ruling.Rule == tooltrack.RuleApproval // before the approval was used up
		if p.isRunnable() && !paid && !mayHandOn(ctx, t, p) {
			t.reviewed(ctx, p)
			return
		}
	}
}

// mayHandOn takes a call from its rate, or denies it.
func mayHandOn(ctx context.Context, t *Turn, p *pending) bool {
	decision := askLimiter(ctx, t, p.call)
	if !decision.Allowed() {
		p.deny(decision.Rule, decision.Reason)
	}
	return decision.Allowed()
}

// askLimiter takes a call from its rate. An observing guard takes nothing.
func askLimiter(ctx context.Context, t *Turn, call tooltrack.Call) (decision policy.Decision) {
	if t.guard.options.Observe {
		return policy.Decision{Kind: policy.Approve}
	}
	decision, err := t.guard.policy.Spend(ctx, t.input.Owner, call)
	if err != nil && ctx.Err() == nil {
		t.guard.hostFault(ctx, "Limiter.Take", err)
	}
	return decision
}
