package guard

// steps remembers the calls of a turn and what came of them, as far as they may be going
// in circles. Short turns need no memory beside it.
type steps struct {
	taken   []step
	changes []uint64 // the outcomes of calls that changed something
	told    bool     // the model was told that it goes in circles
	room    [4]step
}

// step is a call and its result, as hashes.
type step struct {
	tool, failure string
	call, outcome uint64
	mayChange     bool
}
