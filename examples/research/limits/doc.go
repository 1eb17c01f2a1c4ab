// Package limits holds the numbers and lists of the research example: what its
// tools may be asked for. [Defaults] are the documented ones; a file and the
// environment change them; [Limits.Rules] makes rules for package policy of them.
package limits
