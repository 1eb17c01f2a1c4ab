package reading

import "strings"

// Checks reports whether a name or arguments speak of tests or a build.
func (r *Reader) Checks(text string) bool { return r.anyRole(text, RoleCheck) }

// anyRole reports whether a word of a role stands in a text, without a value
// after it that counts none, or a count of none before it.
func (r *Reader) anyRole(text string, role Role) bool {
	for i, k := range letterRuns(text) {
		if k-i > 1 && r.rolesOf(text[i:k])&role != 0 && !isNone(text[k:]) && (i < 2 || text[i-2:i] != "0 ") {
			return true
		}
	}
	return false
}

// isNone reports whether a member's value counts nothing.
func isNone(rest string) bool {
	rest = strings.TrimLeft(rest, "\": _=")
	for _, none := range [...]string{"0", "[]", "null", "false", "{}", "none"} {
		if strings.HasPrefix(rest, none) {
			return true
		}
	}
	return false
}
