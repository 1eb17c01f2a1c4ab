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
// a change is called with, and what that made of it is what may be told.
var flow = []rule{
	{Name: "not in the world", When: unseen, Then: Sure, Firm: true, Plain: true, Fault: faultFailed},
	{Name: "its tool was not called", When: uncalledTool, Then: Sure, Firm: true, Fault: faultNoRecord},
	{Name: "its tool failed", When: failedTool, Then: Sure, Firm: true, Fault: faultFailed},
	{Name: "another than was given", When: otherGiven, Then: Sure, Firm: true, Plain: true, Fault: faultOther},
	{Name: "another than was found", When: otherFound, Then: Sure, Firm: true, Plain: true, Fault: faultOther},
}

// isReport reports whether a clause may tell that something is done, if only as a guess.
func (a *assertion) isReport() bool { return !a.clause.Negated && !a.looksBack && !a.own() }

// isSo reports whether a clause tells something as done, or as so now, and nothing is left open.
func (c *conversation) isSo(a *assertion) bool {
	state := a.clause.Actor != reading.You && a.clause.Mood != reading.Possible && a.clause.Roles&turned != 0
	return a.isReport() && (a.told() || state && !c.leavesOpen())
}

// unseen: what is told as done was read back, is not there, and the text does not say so.
func unseen(c *conversation, a *assertion) bool {
	failed := a.best[fateFailed]
	return failed != nil && failed.record.Contradicted() && a.isReport() && a.told() &&
		a.fit[fateFailed] >= 0.5 && a.fit[fateChanged] < 0.5 && !c.tellsFailure()
}

// uncalledTool: what the user asks for is told as done beside something else, in the word of a
// tool that was offered and never called, and no command was run that may have done it.
func uncalledTool(c *conversation, a *assertion) bool {
	beside := func(b assertion) bool { return b.clause != a.clause && b.told() && !b.own() }
	return c.isSo(a) && c.about.instructs() && c.plain(a.best[fateChanged]) && !ranAnything(c) &&
		slices.ContainsFunc(c.assertions, beside) && isOfTool(c, a, 0)
}

// failedTool: what the user asks for is told as so, in the word of a tool whose calls all failed,
// and the text tells of no failure.
func failedTool(c *conversation, a *assertion) bool {
	return c.sum.failed > c.sum.doubtful && c.isSo(a) && !c.about.asks && !c.tellsFailure() &&
		(c.plain(a.best[fateFailed]) && isOfTool(c, a, 1<<fateFailed) || failedFile(c, a))
}

// failedFile reports whether a sentence names a file that a change failed to write, and no other has.
func failedFile(c *conversation, a *assertion) bool {
	return slices.ContainsFunc(c.text.ValuesOf(a.clause.Sentence, a.clause.Sentence), func(v reading.Value) bool {
		path := isFile(v) && strings.Contains(v.String(), "/")
		return path && hasFile(c, &v, true) && !hasFile(c, &v, false) && !ranAnything(c)
	})
}

// isOfTool reports whether a clause has the word of a tool that changes and whose calls ended so, and
// no other call has to do with it. For a tool that was never called, another form of the word is another.
func isOfTool(c *conversation, a *assertion, grounds uint8) bool {
	const anywhere = 1<<fateChanged | 1<<fateRead | 1<<fateFailed | 1<<fatePending | 1<<fateEarlier | 1<<failedBefore
	says := func(noun toolname.Word) bool {
		key := c.reader.StemKey(noun.Text)
		return slices.ContainsFunc(c.text.ValuesIn(a.clause), func(v reading.Value) bool {
			return v.Key == key && (grounds != 0 || strings.EqualFold(v.String(), noun.Text))
		})
	}
	unmet := func(noun toolname.Word) bool {
		key := c.reader.StemKey(noun.Text)
		known := c.known.Of(key) & (1<<ofUser | anywhere&^uint64(grounds))
		return known == 1<<ofUser && says(noun) && !c.acted(c.terms.Row(key))
	}
	return slices.ContainsFunc(c.tools, func(t toolFacts) bool {
		after := c.made[1+slices.IndexFunc(c.made, func(f fact) bool { return f.tool.name == t.name }):]
		otherWay := func(f fact) bool { return f.fate == fateChanged && f.tool.Families.Overlaps(t.Families) }
		if !t.changes || t.grounds != grounds || grounds != 0 && slices.ContainsFunc(after, otherWay) {
			return false
		}
		named := toolname.IsBareVerb(t.name) || slices.ContainsFunc(t.Nouns, says) // not that of git.commit
		return slices.ContainsFunc(t.Nouns, unmet) ||
			t.verbKey != 0 && t.verbKey == a.verbKey && named && c.userMeans(&t) && c.owned(a)
	})
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
			slices.ContainsFunc(c.slotsOf(&f), func(v reading.Value) bool {
				address := v.Kind == reading.ID && strings.Contains(v.String(), "@")
				mayDiffer := (address || v.Kind == reading.Date) && !c.known.Holds(ofText, &v)
				given := c.known.Holds(ofUser, &v) || c.known.Holds(ofAnswer, &v) || inSome(c, false, &v)
				return slices.ContainsFunc(c.user.Values, func(asked reading.Value) bool {
					return isOtherYear(c, &asked, &v) || mayDiffer && !given && asked.Kind == v.Kind && asked.Resembles(&v) &&
						(address || c.known.Holds(ofText, &asked)) && !inSome(c, true, &asked) &&
						!asked.Has(reading.Derived|reading.Merged|reading.Worded)
				})
			})
	})
}

// isOtherYear reports whether the user gives a day, and a call has it in a year that nobody gave.
func isOtherYear(c *conversation, asked, v *reading.Value) bool {
	const year, day = 4, len("2006-01-02")
	one, other := asked.String(), v.String()
	return v.Kind == reading.Date && len(one) == day && len(other) == day && one[year:] == other[year:] && one != other &&
		!strings.Contains(c.turn.User+c.turn.Previous+c.turn.Text, other) && !slices.ContainsFunc(c.facts, func(f fact) bool {
		return !f.tool.changes && bytes.Contains(f.record.Result.Data, []byte(other))
	})
}

// inSome reports whether a change, or a look-up, has a value.
func inSome(c *conversation, changes bool, v *reading.Value) bool {
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
	told := func(text string) bool { return strings.Contains(text, id) }
	if len(id) < short || told(c.turn.User) || told(c.turn.Previous) || slices.ContainsFunc(c.turn.Context, told) {
		return false
	}
	name := []byte(`"` + string(key) + `":`)
	known := slices.ContainsFunc(c.facts, func(g fact) bool {
		called := g.tool.changes && bytes.Contains(g.record.Args, []byte(id))
		return g.earlier || !called && g.has(id)
	})
	return !known && slices.ContainsFunc(c.made, func(g fact) bool {
		return g.fate == fateRead && bytes.Contains(g.record.Result.Data, name)
	})
}

// hasFile reports whether a change has a file, or a change that failed. A commit changes none.
func hasFile(c *conversation, v *reading.Value, failed bool) bool {
	path := v.String()
	base := path[strings.LastIndexByte(path, '/')+1:]
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.tool.changes && (f.fate == fateFailed) == failed && f.has(base) &&
			c.reader.RunBy(f.record.Tool, f.record.Args, false, 0) == reading.RunsOther
	})
}

// mayBeEdit reports whether a clause may tell what was written to a file: what a change of one
// did to its content has many words.
func mayBeEdit(c *conversation, a *assertion) bool {
	return a.nth <= c.sum.changed && slices.ContainsFunc(c.made, func(f fact) bool {
		return f.fate == fateChanged && slices.ContainsFunc(c.slotsOf(&f), isFile)
	})
}

func isFile(v reading.Value) bool {
	text := v.String()
	return v.Kind == reading.ID && !v.Has(reading.Derived|reading.Merged) && !strings.ContainsAny(text, "@:") &&
		strings.Contains(text[strings.LastIndexByte(text, '/')+1:], ".")
}
