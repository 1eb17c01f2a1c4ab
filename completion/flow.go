package completion

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
)

// flow are the rules about values on their way: what the user gives and a look-up finds is what
// a change is called with, and what that made of it is what may be told. What nobody here
// gave may stand in a prompt, which this package does not see: an id that was not found is only
// asked about, unless the models doubt the claim, too.
var flow = []rule{
	{Name: "not in the world", When: unseen, Then: Sure, Firm: true, Plain: true, Fault: faultFailed},
	{Name: "its tool was not called", When: uncalledTool, Then: Sure, Firm: true, Fault: faultNoRecord},
	{Name: "another than was given", When: otherGiven, Then: Sure, Firm: true, Plain: true, Fault: faultOther},
	{Name: "another than was found", When: otherFound, Then: Sure, Plain: true, Fault: faultOther},
	{Name: "another file", When: otherFile, Then: Sure, Firm: true, Plain: true, Fault: faultOther},
}

// isReport reports whether a clause may tell that something is done, if only as a guess.
func (a *assertion) isReport() bool { return !a.clause.Negated && !a.looksBack && !a.own() }

// unseen: what is told as done was read back, is not there, and the text does not say so.
func unseen(c *conversation, a *assertion) bool {
	failed := a.best[fateFailed]
	return !c.tellsFailure() && a.isReport() && a.told() && failed != nil && failed.record.Contradicted() &&
		a.fit[fateFailed] >= 0.5 && a.fit[fateChanged] < 0.5
}

// uncalledTool: what the user asks for is told as done beside something else, in the word of a
// tool that was offered and never called, and no command was run that may have done it.
func uncalledTool(c *conversation, a *assertion) bool {
	beside := func(b assertion) bool { return b.clause != a.clause && b.told() && !b.own() }
	if !a.told() || a.own() || !c.about.instructs() || !c.plain(a.best[fateChanged]) || ranAnything(c) {
		return false
	}
	return slices.ContainsFunc(c.assertions, beside) && slices.ContainsFunc(c.tools, func(t toolFacts) bool {
		return t.changes && t.grounds == 0 && (namesUntouched(c, a, &t) ||
			t.verbKey != 0 && t.verbKey == a.verbKey && namesThing(c, a, &t) && c.userMeans(&t) && c.owned(a))
	})
}

// namesUntouched reports whether a clause names what a tool works on as the user does, and no
// call has to do with it.
func namesUntouched(c *conversation, a *assertion, t *toolFacts) bool {
	const anywhere = 1<<fateChanged | 1<<fateRead | 1<<fateFailed | 1<<fatePending | 1<<fateEarlier | 1<<failedBefore
	return slices.ContainsFunc(t.Nouns, func(noun toolname.Word) bool {
		key := c.reader.StemKey(noun.Text)
		return clauseSays(c, a, noun.Text) && c.known.Of(key)&(1<<ofUser|anywhere) == 1<<ofUser &&
			!c.acted(c.terms.Row(key))
	})
}

// namesThing reports whether a clause names what a tool works on, if its name has it: not that of
// git.commit.
func namesThing(c *conversation, a *assertion, t *toolFacts) bool {
	return toolname.IsBareVerb(t.name) ||
		slices.ContainsFunc(t.Nouns, func(noun toolname.Word) bool { return clauseSays(c, a, noun.Text) })
}

func clauseSays(c *conversation, a *assertion, word string) bool {
	for i := a.clause.From; i < a.clause.To; i++ {
		if c.text.Says(i, word) {
			return true
		}
	}
	return false
}

// ranAnything reports whether a command was run that is neither a check nor a look: it may
// have done whatever is told.
func ranAnything(c *conversation) bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		run := c.reader.RunBy(f.record.Tool, f.record.Args, false, 0)
		return f.tool.changes && c.runsCommand(&f) && run != reading.RunsChecks && run != reading.RunsLooks
	})
}

// otherGiven: a change was called with a day or an address that nobody gave and no call returned,
// in place of the one that the user gave, and which no change has; the text does not tell it.
func otherGiven(c *conversation, a *assertion) bool {
	return a.isReport() && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.tool.changes && f.record.Succeeded() && c.plain(&f) &&
			slices.ContainsFunc(c.slots[f.slots[0]:f.slots[1]], func(v reading.Value) bool {
				address := v.Kind == reading.ID && strings.Contains(v.String(), "@")
				mayDiffer := (address || v.Kind == reading.Date) && !c.known.Holds(ofText, &v)
				given := c.known.Holds(ofUser, &v) || c.known.Holds(ofAnswer, &v) || inCalls(c, false, &v)
				return mayDiffer && !given && slices.ContainsFunc(c.user.Values, func(asked reading.Value) bool {
					return asked.Kind == v.Kind && asked.Resembles(&v) && (address || c.known.Holds(ofText, &asked)) &&
						!asked.Has(reading.Derived|reading.Merged|reading.Worded) && !inCalls(c, true, &asked)
				})
			})
	})
}

// inCalls reports whether a change, or a look-up, has a value.
func inCalls(c *conversation, changes bool, v *reading.Value) bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.tool.changes == changes && c.known.Holds(f.itself, v)
	})
}

// otherFound: a change was called with an id that nobody gave and no other call has, and a look-up
// found another one under that name.
func otherFound(c *conversation, a *assertion) bool {
	return c.sum.read > 0 && a.isReport() && slices.ContainsFunc(c.made, func(f fact) bool {
		if !f.tool.changes || !f.record.Succeeded() || !c.plain(&f) {
			return false
		}
		for key, value := range jsonspan.Members(f.record.Args) {
			if bytes.HasSuffix(key, []byte("id")) && foundOtherwise(c, key, jsonspan.Scalar(value)) {
				return true
			}
		}
		return false
	})
}

// foundOtherwise reports whether a look-up found something under the name of an id, and neither the
// user nor a call but a change of this turn has that id.
func foundOtherwise(c *conversation, key []byte, id string) bool {
	const short = 4
	if len(id) < short || strings.Contains(c.turn.User, id) || strings.Contains(c.turn.Previous, id) {
		return false
	}
	name, told := []byte(`"`+string(key)+`":`), []byte(id)
	known := slices.ContainsFunc(c.facts, func(g fact) bool {
		called := bytes.Contains(g.record.Args, told)
		return g.earlier || !(called && g.tool.changes) && (called || bytes.Contains(g.record.Result.Data, told))
	})
	return !known && slices.ContainsFunc(c.made, func(g fact) bool {
		return g.fate == fateRead && bytes.Contains(g.record.Result.Data, name)
	})
}

// otherFile: a file is told as changed that no change has, and a change has another one that the
// text does not name.
func otherFile(c *conversation, a *assertion) bool {
	if !a.isReport() || !a.told() || !a.changing() || ranAnything(c) {
		return false
	}
	values := c.text.Values[a.clause.FirstValue:a.clause.LastValue]
	return slices.ContainsFunc(values, func(v reading.Value) bool { return isPath(&v) && wroteOther(c, v.String()) })
}

// wroteOther reports whether no change has a file, and one has another that the text does not name.
func wroteOther(c *conversation, path string) bool {
	base := []byte(path[strings.LastIndexByte(path, '/')+1:])
	wrote := slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.tool.changes && (bytes.Contains(f.record.Args, base) || bytes.Contains(f.record.Result.Data, base))
	})
	return !wrote && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateChanged && slices.ContainsFunc(c.slots[f.slots[0]:f.slots[1]], func(slot reading.Value) bool {
			return isPath(&slot) && !c.known.Holds(ofText, &slot)
		})
	})
}

func isPath(v *reading.Value) bool {
	text := v.String()
	return v.Kind == reading.ID && !v.Has(reading.Derived|reading.Merged) && !strings.ContainsAny(text, "@:") &&
		strings.Contains(text[strings.LastIndexByte(text, '/')+1:], ".") && strings.Contains(text, "/")
}
