package guard

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/bonafide-go/bonafide/policy"
)

// charge counts what a model reports for an answer.
func charge(ctx context.Context, t *Turn, name string, usage Usage) {
	budgets := &t.guard.budgets
	price, named := budgets.Prices[name]
	if !named {
		price = budgets.Prices[""]
	}
	usage.Input, usage.Output = max(0, usage.Input), max(0, usage.Output)
	micros := math.Ceil(float64(usage.Input)*price.Input + float64(usage.Output)*price.Output)
	usage.Money = micros / 1e6
	t.usage.add(usage)
	meterSpent(ctx, t, policy.Spending{Tokens: int64(usage.Input) + int64(usage.Output), Micros: int64(micros)})
}

// meterSpent adds to what the owner has spent today, and to what the turn has where it is
// in sight by its requests only.
func meterSpent(ctx context.Context, t *Turn, spent policy.Spending) {
	budgets, first := &t.guard.budgets, !t.metered
	t.metered = true
	ask := func(turn string, into *policy.Spending) {
		sum, err := addSpent(ctx, budgets.Meter, t.input.Owner, turn, spent)
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

// addSpent survives a meter that panics.
func addSpent(
	ctx context.Context, meter policy.Meter, owner, turn string, spent policy.Spending,
) (sum policy.Spending, err error) {
	defer survive("Meter.Add", &err)
	return meter.Add(ctx, owner, turn, spent)
}

func (a Allowance) isBounded() bool { return a.Tokens > 0 || a.Money > 0 }

// spentMost is the budget of which the largest share is used, and that share; nil without
// any budget.
func spentMost(ctx context.Context, t *Turn) (most *BudgetError, share float64) {
	budgets := &t.guard.budgets
	if !budgets.Turn.isBounded() && !budgets.Day.isBounded() && budgets.Turn.Time <= 0 {
		return nil, 0
	}
	if !t.metered {
		meterSpent(ctx, t, policy.Spending{})
	}
	turn := t.before.Plus(policy.Spending{
		Tokens: int64(t.usage.Input) + int64(t.usage.Output), Micros: int64(math.Round(t.usage.Money * 1e6)),
	})
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

// overspent is the error of a turn that may not ask a model again; nil while it may. An
// observing guard counts it once.
func overspent(ctx context.Context, t *Turn) error {
	most, share := spentMost(ctx, t)
	if most == nil || share < 1 {
		return nil
	}
	observe, measure := t.guard.options.Observe, "end of the turn by the budget of "+most.Of+" of the "+most.Per
	if observe && t.warned {
		return nil
	}
	t.info(ctx, "limit", "rule", "budget", "budget", most.Of, "per", most.Per, "observe", observe,
		"measures", []string{measure})
	if observe {
		t.guard.counters.wouldHave(measure)
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
	message := t.instruction(nil)
	message.Text = fmt.Sprintf("The budget of this %s is nearly used up (%s). Make no call that is not needed. Answer "+
		"now with what is done and known, and say what is left to do.", most.Per, most.figures())
	return []Message{message}
}

// budgets are the faults of Options.Budgets.
func (c *configuration) budgets(budgets *Budgets) {
	for name, allowed := range map[string]Allowance{"Turn": budgets.Turn, "Day": budgets.Day} {
		if allowed.Tokens < 0 || !(allowed.Money >= 0) || allowed.Time < 0 {
			c.wrong("Options.Budgets.%s is negative; use a positive number, or 0 for no bound", name)
		}
		if allowed.Money > 0 && len(budgets.Prices) == 0 {
			c.wrong("Options.Budgets.%s bounds money, and there are no Prices; set them, or leave Money out", name)
		}
	}
	if budgets.Day.Time != 0 {
		c.wrong("Options.Budgets.Day.Time is set; a day has no budget of time: leave it out")
	}
	for name, price := range budgets.Prices {
		if !(price.Input >= 0 && price.Output >= 0) {
			c.wrong("Options.Budgets.Prices[%q] is negative; use the price of a million tokens, or 0", name)
		}
	}
}

// Budgets bound what a turn may cost. Zero fields are the defaults; a negative
// number means none.
type Budgets struct {
	// MissingTool is how often the model is asked again for a tool that the
	// request needs. Default 1.
	MissingTool int
	// Progress is how often it is corrected for any other reason. Default 2.
	Progress int
	// Proof is how often the model is asked for proof of one text: once, and once
	// more if its report cannot be accepted. Default 2.
	Proof int
	// Rounds is how many answers with calls a turn may have. Default 32. Where another loop
	// runs the turn ([Guard.Wrap], [Turn.Model] and the middlewares) there is no limit by
	// default. In observe mode it ends only the loops of Run and Stream, and is counted for
	// all others.
	Rounds int
	// Repeats is how often the same calls may have the same results in a row before the
	// model is told that it goes in circles; if it goes on, the turn ends in a
	// an [ErrLoop]. Whatever says that it is not done yet, and what is read again after a
	// change, does not count. Default 3.
	Repeats int
	// ReadBacks is how often the guard may read changes back in a turn. Default 32.
	ReadBacks int

	// Turn is what one turn may cost, the guard's own questions included. When four
	// fifths are used the model is told, and at its end the turn ends in an
	// [ErrBudget]. What a provider does not report is not counted. Behind [Guard.Wrap]
	// and the middlewares tokens and money are added up where the context names owner and
	// turn, and count for each request otherwise, as time does. Default: no bound.
	Turn Allowance
	// Day is what an owner may spend in a day, over all turns and, with a Meter that they
	// share, all replicas. Time does not count in it. Default: no bound.
	Day Allowance
	// Prices are what models cost, by [Capabilities].Name; that of "" is for all others.
	// Default: nothing costs money.
	Prices map[string]Price
	// Meter adds up what owners spend in a day. While it cannot be asked, only what the
	// turn itself has spent counts. Default: [policy.NewMeter], for this process alone.
	Meter policy.Meter
}

func (b Budgets) withDefaults() Budgets {
	b.MissingTool, b.Progress, b.Proof = orDefault(b.MissingTool, 1), orDefault(b.Progress, 2), orDefault(b.Proof, 2)
	b.Rounds, b.Repeats, b.ReadBacks = orDefault(b.Rounds, 32), orDefault(b.Repeats, 3), orDefault(b.ReadBacks, 32)
	return b
}

func orDefault(value, standard int) int {
	switch {
	case value == 0:
		return standard
	case value < 0:
		return 0
	}
	return value
}

// Allowance is what may be spent. Zero fields have no bound.
type Allowance struct {
	// Tokens of both directions, Money in the currency of Budgets.Prices, and Time by
	// Options.Clock, in which a turn that waits for approval does not count.
	Tokens int
	Money  float64
	Time   time.Duration
}

// Price is what a million tokens cost.
type Price struct {
	Input, Output float64
}

// BudgetError is what of a budget was spent: the cause of an [ErrBudget].
type BudgetError struct {
	// Of is "tokens", "money" or "time", and Per "turn" or "day".
	Of, Per string
	// Spent and Allowed are tokens, money, or seconds.
	Spent, Allowed float64
}

// Error names the budget.
func (e *BudgetError) Error() string { return e.figures() + " of the " + e.Per }

func (e *BudgetError) figures() string {
	if e.Of == "time" {
		return fmt.Sprintf("%v of %v", inSeconds(e.Spent), inSeconds(e.Allowed))
	}
	return fmt.Sprintf("%.*f of %.*f %s", decimals[e.Of], e.Spent, decimals[e.Of], e.Allowed, e.Of)
}

var decimals = map[string]int{"money": 4}

func inSeconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

// Is makes errors.Is(err, ErrBudget) true.
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }

// costs is what a turn has cost so far.
type costs struct {
	rounds   int // answers with calls
	calls    int // of the model
	refereed int // of the referee
	usage    Usage
	counted  Usage // what a foreign loop was told of it
	before   policy.Spending
	today    policy.Spending // by the owner, as the meter last said
	metered  bool            // the meter was asked
	warned   bool            // the model was told that the end is near
	steps    steps
	readBacks
}

func (u *Usage) add(more Usage) {
	u.Input += more.Input
	u.Output += more.Output
	u.Money += more.Money
}
