package main

import (
	"fmt"
	"regexp"
	"strings"
)

// changelog says what the section of a version lacks. Before it is tagged it may have no
// date, and what is new may still stand under "Unreleased".
func changelog(text, version string, tagging bool) (faults []string) {
	heading := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(version) + `\](?: - (\d{4}-\d\d-\d\d))?$`)
	at := heading.FindStringSubmatchIndex(text)
	if at == nil {
		return []string{fmt.Sprintf("the CHANGELOG has no section %q", "## ["+version+"]")}
	}
	if tagging && at[2] < 0 {
		faults = append(faults, fmt.Sprintf("the CHANGELOG does not date %s; write \"## [%[1]s] - 2006-01-02\"", version))
	}
	if !hasEntries(text[at[1]:]) {
		faults = append(faults, fmt.Sprintf("the CHANGELOG's section of %s is empty", version))
	}
	_, unreleased, found := strings.Cut(text, "## [Unreleased]\n")
	if tagging && found && hasEntries("\n"+unreleased) {
		faults = append(faults, fmt.Sprintf("the CHANGELOG has entries under Unreleased; move them to %s, which has them", version))
	}
	return faults
}

// hasEntries reports whether there are entries before the next section.
func hasEntries(text string) bool {
	section, _, _ := strings.Cut(text, "\n## ")
	return strings.Contains(section, "\n- ")
}
