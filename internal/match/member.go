package match

import "strings"

// isTimeName reports whether the figure of a member is a span of time.
func isTimeName(name string) bool { return hasListed("times", name) }

// isProse reports whether a member holds words that nobody has to repeat.
func isProse(name string) bool { return isListed("prose", name) }

// isCountName reports whether a member says how many.
func isCountName(name string) bool { return name == "n" || hasListed("counts", name) }

// isIdentifierName reports whether the figure of a member numbers a thing, and measures
// nothing.
func isIdentifierName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "ids") || hasListed("numbering", name)
}

// isAmountName reports whether the figure of a member is a sum of money.
func isAmountName(name string) bool { return hasListed("amounts", name) }

// isProgram reports whether a member holds what is run: its words are acts.
func isProgram(name string) bool { return isListed("programs", name) }

// isDryName reports whether a member says that a call only tries what would happen.
func isDryName(name string) bool { return isListed("dry", name) }

// isDryRun reports whether a result says so.
func isDryRun(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "dry run") || strings.Contains(text, "dry-run")
}

// isStateName reports whether a member tells how the thing as a whole stands.
func isStateName(name string) bool {
	return name == "" || isListed("states", name) || strings.HasSuffix(name, "status") || strings.HasSuffix(name, "_state")
}
