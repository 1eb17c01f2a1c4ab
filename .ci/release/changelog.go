package main

import (
	"fmt"
	"regexp"
	"strings"
)

// changelog says what a section of a version lacks. Its date is set when it is
// tagged.
func changelog(text, version string, tagging bool) (faults []string) {
	heading := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(version) + `\](?: - (\d{4}-\d\d-\d\d))?$`)
	at := heading.FindStringSubmatchIndex(text)
	if at == nil {
		return []string{fmt.Sprintf("the CHANGELOG has no section %q", "## ["+version+"]")}
	}
	if tagging && at[2] < 0 {
		faults = append(faults, fmt.Sprintf("the CHANGELOG does not date %s; write \"## [%[1]s] - 2006-01-02\"", version))
	}
	section, _, _ := strings.Cut(text[at[1]:], "\n## ")
	if !strings.Contains(section, "\n- ") {
		faults = append(faults, fmt.Sprintf("the CHANGELOG's section of %s is empty", version))
	}
	return faults
}
