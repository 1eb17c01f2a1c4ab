package guard

// costs is what a turn has cost so far.
type costs struct {
	rounds   int // answers with calls
	calls    int // of the model
	refereed int // of the referee
	usage    Usage
	counted  Usage // what a foreign loop was told of it
}

func (u *Usage) add(more Usage) {
	u.Input += more.Input
	u.Output += more.Output
}
