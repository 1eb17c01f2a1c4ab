package completion

// correction is what the model is told about a verdict; empty for a completed
// turn.
func correction(v *Verdict) string {
	if v.Outcome.Completed() {
		return ""
	}
	return "Implementation intent detected but no concrete work or explicit blocker. Execute the required edits now or return an actionable blocker."
}
