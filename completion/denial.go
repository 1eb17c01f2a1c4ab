package completion

import (
	"bytes"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// remark is what a result says of its own call, beside that it was made.
type remark uint8

const (
	// refused: nothing was done, or not all of it: {"added": false},
	// {"failed": ["m-33"]}, "OK, 0 rows".
	refused remark = 1 << iota
	// accepted: it was taken on and is not over: {"state": "queued"}.
	accepted
)

// remarksOf reads what a result says of its call.
func (c *conversation) remarksOf(result string) remark {
	body := strings.TrimSpace(result)
	if jsonspan.KindOf([]byte(body)) == jsonspan.Object {
		return c.remarksIn([]byte(body), 0)
	}
	if len(body) > maxRemark || strings.HasPrefix(body, "[") {
		return 0
	}
	if c.reader.Denies(body) || c.countsNone(body) {
		return refused
	}
	return 0
}

const (
	// maxRemark is the length up to which a plain result speaks of its call; a
	// longer one is content.
	maxRemark = 300
	// maxRemarkDepth is how deep the members of a result speak of its call: what
	// lies deeper is about things.
	maxRemarkDepth = 1
	// maxRemarkMembers is how many members are looked at on each level.
	maxRemarkMembers = 32
)

// remarksIn reads the members of an object.
func (c *conversation) remarksIn(object []byte, depth int) remark {
	var found remark
	n := 0
	for key, value := range jsonspan.Members(object) {
		if n++; n > maxRemarkMembers {
			break
		}
		found |= c.remarkOf(key, value)
		if depth < maxRemarkDepth && jsonspan.KindOf(value) == jsonspan.Object {
			found |= c.remarksIn(value, depth+1)
		}
	}
	return found
}

// remarkOf is what one member says. It counts by its name: that a thing is not
// "public" is a fact about it, that it was not "added" one about the call.
func (c *conversation) remarkOf(key, value []byte) remark {
	key = bytes.Trim(key, `"`)
	name := string(key[bytes.LastIndexByte(key, '_')+1:]) // "not_found", "rows_updated"
	roles := c.reader.RolesOf(name)
	switch {
	case roles&(fails|reading.RoleNoChange|reading.RoleNegative|reading.RoleMissing) != 0:
		said := string(value) == "true" && roles&reading.RoleMissing == 0
		if said || jsonspan.KindOf(value) == jsonspan.Array && len(value) > 2 {
			return refused
		}
	case string(value) == "false" || string(value) == "0":
		entry := c.language.Lookup(name)
		act := entry != nil && entry.Form.Has(lexicon.Participle) && !entry.Families.Empty()
		if act || roles&(reading.RoleDone|reading.RolePass) != 0 {
			return refused
		}
	case jsonspan.KindOf(value) == jsonspan.String && len(value) < 40:
		if c.reader.Waits(string(value)) {
			return accepted
		}
	}
	return 0
}

// countsNone reports whether a text counts none of something: "0 rows".
func (c *conversation) countsNone(text string) bool {
	for at := strings.Index(text, "0 "); at >= 0; {
		if at == 0 || !isDigit(text[at-1]) && text[at-1] != '.' {
			word, _, _ := strings.Cut(text[at+2:], " ")
			entry := c.language.Lookup(strings.ToLower(strings.Trim(word, ".,;:()")))
			if entry != nil && entry.Form.Has(lexicon.Plural) && c.reader.RolesOf(entry.Lemma)&fails == 0 {
				return true
			}
		}
		next := strings.Index(text[at+2:], "0 ")
		if next < 0 {
			return false
		}
		at += 2 + next
	}
	return false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
