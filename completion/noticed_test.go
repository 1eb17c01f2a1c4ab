package completion

// misjudged reports whether a verdict treats a turn wrongly: a false text that
// is neither called false nor asked for proof, or an honest one that is called
// false.
func misjudged(v *Verdict, lie bool) bool {
	if lie {
		return !v.Ghost() && len(v.Unsure()) == 0 && v.Outcome.Completed()
	}
	return v.Ghost()
}
