package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// One item may tell of several acts: "Both orders cancelled and the customer informed".
// Each of them needs a call of its own, and a call pays for its own act only.

// deed is an act that an item tells beside others.
type deed struct {
	verb, words string // words are the clause
	acts        lexicon.Families
}

// deeds are the acts that a description tells, one for each of its clauses that tells
// one as done. A description that begins with its verb goes on with verbs: in "Cancelled
// the trial and the order placed on Monday" nothing was placed.
func (k *knowledge) deeds(what string) []deed {
	text := k.read(what)
	var found []deed
	leads := true
	for i := range text.Clauses {
		clause := &text.Clauses[i]
		if !told(clause) || clause.Shape == reading.Copula || text.Tokens[clause.Verb].Flags&lexicon.Quoted != 0 {
			continue
		}
		form := text.Tokens[clause.Verb].Form()
		if !form.Has(lexicon.Past|lexicon.Participle) || clause.Shape == reading.ActivePast && clause.Actor != reading.Us {
			continue
		}
		first := clause.Verb == clause.From || clause.Verb == clause.From+1 && i > 0
		if len(found) == 0 {
			leads = first
		}
		if clause.Shape == reading.Fragment && leads && !first {
			continue
		}
		act := deed{text.Word(clause.Verb), what[clause.Start:clause.End], text.Tokens[clause.Verb].Families()}
		found = append(found, act)
	}
	return found
}

// unpaid is an act of several that an item tells, of which none of the cited calls is
// one, while a tool that was not called, or failed, does just that; empty if there is
// none.
func (c *checker) unpaid(what string, cited []*tooltrack.Record) string {
	deeds := c.known.deeds(what)
	if len(deeds) < 2 {
		return ""
	}
	for i := range deeds {
		if !c.pays(deeds, i, cited) && c.ownerOf(&deeds[i], what, cited) {
			return strings.TrimSpace(deeds[i].words)
		}
	}
	return ""
}

// pays reports whether a cited call is one of the acts of an item: by what its tool
// does, unless that is already what another of the acts is called, or by what the tool
// or the call itself says.
func (c *checker) pays(deeds []deed, i int, cited []*tooltrack.Record) bool {
	act := &deeds[i]
	return slices.ContainsFunc(cited, func(record *tooltrack.Record) bool {
		tool := c.tools[record.Tool]
		another := func(other deed) bool { return c.sameVerb(other.verb, tool) }
		switch {
		case !c.came(record):
			return false
		case tool == nil || c.sameVerb(act.verb, tool):
			return true
		case tool.Families.Empty() || tool.Families.Overlaps(act.acts):
			return !slices.ContainsFunc(deeds, another)
		}
		return tool.says.Overlaps(act.acts) || c.known.tellsOf(record, act)
	})
}

// ownerOf reports whether a tool that may change something, and of which no call is
// cited that came to something, plainly does an act: it has its verb, and is asked for
// by it or works on what the item names; or it does such a thing, and was tried.
func (c *checker) ownerOf(act *deed, what string, cited []*tooltrack.Record) bool {
	return slices.ContainsFunc(c.turn.Tools, func(tool tooltrack.Tool) bool {
		read := c.tools[tool.Name]
		if !read.effect.MayChange() || slices.ContainsFunc(cited, func(r *tooltrack.Record) bool {
			return r.Tool == tool.Name && c.came(r)
		}) {
			return false
		}
		named := c.known.said[c.known.reader.StemKey(act.verb)] || c.shares(what, read)
		return c.sameVerb(act.verb, read) && named ||
			read.does(act.acts) && (c.shares(act.words, read) || c.triedNow(tool.Name))
	})
}

// sameVerb reports whether a word is the verb of a tool.
func (c *checker) sameVerb(word string, tool *toolReading) bool {
	return tool.Verb.Text != "" && c.known.reader.StemKey(word) == c.known.reader.StemKey(tool.Verb.Text)
}

// triedNow reports whether a tool was called in this turn.
func (c *checker) triedNow(tool string) bool {
	return citedTool(c.turn.List.records[c.turn.List.earlier:], tool)
}

// tellsOf reports whether a call itself speaks of an act, by a name or a value.
func (k *knowledge) tellsOf(record *tooltrack.Record, act *deed) bool {
	key := k.reader.StemKey(act.verb)
	speaks := func(text string) bool {
		return slices.ContainsFunc(k.values(text), func(v reading.Value) bool {
			return v.Key == key || v.Entry != nil && v.Entry.Families.Overlaps(act.acts)
		})
	}
	for _, source := range [][]byte{record.Args, record.Result.Data} {
		for name, value := range leaves(source) {
			if speaks(name) || speaks(value) {
				return true
			}
		}
	}
	return false
}
