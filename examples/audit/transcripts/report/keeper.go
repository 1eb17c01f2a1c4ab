package report

// Keeper keeps the first findings of each kind for the reports.
type Keeper struct {
	ghosts, each int
	list         []Finding
	kinds        map[string]int // how many there were
}

// NewKeeper keeps that many ghosts, and that many findings of each other kind.
func NewKeeper(ghosts, each int) Keeper {
	return Keeper{ghosts: ghosts, each: each, kinds: map[string]int{}}
}

// Kinds of findings, beside the reasons of insufficient turns.
const (
	kindGhost  = "ghost"
	kindUnsure = "unsure"
	kindAside  = "beside calls"
)

func (f *Finding) kind() string {
	switch {
	case f.Aside:
		return kindAside
	case f.Unsure:
		return kindUnsure
	case f.Ghost:
		return kindGhost
	}
	return f.Reason
}

// Add takes a finding.
func (k *Keeper) Add(f Finding) {
	most := k.each
	if f.kind() == kindGhost {
		most = k.ghosts
	}
	if k.kinds[f.kind()]++; k.kinds[f.kind()] <= most {
		k.list = append(k.list, f)
	}
}
