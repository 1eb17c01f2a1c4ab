package completion

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// clauseBetween reports whether another clause begins between two verbs.
func (r *reading) clauseBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if r.words[i].role&(roleBe|roleWas|roleHave|roleWill|roleFirst|roleSecond) != 0 && !r.isQuoted(i) {
			return true
		}
	}
	return false
}

// joins reports whether the clause at from goes on with "and".
func (r *reading) joins(from int) bool {
	return from > 0 && r.words[from-1].role&roleAnd != 0
}

// afterAnd is the place behind the first "and" between two tokens.
func (r *reading) afterAnd(from, to int) int {
	for i := from; i < to; i++ {
		if r.words[i].role&(roleAnd|roleBut) != 0 || r.tokens[i].Kind == lexicon.Comma {
			return i + 1
		}
	}
	return from
}

// clauseStart is the place behind the last comma before a verb group, unless
// the comma only separates the members of a list.
func (r *reading) clauseStart(from, chain int) int {
	depth := 0
	for i := chain - 1; i >= from; i-- {
		switch r.tokens[i].Kind {
		case lexicon.Symbol:
			switch r.text[r.tokens[i].Start] {
			case ')':
				depth++
			case '(':
				depth--
			}
		case lexicon.Comma:
			if depth <= 0 && !r.listComma(i, from, chain) {
				return i + 1
			}
		}
		if depth < 0 || depth == 0 && r.words[i].role&roleBut != 0 && !r.isQuoted(i) {
			return i + 1
		}
		if r.words[i].role&roleNow != 0 && i+1 < chain && r.words[i+1].role&roleRelative != 0 {
			return i // "now that …"
		}
	}
	return from
}

// listComma reports whether a comma stands between the members of a list that
// is the subject: "A, B, and C have been cancelled".
func (r *reading) listComma(comma, from, chain int) bool {
	if r.token(comma) != "," {
		return false
	}
	for i := comma + 1; i < chain; i++ {
		switch {
		case r.words[i].role&roleAnd != 0:
			return comma > from && r.opens(from, comma)
		case r.words[i].role&(roleFirst|roleSecond|roleMine|roleYours|roleThis) != 0:
			return false
		}
	}
	return false
}

// opens reports whether a noun phrase begins at from: nothing before the comma
// is a verb or a subordinate clause.
func (r *reading) opens(from, comma int) bool {
	for i := from; i < comma; i++ {
		w := r.words[i]
		if w.role&(roleSubordinate|roleFactive|roleFirst|roleSecond|roleBe|roleHave|roleAffirm) != 0 {
			return false
		}
	}
	return true
}

// limit says where the object of each event of a sentence ends: where the
// clause of the next one begins.
func (r *reading) limit(in int) {
	end := r.sentences[in].to
	contrast := r.sentences[in].roles&roleBut != 0
	for i := len(r.events) - 1; i >= 0 && r.events[i].in == in; i-- {
		e := &r.events[i]
		if e.to = end; contrast {
			e.to = r.beforeBut(e.verb+1, end)
		}
		end = max(e.from, 0)
		if e.from <= e.verb && i > 0 && r.events[i-1].in == in && r.events[i-1].verb < e.chain {
			end = r.beforeClause(r.events[i-1].verb+1, e)
		}
	}
}

// beforeBut is where a contrast begins between two tokens, or the second one.
func (r *reading) beforeBut(from, to int) int {
	for i := from; i < to; i++ {
		if r.words[i].role&roleBut != 0 && !r.isQuoted(i) {
			return i
		}
	}
	return to
}

// beforeClause is the end of the object of the event before e.
func (r *reading) beforeClause(from int, e *event) int {
	if e.from > from {
		return e.from
	}
	for i := e.chain - 1; i >= from; i-- {
		if r.words[i].role&roleAnd != 0 || r.tokens[i].Kind == lexicon.Comma {
			return i
		}
	}
	return e.chain
}
