package guard

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/toolname"
)

// times is how often a line would be told.
func (t *Texts) times(n int) string {
	if t.Times == "" {
		return timesInWords(n)
	}
	return strings.ReplaceAll(t.Times, "{n}", strconv.Itoa(n))
}

func (t *Texts) withDefaults() Texts {
	filled := *TextsIn("en")
	if t == nil {
		return filled
	}
	from, into := reflect.ValueOf(t).Elem(), reflect.ValueOf(&filled).Elem()
	for i := range from.NumField() {
		if own := from.Field(i); own.Kind() == reflect.String && own.String() != "" {
			into.Field(i).Set(own)
		}
	}
	filled.Calls = t.Calls
	maps.Copy(filled.Reasons, t.Reasons)
	return filled
}

// notDone is the line for what was not done, and of which the text does not tell.
func (t *Texts) notDone(what string) string {
	what = strings.TrimRight(strings.TrimSpace(what), ".")
	if strings.Count(what, `"`)%2 == 1 { // the piece ends before the mark that closes it
		what += `"`
	}
	if what == "" {
		return t.NotDone + "."
	}
	return t.NotDone + ": " + what + "."
}

// withheld is what is left of a text, with the account in place of the rest.
func (t *Texts) withheld(rest, account string) string {
	var text strings.Builder
	if rest != "" {
		text.WriteString(rest)
		text.WriteString("\n\n")
	}
	text.WriteString(t.Withheld)
	if account != "" && !t.hasRecord(rest, account) {
		text.WriteByte('\n')
		text.WriteString(t.Recorded)
		text.WriteByte('\n')
		text.WriteString(account)
	}
	return text.String()
}

// hasRecord reports whether a text has the same account under the same heading, as the model's own text has where
// it repeats one of an earlier turn. Another account under that heading may be an imitation, and says nothing.
func (t *Texts) hasRecord(text, account string) bool {
	told := t.Recorded + "\n" + account
	for {
		before, after, found := strings.Cut(text, told)
		if !found {
			return false
		}
		if (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || strings.HasPrefix(after, "\n")) {
			return true
		}
		text = after
	}
}

//go:embed texts/*.json
var textFiles embed.FS

// TextsIn are the texts of the guard in a language, by its tag: English ("en"), German ("de"), Spanish ("es"),
// French ("fr"), Portuguese ("pt"), Japanese ("ja") and Chinese ("zh"), with or without a region ("de-AT"). For all
// others it is nil. What they say of calls has the words of the tools' names; a host that wants more sets Calls, or
// a wording for each tool.
func TextsIn(language string) *Texts {
	base := strings.ToLower(language)
	if len(base) > 2 && strings.ContainsRune("-_", rune(base[2])) {
		base = base[:2]
	}
	data, err := textFiles.ReadFile("texts/" + base + ".json")
	if err != nil {
		return nil
	}
	texts := new(Texts)
	if json.Unmarshal(data, texts) != nil {
		return nil // the tests read all of them
	}
	return texts
}

// The rules on references to entities.
const ruleAmbiguous, ruleNotFound, ruleResolve = "ambiguous", "not_found", "resolve"

// argumentRules are the rules about single arguments: what they say names these.
var argumentRules = []string{
	"json", "utf8", "nul", "duplicate_key", "depth", "size", "schema", "required", "unknown_argument", "type", "blank",
	"cap", "charset", "pattern", "truncate", "identity",
}

// valueRules are those about what an argument says. Their own reason is for people, too: "amount is 900; at most
// 500 is allowed".
var valueRules = []string{"range", "length", "one_of"}

// reason is why a call did not work, by the name of a rule; empty where the rule is a host's own, and tells it
// itself.
func (t *Texts) reason(rule string) string {
	if slices.Contains(argumentRules, rule) {
		return cmp.Or(t.Reasons[rule], t.Reasons["arguments"])
	}
	return t.Reasons[rule]
}

// The rules on calls that follow a message of the guard.
const ruleHeld, ruleUnasked, ruleRepeated = "held", "unasked", "repeated"

var promptedReasons = map[string]string{
	ruleHeld:     "the user's message seems to hold this back; ask the user before you do it",
	ruleUnasked:  "the user's message does not clearly order this; ask the user before you do it",
	ruleRepeated: "it ran before, and that stands; cite that call, or ask the user before you do more of it",
}

const toldAsDone = "the conversation tells it as done already; ask the user before you do it again"

// ruleUnreviewed is the rule that denies what could not be reviewed.
const ruleUnreviewed, unreviewed = "undecided", "the call could not be reviewed, so it was not run"

// inWords are names of tools as people read them: "delete task".
func inWords(tools ...string) string {
	words := make([]string, len(tools))
	for i, tool := range tools {
		words[i] = toolname.InWords(tool)
	}
	return strings.Join(words, ", ")
}

func timesInWords(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
