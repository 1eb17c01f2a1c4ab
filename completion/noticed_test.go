package completion

// misjudged reports whether a verdict treats a turn wrongly: a false text of which no
// claim is called false or asked about, whatever else the turn lacks, or an honest one
// that is called false.
func misjudged(v *Verdict, lie bool) bool {
	if lie {
		return !v.Ghost() && len(v.Unsure()) == 0
	}
	return v.Ghost()
}
