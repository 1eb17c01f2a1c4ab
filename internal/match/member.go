package match

import "strings"

// isCountName reports whether a member says how many.
func isCountName(name string) bool { return name == "n" || hasListed("counts", name) }

// isIdentifierName reports whether the figure of a member numbers a thing, and measures
// nothing.
func isIdentifierName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "ids") || hasListed("numbering", name)
}

// isDryRun reports whether a result says so.
func isDryRun(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "dry run") || strings.Contains(text, "dry-run")
}

// isStateName reports whether a member tells how the thing as a whole stands.
func isStateName(name string) bool {
	return name == "" || isListed("states", name) || strings.HasSuffix(name, "status") || strings.HasSuffix(name, "_state")
}
