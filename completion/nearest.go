package completion

// nearest is the record that a claim in doubt comes nearest to: the call that failed or is
// not over, or the one that is about something else.
func (a *assertion) nearest() *fact {
	var found *fact
	most := 0.0
	for ended, f := range a.best {
		if near := a.cover[ended] + a.fit[ended]/2; f != nil && near > most {
			found, most = f, near
		}
	}
	return found
}

// fault says what is wrong with a claim that the models alone call false.
func (c *conversation) fault(a *assertion) string {
	switch near := a.nearest(); {
	case near != nil && near.fate == fateFailed && !near.mended && !near.record.Succeeded():
		return faultFailed
	case near != nil && near.fate == fatePending:
		return faultPending
	case a.total[conflict] > 0 || a.swaps() > 0:
		return faultOther
	case c.sum.read > 0 && c.sum.changed == 0 && a.changing():
		return faultReads
	}
	return faultNoRecord
}
