package match

import (
	"strings"
)

// isTimeName reports whether the figure of a member is a span of time.
func isTimeName(name string) bool {
	for _, part := range [...]string{"day", "hour", "min", "sec", "duration", "ttl", "week", "month", "year", "time"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// isProse reports whether a member holds words that nobody has to repeat.
func isProse(name string) bool {
	switch name {
	case "reason", "note", "comment", "message", "text", "description", "title", "subject", "body", "summary", "content":
		return true
	}
	return false
}

// isCountName reports whether a member says how many.
func isCountName(name string) bool {
	for _, part := range [...]string{"count", "quantity", "qty", "number", "total", "tickets",
		"items", "people", "guests", "size", "seats"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "n"
}

// isIdentifierName reports whether the figure of a member numbers a thing, and measures
// nothing.
func isIdentifierName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "ids") ||
		strings.Contains(name, "version") || strings.Contains(name, "page") || strings.Contains(name, "code") ||
		strings.Contains(name, "phone") || strings.Contains(name, "port")
}

// isAmountName reports whether the figure of a member is a sum of money.
func isAmountName(name string) bool {
	for _, part := range [...]string{"amount", "price", "total", "sum", "fee", "cost", "refund", "limit", "balance", "value",
		"eur", "usd", "gbp", "charge", "deposit", "rent", "budget"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
