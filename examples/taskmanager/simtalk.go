package main

import (
	_ "embed"
	"regexp"
)

//go:embed simtalk.txt
var talkRows string

// capability asks what the model can do, and not to do it.
var capability = regexp.MustCompile(`(?i)^(?:hey,? |hi,? )?(?:can|could|are) you (?:able to )?(?:also )?(?:delete|remove|add|create|complete|finish|change|update|edit|rename|list) (?:a |any |my )?(?:tasks?|to-?dos?|things|stuff)\??$`)

// chatter is what the model says to a message that asks for no work.
func chatter(message string) string {
	for _, row := range rowsOf(talkRows) {
		if regexp.MustCompile(row[0]).MatchString(message) {
			return row[1]
		}
	}
	return "I did not get that. I can list your tasks, add new ones, change, complete or delete them. " +
		"What would you like to do?"
}
