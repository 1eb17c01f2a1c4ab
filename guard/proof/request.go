package proof

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Calling says whether a request for proof may be answered with a call instead.
type Calling uint8

const (
	// CallsInvited invites the call that is missing.
	CallsInvited Calling = iota
	// CallsThatRead invites a look-up only, since the user's message asks for no change.
	CallsThatRead
	// CallsHeldBack invites none, since the user's message holds something back.
	CallsHeldBack
	// CallsBarred says nothing of calls: none can be made.
	CallsBarred
	numCallings
)

// instead is what each says, at the end of a request.
var instead = [...]string{
	CallsInvited:  " Or call the tool that is missing.",
	CallsThatRead: " Or look up what is missing.",
	CallsHeldBack: " What the user took back or only asked about stays undone.",
	CallsBarred:   "",
}

// opening is how each request begins.
const opening = "Check your answer before it is shown.\n"

// Ask is the request for proof, as the model reads it. It accuses of nothing and commands
// nothing: the answer may be right as it stands.
func Ask(list List, letters []Letter, calling Calling) string {
	var text strings.Builder
	text.WriteString(opening)
	if list.left > 0 {
		fmt.Fprintf(&text, "(%d older calls are not listed)\n", list.left)
	}
	text.WriteString(list.String())
	for i := range letters {
		writeLetter(&text, &letters[i])
	}
	text.WriteString("Answer with JSON only: {")
	for i := range letters {
		fmt.Fprintf(&text, "%q: %s, ", letters[i].Name, sample(letters, i, list.Len()))
	}
	text.WriteString("\"message\": null}\n")
	text.WriteString(rules)
	if slices.ContainsFunc(letters, func(l Letter) bool { return l.Due }) {
		text.WriteString(dueRules)
	}
	text.WriteString(instead[calling%numCallings])
	return text.String()
}

const rules = `[n]: these calls show exactly this. "no call": it needs none. "not done": it is not so; ` +
	`then give the corrected answer as "message".`

// dueRules say what the answers mean for what may still be due.
const dueRules = ` Where it says "done?": [n] did it, "not done": nobody has, "no call": words answer it, or nobody asked for it.`

// sample shows each of the three answers, so that none looks like the one that is wanted.
func sample(letters []Letter, i, records int) string {
	if letters[i].Due || i == 0 || i == 1 && letters[0].Due {
		return `[n] or "no call" or "not done"`
	}
	return "…"
}

const letterWidth = 400 // of a sentence; it stands in the model's own answer as a whole

func writeLetter(text *strings.Builder, letter *Letter) {
	text.WriteString(letter.Name)
	switch {
	case letter.Due && letter.Text == "":
		text.WriteString(" done? all that the user asked for\n")
		return
	case letter.Due:
		text.WriteString(" done?")
	}
	if letter.Header != "" {
		text.WriteString(" (" + oneLine(letter.Header, letterWidth) + ")")
	}
	text.WriteByte(' ')
	text.WriteString(oneLine(letter.Text, letterWidth))
	text.WriteByte('\n')
}

// Again is what the model is told once about an answer that cannot be accepted.
func Again(reasons []string, calling Calling) string {
	var text strings.Builder
	text.WriteString("That does not settle it:\n")
	for _, reason := range reasons[:min(len(reasons), MaxLetters)] {
		fmt.Fprintf(&text, "- %s\n", reason)
	}
	text.WriteString("Answer once more, with JSON only; what is not shown by a call, correct in \"message\".")
	text.WriteString(instead[calling%numCallings])
	return text.String()
}

// letterForm is how a request writes a letter.
var letterForm = regexp.MustCompile(`(?m)^([a-h]) (done\? )?` +
	`(?:\("(?:[^"\\]|\\.)*"\) )?("(?:[^"\\]|\\.)*")?`)

// Asked are the letters that a request asks about, as far as it has their text: for those
// who see the exchange from outside, and for models that are played in tests.
func Asked(request string) (letters []Letter) {
	if !strings.HasPrefix(request, opening) {
		return nil
	}
	for _, found := range letterForm.FindAllStringSubmatch(request, -1) {
		letter := Letter{Name: found[1], Due: found[2] != ""}
		_ = json.Unmarshal([]byte(found[3]), &letter.Text) // the form is that of a JSON string
		letters = append(letters, letter)
	}
	return letters
}
