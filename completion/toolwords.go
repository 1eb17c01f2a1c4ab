package completion

import (
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// toolWords reads the names of a turn's tools. Names are cut only when a claim
// has to be compared with them.
type toolWords struct {
	vocabulary *vocabulary
	turn       *Turn
	infos      []toolInfo // kept from turn to turn: most share their tools
	ready      bool
	last       int // the tool that was asked for last
}

// toolInfo is a tool as its name and the host's words describe it.
type toolInfo struct {
	tool  *tooltrack.Tool // nil for a tool that only a record names
	name  string
	verb  nameWord
	act   act
	nouns [maxNameWords]nameWord
	count int
	reads bool
}

// nameWord is one word of a tool's name.
type nameWord struct {
	text  string
	entry *lexicon.Entry
}

const maxNameWords = 8

// reset points the words at another turn.
func (t *toolWords) reset(turn *Turn) {
	t.turn, t.ready = turn, false
}

// all are the tools that the model was offered.
func (t *toolWords) all() []toolInfo {
	if t.ready {
		return t.infos
	}
	t.ready = true
	tools := t.turn.Tools
	for len(t.infos) < len(tools) {
		t.infos = append(t.infos, toolInfo{})
	}
	t.infos = t.infos[:len(tools)]
	for i := range tools {
		if info := &t.infos[i]; info.name != tools[i].Name || info.name == "" || info.reads != readsOnly(tools[i].Effect) {
			*info = t.info(tools[i].Name, nil, tools[i].Effect)
		}
		t.infos[i].tool = &tools[i]
	}
	return t.infos
}

func readsOnly(effect tooltrack.Effect) bool {
	return effect == tooltrack.Reads || effect == tooltrack.Verifies
}

// of is the tool that a record names.
func (t *toolWords) of(record *tooltrack.Record) *toolInfo {
	infos := t.all()
	if t.last < len(infos) && infos[t.last].name == record.Tool {
		return &infos[t.last]
	}
	for i := range infos {
		if infos[i].name == record.Tool {
			t.last = i
			return &infos[i]
		}
	}
	info := t.info(record.Tool, nil, record.Effect)
	return &info
}

// info cuts a tool's name into its verb and its nouns.
func (t *toolWords) info(name string, tool *tooltrack.Tool, effect tooltrack.Effect) toolInfo {
	info := toolInfo{tool: tool, name: name, reads: readsOnly(effect)}
	for rest := name; rest != "" && info.count < maxNameWords; {
		var part string
		if part, rest = cutName(rest); part != "" {
			info.nouns[info.count] = nameWord{part, t.vocabulary.language.Lookup(part)}
			info.count++
		}
	}
	if at := t.verbAt(&info); at >= 0 {
		info.verb = info.nouns[at]
		copy(info.nouns[at:], info.nouns[at+1:])
		info.count--
		info.act = t.vocabulary.actOf(info.verb.text)
	}
	return info
}

// verbAt is the place of the verb in a name: the first word if it can be one,
// otherwise the last that can ("memory_write"), otherwise the first.
func (t *toolWords) verbAt(info *toolInfo) int {
	for i := 0; i < info.count; i++ {
		at := i
		if i > 0 {
			at = info.count - i
		}
		if info.nouns[at].entry != nil && info.nouns[at].entry.Form.Has(lexicon.Base) {
			return at
		}
	}
	if info.count > 1 {
		return 0
	}
	return -1
}

// actOf is the act of a base verb.
func (v *vocabulary) actOf(verb string) act { return v.find(lexicon.Hash(verb)).act }

// cutName cuts the first word off a tool's name: at marks, and where a small
// letter meets a capital.
func cutName(name string) (part, rest string) {
	for i := range len(name) {
		c := name[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
		switch {
		case !letter:
			return name[:i], name[i+1:]
		case i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z':
			return name[:i], name[i:]
		}
	}
	return name, ""
}

// verb is the act of a word that is a form of a changing tool's own verb, or
// of one of the host's words for it; 0 if it is not.
func (t *toolWords) verb(token *lexicon.Token, form string) act {
	infos := t.all()
	for i := range infos {
		if infos[i].reads || !infos[i].speaks(token, form, t.vocabulary) {
			continue
		}
		if infos[i].act != 0 {
			return infos[i].act
		}
		return actRun
	}
	return 0
}

// names reports whether a changing tool has the word among its nouns.
func (t *toolWords) names(token *lexicon.Token, word string) bool {
	infos := t.all()
	for i := range infos {
		if !infos[i].reads && infos[i].names(token, word, t.vocabulary) {
			return true
		}
	}
	return false
}

// speaks reports whether a word is a form of the tool's verb.
func (info *toolInfo) speaks(token *lexicon.Token, form string, v *vocabulary) bool {
	if info.verb.text != "" && verbForm(token.Entry, form, info.verb.entry, info.verb.text) {
		return true
	}
	if info.tool == nil {
		return false
	}
	for _, verb := range info.tool.Words.Verbs {
		if verbForm(token.Entry, form, v.language.Lookup(verb), verb) {
			return true
		}
	}
	return false
}

// verbForm compares a form with a base verb: by lemma if both are listed, by
// the regular endings if not.
func verbForm(entry *lexicon.Entry, form string, baseEntry *lexicon.Entry, base string) bool {
	if entry != nil && baseEntry != nil {
		return entry.ID == baseEntry.ID
	}
	if entry != nil || len(base) < 3 || len(form) < len(base) {
		return false
	}
	base = strings.TrimSuffix(base, "e")
	if !strings.EqualFold(form[:len(base)], base) {
		return false
	}
	switch ending := strings.ToLower(form[len(base):]); len(ending) {
	case 0, 1:
		return ending == "" || ending == "s" || ending == "e"
	case 2:
		return ending == "ed" || ending == "es"
	case 3:
		return ending == "ing" || ending[1:] == "ed" && ending[0]|0x20 == base[len(base)-1]|0x20
	default:
		return ending[1:] == "ing" && len(ending) == 4
	}
}

// names reports whether a word of a text means one of the tool's nouns.
func (info *toolInfo) names(token *lexicon.Token, text string, v *vocabulary) bool {
	for i := range info.count {
		if sameNoun(token.Entry, text, &info.nouns[i], v) {
			return true
		}
	}
	if info.tool == nil {
		return false
	}
	for _, noun := range info.tool.Words.Nouns {
		if sameNoun(token.Entry, text, &nameWord{noun, v.language.Lookup(noun)}, v) {
			return true
		}
	}
	return false
}

// holdsItems reports whether the tool speaks of items, which may be anything.
func (info *toolInfo) holdsItems() bool {
	for i := range info.count {
		if entry := info.nouns[i].entry; entry != nil && entry.Lemma == "item" {
			return true
		}
	}
	return false
}

// sameNoun compares a word with a noun: by lemma or group if both are listed,
// otherwise by what remains without a plural ending.
func sameNoun(entry *lexicon.Entry, text string, noun *nameWord, v *vocabulary) bool {
	if entry != nil && noun.entry != nil {
		return entry.ID == noun.entry.ID || entry.Group != 0 && entry.Group == noun.entry.Group
	}
	return strings.EqualFold(singular(text), singular(noun.text))
}

func singular(word string) string {
	if len(word) > 3 && (word[len(word)-1]|0x20) == 's' {
		return word[:len(word)-1]
	}
	return word
}
