package guard

// readBacks is what a turn has read back, and by what. A receipt says that a tool was content,
// and not that its change was saved; what is found becomes part of the record.
type readBacks struct {
	executor Executor // the host's, as far as it is known
	reads    int
}
