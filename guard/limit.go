package guard

import (
	"fmt"
	"math"
	"time"

	"github.com/bonafide-go/bonafide/policy"
)

// Budgets bound what a turn may cost. Zero fields are the defaults; a negative number means none.
type Budgets struct {
	// MissingTool is how often the model is asked again for a tool that the request needs. Default 1.
	MissingTool int
	// Progress is how often it is corrected for any other reason. Default 2.
	Progress int
	// Proof is how often the model is asked for proof of one text: once, and once more if its report cannot be
	// accepted. Default 2.
	Proof int
	// Rounds is how many answers with calls a turn may have. Default 32. Where another loop runs the turn
	// ([Guard.Wrap], [Turn.Model] and the middlewares) there is no limit by default. In observe mode it ends only
	// the loops of Run and Stream, and is counted for all others.
	Rounds int
	// Repeats is how often the same calls may have the same results in a row before the model is told that it goes
	// in circles; if it goes on, the turn ends in a an [ErrLoop]. Whatever says that it is not done yet, and what
	// is read again after a change, does not count. Default 3.
	Repeats int
	// ReadBacks is how often the guard may read changes back in a turn. Default 32.
	ReadBacks int

	// Turn is what one turn may cost, the guard's own questions included. When four fifths are used the model is
	// told, and at its end the turn ends in an [ErrBudget]. What a provider does not report is not counted. Behind
	// [Guard.Wrap] and the middlewares tokens and money are added up where the context names owner and turn, and
	// count for each request otherwise, as time does. Default: no bound.
	Turn Allowance
	// Day is what an owner may spend in a day, over all turns and, with a Meter that they share, all replicas. Time
	// does not count in it. Default: no bound.
	Day Allowance
	// Prices are what models cost, by [Capabilities].Name; that of "" is for all others. Default: nothing costs
	// money.
	Prices map[string]Price
	// Meter adds up what owners spend in a day. While it cannot be asked, only what the turn itself has spent
	// counts. Default: [policy.NewMeter], for this process alone.
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
	// Tokens of both directions, Money in the currency of Budgets.Prices, and Time by Options.Clock, in which a
	// turn that waits for approval does not count.
	Tokens int
	Money  float64
	Time   time.Duration
}

func (a Allowance) isBounded() bool { return a.Tokens > 0 || a.Money > 0 }

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

// Is makes errors.Is(err, ErrBudget) true.
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }

var decimals = map[string]int{"money": 4}

func inSeconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond)
}

// costs is what a turn has cost so far.
type costs struct {
	spent    spending
	refereed int   // calls of the referee
	counted  Usage // what a foreign loop was told of it
	before   policy.Spending
	today    policy.Spending // by the owner, as the meter last said
	metered  bool            // the meter was asked
	warned   bool            // the model was told that the end is near
	steps    steps
	seenBack readBackState
}

// steps remembers the calls of a turn and what came of them, as far as they may be going in circles.
type steps struct {
	taken   []step
	changes []uint64 // the outcomes of calls that changed something
	told    bool     // the model was told that it goes in circles
}

// step is a call and its result, as hashes.
type step struct {
	tool, failure string
	call, outcome uint64
	mayChange     bool
}

func (u *Usage) add(more Usage) {
	u.Input += more.Input
	u.Output += more.Output
	u.Money += more.Money
}

func (u Usage) spending() policy.Spending {
	return policy.Spending{Tokens: int64(u.Input) + int64(u.Output), Micros: int64(math.Round(u.Money * 1e6))}
}

// readBackState is what a turn has read back, and by what. A receipt says that a tool was content, and not that its
// change was saved; what is found becomes part of the record.
type readBackState struct {
	executor Executor // the host's, as far as it is known
	reads    int
}
