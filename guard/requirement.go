package guard

import (
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// requirement is a requirement of the host's own. One that panics is not met:
// nobody can tell, so the turn is not done.
type requirement struct {
	inner    completion.Requirement
	counters *counters
}

// uncheckable is what a model, and the verdict, hear of a requirement that
// could not be checked.
const uncheckable = "a requirement that could not be checked (Requirement.Unmet failed)"

// maxUnmet bounds what one requirement may say, in bytes.
const maxUnmet = 2000

// Unmet asks the host's requirement.
func (r requirement) Unmet(turn completion.Case, blocker completion.Blocker) (unmet string) {
	defer func() {
		if recover() != nil {
			r.counters.hostFault("Requirement.Unmet")
			unmet = uncheckable
		}
	}()
	return clip.Text(strings.ToValidUTF8(r.inner.Unmet(turn, blocker), "\uFFFD"), maxUnmet)
}

// guarded is a contract whose requirements cannot end a turn by a panic.
func (g *Guard) guarded(contract completion.Contract) completion.Contract {
	if len(contract.Require) == 0 {
		return contract
	}
	safe := make([]completion.Requirement, len(contract.Require))
	for i, inner := range contract.Require {
		safe[i] = requirement{inner, &g.counters}
	}
	contract.Require = safe
	return contract
}

// guardContracts takes the host's contracts over, into maps of the guard's own.
func (g *Guard) guardContracts() {
	contracts := make(map[intent.Kind]completion.Contract, len(g.options.Contracts))
	for kind, contract := range maps.All(g.options.Contracts) {
		contracts[kind] = g.guarded(contract)
	}
	g.options.Contracts = contracts
	g.options.Modes = slices.Clone(g.options.Modes)
	for i := range g.options.Modes {
		if own := g.options.Modes[i].Contract; own != nil {
			contract := g.guarded(*own)
			g.options.Modes[i].Contract = &contract
		}
	}
}
